#include "capture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fatal.h"
#include "frame.h"

enum {
  READ_BYTES = 256 * 1024,
  READS_PER_TURN = 4,
  FRAMES_PER_TURN = 16,
  TAIL_FIRST_BYTES = 4 * 1024,
  /* Live bytes wait here for credit, also where the caller keeps a smaller tail. */
  TAIL_LEAST_BYTES = 64 * 1024,
  /* A stream that printed this much gets a wider pipe: not all do, because the kernel limits the sum. */
  WIDE_PIPE_AFTER_BYTES = 256 * 1024,
  WIDE_PIPE_BYTES = 1024 * 1024
};

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint64_t tail_limit(const struct capture *capture) {
  return capture->max_output_bytes > TAIL_LEAST_BYTES ? capture->max_output_bytes : TAIL_LEAST_BYTES;
}

/* Grows only while nothing has wrapped around: byte `n` then still lies at `n`. */
static void make_room(struct capture *capture, uint64_t wanted) {
  uint64_t limit = tail_limit(capture);
  if (wanted <= capture->tail_capacity || capture->tail_capacity == limit) return;
  uint64_t capacity = capture->tail_capacity == 0 ? TAIL_FIRST_BYTES : capture->tail_capacity;
  while (capacity < wanted && capacity < limit) capacity *= 2;
  capture->tail_capacity = least(capacity, limit);
  capture->tail = allocate(capture->tail, capture->tail_capacity);
}

static void withhold_spill(struct capture *capture, enum spill_state state) {
  if (capture->spill != NULL) spill_discard(capture->spill);
  capture->spill = NULL;
  capture->spill_state = state;
}

/* Begins with everything so far, which the tail still holds, and tells the host the path. */
static void begin_spill(struct capture *capture, struct outbox *outbox, uint32_t channel) {
  capture->spill = spill_create(&capture->spill_state);
  if (capture->spill == NULL) return;
  capture->spill_state = spill_write(capture->spill, capture->tail, capture->total);
  if (capture->spill_state != SPILL_KEPT) {
    withhold_spill(capture, capture->spill_state);
    return;
  }
  char path[FRAME_PATH_MAX];
  uint32_t length = (uint32_t)spill_path(capture->spill, path, sizeof path);
  memcpy(outbox_frame(outbox, length, FRAME_SPILL, capture->stream, channel), path, length);
}

static void spill_bytes(struct capture *capture, const uint8_t *bytes, size_t count, struct outbox *outbox,
                        uint32_t channel) {
  if (capture->max_spill_bytes == 0 || capture->total + count <= capture->max_output_bytes) return;
  if (capture->spill_state == SPILL_NONE) begin_spill(capture, outbox, channel);
  if (capture->spill_state != SPILL_KEPT) return;
  enum spill_state state = capture->total + count > capture->max_spill_bytes
                               ? SPILL_OVER_CAP
                               : spill_write(capture->spill, bytes, count);
  if (state != SPILL_KEPT) withhold_spill(capture, state);
}

static void keep_tail(struct capture *capture, const uint8_t *bytes, size_t count) {
  make_room(capture, capture->total + count);
  uint64_t kept = least(count, capture->tail_capacity);
  uint64_t offset = (capture->total + count - kept) % capture->tail_capacity;
  uint64_t until_wrap = least(kept, capture->tail_capacity - offset);
  const uint8_t *from = bytes + (count - kept);
  memcpy(capture->tail + offset, from, until_wrap);
  memcpy(capture->tail, from + until_wrap, kept - until_wrap);
}

bool capture_wants_input(const struct capture *capture, const struct outbox *outbox) {
  if (!capture->lossless || capture->discarding) return true;
  return capture->credit > 0 && outbox_length(outbox) < OUTBOX_DATA_MAX;
}

static void count_read(struct capture *capture, uint64_t count) {
  capture->total += count;
  if (capture->enlarged || capture->total <= WIDE_PIPE_AFTER_BYTES) return;
  /* Refused past the kernel's limit for all pipes of a user: then it stays as it is. */
  fcntl(capture->fd, F_SETPIPE_SZ, WIDE_PIPE_BYTES);
  capture->enlarged = true;
}

/* What a read said that brought no bytes. */
static enum capture_read end_of_read(struct capture *capture, ssize_t count) {
  if (count < 0 && errno == EINTR) return CAPTURE_MORE;
  if (count < 0 && errno == EAGAIN) return CAPTURE_IDLE;
  /* An error other than these is as final as an end: no more bytes will come. */
  close(capture->fd);
  capture->fd = -1;
  return CAPTURE_END;
}

static enum capture_read read_into_tail(struct capture *capture, struct outbox *outbox, uint32_t channel) {
  static uint8_t buffer[READ_BYTES];
  for (int i = 0; i < READS_PER_TURN; i++) {
    ssize_t count = read(capture->fd, buffer, sizeof buffer);
    if (count <= 0) return end_of_read(capture, count);
    if (capture->discarding) continue;
    spill_bytes(capture, buffer, (size_t)count, outbox, channel);
    keep_tail(capture, buffer, (size_t)count);
    count_read(capture, (uint64_t)count);
  }
  return CAPTURE_MORE;
}

/* Straight into frames. */
static enum capture_read read_into_outbox(struct capture *capture, struct outbox *outbox, uint32_t channel) {
  for (int i = 0; i < FRAMES_PER_TURN && capture_wants_input(capture, outbox); i++) {
    uint32_t wanted = (uint32_t)least(FRAME_DATA_MAX, capture->credit);
    uint8_t *payload = outbox_frame(outbox, wanted, FRAME_DATA, capture->stream, channel);
    ssize_t count = read(capture->fd, payload, wanted);
    int error = errno;
    if (count < (ssize_t)wanted) outbox_cut(outbox, payload, count < 0 ? 0 : (uint32_t)count);
    errno = error;
    if (count <= 0) return end_of_read(capture, count);
    capture->credit -= (uint64_t)count;
    capture->sent += (uint64_t)count;
    count_read(capture, (uint64_t)count);
  }
  return CAPTURE_MORE;
}

enum capture_read capture_read(struct capture *capture, struct outbox *outbox, uint32_t channel) {
  if (capture->lossless && !capture->discarding) return read_into_outbox(capture, outbox, channel);
  return read_into_tail(capture, outbox, channel);
}

static void skip_lost(struct capture *capture, struct outbox *outbox, uint32_t channel) {
  uint64_t waiting = capture->total - capture->sent;
  if (waiting <= capture->tail_capacity) return;
  uint64_t lost = waiting - capture->tail_capacity;
  put_u64(outbox_frame(outbox, 8, FRAME_SKIP, capture->stream, channel), lost);
  capture->sent += lost;
  capture->skipped += lost;
}

bool capture_send(struct capture *capture, struct outbox *outbox, uint32_t channel) {
  bool moved = false;
  while (capture->credit > 0 && capture->sent < capture->total && outbox_length(outbox) < OUTBOX_DATA_MAX) {
    skip_lost(capture, outbox, channel);
    uint64_t offset = capture->sent % capture->tail_capacity;
    uint64_t count = least(least(capture->credit, capture->total - capture->sent),
                           least(FRAME_DATA_MAX, capture->tail_capacity - offset));
    uint8_t *payload = outbox_frame(outbox, (uint32_t)count, FRAME_DATA, capture->stream, channel);
    memcpy(payload, capture->tail + offset, count);
    capture->sent += count;
    capture->credit -= count;
    moved = true;
  }
  return moved;
}

bool capture_is_delivered(const struct capture *capture) {
  return capture->discarding || (capture->fd < 0 && capture->sent == capture->total);
}

void capture_end(struct capture *capture, struct outbox *outbox, uint32_t channel) {
  char path[FRAME_PATH_MAX];
  size_t length = 0;
  if (capture->spill != NULL) {
    spill_finish(capture->spill);
    length = spill_path(capture->spill, path, sizeof path);
    capture->spill = NULL;
  }
  uint8_t *at = outbox_frame(outbox, (uint32_t)(20 + length), FRAME_END, capture->stream, channel);
  at = put_u32(put_u64(put_u64(at, capture->total), capture->skipped), capture->spill_state);
  if (length > 0) memcpy(at, path, length);
  capture->ended = true;
}

void capture_discard(struct capture *capture) {
  capture->discarding = true;
  free(capture->tail);
  capture->tail = NULL;
  capture->tail_capacity = 0;
  capture->sent = capture->total;
}

void capture_close(struct capture *capture) {
  if (capture->fd >= 0) close(capture->fd);
  capture->fd = -1;
  if (capture->spill != NULL) spill_finish(capture->spill);
  capture->spill = NULL;
  free(capture->tail);
  capture->tail = NULL;
}

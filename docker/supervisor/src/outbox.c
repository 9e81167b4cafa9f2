#include "outbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fatal.h"
#include "frame.h"

enum { OUTBOX_KEPT_BYTES = 512 * 1024 };

size_t outbox_length(const struct outbox *outbox) { return outbox->end - outbox->start; }

uint8_t *outbox_frame(struct outbox *outbox, uint32_t length, uint8_t type, uint8_t stream, uint32_t channel) {
  size_t needed = FRAME_HEADER_BYTES + (size_t)length;
  if (outbox->capacity - outbox->end < needed) {
    if (outbox->start > 0) memmove(outbox->bytes, outbox->bytes + outbox->start, outbox_length(outbox));
    outbox->end -= outbox->start;
    outbox->start = 0;
    if (outbox->capacity - outbox->end < needed) {
      outbox->capacity = (outbox->end + needed) * 2;
      outbox->bytes = allocate(outbox->bytes, outbox->capacity);
    }
  }
  uint8_t *header = outbox->bytes + outbox->end;
  frame_header(header, length, type, stream, channel);
  outbox->end += needed;
  return header + FRAME_HEADER_BYTES;
}

void outbox_cut(struct outbox *outbox, uint8_t *payload, uint32_t length) {
  uint8_t *header = payload - FRAME_HEADER_BYTES;
  put_u32(header, length);
  outbox->end = (size_t)((length == 0 ? header : payload + length) - outbox->bytes);
}

bool outbox_flush(struct outbox *outbox, int fd) {
  while (outbox->start < outbox->end) {
    ssize_t count = write(fd, outbox->bytes + outbox->start, outbox_length(outbox));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN;
    outbox->start += (size_t)count;
  }
  outbox->start = outbox->end = 0;
  if (outbox->capacity > OUTBOX_KEPT_BYTES) {
    free(outbox->bytes);
    outbox->bytes = NULL;
    outbox->capacity = 0;
  }
  return true;
}

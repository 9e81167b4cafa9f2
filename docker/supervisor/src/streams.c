#include "streams.h"

#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

static void end_captures(struct command *command) {
  for (int s = 0; s < 2; s++) {
    struct capture *capture = &command->captures[s];
    if (command->exited && !capture->ended && capture_is_delivered(capture))
      capture_end(capture, channels.outbox, command->channel);
  }
}

/* A capture without room leaves the set and is not only masked: its hang-up would be told again and again. */
static void watch_capture(struct command *command, int s) {
  struct capture *capture = &command->captures[s];
  bool pause = capture->fd >= 0 && !capture_wants_input(capture, channels.outbox);
  if (capture->fd >= 0 && pause && !command->paused[s]) poller_remove(capture->fd);
  if (capture->fd >= 0 && !pause && command->paused[s])
    poller_add(capture->fd, EPOLLIN, command->channel, s == 0 ? WATCH_STDOUT : WATCH_STDERR);
  command->paused[s] = pause;
}

/*
 * When its command has ended, a terminal says what it still holds and hangs up: no process that stays
 * holds up the end of the output, by writing more of it either.
 */
static bool is_over(struct command *command, enum capture_read result) {
  enum { TERMINAL_HOLDS_BYTES = 256 * 1024 };
  const struct capture *capture = &command->captures[0];
  if (!command->exited) return result == CAPTURE_END;
  if (command->last_byte == 0) command->last_byte = capture->total + TERMINAL_HOLDS_BYTES;
  return result != CAPTURE_MORE || capture->discarding || capture->total >= command->last_byte;
}

/* Everything that keeps the terminal open goes at once: a part of it would stay in the poller. */
static void hang_up(struct command *command) {
  struct capture *capture = &command->captures[0];
  if (capture->fd >= 0) close(capture->fd);
  capture->fd = -1;
  input_close(&command->input);
  close(command->slave);
  command->slave = -1;
}

void streams_read(struct command *command, int s) {
  struct capture *capture = &command->captures[s];
  if (capture->fd < 0) return;
  enum capture_read result = capture_read(capture, channels.outbox, command->channel);
  if (command->slave >= 0 && is_over(command, result)) hang_up(command);
  watch_capture(command, s);
}

void streams_send(struct command *command) {
  /* No event tells that it has nothing more to say. */
  if (command->slave >= 0 && command->exited) streams_read(command, 0);
  for (int s = 0; s < 2; s++) {
    struct capture *capture = &command->captures[s];
    capture_send(capture, channels.outbox, command->channel);
    /* The file of a reader is never in the set. */
    if (!command->is_reader) watch_capture(command, s);
  }
  end_captures(command);
}

static void handle_input(struct command *command, enum input_result result) {
  if (result != INPUT_TAKEN) {
    if (result == INPUT_READER_GONE) outbox_frame(channels.outbox, 0, FRAME_RESET, STREAM_STDIN, command->channel);
    input_close(&command->input);
    return;
  }
  bool wants_room = input_is_waiting(&command->input);
  if (wants_room != command->stdin_watched_for_room)
    poller_change(command->input.fd, wants_room ? EPOLLOUT : 0, command->channel, WATCH_STDIN);
  command->stdin_watched_for_room = wants_room;
  uint32_t credit = input_take_credit(&command->input);
  if (credit > 0) put_u32(outbox_frame(channels.outbox, 4, FRAME_CREDIT, STREAM_STDIN, command->channel), credit);
}

enum protocol_error streams_stdin(const struct frame *frame) {
  struct command *command = channel_find(frame->channel);
  /* Sent before the host could know that nobody reads it. */
  if (command == NULL || command->input.fd < 0) return PROTOCOL_OK;
  if (frame->length > command->input.window || command->input.end_wanted) return PROTOCOL_CREDIT;
  handle_input(command, input_write(&command->input, frame->payload, frame->length));
  return PROTOCOL_OK;
}

void streams_stdin_end(const struct frame *frame) {
  struct command *command = channel_find(frame->channel);
  if (command != NULL && command->input.fd >= 0) handle_input(command, input_end(&command->input));
}

void streams_credit(const struct frame *frame) {
  struct command *command = channel_find(frame->channel);
  if (command != NULL) command->captures[frame->stream - STREAM_STDOUT].credit += get_u32(frame->payload);
}

void streams_release(const struct frame *frame) {
  struct command *command = channel_find(frame->channel);
  if (command == NULL) return;
  if (command->is_reader) {
    channel_end(command);
    return;
  }
  for (int s = 0; s < 2; s++) capture_discard(&command->captures[s]);
  streams_send(command);
  channel_end_if_over(command);
}

enum protocol_error streams_read_spill(const struct frame *frame) {
  if (channel_find(frame->channel) != NULL) return PROTOCOL_CHANNEL;
  int fd = spill_open_path((const char *)frame->payload + 4, frame->length - 4);
  struct command *command = fd < 0 ? NULL : channel_take(frame->channel);
  if (command == NULL) {
    if (fd >= 0) close(fd);
    channel_failed(frame->channel, fd < 0 ? STAGE_SPILL : STAGE_LIMIT, fd < 0 ? -fd : EAGAIN);
    return PROTOCOL_OK;
  }
  command->is_reader = command->exited = command->gone = true;
  command->captures[0] = (struct capture){
      .fd = fd, .stream = STREAM_STDOUT, .lossless = true, .credit = get_u32(frame->payload), .enlarged = true};
  command->captures[1].ended = true;
  return PROTOCOL_OK;
}

/* A regular file is always ready, so its turn is ours to give. */
bool streams_read_file(struct command *command) {
  struct capture *capture = &command->captures[0];
  if (capture->fd < 0 || !capture_wants_input(capture, channels.outbox)) return false;
  capture_read(capture, channels.outbox, command->channel);
  return true;
}

void streams_stdin_event(struct command *command, const struct watch_event *event) {
  if (command->input.fd < 0) return;
  bool has_reader = (event->events & EPOLLERR) == 0;
  handle_input(command, has_reader ? input_resume(&command->input) : INPUT_READER_GONE);
}

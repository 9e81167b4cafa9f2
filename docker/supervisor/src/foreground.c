#include "foreground.h"

#include <signal.h>
#include <sys/stat.h>

#include "channel.h"
#include "terminal.h"
#include "waiting.h"

/* NULL where there is no terminal, or its command has ended. */
static struct command *find_terminal(const struct frame *frame) {
  struct command *command = channel_find(frame->channel);
  return command == NULL || command->slave < 0 || command->exited ? NULL : command;
}

enum protocol_error foreground_resize(const struct frame *frame) {
  struct window window;
  enum protocol_error error = window_decode(frame->payload, &window);
  struct command *command = find_terminal(frame);
  if (error == PROTOCOL_OK && command != NULL) terminal_resize(command->slave, &window);
  return error;
}

static bool waits_for_input(const struct command *command, pid_t group) {
  struct stat terminal;
  return fstat(command->slave, &terminal) == 0 && waiting_for(terminal.st_rdev, group, command->uid, command->gid);
}

enum protocol_error foreground_signal(const struct frame *frame) {
  uint32_t request = get_u32(frame->payload);
  uint32_t signal = get_u32(frame->payload + 4);
  if (signal > 64) return PROTOCOL_SIGNAL;
  struct command *command = find_terminal(frame);
  pid_t group = command == NULL ? 0 : terminal_foreground(command->captures[0].fd, command->leader);
  uint32_t flags = 0;
  if (group > 0 && signal == 0) {
    if (waits_for_input(command, group)) flags = FOREGROUND_WAITS_FOR_INPUT;
  } else if (group > 0 && kill(-group, (int)signal) < 0) {
    /* It has ended since. */
    group = 0;
  } else if (group > 0 && signal == SIGKILL && group == command->leader) {
    command->killed_by_host = true;
  }
  uint8_t *at = outbox_frame(channels.outbox, 12, FRAME_FOREGROUND_STATE, 0, frame->channel);
  put_u32(put_u32(put_u32(at, request), (uint32_t)group), flags);
  return PROTOCOL_OK;
}

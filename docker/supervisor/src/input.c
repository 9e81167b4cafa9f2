#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fatal.h"
#include "frame.h"

struct input input_open(int fd) { return (struct input){.fd = fd, .window = STDIN_WINDOW_BYTES}; }

bool input_is_waiting(const struct input *input) { return input->waiting_start < input->waiting_end; }

void input_close(struct input *input) {
  if (input->fd >= 0) close(input->fd);
  input->fd = -1;
  free(input->waiting);
  input->waiting = NULL;
  input->waiting_start = input->waiting_end = 0;
}

/* Writes what the pipe takes; negative when it has no reader. */
static ssize_t write_some(struct input *input, const uint8_t *bytes, size_t count) {
  size_t done = 0;
  while (done < count) {
    ssize_t written = write(input->fd, bytes + done, count - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) break;
    if (written < 0) return -1;
    done += (size_t)written;
  }
  input->taken += (uint32_t)done;
  return (ssize_t)done;
}

static void wait_with(struct input *input, const uint8_t *bytes, size_t count) {
  if (input->waiting == NULL) {
    input->waiting = allocate(NULL, STDIN_WINDOW_BYTES);
    /* Fewer switches to a reader that is slower. Refused past the kernel's limit for all pipes of a user. */
    fcntl(input->fd, F_SETPIPE_SZ, STDIN_WINDOW_BYTES);
  }
  if (input->waiting_end + count > STDIN_WINDOW_BYTES) {
    memmove(input->waiting, input->waiting + input->waiting_start, input->waiting_end - input->waiting_start);
    input->waiting_end -= input->waiting_start;
    input->waiting_start = 0;
  }
  memcpy(input->waiting + input->waiting_end, bytes, count);
  input->waiting_end += count;
}

enum input_result input_write(struct input *input, const uint8_t *bytes, size_t count) {
  input->window -= (uint32_t)count;
  ssize_t written = input_is_waiting(input) ? 0 : write_some(input, bytes, count);
  if (written < 0) return INPUT_READER_GONE;
  if ((size_t)written < count) wait_with(input, bytes + written, count - (size_t)written);
  return INPUT_TAKEN;
}

enum input_result input_resume(struct input *input) {
  ssize_t written =
      write_some(input, input->waiting + input->waiting_start, input->waiting_end - input->waiting_start);
  if (written < 0) return INPUT_READER_GONE;
  input->waiting_start += (size_t)written;
  if (input_is_waiting(input)) return INPUT_TAKEN;
  input->waiting_start = input->waiting_end = 0;
  return input->end_wanted ? INPUT_ENDED : INPUT_TAKEN;
}

enum input_result input_end(struct input *input) {
  input->end_wanted = true;
  return input_is_waiting(input) ? INPUT_TAKEN : INPUT_ENDED;
}

uint32_t input_take_credit(struct input *input) {
  uint32_t credit = input->taken;
  if (credit < STDIN_WINDOW_BYTES / 2 || input->end_wanted) return 0;
  input->taken = 0;
  input->window += credit;
  return credit;
}

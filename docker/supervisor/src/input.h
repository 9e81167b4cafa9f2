/* A command's standard input: written without blocking, what does not fit waits within a window. */
#ifndef INPUT_H
#define INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct input {
  /* -1 once nothing more can or will be written. */
  int fd;
  bool end_wanted;
  /* What the host may still send. */
  uint32_t window;
  /* Taken by the command and not yet given back to the host as credit. */
  uint32_t taken;
  uint8_t *waiting;
  size_t waiting_start;
  size_t waiting_end;
};

enum input_result { INPUT_TAKEN, INPUT_READER_GONE, INPUT_ENDED };

struct input input_open(int fd);

/* `count` must be within `window`. */
enum input_result input_write(struct input *input, const uint8_t *bytes, size_t count);

/* The end follows what waits. */
enum input_result input_end(struct input *input);

/* For when the pipe may have room again. */
enum input_result input_resume(struct input *input);

bool input_is_waiting(const struct input *input);

/* Bytes to give back to the host now, 0 while it is not worth a frame. */
uint32_t input_take_credit(struct input *input);

void input_close(struct input *input);

#endif

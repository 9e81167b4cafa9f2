/* Frames on their way to the host: one queue, written without blocking. */
#ifndef OUTBOX_H
#define OUTBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  /* Output is taken from captures only below this, so that a reply never waits behind much of it. */
  OUTBOX_DATA_MAX = 256 * 1024,
  /* Above this the host's frames are left unread: a host that asks and never reads is held up. */
  OUTBOX_HIGH_BYTES = 1024 * 1024
};

struct outbox {
  uint8_t *bytes;
  size_t start;
  size_t end;
  size_t capacity;
};

/* Appends a frame and returns where its payload is to be written. */
uint8_t *outbox_frame(struct outbox *outbox, uint32_t length, uint8_t type, uint8_t stream, uint32_t channel);

/* Cuts the last frame, whose payload is `payload`, to `length` bytes, which is less; 0 takes it back. */
void outbox_cut(struct outbox *outbox, uint8_t *payload, uint32_t length);

size_t outbox_length(const struct outbox *outbox);

/* Writes what `fd` takes. False when nobody reads it any more. */
bool outbox_flush(struct outbox *outbox, int fd);

#endif

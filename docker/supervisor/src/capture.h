/*
 * One stream of bytes on its way to the host: read at full speed into a bounded tail, past the tail
 * into a spill file, and sent from the tail as credit allows. What left the tail unsent is skipped
 * and said so. A lossless capture keeps no tail: it is read only when its bytes can be sent.
 */
#ifndef CAPTURE_H
#define CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "outbox.h"
#include "spill.h"

struct capture {
  /* -1 once it has ended. */
  int fd;
  uint8_t stream;
  bool lossless;
  bool enlarged;
  /* The host wants no more: read and forgotten. */
  bool discarding;
  /* The END frame is in the outbox. */
  bool ended;
  uint64_t max_output_bytes;
  uint64_t max_spill_bytes;
  uint64_t credit;
  /* Counts of bytes since the start of the stream. */
  uint64_t total;
  uint64_t sent;
  uint64_t skipped;
  /* Byte `n` of the stream lies at `n % tail_capacity` while it is among the last. */
  uint8_t *tail;
  uint64_t tail_capacity;
  struct spill *spill;
  enum spill_state spill_state;
};

enum capture_read { CAPTURE_IDLE, CAPTURE_MORE, CAPTURE_END };

/* Reads a bounded amount. END: nobody holds the other side any more, and `fd` is closed. */
enum capture_read capture_read(struct capture *capture, struct outbox *outbox, uint32_t channel);

/* False while a lossless capture has no credit or the outbox no room. */
bool capture_wants_input(const struct capture *capture, const struct outbox *outbox);

/* Moves to the outbox what credit and its room permit; true when it moved something. */
bool capture_send(struct capture *capture, struct outbox *outbox, uint32_t channel);

/* Everything was sent, or nothing is wanted: an END frame may follow. */
bool capture_is_delivered(const struct capture *capture);

void capture_end(struct capture *capture, struct outbox *outbox, uint32_t channel);

void capture_discard(struct capture *capture);

/* Gives back what it holds; a finished spill file stays. */
void capture_close(struct capture *capture);

#endif

/* The streams of the channels: what the host and the poller say of them. */
#ifndef STREAMS_H
#define STREAMS_H

#include <stdbool.h>

#include "channel.h"
#include "frame.h"
#include "poller.h"

/* Frames of the host. */
enum protocol_error streams_stdin(const struct frame *frame);
void streams_stdin_end(const struct frame *frame);
void streams_credit(const struct frame *frame);
void streams_release(const struct frame *frame);
enum protocol_error streams_read_spill(const struct frame *frame);

/* Reads a bounded amount of one output, 0 is stdout. */
void streams_read(struct command *command, int s);

/* Sends what credit and room permit, and the ends that may follow. */
void streams_send(struct command *command);

/* The part of the channel of a spill file in a turn; true when it could go on at once. */
bool streams_read_file(struct command *command);

/* The stdin of a command has room again, or no reader. */
void streams_stdin_event(struct command *command, const struct watch_event *event);

#endif

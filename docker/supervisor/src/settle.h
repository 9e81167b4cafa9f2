/* Signals to a command's processes, and the news that none is left. */
#ifndef SETTLE_H
#define SETTLE_H

#include <stdbool.h>
#include <stdint.h>

#include "channel.h"
#include "frame.h"

/* A SIGNAL of the host. */
enum protocol_error settle_signal(const struct frame *frame);

/* No process of the command is left: answers who asked, and lets go of stdin. */
void settle_gone(struct command *command);

/* The same, and tells the host. May end the channel. */
void settle_announce_gone(struct command *command);

/* Looks for what only a look can find: always false where a subreaper makes the keeper's word certain. */
bool settle_has_orphans(struct command *command);

/* Looks again where it is time, which may end the channel; returns when the next look is due. */
uint64_t settle_look_again(struct command *command, uint64_t now);

#endif

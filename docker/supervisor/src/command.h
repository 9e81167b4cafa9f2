/* Commands: how they start and how they end, as their keepers report it. */
#ifndef COMMAND_H
#define COMMAND_H

#include <sys/types.h>

#include "frame.h"
#include "poller.h"

/* A SPAWN of the host. */
enum protocol_error commands_spawn(const struct frame *frame);

/* What the poller and the kernel say. */
void commands_event(const struct watch_event *event);
void commands_keeper_ended(pid_t pid);

#endif

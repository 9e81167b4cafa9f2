/* What the host asks of a command's terminal: another size, and its foreground process group. */
#ifndef FOREGROUND_H
#define FOREGROUND_H

#include "frame.h"

/* A WINDOW of the host. */
enum protocol_error foreground_resize(const struct frame *frame);

/* A FOREGROUND of the host: signals the group, or with signal 0 only looks; always answered. */
enum protocol_error foreground_signal(const struct frame *frame);

#endif

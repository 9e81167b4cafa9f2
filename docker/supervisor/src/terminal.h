/* Pseudo-terminals. Only PID 1 holds a master: whoever has it is the one who types. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>

#include "frame.h"

struct terminal {
  int master;
  /* The command's side. While PID 1 holds it too, the terminal never looks hung up from the master. */
  int slave;
};

/* A new terminal that belongs to `uid`; 0 or an errno, and then nothing is held. */
int terminal_open(uid_t uid, const struct window *window, struct terminal *terminal);

void terminal_close(struct terminal *terminal);

/* For the leader of a new session: makes the terminal on descriptor 0 its controlling one; 0 or an errno. */
int terminal_take_control(void);

/* The foreground process group gets SIGWINCH when the size is another. */
void terminal_resize(int master, const struct window *window);

/* 0 when none is in the foreground, or when the terminal controls another session than `session`. */
pid_t terminal_foreground(int master, pid_t session);

#endif

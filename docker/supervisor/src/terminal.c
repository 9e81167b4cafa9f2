#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#include "guard.h"

enum { OPEN_FLAGS = O_RDWR | O_NOCTTY | O_CLOEXEC };

/* By the master where the kernel can: a path may lead to another file system of terminals. */
static int open_slave(int master) {
  char path[32];
  int number, locked = 0;
  if (ioctl(master, TIOCSPTLCK, &locked) < 0) return -1;
#ifdef TIOCGPTPEER
  int peer = ioctl(master, TIOCGPTPEER, OPEN_FLAGS);
  if (peer >= 0) return peer;
#endif
  /* The C libraries disagree on the type of a request as large as this one. */
  if (syscall(SYS_ioctl, master, TIOCGPTN, &number) < 0) return -1;
  snprintf(path, sizeof path, "/dev/pts/%d", number);
  return open(path, OPEN_FLAGS);
}

/* So that erasing a character takes all of its bytes. A kernel without it erases bytes. */
static void edit_utf8(int slave) {
  struct termios settings;
  if (tcgetattr(slave, &settings) < 0) return;
  settings.c_iflag |= IUTF8;
  tcsetattr(slave, TCSANOW, &settings);
}

int terminal_open(uid_t uid, const struct window *window, struct terminal *terminal) {
  /* The terminal belongs to whoever opens the master. */
  guard_act_as(uid);
  terminal->master = open("/dev/ptmx", OPEN_FLAGS | O_NONBLOCK);
  terminal->slave = terminal->master < 0 ? -1 : open_slave(terminal->master);
  pid_t nobody;
  /* Old gVisor answers it to nobody else than the terminal's session, and ends the container at a Ctrl-C. */
  bool opened = terminal->slave >= 0 && ioctl(terminal->master, TIOCGPGRP, &nobody) == 0;
  int error = opened ? 0 : errno;
  guard_act_as_self();
  if (error != 0) {
    terminal_close(terminal);
    return error;
  }
  edit_utf8(terminal->slave);
  terminal_resize(terminal->master, window);
  return 0;
}

void terminal_close(struct terminal *terminal) {
  if (terminal->master >= 0) close(terminal->master);
  if (terminal->slave >= 0) close(terminal->slave);
  *terminal = (struct terminal){.master = -1, .slave = -1};
}

int terminal_take_control(void) { return ioctl(0, TIOCSCTTY, 0) < 0 ? errno : 0; }

void terminal_resize(int master, const struct window *window) {
  struct winsize size = {.ws_row = window->rows, .ws_col = window->columns};
  /* Refused by no kernel that opened the terminal. */
  if (ioctl(master, TIOCSWINSZ, &size) < 0) return;
}

pid_t terminal_foreground(int master, pid_t session) {
  pid_t controlled, group;
  if (ioctl(master, TIOCGSID, &controlled) < 0 || controlled != session) return 0;
  return ioctl(master, TIOCGPGRP, &group) < 0 || group <= 1 ? 0 : group;
}

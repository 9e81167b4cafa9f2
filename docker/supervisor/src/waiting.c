#include "waiting.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "guard.h"
#include "tree.h"

enum { ARGUMENTS = 3, SELECT_MAX = 1024, POLL_MAX = 64, FDINFO_BYTES = 4096 };

/* A blocked system call of a process. */
struct call {
  pid_t pid;
  dev_t terminal;
  long number;
  uint64_t arguments[ARGUMENTS];
};

static bool read_text(const char *path, char *text, size_t size) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  ssize_t count = read(fd, text, size - 1);
  close(fd);
  text[count > 0 ? count : 0] = 0;
  return count > 0;
}

/* False while the thread runs, or waits outside a system call, or may not be asked. */
static bool read_call(const char *thread, struct call *call) {
  char path[64], text[256];
  snprintf(path, sizeof path, "/proc/%d/task/%.16s/syscall", call->pid, thread);
  if (!read_text(path, text, sizeof text) || text[0] < '0' || text[0] > '9') return false;
  char *at;
  call->number = strtol(text, &at, 10);
  for (int i = 0; i < ARGUMENTS; i++) call->arguments[i] = strtoull(at, &at, 16);
  return true;
}

static bool read_memory(const struct call *call, uint64_t address, void *bytes, size_t size) {
  char path[32];
  snprintf(path, sizeof path, "/proc/%d/mem", call->pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  ssize_t count = pread(fd, bytes, size, (off_t)address);
  close(fd);
  return count == (ssize_t)size;
}

static bool is_terminal(const struct call *call, uint64_t fd) {
  enum { TTY_MAJOR = 5 };
  char path[48];
  struct stat file;
  snprintf(path, sizeof path, "/proc/%d/fd/%u", call->pid, (unsigned)fd);
  if (stat(path, &file) < 0 || !S_ISCHR(file.st_mode)) return false;
  /* Or /dev/tty, the terminal of whoever opened it. */
  return file.st_rdev == call->terminal || file.st_rdev == makedev(TTY_MAJOR, 0);
}

static bool selects(const struct call *call) {
  unsigned long set[SELECT_MAX / (8 * sizeof(unsigned long))] = {0};
  const size_t bits = 8 * sizeof *set;
  size_t count = call->arguments[0] < SELECT_MAX ? (size_t)call->arguments[0] : SELECT_MAX;
  if (call->arguments[1] == 0 || !read_memory(call, call->arguments[1], set, (count + bits - 1) / bits * sizeof *set))
    return false;
  for (size_t fd = 0; fd < count; fd++)
    if ((set[fd / bits] >> (fd % bits) & 1) != 0 && is_terminal(call, fd)) return true;
  return false;
}

static bool polls(const struct call *call) {
  struct pollfd polled[POLL_MAX];
  size_t count = call->arguments[1] < POLL_MAX ? (size_t)call->arguments[1] : POLL_MAX;
  if (!read_memory(call, call->arguments[0], polled, count * sizeof *polled)) return false;
  for (size_t i = 0; i < count; i++)
    if (polled[i].fd >= 0 && (polled[i].events & POLLIN) != 0 && is_terminal(call, (uint64_t)polled[i].fd)) return true;
  return false;
}

/* Lines such as "tfd:        0 events:       19 data: …". */
static bool watches(const struct call *call) {
  char path[48], text[FDINFO_BYTES];
  snprintf(path, sizeof path, "/proc/%d/fdinfo/%u", call->pid, (unsigned)call->arguments[0]);
  if (!read_text(path, text, sizeof text)) return false;
  for (char *at = text; (at = strstr(at, "tfd:")) != NULL;) {
    uint64_t fd = strtoull(at + strlen("tfd:"), &at, 10);
    char *events = strstr(at, "events:");
    if (events == NULL) return false;
    if ((strtoull(events + strlen("events:"), &at, 16) & EPOLLIN) != 0 && is_terminal(call, fd)) return true;
  }
  return false;
}

static bool waits(const struct call *call) {
  switch (call->number) {
    case SYS_read:
    case SYS_readv: return is_terminal(call, call->arguments[0]);
#ifdef SYS_select
    case SYS_select:
#endif
    case SYS_pselect6: return selects(call);
#ifdef SYS_poll
    case SYS_poll:
#endif
    case SYS_ppoll: return polls(call);
#ifdef SYS_epoll_wait
    case SYS_epoll_wait:
#endif
    case SYS_epoll_pwait: return watches(call);
    default: return false;
  }
}

static bool has_waiting_thread(struct call *call) {
  char path[32];
  bool found = false;
  snprintf(path, sizeof path, "/proc/%d/task", call->pid);
  DIR *threads = opendir(path);
  if (threads == NULL) return false;
  for (struct dirent *entry; !found && (entry = readdir(threads)) != NULL;)
    found = entry->d_name[0] != '.' && read_call(entry->d_name, call) && waits(call);
  closedir(threads);
  return found;
}

bool waiting_for(dev_t terminal, pid_t group, uid_t uid, gid_t gid) {
  pid_t pids[TREE_PIDS_MAX];
  uint32_t count = tree_group(group, pids);
  bool found = false;
  /* The kernel answers those who might trace the process: its own user, by both ids for files. */
  setfsgid(gid);
  guard_act_as(uid);
  for (uint32_t i = 0; !found && i < count; i++) {
    struct call call = {.pid = pids[i], .terminal = terminal};
    found = has_waiting_thread(&call);
  }
  setfsgid(getgid());
  guard_act_as_self();
  return found;
}

#include "poller.h"

#include <errno.h>
#include <sys/epoll.h>

#include "fatal.h"

static int set = -1;

void poller_open(void) {
  set = epoll_create1(EPOLL_CLOEXEC);
  if (set < 0) fatal("epoll");
}

static void control(int operation, int fd, uint32_t events, uint32_t channel, enum watch_kind kind) {
  struct epoll_event event = {.events = events, .data.u64 = (uint64_t)channel << 8 | (uint64_t)kind};
  if (epoll_ctl(set, operation, fd, &event) < 0) fatal("epoll_ctl");
}

void poller_add(int fd, uint32_t events, uint32_t channel, enum watch_kind kind) {
  control(EPOLL_CTL_ADD, fd, events, channel, kind);
}

void poller_change(int fd, uint32_t events, uint32_t channel, enum watch_kind kind) {
  control(EPOLL_CTL_MOD, fd, events, channel, kind);
}

void poller_remove(int fd) { control(EPOLL_CTL_DEL, fd, 0, 0, 0); }

int poller_wait(struct watch_event events[POLLER_EVENTS_MAX], int timeout_ms) {
  struct epoll_event ready[POLLER_EVENTS_MAX];
  int count = epoll_wait(set, ready, POLLER_EVENTS_MAX, timeout_ms);
  if (count < 0 && errno == EINTR) return 0;
  if (count < 0) fatal("epoll_wait");
  for (int i = 0; i < count; i++)
    events[i] = (struct watch_event){.channel = (uint32_t)(ready[i].data.u64 >> 8),
                                     .kind = (enum watch_kind)(ready[i].data.u64 & 0xff),
                                     .events = ready[i].events};
  return count;
}

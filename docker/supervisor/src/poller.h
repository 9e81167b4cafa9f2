/* One epoll set. What is watched is named by a channel and a kind, never by a pointer that may be stale. */
#ifndef POLLER_H
#define POLLER_H

#include <stdint.h>

enum watch_kind { WATCH_HOST_IN, WATCH_HOST_OUT, WATCH_CHILDREN, WATCH_REPORT, WATCH_STDIN, WATCH_STDOUT, WATCH_STDERR };

struct watch_event {
  uint32_t channel;
  enum watch_kind kind;
  uint32_t events;
};

enum { POLLER_EVENTS_MAX = 64 };

void poller_open(void);
void poller_add(int fd, uint32_t events, uint32_t channel, enum watch_kind kind);
void poller_change(int fd, uint32_t events, uint32_t channel, enum watch_kind kind);
void poller_remove(int fd);

/* Waits up to `timeout_ms` (-1: for ever) and returns how many events it wrote. */
int poller_wait(struct watch_event events[POLLER_EVENTS_MAX], int timeout_ms);

#endif

/* The limits of the container's control group, version 1 or 2, and the counters of their hits. */
#ifndef LIMITS_H
#define LIMITS_H

#include <stdint.h>

struct limit_counters {
  uint64_t oom_kills;
  uint64_t pids_denied;
};

struct limit_facts {
  /* 0, 1 or 2: the version of the control group whose counter can be read. */
  int memory_version;
  int pids_version;
  /* 0 when there is none. */
  uint64_t memory_bytes;
  uint64_t pids;
};

struct limit_facts limits_open(void);
struct limit_counters limits_read(void);

/* Names a place whose file system is looked at after a command fails. */
void limits_watch_disk(const char *path);

/* One more than the index of the first watched place without room, 0 when all have some. */
uint32_t limits_full_disk(void);

#endif

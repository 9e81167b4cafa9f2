#include "limits.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { WATCHED_DISKS_MAX = 8, FILE_TEXT_MAX = 1024 };

static int memory_events = -1;
static int pids_events = -1;
static const char *watched[WATCHED_DISKS_MAX];
static uint32_t watched_count;

/* From the start each time: these files are made anew for every read. */
static void read_text(int fd, char text[FILE_TEXT_MAX]) {
  ssize_t count = fd < 0 ? 0 : pread(fd, text, FILE_TEXT_MAX - 1, 0);
  text[count < 0 ? 0 : count] = 0;
}

/* The number after `key` at the start of a line, 0 when there is none. */
static uint64_t field(int fd, const char *key) {
  char text[FILE_TEXT_MAX];
  read_text(fd, text);
  size_t length = strlen(key);
  for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
    if (*line == '\n') line++;
    if (strncmp(line, key, length) == 0 && line[length] == ' ') return strtoull(line + length, NULL, 10);
  }
  return 0;
}

/* A limit file holds a number or `max`; version 1 writes "no limit" as a huge number. */
static uint64_t read_limit(const char *path) {
  char text[FILE_TEXT_MAX];
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  read_text(fd, text);
  if (fd >= 0) close(fd);
  uint64_t value = strtoull(text, NULL, 10);
  return value > INT64_MAX / 2 ? 0 : value;
}

struct limit_facts limits_open(void) {
  struct limit_facts facts = {0};
  memory_events = open("/sys/fs/cgroup/memory.events", O_RDONLY | O_CLOEXEC);
  if (memory_events >= 0) {
    facts.memory_version = 2;
    facts.memory_bytes = read_limit("/sys/fs/cgroup/memory.max");
  } else if ((memory_events = open("/sys/fs/cgroup/memory/memory.oom_control", O_RDONLY | O_CLOEXEC)) >= 0) {
    facts.memory_version = 1;
    facts.memory_bytes = read_limit("/sys/fs/cgroup/memory/memory.limit_in_bytes");
  }
  pids_events = open("/sys/fs/cgroup/pids.events", O_RDONLY | O_CLOEXEC);
  if (pids_events >= 0) {
    facts.pids_version = 2;
    facts.pids = read_limit("/sys/fs/cgroup/pids.max");
  } else if ((pids_events = open("/sys/fs/cgroup/pids/pids.events", O_RDONLY | O_CLOEXEC)) >= 0) {
    facts.pids_version = 1;
    facts.pids = read_limit("/sys/fs/cgroup/pids/pids.max");
  }
  return facts;
}

struct limit_counters limits_read(void) {
  return (struct limit_counters){.oom_kills = field(memory_events, "oom_kill"), .pids_denied = field(pids_events, "max")};
}

void limits_watch_disk(const char *path) {
  if (watched_count < WATCHED_DISKS_MAX) watched[watched_count++] = path;
}

uint32_t limits_full_disk(void) {
  for (uint32_t i = 0; i < watched_count; i++) {
    struct statvfs status;
    if (statvfs(watched[i], &status) == 0 && status.f_blocks > 0 && status.f_bavail == 0) return i + 1;
  }
  return 0;
}

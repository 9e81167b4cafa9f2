/*
 * The channels: each is one command, from SPAWN until none of its processes and none of its output
 * is left, or one spill file on its way to the host. What the other files do to a channel, they do
 * to its place in this table.
 */
#ifndef CHANNEL_H
#define CHANNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "capture.h"
#include "input.h"
#include "limits.h"
#include "outbox.h"
#include "spawn.h"

/* A SIGNAL whose answer is not known yet. */
struct settling {
  bool active;
  uint32_t request;
  int signal;
  uint32_t signalled;
  uint64_t next_ns;
  uint64_t delay_ns;
  uint64_t deadline_ns;
};

struct command {
  /* 0: this place is free. */
  uint32_t channel;
  bool is_reader;
  bool started;
  bool exited;
  bool gone;
  bool killed_by_host;
  pid_t keeper;
  pid_t leader;
  /* The command's user, of whom the kernel is asked what its processes wait for. */
  uid_t uid;
  gid_t gid;
  int report_fd;
  bool stdin_watched_for_room;
  bool paused[2];
  /* The command's side of its terminal; -1 when it has none, and once that has hung up. */
  int slave;
  /* Output of a terminal that is read at most before it hangs up; 0 while the command runs. */
  uint64_t last_byte;
  struct input input;
  struct capture captures[2];
  struct settling settling;
  struct limit_counters counters_at_start;
  uint64_t started_ns;
  uint64_t start_ticks;
  uint64_t next_look_ns;
};

struct command_settings {
  struct spawn_settings spawn;
  uint32_t max_commands;
  uint32_t guard_uid;
  int null_fd;
};

extern struct channel_table {
  struct command_settings settings;
  struct outbox *outbox;
  struct command *places;
  /* Places from here on have never been used, or not since. */
  uint32_t used;
} channels;

void channels_open(const struct command_settings *settings, struct outbox *outbox);

/* NULL when there is no such channel. */
struct command *channel_find(uint32_t channel);

/* NULL when there are as many as there may be. */
struct command *channel_take(uint32_t channel);

/* The channel is over: nothing of it is held any more, and its place is free. */
void channel_end(struct command *command);
void channel_end_if_over(struct command *command);

void channel_failed(uint32_t channel, enum spawn_stage stage, int error);

#endif

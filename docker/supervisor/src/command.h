/*
 * The channels: each is one command, from SPAWN until none of its processes and none of its output
 * is left, or one spill file on its way to the host.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "capture.h"
#include "frame.h"
#include "input.h"
#include "limits.h"
#include "outbox.h"
#include "poller.h"
#include "spawn.h"

enum exited_flag { EXITED_CORE = 1, EXITED_GONE = 2, EXITED_KILLED_BY_HOST = 4, EXITED_LOST = 8 };

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
  int report_fd;
  bool stdin_watched_for_room;
  bool paused[2];
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

void commands_open(const struct command_settings *settings, struct outbox *outbox);

/* Frames of the host. */
enum protocol_error commands_spawn(const struct frame *frame);
enum protocol_error commands_read_spill(const struct frame *frame);
enum protocol_error commands_signal(const struct frame *frame);
enum protocol_error commands_stdin(const struct frame *frame);
void commands_stdin_end(const struct frame *frame);
void commands_credit(const struct frame *frame);
void commands_release(const struct frame *frame);

/* What the poller and the kernel say. */
void commands_event(const struct watch_event *event);
void commands_keeper_ended(pid_t pid);

/*
 * One turn: sends what credit permits, each channel in turn, and looks again at trees that are being
 * signalled. Returns the milliseconds until the next turn is due, -1 when none is.
 */
int commands_turn(void);

#endif

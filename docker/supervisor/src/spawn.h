/*
 * Starting a command. PID 1 forks a keeper, the keeper starts the command and stays its only
 * ancestor: as a subreaper it is handed every descendant that loses its parent, so that the
 * command's processes are exactly the keeper's descendants, and none is left exactly when the
 * keeper has no child any more and exits. The keeper tells PID 1 what happens by reports.
 */
#ifndef SPAWN_H
#define SPAWN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "frame.h"

/* Where a start failed; the stage in a FAILED frame. */
enum spawn_stage {
  STAGE_LIMIT = 1,
  STAGE_PIPE = 2,
  STAGE_FORK = 3,
  STAGE_SESSION = 4,
  STAGE_RLIMIT = 5,
  STAGE_IDENTITY = 6,
  STAGE_DIRECTORY = 7,
  STAGE_EXEC = 8,
  STAGE_SPILL = 9,
  STAGE_KEEPER = 10,
  STAGE_TERMINAL = 11
};

enum report_kind { REPORT_STARTED, REPORT_FAILED, REPORT_EXITED };

struct report {
  uint32_t kind;
  /* STARTED: the process. */
  int32_t pid;
  /* FAILED. */
  uint32_t stage;
  int32_t error;
  /* EXITED. */
  int32_t wait_status;
  /* No process of the command is left. */
  uint32_t alone;
  uint64_t ended_ns;
  uint64_t user_us;
  uint64_t system_us;
  uint64_t max_rss_bytes;
};

struct spawn_settings {
  int command_oom_score_adj;
  bool subreaper;
};

/* What PID 1 holds of a command; each is closed by the one who owns the struct. */
struct spawned {
  pid_t keeper;
  int report;
  int in;
  int out;
  int err;
  /* Only of a terminal, whose other descriptors are `in` and `out`. */
  int slave;
};

/* True when there is a keeper, which will report; else `*stage` and `*error` say why not. */
bool spawn(const struct spawn_request *request, const struct spawn_settings *settings, int null_fd,
           struct spawned *spawned, enum spawn_stage *stage, int *error);

#define MILLISECOND_NS UINT64_C(1000000)

/* On the clock that never steps. */
uint64_t now_ns(void);

#endif

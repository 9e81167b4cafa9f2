/* The living processes of a command: found in /proc, signalled, counted. Nothing here forks. */
#ifndef TREE_H
#define TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct tree_root {
  pid_t keeper;
  /* The command's first process; its session outlives it. */
  pid_t leader;
  /*
   * Only without a subreaper, when orphans are handed to PID 1: those that started at or after this
   * time (in clock ticks since boot) belong to the command as well; UINT64_MAX claims none.
   */
  uint64_t claims_orphans_from;
};

enum { TREE_PIDS_MAX = 64 };

struct tree_result {
  uint32_t signalled;
  uint32_t alive;
  /* The first of those alive. */
  uint32_t pid_count;
  pid_t pids[TREE_PIDS_MAX];
};

/* Opens /proc; 0 or an errno. */
int tree_open(void);

/*
 * Sends `signal` (0 sends nothing) to every living process of the command and counts what it found
 * alive before. SIGTERM is followed by SIGCONT, so that a stopped process receives it.
 */
void tree_signal(const struct tree_root *root, int signal, struct tree_result *result);

/* Kills every process that descends from no keeper. */
void tree_kill_orphans(bool (*is_keeper)(pid_t pid));

/* The processes of a group that are neither stopped nor dead; at most TREE_PIDS_MAX. Returns how many. */
uint32_t tree_group(pid_t group, pid_t pids[TREE_PIDS_MAX]);

/* The time of now as /proc counts the start of processes. */
uint64_t tree_ticks_now(void);

#endif

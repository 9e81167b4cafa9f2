#include "tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fatal.h"

enum { CONSISTENT_SCANS_TRIED = 3, KEPT_PROCESSES = 256 };

enum membership { UNKNOWN, MEMBER, STRANGER };

struct process {
  pid_t pid;
  pid_t parent;
  pid_t group;
  pid_t session;
  uint64_t start_ticks;
  char state;
  uint8_t membership;
};

static DIR *proc;
static struct process *processes;
static size_t process_count;
static size_t process_capacity;

int tree_open(void) {
  proc = opendir("/proc");
  return proc == NULL ? errno : 0;
}

uint64_t tree_ticks_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  uint64_t per_second = (uint64_t)sysconf(_SC_CLK_TCK);
  return (uint64_t)now.tv_sec * per_second + (uint64_t)now.tv_nsec * per_second / 1000000000u;
}

/* The fields of /proc/PID/stat after the name, counted from the state (see proc(5)). */
enum { FIELD_STATE, FIELD_PARENT, FIELD_GROUP, FIELD_SESSION, FIELD_START = 19, FIELDS_READ };

/* False when the process is gone. */
static bool read_process(const char *name, struct process *process) {
  char path[32], text[1024];
  snprintf(path, sizeof path, "%.16s/stat", name);
  int fd = openat(dirfd(proc), path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  ssize_t count = read(fd, text, sizeof text - 1);
  close(fd);
  if (count <= 0) return false;
  text[count] = 0;
  /* The name in parentheses may hold anything, parentheses too: fields are counted from the last. */
  char *at = strrchr(text, ')');
  const char *fields[FIELDS_READ];
  for (int i = 0; i < FIELDS_READ; i++) {
    at = at == NULL ? NULL : strchr(at + 1, ' ');
    if (at == NULL) return false;
    fields[i] = at + 1;
  }
  *process = (struct process){.pid = atoi(name),
                              .parent = atoi(fields[FIELD_PARENT]),
                              .group = atoi(fields[FIELD_GROUP]),
                              .session = atoi(fields[FIELD_SESSION]),
                              .start_ticks = strtoull(fields[FIELD_START], NULL, 10),
                              .state = *fields[FIELD_STATE],
                              .membership = UNKNOWN};
  return true;
}

static int by_pid(const void *left, const void *right) {
  pid_t a = ((const struct process *)left)->pid, b = ((const struct process *)right)->pid;
  return (a > b) - (a < b);
}

static struct process *find(pid_t pid) {
  struct process key = {.pid = pid};
  return process_count == 0 ? NULL : bsearch(&key, processes, process_count, sizeof key, by_pid);
}

/* A parent that is missing died while the others were read: its children are with somebody else by now. */
static bool is_consistent(void) {
  for (size_t i = 0; i < process_count; i++)
    if (processes[i].parent != 0 && find(processes[i].parent) == NULL) return false;
  return true;
}

static void scan_once(void) {
  process_count = 0;
  rewinddir(proc);
  for (struct dirent *entry; (entry = readdir(proc)) != NULL;) {
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
    if (process_count == process_capacity) {
      process_capacity = process_capacity == 0 ? KEPT_PROCESSES : process_capacity * 2;
      processes = allocate(processes, process_capacity * sizeof *processes);
    }
    if (read_process(entry->d_name, &processes[process_count])) process_count++;
  }
  qsort(processes, process_count, sizeof *processes, by_pid);
}

static void scan(void) {
  for (int i = 0; i < CONSISTENT_SCANS_TRIED; i++) {
    scan_once();
    if (is_consistent()) return;
  }
}

/* After a container full of processes the memory for them is given back. */
static void forget(void) {
  if (process_capacity <= KEPT_PROCESSES) return;
  free(processes);
  processes = NULL;
  process_capacity = process_count = 0;
}

static bool is_member_itself(const struct tree_root *root, const struct process *process) {
  if (process->parent == root->keeper) return true;
  if (root->claims_orphans_from == UINT64_MAX) return false;
  if (root->leader > 0 && process->session == root->leader) return true;
  return process->parent == 1 && process->start_ticks >= root->claims_orphans_from;
}

/* Walks up to the first ancestor whose membership is known, then gives all on the way the same. */
static void decide(const struct tree_root *root, struct process *process) {
  uint8_t membership = STRANGER;
  size_t steps = 0;
  for (struct process *at = process; at != NULL && steps <= process_count; at = find(at->parent), steps++) {
    if (at->membership == UNKNOWN && at->pid != root->keeper && is_member_itself(root, at)) at->membership = MEMBER;
    if (at->membership == UNKNOWN) continue;
    membership = at->membership;
    break;
  }
  for (struct process *at = process; at != NULL && at->membership == UNKNOWN; at = find(at->parent))
    at->membership = membership;
}

static bool is_alive(const struct process *process) { return process->state != 'Z' && process->state != 'X'; }

/*
 * Kills by group first: the kernel does that in one step, in which no member can fork. A group of a
 * member holds members only, because the session is the command's own; PID 1's group is none.
 */
static void kill_groups(const struct tree_root *root) {
  pid_t last = 0;
  for (size_t i = 0; i < process_count; i++) {
    const struct process *process = &processes[i];
    if (process->membership != MEMBER || process->group <= 1 || process->group == last) continue;
    if (process->session <= 1 || process->session == root->keeper) continue;
    kill(-process->group, SIGKILL);
    last = process->group;
  }
}

static void send_to_members(int signal) {
  for (size_t i = 0; i < process_count; i++)
    /* ESRCH: it has ended since. */
    if (processes[i].membership == MEMBER && is_alive(&processes[i])) kill(processes[i].pid, signal);
}

void tree_signal(const struct tree_root *root, int signal, struct tree_result *result) {
  *result = (struct tree_result){0};
  scan();
  for (size_t i = 0; i < process_count; i++) {
    decide(root, &processes[i]);
    if (processes[i].membership != MEMBER || !is_alive(&processes[i])) continue;
    if (result->pid_count < TREE_PIDS_MAX) result->pids[result->pid_count++] = processes[i].pid;
    result->alive++;
  }
  if (signal != 0) {
    if (signal == SIGKILL) kill_groups(root);
    send_to_members(signal);
    if (signal == SIGTERM) send_to_members(SIGCONT);
    result->signalled = result->alive;
  }
  forget();
}

/* Whether a keeper is among its ancestors, or it is one. */
static bool is_kept(const struct process *process, bool (*is_keeper)(pid_t pid)) {
  size_t steps = 0;
  for (const struct process *at = process; at != NULL && steps <= process_count; at = find(at->parent), steps++)
    if (is_keeper(at->pid)) return true;
  return false;
}

void tree_kill_orphans(bool (*is_keeper)(pid_t pid)) {
  enum { LOOKS_MAX = 8 };
  bool found = true;
  /* Again for what was forked meanwhile. */
  for (int i = 0; found && i < LOOKS_MAX; i++) {
    found = false;
    scan();
    for (size_t p = 0; p < process_count; p++) {
      const struct process *process = &processes[p];
      if (process->pid == 1 || !is_alive(process) || is_kept(process, is_keeper)) continue;
      kill(process->pid, SIGKILL);
      found = true;
    }
  }
  forget();
}

uint32_t tree_group(pid_t group, pid_t pids[TREE_PIDS_MAX]) {
  uint32_t count = 0;
  scan_once();
  for (size_t i = 0; i < process_count && count < TREE_PIDS_MAX; i++)
    if (processes[i].group == group && strchr("TtZX", processes[i].state) == NULL) pids[count++] = processes[i].pid;
  forget();
  return count;
}

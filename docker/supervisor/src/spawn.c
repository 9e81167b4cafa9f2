#include "spawn.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "guard.h"
#include "terminal.h"

enum { REPORT_FD = 3, LEADER_STACK_BYTES = 64 * 1024 };

uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* --- The command's own process, until it becomes the command. It shares the keeper's memory. --- */

struct leader {
  const struct spawn_request *request;
  const struct spawn_settings *settings;
  /* Written by the leader before it gives up, read by the keeper after: the keeper stands still. */
  volatile uint32_t failed_stage;
  volatile int failed_error;
};

static void give_up(struct leader *leader, enum spawn_stage stage, int error) {
  leader->failed_stage = stage;
  leader->failed_error = error;
  _exit(127);
}

static void set_oom_score_adj(int value) {
  char text[16];
  int length = snprintf(text, sizeof text, "%d", value);
  int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  /* Raising one's own value is always allowed; where it is not, the command is as likely a victim as PID 1. */
  if (write(fd, text, (size_t)length) < 0) {
  }
  close(fd);
}

/* The container's own: a command's PATH decides what it finds, not which program it is. */
static const char *search_path(void) {
  const char *path = getenv("PATH");
  return path != NULL ? path : "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
}

/* Returns the errno of the attempt that came nearest to a program. */
static int exec_by_path(const struct spawn_request *request) {
  const char *file = request->argv[0];
  if (strchr(file, '/') != NULL) {
    execve(file, request->argv, request->envp);
    return errno;
  }
  int nearest = ENOENT;
  for (const char *start = search_path();; start++) {
    char candidate[FRAME_PATH_MAX];
    const char *end = strchrnul(start, ':');
    int length = (int)(end - start);
    if (length > 0 && snprintf(candidate, sizeof candidate, "%.*s/%s", length, start, file) < (int)sizeof candidate) {
      execve(candidate, request->argv, request->envp);
      if (errno != ENOENT && errno != ENOTDIR) nearest = errno;
      if (errno != ENOENT && errno != ENOTDIR && errno != EACCES) return errno;
    }
    if (*end == 0) return nearest;
    start = end;
  }
}

static int become_command(void *argument) {
  struct leader *leader = argument;
  const struct spawn_request *request = leader->request;
  if (setsid() < 0) give_up(leader, STAGE_SESSION, errno);
  int error = (request->flags & SPAWN_TERMINAL) != 0 ? terminal_take_control() : 0;
  if (error != 0) give_up(leader, STAGE_TERMINAL, error);
  set_oom_score_adj(leader->settings->command_oom_score_adj);
  for (uint32_t i = 0; i < request->rlimit_count; i++) {
    const struct spawn_rlimit *wanted = &request->rlimits[i];
    struct rlimit limit = {.rlim_cur = (rlim_t)wanted->soft, .rlim_max = (rlim_t)wanted->hard};
    if (syscall(SYS_prlimit64, 0, (int)wanted->resource, &limit, NULL) < 0) give_up(leader, STAGE_RLIMIT, errno);
  }
  umask((mode_t)request->umask);
  error = guard_drop((uid_t)request->uid, (gid_t)request->gid);
  if (error != 0) give_up(leader, STAGE_IDENTITY, error);
  /* As the command's user: whether it may enter is a matter of that user. */
  if (chdir(request->directory) < 0) give_up(leader, STAGE_DIRECTORY, errno);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  give_up(leader, STAGE_EXEC, exec_by_path(request));
  return 127;
}

/* --- The keeper. --- */

static void send_report(const struct report *report) {
  /* Shorter than PIPE_BUF: whole or not at all. When PID 1 is gone, so is the keeper. */
  if (write(REPORT_FD, report, sizeof *report) != (ssize_t)sizeof *report) _exit(1);
}

static bool close_from(unsigned first) {
  if (syscall(SYS_close_range, first, ~0u, 0) == 0) return true;
  /* Not in old kernels. To try every number there could be takes longer than the rest of the start. */
  DIR *open_files = opendir("/proc/self/fd");
  if (open_files == NULL) return false;
  for (struct dirent *entry; (entry = readdir(open_files)) != NULL;) {
    unsigned long fd = strtoul(entry->d_name, NULL, 10);
    if (fd >= first && (int)fd != dirfd(open_files)) close((int)fd);
  }
  return closedir(open_files) == 0;
}

/* Streams to 0, 1 and 2, reports to 3, and nothing else: PID 1's descriptors end here. */
static bool arrange_descriptors(int in, int out, int err, int report) {
  if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) return false;
  if (report != REPORT_FD && dup3(report, REPORT_FD, O_CLOEXEC) < 0) return false;
  return close_from(REPORT_FD + 1);
}

static uint64_t microseconds(struct timeval value) {
  return (uint64_t)value.tv_sec * 1000000u + (uint64_t)value.tv_usec;
}

static struct report exit_report(int wait_status, const struct rusage *usage, uint64_t ended_ns) {
  return (struct report){.kind = REPORT_EXITED,
                         .wait_status = wait_status,
                         .ended_ns = ended_ns,
                         .user_us = microseconds(usage->ru_utime),
                         .system_us = microseconds(usage->ru_stime),
                         .max_rss_bytes = (uint64_t)usage->ru_maxrss * 1024};
}

/* Reaps until there is no child; reports the end of the leader, with whether anything outlives it. */
static void keep(pid_t leader) {
  struct report exited;
  bool unreported = false;
  for (;;) {
    int wait_status;
    struct rusage usage;
    pid_t pid = wait4(-1, &wait_status, unreported ? WNOHANG : 0, &usage);
    if (pid < 0 && errno == EINTR) continue;
    if (unreported && pid <= 0) {
      exited.alone = pid < 0;
      send_report(&exited);
      unreported = false;
    }
    if (pid < 0) _exit(0);
    if (pid == leader) {
      exited = exit_report(wait_status, &usage, now_ns());
      unreported = true;
    }
  }
}

static _Noreturn void run_keeper(const struct spawn_request *request, const struct spawn_settings *settings) {
  static _Alignas(16) char stack[LEADER_STACK_BYTES];
  struct leader leader = {.request = request, .settings = settings};
  if (settings->subreaper) prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  prctl(PR_SET_NAME, "keeper", 0, 0, 0);
  /* A vfork with a stack of its own: the keeper stands still until the leader has become the command or given up. */
  pid_t pid = clone(become_command, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, &leader);
  int clone_error = errno;
  guard_keep_files();
  struct report report = {.kind = REPORT_STARTED, .pid = pid};
  if (pid < 0) report = (struct report){.kind = REPORT_FAILED, .stage = STAGE_FORK, .error = clone_error};
  if (leader.failed_stage != 0)
    report = (struct report){.kind = REPORT_FAILED, .stage = leader.failed_stage, .error = leader.failed_error};
  /* The command's streams end when the last of its own processes lets go of them. */
  for (int fd = 0; fd < REPORT_FD; fd++) close(fd);
  send_report(&report);
  if (report.kind == REPORT_STARTED) keep(pid);
  _exit(0);
}

/* --- PID 1. --- */

/* Both ends of the command's streams; -1 where there is none. */
struct ends {
  int ours[3];
  int theirs[3];
};

/* As the command's user, whose then the pipe is: /dev/stdout opens it anew, by its permissions. */
static bool make_pipes(const struct spawn_request *request, struct ends *ends) {
  bool made = true;
  guard_act_as((uid_t)request->uid);
  for (int stream = (request->flags & SPAWN_STDIN) != 0 ? 0 : 1; made && stream < 3; stream++) {
    int pair[2];
    made = pipe2(pair, O_CLOEXEC) == 0;
    if (!made) break;
    ends->ours[stream] = pair[stream == 0 ? 1 : 0];
    ends->theirs[stream] = pair[stream == 0 ? 0 : 1];
  }
  int error = errno;
  guard_act_as_self();
  errno = error;
  return made;
}

/* Two descriptors of the master, because the two directions end on their own. */
static bool make_terminal(const struct spawn_request *request, struct ends *ends) {
  struct terminal terminal;
  int error = terminal_open((uid_t)request->uid, &request->window, &terminal);
  if (error == 0) {
    ends->ours[1] = terminal.master;
    ends->theirs[0] = terminal.slave;
    ends->ours[0] = fcntl(terminal.master, F_DUPFD_CLOEXEC, 0);
    error = ends->ours[0] < 0 ? errno : 0;
  }
  errno = error;
  return error == 0;
}

static void close_all(int fds[3]) {
  for (int i = 0; i < 3; i++)
    if (fds[i] >= 0) close(fds[i]);
}

static bool arrange_ends(const struct ends *ends, bool is_terminal, int null_fd, int report) {
  const int *theirs = ends->theirs;
  if (is_terminal) return arrange_descriptors(theirs[0], theirs[0], theirs[0], report);
  return arrange_descriptors(theirs[0] >= 0 ? theirs[0] : null_fd, theirs[1], theirs[2], report);
}

bool spawn(const struct spawn_request *request, const struct spawn_settings *settings, int null_fd,
           struct spawned *spawned, enum spawn_stage *stage, int *error) {
  struct ends ends = {.ours = {-1, -1, -1}, .theirs = {-1, -1, -1}};
  int report[2] = {-1, -1};
  bool is_terminal = (request->flags & SPAWN_TERMINAL) != 0;
  pid_t keeper = -1;
  *stage = is_terminal ? STAGE_TERMINAL : STAGE_PIPE;
  if ((is_terminal ? make_terminal(request, &ends) : make_pipes(request, &ends)) && pipe2(report, O_CLOEXEC) == 0) {
    *stage = STAGE_FORK;
    keeper = fork();
    if (keeper == 0) {
      if (!arrange_ends(&ends, is_terminal, null_fd, report[1])) _exit(1);
      run_keeper(request, settings);
    }
  }
  *error = errno;
  if (report[1] >= 0) close(report[1]);
  if (!is_terminal || keeper < 0) close_all(ends.theirs);
  if (keeper < 0) {
    close_all(ends.ours);
    if (report[0] >= 0) close(report[0]);
    return false;
  }
  *spawned = (struct spawned){.keeper = keeper,
                              .report = report[0],
                              .in = ends.ours[0],
                              .out = ends.ours[1],
                              .err = ends.ours[2],
                              .slave = is_terminal ? ends.theirs[0] : -1};
  /* Only our ends: the other is another open file, in which a command must not see O_NONBLOCK. */
  fcntl(report[0], F_SETFL, O_NONBLOCK);
  for (int i = 0; i < 3; i++)
    if (ends.ours[i] >= 0) fcntl(ends.ours[i], F_SETFL, O_NONBLOCK);
  return true;
}

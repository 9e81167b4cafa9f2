#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fatal.h"

static bool has_capability(const struct __user_cap_data_struct data[2], unsigned capability) {
  return (data[capability / 32].effective >> (capability % 32) & 1) != 0;
}

static int read_oom_score_adj(void) {
  char text[16] = {0};
  int fd = open("/proc/self/oom_score_adj", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  ssize_t count = read(fd, text, sizeof text - 1);
  close(fd);
  return count > 0 ? atoi(text) : 0;
}

static void write_oom_score_adj(int value) {
  int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  /* Refused without CAP_SYS_RESOURCE; the hello reports the value that holds. */
  if (dprintf(fd, "%d", value) < 0) {
  }
  close(fd);
}

/* Commands are always the better victims of the out-of-memory killer. */
static void protect_from_oom(struct guard_facts *facts) {
  enum { PROTECTED = -1000, BETTER_VICTIM = 100, MOST = 1000 };
  int before = read_oom_score_adj();
  write_oom_score_adj(PROTECTED);
  facts->oom_score_adj = read_oom_score_adj();
  facts->command_oom_score_adj = before < 0 || facts->oom_score_adj < before ? (before > 0 ? before : 0) : before + BETTER_VICTIM;
  if (facts->command_oom_score_adj > MOST) facts->command_oom_score_adj = MOST;
}

static bool is_guarded;

void guard_keep_files(void) {
  if (prctl(PR_SET_DUMPABLE, is_guarded ? 1 : 0, 0, 0, 0) < 0) fatal("PR_SET_DUMPABLE");
}

static struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};

/* Takes another uid and keeps the capabilities, which a change of uid would clear. */
static bool take_guard_uid(uid_t guard_uid, struct __user_cap_data_struct data[2]) {
  static const unsigned needed = 1u << CAP_SETUID | 1u << CAP_SETGID | 1u << CAP_KILL | 1u << CAP_SETPCAP;
  if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) < 0) return false;
  bool taken = setresuid(guard_uid, guard_uid, guard_uid) == 0;
  if (prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0) < 0) fatal("PR_SET_KEEPCAPS");
  if (!taken) return false;
  data[0].permitted &= needed;
  data[0].effective = data[0].permitted;
  data[0].inheritable = 0;
  data[1] = (struct __user_cap_data_struct){0};
  if (syscall(SYS_capset, &header, data) < 0) fatal("capset");
  return true;
}

/* Old gVisor accepts the wish from process 1 alone, which reaps every orphan anyway: the question tells. */
static bool has_subreapers(void) {
  int is_one = 0;
  return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0 && prctl(PR_GET_CHILD_SUBREAPER, &is_one, 0, 0, 0) == 0 &&
         is_one == 1;
}

struct guard_facts guard_raise(uid_t guard_uid) {
  struct guard_facts facts = {0};
  struct __user_cap_data_struct data[2] = {{0}, {0}};
  if (syscall(SYS_capget, &header, data) < 0) fatal("capget");
  facts.set_uid = has_capability(data, CAP_SETUID);
  facts.set_gid = has_capability(data, CAP_SETGID);
  facts.kill = has_capability(data, CAP_KILL);
  facts.set_pcap = has_capability(data, CAP_SETPCAP);
  protect_from_oom(&facts);
  facts.no_new_privs = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
  facts.subreaper = has_subreapers();
  facts.guard_uid = is_guarded = take_guard_uid(guard_uid, data);
  guard_keep_files();
  return facts;
}

/*
 * Old gVisor has no uid for files alone. Whoever may signal or trace a process is asked for its real and
 * saved uids too, so the effective one does as well, but for uid 0: leaving that clears the capabilities.
 */
void guard_act_as(uid_t uid) {
  if (setfsuid(uid) >= 0 || uid == 0) return;
  /* Where it is refused, the files are the guard's. */
  if (setresuid((uid_t)-1, uid, (uid_t)-1) < 0) return;
}

void guard_act_as_self(void) {
  uid_t self = getuid();
  if (setfsuid(self) < 0 && setresuid((uid_t)-1, self, (uid_t)-1) < 0) fatal("setresuid");
  guard_keep_files();
}

/* The system calls themselves: a libc wrapper may touch memory, which is the parent's here. */
int guard_drop(uid_t uid, gid_t gid) {
  if (syscall(SYS_setgroups, 0, NULL) < 0 && (errno != EPERM || getgroups(0, NULL) != 0)) return EPERM;
  if (syscall(SYS_setresgid, gid, gid, gid) < 0) return errno;
  /* Needs CAP_SETPCAP, which a container may lack: the empty sets and no_new_privs below suffice. */
  for (unsigned capability = 0; prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0; capability++) {
  }
  /* Refused by kernels that have none. */
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  if (syscall(SYS_setresuid, uid, uid, uid) < 0) return errno;
  struct __user_cap_data_struct none[2] = {{0}, {0}};
  if (syscall(SYS_capset, &header, none) < 0) return errno;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return errno;
  return 0;
}

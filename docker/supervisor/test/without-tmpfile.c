/*
 * Runs the program that lies beside it, as FILE.program, where no file system knows files without a
 * name: every O_TMPFILE is refused as one that does not would.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ONLY_TMPFILE = O_TMPFILE & ~O_DIRECTORY };

int main(int argc, char **argv) {
  char program[4096];
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, ONLY_TMPFILE, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program_filter = {.len = sizeof filter / sizeof *filter, .filter = filter};
  if (argc < 1 || snprintf(program, sizeof program, "%s.program", argv[0]) >= (int)sizeof program) return 1;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return 1;
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program_filter) < 0) return 1;
  execv(program, argv);
  return 1;
}

/* Proof that a process waits for input: the system call in which it is, as the kernel tells it. */
#ifndef WAITING_H
#define WAITING_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * True when a process of `group` is blocked in a read of this terminal, or in a wait for it to be
 * readable. False where the kernel does not say, as with Yama's ptrace_scope at 2.
 */
bool waiting_for(dev_t terminal, pid_t group, uid_t uid, gid_t gid);

#endif

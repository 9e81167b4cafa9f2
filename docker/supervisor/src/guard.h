/*
 * What keeps PID 1 and the keepers out of the commands' reach, and what the container lets PID 1 do.
 *
 * They give up uid 0 for a uid that no command has, and keep the three capabilities they need: the
 * kernel then refuses signals, tracing and their files in /proc to every command, of uid 0 too. Where
 * that uid cannot be taken they stay uid 0 and are not dumpable, which guards all but the score of
 * the out-of-memory killer and the list of descriptors from commands of uid 0.
 */
#ifndef GUARD_H
#define GUARD_H

#include <stdbool.h>
#include <sys/types.h>

struct guard_facts {
  bool set_uid;
  bool set_gid;
  bool kill;
  bool set_pcap;
  bool no_new_privs;
  bool guard_uid;
  bool subreaper;
  int oom_score_adj;
  int command_oom_score_adj;
};

/* For PID 1, once. */
struct guard_facts guard_raise(uid_t guard_uid);

/*
 * A change of uid in a process or in one that shares its memory hides its files in /proc behind uid
 * 0; this gives them back to the guard's own uid.
 */
void guard_keep_files(void);

/* Files are opened as this user until `guard_act_as_self`. */
void guard_act_as(uid_t uid);
void guard_act_as_self(void);

/* For the child that becomes the command, as its last privileged step: 0 or an errno. */
int guard_drop(uid_t uid, gid_t gid);

#endif

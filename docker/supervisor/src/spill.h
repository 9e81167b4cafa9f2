/*
 * Spill files: the complete output of a stream that outgrew its tail. They lie in one directory
 * that commands can read and not write, under names they cannot guess, within one quota: the oldest
 * finished file gives way to a new one.
 */
#ifndef SPILL_H
#define SPILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct spill;

/* Why a stream has no spill file; the state in an END frame. */
enum spill_state { SPILL_NONE = 0, SPILL_KEPT = 1, SPILL_OVER_CAP = 2, SPILL_OVER_QUOTA = 3, SPILL_FAILED = 4 };

/* Returns 0 or an errno. Without a directory there are no spill files. Before the guard is raised. */
int spill_open_directory(const char *path, uint64_t quota_bytes, uid_t guard_uid);

/* NULL with `*reason` when none can be made. */
struct spill *spill_create(enum spill_state *reason);

/* Appends all of it, or says why the file cannot be complete. */
enum spill_state spill_write(struct spill *spill, const uint8_t *bytes, size_t count);

/* No more bytes: the file stays until the quota needs its room. */
void spill_finish(struct spill *spill);

void spill_discard(struct spill *spill);

/* Writes the path without a terminator and returns its length. */
size_t spill_path(const struct spill *spill, char *out, size_t capacity);

/* Opens a file of ours for reading; negative errno when there is none at that path. */
int spill_open_path(const char *path, size_t length);

#endif

/* Files that are being written: each a new file without a name, until it takes its place in one step. */
#ifndef FILES_DRAFT_H
#define FILES_DRAFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "files-answer.h"
#include "files-request.h"

enum { TEMPORARY_NAME_BYTES = 40, DRAFT_NAME_BYTES = 256 };

struct draft {
  /* The new file; -1 where there is no draft. */
  int fd;
  /* The directory it is written for, whatever leads there meanwhile. */
  int directory;
  /* Of the first step that failed: every later one fails with it. */
  int error;
  uint32_t unsynced_bytes;
  char name[DRAFT_NAME_BYTES];
  /* Empty while it has none. */
  char temporary[TEMPORARY_NAME_BYTES];
};

struct draft_error {
  int error;
  enum answer_reason reason;
};

struct draft_guard {
  enum files_guard kind;
  /* For GUARD_REPLACE. */
  const uint8_t *version;
};

struct draft_error draft_open(struct draft *draft, const char *path, bool create_parents);
int draft_write(struct draft *draft, const uint8_t *bytes, size_t count);

/* The draft is over, one way or the other. `info` is the file's in its place. */
struct draft_error draft_commit(struct draft *draft, const struct draft_guard *guard, mode_t new_file_mode,
                                bool *is_new, struct stat *info);

/* Leaves nothing of it. */
void draft_discard(struct draft *draft);

/* All of them, before the end of the process; defined where they are kept. */
void drafts_discard(void);

#endif

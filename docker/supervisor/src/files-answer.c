#include "files-answer.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "files-draft.h"
#include "files-request.h"
#include "frame.h"

enum { OUT_FD = 1, ANSWERS_BYTES = 2 * FILES_CHUNK_MAX, VERSION_OFFSET = ANSWER_INFO_BYTES - FILES_VERSION_BYTES };

enum info_kind { INFO_OTHER = 0, INFO_FILE = 1, INFO_DIRECTORY = 2, INFO_SYMLINK = 3 };

static uint8_t answers[ANSWERS_BYTES];
static size_t answered;
static uint8_t *begun;

void answers_flush(void) {
  for (size_t written = 0; written < answered;) {
    ssize_t count = write(OUT_FD, answers + written, answered - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      drafts_discard();
      _exit(0);
    }
    written += (size_t)count;
  }
  answered = 0;
}

uint8_t *answer_begin(uint32_t id, enum answer_kind kind, size_t max_bytes) {
  if (ANSWERS_BYTES - answered < FILES_HEADER_BYTES + max_bytes) answers_flush();
  begun = answers + answered;
  return put_u32(put_u32(begun + 4, id), kind);
}

void answer_end(const uint8_t *end) {
  size_t length = (size_t)(end - begun);
  put_u32(begun, (uint32_t)(length - FILES_HEADER_BYTES));
  answered += length;
}

void answer_done(uint32_t id) { answer_end(answer_begin(id, ANSWER_DONE, 0)); }

void answer_failed(uint32_t id, int error, enum answer_reason reason) {
  answer_end(put_u32(put_u32(answer_begin(id, ANSWER_FAILED, 8), (uint32_t)error), reason));
}

uint8_t *put_bytes(uint8_t *at, const void *bytes, size_t count) {
  memcpy(at, bytes, count);
  return at + count;
}

static uint32_t kind_of(mode_t mode) {
  if (S_ISREG(mode)) return INFO_FILE;
  if (S_ISDIR(mode)) return INFO_DIRECTORY;
  return S_ISLNK(mode) ? INFO_SYMLINK : INFO_OTHER;
}

static uint64_t nanoseconds(struct timespec time) {
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint8_t *put_info(uint8_t *at, const struct stat *info) {
  at = put_u32(put_u32(at, kind_of(info->st_mode)), info->st_mode & 07777);
  at = put_u32(put_u32(at, info->st_uid), info->st_gid);
  at = put_u64(put_u64(at, info->st_dev), info->st_ino);
  at = put_u64(at, (uint64_t)info->st_size);
  return put_u64(put_u64(at, nanoseconds(info->st_mtim)), nanoseconds(info->st_ctim));
}

const uint8_t *info_version(const uint8_t info[ANSWER_INFO_BYTES]) { return info + VERSION_OFFSET; }

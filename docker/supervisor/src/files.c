#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files-answer.h"
#include "files-draft.h"
#include "files-list.h"
#include "files-path.h"
#include "files-request.h"
#include "frame.h"

enum { IN_FD = 0, INBOX_BYTES = 2 * FILES_CHUNK_MAX };
enum { FILES_EXIT_END = 0, FILES_EXIT_FAILED = 1, FILES_EXIT_MALFORMED = 3 };

/* What the host has open, by the number that it chose: a file or directory, or a draft. */
static struct handle {
  bool is_open;
  bool is_draft;
  int fd;
  struct draft draft;
} handles[FILES_HANDLES];

void drafts_discard(void) {
  for (int i = 0; i < FILES_HANDLES; i++)
    if (handles[i].is_open && handles[i].is_draft) draft_discard(&handles[i].draft);
}

/* After the answers to what was asked before. */
static _Noreturn void end(int status) {
  answers_flush();
  drafts_discard();
  _exit(status);
}

/* --- Handles. --- */

/* A number that is in use is a host's mistake that would have it read or write another file. */
static struct handle *free_handle(const struct files_request *request) {
  struct handle *handle = &handles[request->words[WORD_HANDLE]];
  if (handle->is_open) end(FILES_EXIT_MALFORMED);
  return handle;
}

/* NULL where the opening failed: what was sent after it, before the host knew, fails too. */
static struct handle *open_handle(const struct files_request *request, bool is_draft) {
  struct handle *handle = &handles[request->words[WORD_HANDLE]];
  if (handle->is_open && handle->is_draft == is_draft) return handle;
  answer_failed(request->id, EBADF, REASON_ERRNO);
  return NULL;
}

static void answer_info(uint32_t id, const struct stat *info) {
  answer_end(put_info(answer_begin(id, ANSWER_DONE, ANSWER_INFO_BYTES), info));
}

/* Takes the descriptor, or fails the request with `errno` when it is none. */
static void keep_open(const struct files_request *request, struct handle *handle, int fd) {
  struct stat info;
  if (fd >= 0 && fstat(fd, &info) == 0) {
    *handle = (struct handle){.is_open = true, .fd = fd};
    answer_info(request->id, &info);
    return;
  }
  int error = errno;
  if (fd >= 0) close(fd);
  answer_failed(request->id, error, REASON_ERRNO);
}

/* --- Looking. --- */

static void resolve(const struct files_request *request) {
  struct resolved_path resolved;
  int error = path_resolve(request->path, &resolved);
  if (error != 0) {
    answer_failed(request->id, error, REASON_ERRNO);
    return;
  }
  uint8_t *at = answer_begin(request->id, ANSWER_DONE, 4 + ANSWER_INFO_BYTES + FILES_PATH_BYTES);
  at = put_u32(at, resolved.exists);
  if (resolved.exists) at = put_info(at, &resolved.info);
  answer_end(put_bytes(at, resolved.path, strlen(resolved.path)));
}

static void look(const struct files_request *request) {
  struct stat info;
  int flags = request->words[WORD_FLAGS] == 1 ? 0 : AT_SYMLINK_NOFOLLOW;
  if (fstatat(AT_FDCWD, request->path, &info, flags) == 0) answer_info(request->id, &info);
  else answer_failed(request->id, errno, REASON_ERRNO);
}

/* --- Reading. --- */

/* First without touching it: to open a pipe or a device can wait, and can do things. */
static void open_file(const struct files_request *request) {
  struct handle *handle = free_handle(request);
  struct stat info;
  char path[FD_PATH_BYTES];
  int place = open(request->path, O_PATH | O_CLOEXEC);
  if (place < 0 || fstat(place, &info) < 0) {
    keep_open(request, handle, place);
    return;
  }
  if (!S_ISREG(info.st_mode)) {
    close(place);
    answer_failed(request->id, 0, REASON_NOT_REGULAR);
    return;
  }
  path_of_fd(place, path);
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  int error = errno;
  close(place);
  errno = error;
  keep_open(request, handle, fd);
}

static void read_file(const struct files_request *request) {
  struct handle *handle = open_handle(request, false);
  if (handle == NULL) return;
  size_t length = request->words[WORD_READ_LENGTH], count = 0;
  uint64_t offset = (uint64_t)request->words[WORD_READ_OFFSET] | (uint64_t)request->words[WORD_READ_OFFSET + 1] << 32;
  uint8_t *at = answer_begin(request->id, ANSWER_DONE, length);
  while (count < length) {
    ssize_t taken = pread(handle->fd, at + count, length - count, (off_t)(offset + count));
    if (taken < 0 && errno == EINTR) continue;
    if (taken < 0) {
      answer_failed(request->id, errno, REASON_ERRNO);
      return;
    }
    if (taken == 0) break;
    count += (size_t)taken;
  }
  answer_end(at + count);
}

static void close_handle(const struct files_request *request) {
  struct handle *handle = &handles[request->words[WORD_HANDLE]];
  if (handle->is_open && handle->is_draft) draft_discard(&handle->draft);
  else if (handle->is_open) close(handle->fd);
  handle->is_open = false;
  answer_done(request->id);
}

/* --- Listing. --- */

static void list(const struct files_request *request) {
  struct handle *handle = open_handle(request, false);
  if (handle != NULL) list_entries(request->id, handle->fd);
}

/* --- Changing. --- */

static void answer_error(uint32_t id, int error) {
  if (error == 0) answer_done(id);
  else answer_failed(id, error, REASON_ERRNO);
}

static void create(const struct files_request *request) {
  struct handle *handle = free_handle(request);
  struct draft_error refused = draft_open(&handle->draft, request->path, request->words[WORD_CREATE_FLAGS] == 1);
  handle->is_open = handle->is_draft = refused.error == 0 && refused.reason == REASON_ERRNO;
  if (handle->is_open) answer_done(request->id);
  else answer_failed(request->id, refused.error, refused.reason);
}

static void write_draft(const struct files_request *request) {
  struct handle *handle = open_handle(request, true);
  if (handle != NULL) answer_error(request->id, draft_write(&handle->draft, request->bytes, request->byte_count));
}

static void commit(const struct files_request *request) {
  struct handle *handle = open_handle(request, true);
  if (handle == NULL) return;
  struct stat info;
  bool is_new = false;
  struct draft_guard guard = {.kind = (enum files_guard)request->words[WORD_GUARD], .version = request->bytes};
  struct draft_error refused =
      draft_commit(&handle->draft, &guard, (mode_t)request->words[WORD_MODE], &is_new, &info);
  handle->is_open = false;
  if (refused.error != 0 || refused.reason != REASON_ERRNO) {
    answer_failed(request->id, refused.error, refused.reason);
    return;
  }
  uint8_t *at = answer_begin(request->id, ANSWER_DONE, 4 + ANSWER_INFO_BYTES);
  answer_end(put_info(put_u32(at, is_new), &info));
}

static int make_directory(const char *path, bool with_parents) {
  if (with_parents) return path_make_directories(path);
  return mkdir(path, 0777) == 0 ? 0 : errno;
}

static int remove_file(const char *path) {
  if (unlink(path) == 0) return 0;
  if (errno != EISDIR) return errno;
  return rmdir(path) == 0 ? 0 : errno;
}

static int rename_file(const struct files_request *request) {
  if (request->words[WORD_FLAGS] == 0) return rename(request->path, request->second_path) == 0 ? 0 : errno;
  return rename_new(AT_FDCWD, request->path, request->second_path);
}

/* --- The loop: one request after the other, each short. --- */

static void serve(const struct files_request *request) {
  switch (request->operation) {
    case FILES_RESOLVE: resolve(request); break;
    case FILES_STAT: look(request); break;
    case FILES_OPEN: open_file(request); break;
    case FILES_READ: read_file(request); break;
    case FILES_CLOSE: close_handle(request); break;
    case FILES_OPEN_DIRECTORY:
      keep_open(request, free_handle(request), open(request->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
      break;
    case FILES_LIST: list(request); break;
    case FILES_CREATE: create(request); break;
    case FILES_WRITE: write_draft(request); break;
    case FILES_COMMIT: commit(request); break;
    case FILES_MAKE_DIRECTORY:
      answer_error(request->id, make_directory(request->path, request->words[WORD_FLAGS] == 1));
      break;
    case FILES_REMOVE: answer_error(request->id, remove_file(request->path)); break;
    default: answer_error(request->id, rename_file(request)); break;
  }
}

/* Serves every request that is complete; returns how many bytes they were. */
static size_t serve_all(const uint8_t *bytes, size_t count) {
  static struct files_request request;
  size_t served = 0, taken;
  for (;;) {
    enum files_parse result = files_request_parse(bytes + served, count - served, &request, &taken);
    if (result == FILES_INCOMPLETE) return served;
    if (result == FILES_MALFORMED) end(FILES_EXIT_MALFORMED);
    serve(&request);
    served += taken;
  }
}

int files_serve(void) {
  static uint8_t inbox[INBOX_BYTES];
  size_t held = 0;
  /* Other commands of its user can end it, and neither trace it nor reach its streams to forge an answer. */
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0) return FILES_EXIT_FAILED;
  signal(SIGPIPE, SIG_IGN);
  answer_end(put_u32(answer_begin(0, ANSWER_HELLO, 4), FILES_VERSION));
  for (;;) {
    answers_flush();
    ssize_t count = read(IN_FD, inbox + held, sizeof inbox - held);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) end(FILES_EXIT_END);
    held += (size_t)count;
    size_t served = serve_all(inbox, held);
    held -= served;
    memmove(inbox, inbox + served, held);
  }
}

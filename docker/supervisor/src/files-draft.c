#include "files-draft.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "files-path.h"

/* So much of a file waits for the disk at most: no step takes long for the sake of what another one wrote. */
enum { UNSYNCED_BYTES_MAX = 16 * 1024 * 1024 };

static const struct draft_error none = {0, REASON_ERRNO};

static struct draft_error failure(int error) { return (struct draft_error){error, REASON_ERRNO}; }

static bool give_temporary_name(struct draft *draft) {
  static const char prefix[] = ".bash-docker-";
  static const char digits[] = "0123456789abcdef";
  uint8_t random[12];
  if (syscall(SYS_getrandom, random, sizeof random, 0) != (long)sizeof random) return false;
  char *at = draft->temporary + sizeof prefix - 1;
  memcpy(draft->temporary, prefix, sizeof prefix - 1);
  for (size_t i = 0; i < sizeof random; i++) {
    *at++ = digits[random[i] >> 4];
    *at++ = digits[random[i] & 15];
  }
  *at = 0;
  return true;
}

/*
 * Without a name nobody else finds it, and the kernel removes it with the process, however that ends.
 * File systems that cannot do that are given one with a hidden, random name.
 */
static int open_file(struct draft *draft) {
  draft->fd = openat(draft->directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (draft->fd >= 0) return 0;
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL && errno != ENOSYS && errno != ENOENT) return errno;
  if (!give_temporary_name(draft)) return errno;
  draft->fd = openat(draft->directory, draft->temporary, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC, 0600);
  if (draft->fd >= 0) return 0;
  draft->temporary[0] = 0;
  return errno;
}

/* What is in its place now, and whether it may be replaced. */
static struct draft_error look(const struct draft *draft, bool *exists, struct stat *info) {
  *exists = fstatat(draft->directory, draft->name, info, AT_SYMLINK_NOFOLLOW) == 0;
  if (!*exists) return errno == ENOENT ? none : failure(errno);
  if (!S_ISREG(info->st_mode)) return (struct draft_error){0, REASON_NOT_REGULAR};
  /* A rename asks the directory alone: here a file that may not be written is not replaced either. */
  return faccessat(draft->directory, draft->name, W_OK, 0) == 0 ? none : failure(errno);
}

struct draft_error draft_open(struct draft *draft, const char *path, bool create_parents) {
  char directory[FILES_PATH_BYTES];
  const char *name;
  bool exists;
  struct stat info;
  *draft = (struct draft){.fd = -1, .directory = -1};
  int error = path_split(path, directory, &name);
  if (error == 0 && create_parents) error = path_make_directories(directory);
  if (error != 0) return failure(error == EEXIST ? ENOTDIR : error);
  memcpy(draft->name, name, strlen(name) + 1);
  draft->directory = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (draft->directory < 0) return failure(errno);
  struct draft_error refused = look(draft, &exists, &info);
  /* What may not be written is the last thing to say: it may be there against the guard. */
  if (exists && refused.reason == REASON_ERRNO) refused = none;
  if (refused.error == 0 && refused.reason == REASON_ERRNO) refused = failure(open_file(draft));
  if (refused.error != 0 || refused.reason != REASON_ERRNO) draft_discard(draft);
  return refused;
}

int draft_write(struct draft *draft, const uint8_t *bytes, size_t count) {
  for (size_t written = 0; draft->error == 0 && written < count;) {
    ssize_t taken = write(draft->fd, bytes + written, count - written);
    if (taken > 0) written += (size_t)taken;
    else if (taken == 0 || errno != EINTR) draft->error = taken == 0 ? EIO : errno;
  }
  draft->unsynced_bytes += (uint32_t)count;
  if (draft->error == 0 && draft->unsynced_bytes >= UNSYNCED_BYTES_MAX) {
    draft->unsynced_bytes = 0;
    if (fdatasync(draft->fd) < 0) draft->error = errno;
  }
  return draft->error;
}

static int link_as(const struct draft *draft, const char *name) {
  char path[FD_PATH_BYTES];
  path_of_fd(draft->fd, path);
  return linkat(AT_FDCWD, path, draft->directory, name, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

/* Only where nothing is: EEXIST else. */
static int publish_new(struct draft *draft) {
  if (draft->temporary[0] == 0) return link_as(draft, draft->name);
  int error = rename_new(draft->directory, draft->temporary, draft->name);
  if (error != 0 && error != ENOSYS && error != EINVAL) return error;
  if (error != 0) {
    if (linkat(draft->directory, draft->temporary, draft->directory, draft->name, 0) < 0) return errno;
    unlinkat(draft->directory, draft->temporary, 0);
  }
  draft->temporary[0] = 0;
  return 0;
}

static int publish_over(struct draft *draft) {
  if (draft->temporary[0] == 0) {
    if (!give_temporary_name(draft)) return errno;
    int error = link_as(draft, draft->temporary);
    if (error != 0) {
      draft->temporary[0] = 0;
      return error;
    }
  }
  if (renameat(draft->directory, draft->temporary, draft->directory, draft->name) < 0) return errno;
  draft->temporary[0] = 0;
  return 0;
}

static bool is_version(const struct stat *info, const uint8_t *version) {
  uint8_t bytes[ANSWER_INFO_BYTES];
  put_info(bytes, info);
  return memcmp(info_version(bytes), version, FILES_VERSION_BYTES) == 0;
}

static struct draft_error publish(struct draft *draft, const struct draft_guard *guard, mode_t new_file_mode,
                                  bool *is_new) {
  struct stat old;
  bool exists;
  struct draft_error refused = look(draft, &exists, &old);
  if (guard->kind == GUARD_CREATE && exists) return failure(EEXIST);
  if (guard->kind == GUARD_REPLACE && (!exists || !is_version(&old, guard->version)))
    return (struct draft_error){0, REASON_STALE};
  if (refused.error != 0 || refused.reason != REASON_ERRNO) return refused;
  if (fchmod(draft->fd, exists ? old.st_mode & 0777 : new_file_mode) < 0) return failure(errno);
  *is_new = !exists;
  int error = exists ? publish_over(draft) : publish_new(draft);
  /* Somebody made one in between, and only a guarded creation minds. */
  if (error == EEXIST && !exists && guard->kind == GUARD_NONE) return publish(draft, guard, new_file_mode, is_new);
  return failure(error);
}

struct draft_error draft_commit(struct draft *draft, const struct draft_guard *guard, mode_t new_file_mode,
                                bool *is_new, struct stat *info) {
  /* Before it has its place: after a crash of the machine there is the old file or all of the new one. */
  if (draft->error == 0 && fsync(draft->fd) < 0) draft->error = errno;
  struct draft_error refused = failure(draft->error);
  if (refused.error == 0) refused = publish(draft, guard, new_file_mode, is_new);
  if (refused.error == 0 && refused.reason == REASON_ERRNO && fstat(draft->fd, info) < 0) refused = failure(errno);
  draft_discard(draft);
  return refused;
}

void draft_discard(struct draft *draft) {
  if (draft->temporary[0] != 0) unlinkat(draft->directory, draft->temporary, 0);
  draft->temporary[0] = 0;
  if (draft->fd >= 0) close(draft->fd);
  if (draft->directory >= 0) close(draft->directory);
  draft->fd = draft->directory = -1;
}

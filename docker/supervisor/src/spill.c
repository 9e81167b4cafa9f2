#include "spill.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fatal.h"
#include "guard.h"

enum { NAME_BYTES = 16 + 4 + 1 };

struct spill {
  struct spill *next;
  uint64_t size;
  int fd;
  char name[NAME_BYTES];
};

static struct {
  char path[1024];
  int fd;
  uid_t owner;
  uint64_t quota;
  uint64_t used;
  /* Oldest first. */
  struct spill *files;
} directory = {.fd = -1};

/* A fresh volume is uid 0's and can be listed: it becomes the guard's, whom no command can be. */
static void take_over(const char *path, uid_t guard_uid) {
  struct stat status;
  if (lstat(path, &status) < 0 || !S_ISDIR(status.st_mode) || status.st_uid != geteuid()) return;
  /* Mode first: afterwards it is another's. Where it may not be given away it stays uid 0's. */
  if (chmod(path, 0711) == 0 && chown(path, guard_uid, (gid_t)-1) < 0) return;
}

int spill_open_directory(const char *path, uint64_t quota_bytes, uid_t guard_uid) {
  struct stat status;
  if (path[0] != '/' || strlen(path) >= sizeof directory.path - NAME_BYTES - 1) return EINVAL;
  take_over(path, guard_uid);
  /* A place and no more: PID 1 may not be allowed to read it. */
  directory.fd = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (directory.fd < 0 || fstat(directory.fd, &status) < 0) return errno;
  snprintf(directory.path, sizeof directory.path, "%s", path);
  directory.owner = status.st_uid;
  directory.quota = quota_bytes;
  return 0;
}

struct spill *spill_create(enum spill_state *reason) {
  uint64_t random;
  *reason = SPILL_FAILED;
  if (directory.fd < 0 || getrandom(&random, sizeof random, 0) != sizeof random) return NULL;
  struct spill *spill = allocate(NULL, sizeof *spill);
  *spill = (struct spill){.next = NULL, .size = 0};
  snprintf(spill->name, sizeof spill->name, "%016llx.out", (unsigned long long)random);
  /* As the directory's owner: PID 1 has no capability to write where it is not the owner. */
  guard_act_as(directory.owner);
  spill->fd = openat(directory.fd, spill->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0444);
  guard_act_as_self();
  if (spill->fd < 0) {
    free(spill);
    return NULL;
  }
  struct spill **last = &directory.files;
  while (*last != NULL) last = &(*last)->next;
  *last = spill;
  return spill;
}

void spill_discard(struct spill *spill) {
  struct spill **link = &directory.files;
  while (*link != spill) link = &(*link)->next;
  *link = spill->next;
  directory.used -= spill->size;
  if (spill->fd >= 0) close(spill->fd);
  guard_act_as(directory.owner);
  /* Nothing is lost when it is gone already: only the owner can have removed it. */
  unlinkat(directory.fd, spill->name, 0);
  guard_act_as_self();
  free(spill);
}

static bool discard_oldest_finished(void) {
  for (struct spill *spill = directory.files; spill != NULL; spill = spill->next)
    if (spill->fd < 0) {
      spill_discard(spill);
      return true;
    }
  return false;
}

enum spill_state spill_write(struct spill *spill, const uint8_t *bytes, size_t count) {
  while (directory.used + count > directory.quota)
    if (!discard_oldest_finished()) return SPILL_OVER_QUOTA;
  while (count > 0) {
    ssize_t written = write(spill->fd, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == ENOSPC && discard_oldest_finished()) continue;
    if (written < 0) return SPILL_FAILED;
    bytes += written;
    count -= (size_t)written;
    spill->size += (uint64_t)written;
    directory.used += (uint64_t)written;
  }
  return SPILL_KEPT;
}

void spill_finish(struct spill *spill) {
  close(spill->fd);
  spill->fd = -1;
}

size_t spill_path(const struct spill *spill, char *out, size_t capacity) {
  return (size_t)snprintf(out, capacity, "%s/%s", directory.path, spill->name);
}

int spill_open_path(const char *path, size_t length) {
  char candidate[sizeof directory.path];
  for (struct spill *spill = directory.files; spill != NULL; spill = spill->next) {
    if (spill_path(spill, candidate, sizeof candidate) != length || memcmp(candidate, path, length) != 0) continue;
    int fd = openat(directory.fd, spill->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
  }
  return -ENOENT;
}

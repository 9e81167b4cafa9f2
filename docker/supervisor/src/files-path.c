#include "files-path.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LINKS_MAX = 40, NAME_BYTES_MAX = 255, PENDING_BYTES = 2 * FILES_PATH_BYTES };

static const size_t NOTHING_MISSING = SIZE_MAX;

/* What is still to be walked stands at the end of the buffer: a link's target goes in front of it. */
struct walk {
  char pending[PENDING_BYTES];
  char *rest;
  char *out;
  size_t length;
  /* Up to where in `out` there is something, once there is not. */
  size_t missing_from;
  int links;
};

static size_t without_last(const char *path, size_t length) {
  while (length > 0 && path[length - 1] != '/') length--;
  return length > 0 ? length - 1 : 0;
}

/* What the kernel does for fs.protected_symlinks: nobody's link in a directory that all share. */
static bool may_follow(struct walk *walk, size_t parent_length, const struct stat *link) {
  enum { SHARED = S_ISVTX | S_IWOTH };
  struct stat parent;
  char after = walk->out[parent_length];
  walk->out[parent_length] = 0;
  bool known = stat(parent_length == 0 ? "/" : walk->out, &parent) == 0;
  walk->out[parent_length] = after;
  return known && ((parent.st_mode & SHARED) != SHARED || parent.st_uid == link->st_uid || link->st_uid == geteuid());
}

static int follow(struct walk *walk, size_t parent_length, const struct stat *link) {
  char target[FILES_PATH_BYTES];
  if (++walk->links > LINKS_MAX) return ELOOP;
  if (!may_follow(walk, parent_length, link)) return EACCES;
  ssize_t count = readlink(walk->out, target, sizeof target);
  if (count < 0) return errno;
  size_t room = (size_t)(walk->rest - walk->pending);
  if ((size_t)count == sizeof target || (size_t)count + 1 > room) return ENAMETOOLONG;
  if (count == 0) return ENOENT;
  walk->length = target[0] == '/' ? 0 : parent_length;
  *--walk->rest = '/';
  walk->rest -= count;
  memcpy(walk->rest, target, (size_t)count);
  return 0;
}

static int enter(struct walk *walk, const char *name, size_t name_length) {
  if (name_length > NAME_BYTES_MAX || walk->length + 1 + name_length >= FILES_PATH_BYTES) return ENAMETOOLONG;
  size_t parent_length = walk->length;
  walk->out[parent_length] = '/';
  memcpy(walk->out + parent_length + 1, name, name_length);
  walk->length += 1 + name_length;
  walk->out[walk->length] = 0;
  if (walk->missing_from != NOTHING_MISSING) return 0;
  struct stat info;
  if (lstat(walk->out, &info) < 0) {
    if (errno != ENOENT) return errno;
    walk->missing_from = parent_length;
    return 0;
  }
  if (S_ISLNK(info.st_mode)) return follow(walk, parent_length, &info);
  bool is_last = walk->rest[strspn(walk->rest, "/")] == 0;
  return is_last || S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
}

static void leave(struct walk *walk) {
  walk->length = without_last(walk->out, walk->length);
  if (walk->missing_from != NOTHING_MISSING && walk->length <= walk->missing_from) walk->missing_from = NOTHING_MISSING;
}

static int step(struct walk *walk) {
  const char *name = walk->rest;
  size_t length = strcspn(name, "/");
  walk->rest += length;
  if (length == 0 || (length == 1 && name[0] == '.')) return 0;
  if (length != 2 || name[0] != '.' || name[1] != '.') return enter(walk, name, length);
  leave(walk);
  return 0;
}

int path_resolve(const char *path, struct resolved_path *resolved) {
  struct walk walk = {.out = resolved->path, .missing_from = NOTHING_MISSING};
  size_t length = strlen(path);
  walk.rest = walk.pending + PENDING_BYTES - 1 - length;
  memcpy(walk.rest, path, length + 1);
  while (*walk.rest != 0) {
    walk.rest += strspn(walk.rest, "/");
    int error = step(&walk);
    if (error != 0) return error;
  }
  if (walk.length == 0) walk.out[walk.length++] = '/';
  walk.out[walk.length] = 0;
  resolved->exists = walk.missing_from == NOTHING_MISSING && lstat(walk.out, &resolved->info) == 0;
  return 0;
}

int path_split(const char *path, char directory[FILES_PATH_BYTES], const char **name) {
  size_t length = without_last(path, strlen(path));
  *name = path + length + 1;
  if (**name == 0 || strcmp(*name, ".") == 0 || strcmp(*name, "..") == 0) return EISDIR;
  if (strlen(*name) > NAME_BYTES_MAX) return ENAMETOOLONG;
  memcpy(directory, length == 0 ? "/" : path, length == 0 ? 1 : length);
  directory[length == 0 ? 1 : length] = 0;
  return 0;
}

int path_make_directories(const char *path) {
  char prefix[FILES_PATH_BYTES];
  struct stat info;
  if (stat(path, &info) == 0) return S_ISDIR(info.st_mode) ? 0 : EEXIST;
  if (errno != ENOENT) return errno;
  size_t length = strlen(path);
  memcpy(prefix, path, length + 1);
  for (size_t at = 1; at <= length; at++) {
    if (path[at] != '/' && path[at] != 0) continue;
    prefix[at] = 0;
    if (mkdir(prefix, 0777) < 0 && errno != EEXIST) return errno;
    prefix[at] = path[at];
  }
  /* What was there already need not be a directory, nor what a link leads to. */
  if (stat(path, &info) < 0) return errno;
  return S_ISDIR(info.st_mode) ? 0 : EEXIST;
}

int rename_new(int directory, const char *from, const char *to) {
  enum { NO_REPLACE = 1 };
  return syscall(SYS_renameat2, directory, from, directory, to, NO_REPLACE) == 0 ? 0 : errno;
}

void path_of_fd(int fd, char path[FD_PATH_BYTES]) {
  static const char directory[] = "/proc/self/fd/";
  char digits[12];
  size_t count = 0;
  unsigned number = (unsigned)fd;
  do digits[count++] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  char *at = memcpy(path, directory, sizeof directory - 1);
  at += sizeof directory - 1;
  while (count > 0) *at++ = digits[--count];
  *at = 0;
}

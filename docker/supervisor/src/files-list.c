#include "files-list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "files-answer.h"
#include "files-path.h"
#include "frame.h"

enum { DIRENTS_BYTES = 32 * 1024 };

/* As the kernel gives it. */
struct dirent64 {
  uint64_t inode;
  uint64_t position;
  uint16_t record_bytes;
  uint8_t type;
  char name[];
};

enum entry_flag { ENTRY_TARGET_KNOWN = 1, ENTRY_TARGET_EXISTS = 2 };

/* The target of a link in the directory; its path is that of the directory now. */
static bool resolve_entry(int directory, const char *name, struct resolved_path *target) {
  char path[FD_PATH_BYTES + FILES_PATH_BYTES];
  path_of_fd(directory, path);
  size_t length = strlen(path), name_length = strlen(name);
  if (length + 1 + name_length >= FILES_PATH_BYTES) return false;
  path[length] = '/';
  memcpy(path + length + 1, name, name_length + 1);
  return path_resolve(path, target) == 0;
}

/* False when the entry cannot be looked at; one that has gone meanwhile is none. */
static bool answer_entry(uint32_t id, int directory, const char *name, uint32_t *count) {
  struct stat info;
  struct resolved_path target;
  target.exists = false;
  if (fstatat(directory, name, &info, AT_SYMLINK_NOFOLLOW) < 0) return errno == ENOENT;
  bool known = S_ISLNK(info.st_mode) && resolve_entry(directory, name, &target);
  size_t name_length = strlen(name);
  uint32_t flags = (known ? ENTRY_TARGET_KNOWN : 0u) | (known && target.exists ? ENTRY_TARGET_EXISTS : 0u);
  uint8_t *at =
      answer_begin(id, ANSWER_ENTRY, 8 + 2 * ANSWER_INFO_BYTES + name_length + (known ? strlen(target.path) : 0));
  at = put_info(put_u32(put_u32(at, flags), (uint32_t)name_length), &info);
  at = put_bytes(at, name, name_length);
  if (known && target.exists) at = put_info(at, &target.info);
  if (known) at = put_bytes(at, target.path, strlen(target.path));
  answer_end(at);
  ++*count;
  return true;
}

static bool is_entry(const char *name) { return strcmp(name, ".") != 0 && strcmp(name, "..") != 0; }

void list_entries(uint32_t id, int directory) {
  static _Alignas(struct dirent64) uint8_t dirents[DIRENTS_BYTES];
  uint32_t count = 0;
  long filled;
  do {
    filled = syscall(SYS_getdents64, directory, dirents, sizeof dirents);
    for (long at = 0; at < filled;) {
      const struct dirent64 *entry = (const struct dirent64 *)(const void *)(dirents + at);
      at += entry->record_bytes;
      if (is_entry(entry->name) && !answer_entry(id, directory, entry->name, &count)) {
        answer_failed(id, errno, REASON_ERRNO);
        return;
      }
    }
  } while (filled > 0 && count == 0);
  if (filled < 0) answer_failed(id, errno, REASON_ERRNO);
  else answer_end(put_u32(answer_begin(id, ANSWER_DONE, 4), count));
}

/* Paths: to their canonical form, and apart. */
#ifndef FILES_PATH_H
#define FILES_PATH_H

#include <stdbool.h>
#include <sys/stat.h>

#include "files-request.h"

struct resolved_path {
  char path[FILES_PATH_BYTES];
  bool exists;
  /* Valid when it exists. */
  struct stat info;
};

/*
 * Follows every link on an absolute path, the last name included, as far as there is something; what is
 * missing stays as it is. Returns 0 or an errno.
 */
int path_resolve(const char *path, struct resolved_path *resolved);

/* The directory of an absolute path, and its last name within `path`; 0, or EISDIR where it has none. */
int path_split(const char *path, char directory[FILES_PATH_BYTES], const char **name);

/* Makes a directory and what is missing above it; 0 or an errno. */
int path_make_directories(const char *path);

/* Moves within a directory, only where nothing is: 0, EEXIST, or another errno. */
int rename_new(int directory, const char *from, const char *to);

/* A path by which the kernel opens or links the file of a descriptor. */
enum { FD_PATH_BYTES = 32 };
void path_of_fd(int fd, char path[FD_PATH_BYTES]);

#endif

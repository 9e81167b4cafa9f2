#include "fatal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fatal(const char *what) {
  fprintf(stderr, "supervisor: %s: %s\n", what, strerror(errno));
  exit(1);
}

void *allocate(void *old, size_t bytes) {
  void *memory = realloc(old, bytes);
  if (memory == NULL) fatal("memory");
  return memory;
}

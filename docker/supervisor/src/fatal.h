/* What cannot be survived: PID 1 says why on stderr and exits, which ends the container. */
#ifndef FATAL_H
#define FATAL_H

#include <stddef.h>

_Noreturn void fatal(const char *what);

/* malloc and realloc that never return NULL. */
void *allocate(void *old, size_t bytes);

#endif

/* Conditions of a parser's test: each that does not hold is printed, and counts. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

static int failures;

static void check(int holds, const char *what, int line) {
  if (holds) return;
  printf("line %d: %s\n", line, what);
  failures++;
}

#define CHECK(condition) check((condition), #condition, __LINE__)

/* The exit code of the test. */
static int conclude(void) {
  if (failures == 0) printf("ok\n");
  return failures == 0 ? 0 : 1;
}

#endif

/* A directory's entries, as many at a time as the kernel gives. */
#ifndef FILES_LIST_H
#define FILES_LIST_H

#include <stdint.h>

/* Answers with an ENTRY for each of the next ones, and then with how many they were: none is the end. */
void list_entries(uint32_t id, int directory);

#endif

/* The requests of docs/files-protocol.md: their sizes and their parser, which asks the kernel for nothing. */
#ifndef FILES_REQUEST_H
#define FILES_REQUEST_H

#include <stddef.h>
#include <stdint.h>

enum {
  FILES_VERSION = 1,
  FILES_HEADER_BYTES = 12,
  FILES_CHUNK_MAX = 128 * 1024,
  /* With the NUL that ends it here, and not in a request. */
  FILES_PATH_BYTES = 4096,
  FILES_VERSION_BYTES = 40,
  FILES_HANDLES = 256,
  FILES_WORDS_MAX = 4,
  /* The longest is RENAME, or WRITE. */
  FILES_REQUEST_MAX = FILES_HEADER_BYTES + 4 + FILES_CHUNK_MAX
};

enum files_operation {
  FILES_RESOLVE = 1,
  FILES_STAT = 2,
  FILES_OPEN = 3,
  FILES_READ = 4,
  FILES_CLOSE = 5,
  FILES_OPEN_DIRECTORY = 6,
  FILES_LIST = 7,
  FILES_CREATE = 8,
  FILES_WRITE = 9,
  FILES_COMMIT = 10,
  FILES_MAKE_DIRECTORY = 11,
  FILES_REMOVE = 12,
  FILES_RENAME = 13
};

enum files_guard { GUARD_NONE = 0, GUARD_CREATE = 1, GUARD_REPLACE = 2 };

struct files_request {
  uint32_t id;
  uint32_t operation;
  /* The numbers that the payload begins with, in their order. */
  uint32_t words[FILES_WORDS_MAX];
  /* What follows them: content, or a version. It stays in the bytes that were parsed. */
  const uint8_t *bytes;
  size_t byte_count;
  char path[FILES_PATH_BYTES];
  char second_path[FILES_PATH_BYTES];
};

/* Which of the words is what. */
enum {
  WORD_FLAGS = 0,
  WORD_HANDLE = 0,
  WORD_CREATE_FLAGS = 1,
  WORD_READ_LENGTH = 1,
  WORD_READ_OFFSET = 2,
  WORD_GUARD = 1,
  WORD_MODE = 2
};

enum files_parse { FILES_COMPLETE, FILES_INCOMPLETE, FILES_MALFORMED };

/* Takes one request from the beginning of `bytes`; `*taken` is its length when it is complete. */
enum files_parse files_request_parse(const uint8_t *bytes, size_t count, struct files_request *request, size_t *taken);

#endif

#include "files-request.h"

#include <stdbool.h>
#include <string.h>

#include "frame.h"

enum tail { TAIL_NONE, TAIL_PATH, TAIL_TWO_PATHS, TAIL_BYTES, TAIL_VERSION };

/* What the first word may be. */
enum first { FIRST_NONE, FIRST_FLAG, FIRST_HANDLE };

struct shape {
  uint8_t words;
  uint8_t first;
  uint8_t tail;
};

static const struct shape shapes[] = {
    [FILES_RESOLVE] = {0, FIRST_NONE, TAIL_PATH},
    [FILES_STAT] = {1, FIRST_FLAG, TAIL_PATH},
    [FILES_OPEN] = {1, FIRST_HANDLE, TAIL_PATH},
    [FILES_READ] = {4, FIRST_HANDLE, TAIL_NONE},
    [FILES_CLOSE] = {1, FIRST_HANDLE, TAIL_NONE},
    [FILES_OPEN_DIRECTORY] = {1, FIRST_HANDLE, TAIL_PATH},
    [FILES_LIST] = {1, FIRST_HANDLE, TAIL_NONE},
    [FILES_CREATE] = {2, FIRST_HANDLE, TAIL_PATH},
    [FILES_WRITE] = {1, FIRST_HANDLE, TAIL_BYTES},
    [FILES_COMMIT] = {3, FIRST_HANDLE, TAIL_VERSION},
    [FILES_MAKE_DIRECTORY] = {1, FIRST_FLAG, TAIL_PATH},
    [FILES_REMOVE] = {0, FIRST_NONE, TAIL_PATH},
    [FILES_RENAME] = {2, FIRST_FLAG, TAIL_TWO_PATHS},
};

static bool is_operation(uint32_t operation) { return operation > 0 && operation < sizeof shapes / sizeof *shapes; }

static bool fits(const struct shape *shape, size_t tail) {
  switch (shape->tail) {
    case TAIL_PATH: return tail >= 1 && tail < FILES_PATH_BYTES;
    case TAIL_TWO_PATHS: return tail >= 2 && tail <= 2 * (FILES_PATH_BYTES - 1);
    case TAIL_BYTES: return tail >= 1 && tail <= FILES_CHUNK_MAX;
    case TAIL_VERSION: return tail == FILES_VERSION_BYTES;
    default: return tail == 0;
  }
}

static bool take_path(char into[FILES_PATH_BYTES], const uint8_t *bytes, size_t count) {
  if (count == 0 || count >= FILES_PATH_BYTES || bytes[0] != '/' || memchr(bytes, 0, count) != NULL) return false;
  memcpy(into, bytes, count);
  into[count] = 0;
  return true;
}

static bool take_tail(struct files_request *request, const struct shape *shape) {
  if (shape->tail == TAIL_PATH) return take_path(request->path, request->bytes, request->byte_count);
  if (shape->tail != TAIL_TWO_PATHS) return true;
  size_t first = request->words[1];
  return first <= request->byte_count && take_path(request->path, request->bytes, first) &&
         take_path(request->second_path, request->bytes + first, request->byte_count - first);
}

static bool words_hold(const struct files_request *request, const struct shape *shape) {
  const uint32_t *words = request->words;
  if (shape->first == FIRST_FLAG && words[WORD_FLAGS] > 1) return false;
  if (shape->first == FIRST_HANDLE && words[WORD_HANDLE] >= FILES_HANDLES) return false;
  switch (request->operation) {
    case FILES_READ:
      /* The offset is an off_t. */
      return words[WORD_READ_LENGTH] >= 1 && words[WORD_READ_LENGTH] <= FILES_CHUNK_MAX &&
             words[WORD_READ_OFFSET + 1] <= INT32_MAX;
    case FILES_CREATE: return words[WORD_CREATE_FLAGS] <= 1;
    case FILES_COMMIT: return words[WORD_GUARD] <= GUARD_REPLACE && words[WORD_MODE] <= 0777;
    default: return true;
  }
}

enum files_parse files_request_parse(const uint8_t *bytes, size_t count, struct files_request *request, size_t *taken) {
  if (count < FILES_HEADER_BYTES) return FILES_INCOMPLETE;
  uint32_t length = get_u32(bytes);
  uint32_t operation = get_u32(bytes + 8);
  if (!is_operation(operation)) return FILES_MALFORMED;
  const struct shape *shape = &shapes[operation];
  size_t fixed = 4u * shape->words;
  if (length < fixed || !fits(shape, length - fixed)) return FILES_MALFORMED;
  if (count - FILES_HEADER_BYTES < length) return FILES_INCOMPLETE;
  request->id = get_u32(bytes + 4);
  request->operation = operation;
  for (size_t i = 0; i < shape->words; i++) request->words[i] = get_u32(bytes + FILES_HEADER_BYTES + 4 * i);
  request->bytes = bytes + FILES_HEADER_BYTES + fixed;
  request->byte_count = length - fixed;
  if (!words_hold(request, shape) || !take_tail(request, shape)) return FILES_MALFORMED;
  *taken = FILES_HEADER_BYTES + length;
  return FILES_COMPLETE;
}

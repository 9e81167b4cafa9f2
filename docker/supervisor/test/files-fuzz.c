/* libFuzzer: whatever the bytes, the parser of file requests stays within them, and what it accepts is in bounds. */
#include "files-request.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_path(const char *path) {
  if (path[0] != '/' || strnlen(path, FILES_PATH_BYTES) >= FILES_PATH_BYTES) abort();
}

static void check(const struct files_request *request, const uint8_t *end) {
  if (request->bytes > end || (size_t)(end - request->bytes) < request->byte_count) abort();
  switch (request->operation) {
    case FILES_RENAME: check_path(request->second_path); check_path(request->path); break;
    case FILES_RESOLVE:
    case FILES_REMOVE:
    case FILES_STAT:
    case FILES_MAKE_DIRECTORY: check_path(request->path); break;
    case FILES_OPEN:
    case FILES_OPEN_DIRECTORY:
    case FILES_CREATE: check_path(request->path);
    /* fall through */
    default:
      if (request->words[WORD_HANDLE] >= FILES_HANDLES) abort();
  }
  if (request->operation == FILES_READ && request->words[WORD_READ_LENGTH] > FILES_CHUNK_MAX) abort();
  if (request->operation == FILES_COMMIT && request->byte_count != FILES_VERSION_BYTES) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct files_request request;
  uint8_t *bytes = malloc(size == 0 ? 1 : size);
  if (bytes == NULL) return 0;
  if (size > 0) memcpy(bytes, data, size);
  size_t taken;
  for (size_t at = 0; files_request_parse(bytes + at, size - at, &request, &taken) == FILES_COMPLETE; at += taken) {
    if (taken < FILES_HEADER_BYTES || taken > FILES_REQUEST_MAX || taken > size - at) abort();
    check(&request, bytes + at + taken);
  }
  free(bytes);
  return 0;
}

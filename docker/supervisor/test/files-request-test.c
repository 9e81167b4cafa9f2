/* The parser of file requests, case by case; run by the package's tests under the sanitizers. */
#include "files-request.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "frame.h"

static struct files_request parsed;
static size_t taken;

/* A copy of exactly these bytes, so that the address sanitizer sees a read past them. */
static enum files_parse parse(const uint8_t *bytes, size_t count) {
  uint8_t *exact = malloc(count == 0 ? 1 : count);
  if (count > 0) memcpy(exact, bytes, count);
  enum files_parse result = files_request_parse(exact, count, &parsed, &taken);
  free(exact);
  return result;
}

/* A request of these words and this tail. */
static enum files_parse request(uint32_t operation, uint32_t words, const uint32_t *word, const char *tail,
                                size_t tail_bytes) {
  static uint8_t bytes[FILES_REQUEST_MAX + 16];
  uint8_t *at = put_u32(put_u32(put_u32(bytes, (uint32_t)(4 * words + tail_bytes)), 7), operation);
  for (uint32_t i = 0; i < words; i++) at = put_u32(at, word[i]);
  if (tail_bytes > 0) memcpy(at, tail, tail_bytes);
  return parse(bytes, FILES_HEADER_BYTES + 4 * words + tail_bytes);
}

static enum files_parse with_path(const char *path, size_t length) { return request(FILES_RESOLVE, 0, NULL, path, length); }

static void operations(void) {
  CHECK(request(0, 0, NULL, "", 0) == FILES_MALFORMED);
  CHECK(request(FILES_RENAME + 1, 0, NULL, "", 0) == FILES_MALFORMED);
  CHECK(request(UINT32_MAX, 0, NULL, "", 0) == FILES_MALFORMED);
  CHECK(request(FILES_CLOSE, 1, (uint32_t[]){FILES_HANDLES - 1}, "", 0) == FILES_COMPLETE);
  CHECK(parsed.id == 7 && parsed.operation == FILES_CLOSE && parsed.words[WORD_HANDLE] == FILES_HANDLES - 1);
  CHECK(request(FILES_CLOSE, 1, (uint32_t[]){FILES_HANDLES}, "", 0) == FILES_MALFORMED);
  CHECK(request(FILES_CLOSE, 0, NULL, "", 0) == FILES_MALFORMED);
  CHECK(request(FILES_CLOSE, 1, (uint32_t[]){0}, "x", 1) == FILES_MALFORMED);
}

static void paths(void) {
  static char longest[FILES_PATH_BYTES];
  memset(longest, 'a', sizeof longest);
  longest[0] = '/';
  CHECK(with_path("/", 1) == FILES_COMPLETE && strcmp(parsed.path, "/") == 0);
  CHECK(with_path(longest, sizeof longest - 1) == FILES_COMPLETE && strlen(parsed.path) == sizeof longest - 1);
  CHECK(with_path(longest, sizeof longest) == FILES_MALFORMED);
  CHECK(with_path("", 0) == FILES_MALFORMED);
  CHECK(with_path("a", 1) == FILES_MALFORMED);
  CHECK(with_path("/a\0b", 4) == FILES_MALFORMED);
  CHECK(request(FILES_STAT, 1, (uint32_t[]){1}, "/a", 2) == FILES_COMPLETE);
  CHECK(request(FILES_STAT, 1, (uint32_t[]){2}, "/a", 2) == FILES_MALFORMED);
  CHECK(request(FILES_RENAME, 2, (uint32_t[]){1, 2}, "/a/b", 4) == FILES_COMPLETE);
  CHECK(strcmp(parsed.path, "/a") == 0 && strcmp(parsed.second_path, "/b") == 0);
  CHECK(request(FILES_RENAME, 2, (uint32_t[]){0, 4}, "/a/b", 4) == FILES_MALFORMED);
  CHECK(request(FILES_RENAME, 2, (uint32_t[]){0, 0}, "/a/b", 4) == FILES_MALFORMED);
  CHECK(request(FILES_RENAME, 2, (uint32_t[]){0, UINT32_MAX}, "/a/b", 4) == FILES_MALFORMED);
  CHECK(request(FILES_RENAME, 2, (uint32_t[]){0, 1}, "/a/b", 4) == FILES_MALFORMED);
}

static void content(void) {
  static char chunk[FILES_CHUNK_MAX + 1];
  static const char version[FILES_VERSION_BYTES + 1];
  CHECK(request(FILES_READ, 4, (uint32_t[]){0, 1, 0, 0}, "", 0) == FILES_COMPLETE);
  CHECK(request(FILES_READ, 4, (uint32_t[]){0, FILES_CHUNK_MAX, 0, INT32_MAX}, "", 0) == FILES_COMPLETE);
  CHECK(request(FILES_READ, 4, (uint32_t[]){0, 0, 0, 0}, "", 0) == FILES_MALFORMED);
  CHECK(request(FILES_READ, 4, (uint32_t[]){0, FILES_CHUNK_MAX + 1, 0, 0}, "", 0) == FILES_MALFORMED);
  CHECK(request(FILES_READ, 4, (uint32_t[]){0, 1, 0, 1u << 31}, "", 0) == FILES_MALFORMED);
  CHECK(request(FILES_WRITE, 1, (uint32_t[]){0}, chunk, FILES_CHUNK_MAX) == FILES_COMPLETE);
  CHECK(parsed.byte_count == FILES_CHUNK_MAX);
  CHECK(request(FILES_WRITE, 1, (uint32_t[]){0}, chunk, FILES_CHUNK_MAX + 1) == FILES_MALFORMED);
  CHECK(request(FILES_WRITE, 1, (uint32_t[]){0}, "", 0) == FILES_MALFORMED);
  CHECK(request(FILES_CREATE, 2, (uint32_t[]){0, 2}, "/a", 2) == FILES_MALFORMED);
  CHECK(request(FILES_COMMIT, 3, (uint32_t[]){0, 2, 0777}, version, FILES_VERSION_BYTES) == FILES_COMPLETE);
  CHECK(request(FILES_COMMIT, 3, (uint32_t[]){0, 3, 0777}, version, FILES_VERSION_BYTES) == FILES_MALFORMED);
  CHECK(request(FILES_COMMIT, 3, (uint32_t[]){0, 2, 01000}, version, FILES_VERSION_BYTES) == FILES_MALFORMED);
  CHECK(request(FILES_COMMIT, 3, (uint32_t[]){0, 2, 0777}, version, FILES_VERSION_BYTES + 1) == FILES_MALFORMED);
}

static void pieces(void) {
  uint8_t bytes[FILES_HEADER_BYTES + 5];
  memcpy(put_u32(put_u32(put_u32(bytes, 5), 9), FILES_RESOLVE), "/etc/", 5);
  for (size_t count = 0; count < sizeof bytes; count++) CHECK(parse(bytes, count) == FILES_INCOMPLETE);
  CHECK(parse(bytes, sizeof bytes) == FILES_COMPLETE && taken == sizeof bytes);
  /* What cannot become a request is refused before all of it is there. */
  put_u32(bytes, FILES_PATH_BYTES);
  CHECK(parse(bytes, FILES_HEADER_BYTES) == FILES_MALFORMED);
  put_u32(bytes, UINT32_MAX);
  CHECK(parse(bytes, FILES_HEADER_BYTES) == FILES_MALFORMED);
}

int main(void) {
  operations();
  paths();
  content();
  pieces();
  return conclude();
}

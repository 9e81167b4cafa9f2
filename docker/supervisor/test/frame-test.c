/* The frame parser and the spawn payload, case by case; run by the package's tests under the sanitizers. */
#include "frame.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* A copy of exactly these bytes, so that the address sanitizer sees a read past them. */
static enum frame_result parse(const uint8_t *bytes, size_t count, struct frame *frame, enum protocol_error *error) {
  uint8_t *exact = malloc(count == 0 ? 1 : count);
  memcpy(exact, bytes, count);
  enum frame_result result = frame_parse(exact, count, frame, error);
  free(exact);
  return result;
}

static enum protocol_error refusal(uint32_t length, uint8_t type, uint8_t stream, uint32_t channel) {
  uint8_t header[FRAME_HEADER_BYTES];
  struct frame frame;
  enum protocol_error error = PROTOCOL_OK;
  frame_header(header, length, type, stream, channel);
  return parse(header, sizeof header, &frame, &error) == FRAME_MALFORMED ? error : PROTOCOL_OK;
}

static void headers(void) {
  CHECK(refusal(0, 0, 0, 1) == PROTOCOL_TYPE);
  CHECK(refusal(0, FRAME_HELLO, 0, 1) == PROTOCOL_TYPE);
  CHECK(refusal(0, 255, 0, 1) == PROTOCOL_TYPE);
  CHECK(refusal(0, FRAME_DATA, 0, 1) == PROTOCOL_LENGTH);
  CHECK(refusal(FRAME_DATA_MAX, FRAME_DATA, 0, 1) == PROTOCOL_OK);
  CHECK(refusal(FRAME_DATA_MAX + 1, FRAME_DATA, 0, 1) == PROTOCOL_LENGTH);
  CHECK(refusal(FRAME_SPAWN_MAX, FRAME_SPAWN, 0, 1) == PROTOCOL_OK);
  CHECK(refusal(FRAME_SPAWN_MAX + 1, FRAME_SPAWN, 0, 1) == PROTOCOL_LENGTH);
  CHECK(refusal(UINT32_MAX, FRAME_SPAWN, 0, 1) == PROTOCOL_LENGTH);
  CHECK(refusal(1, FRAME_DATA, STREAM_STDOUT, 1) == PROTOCOL_STREAM);
  CHECK(refusal(4, FRAME_CREDIT, STREAM_STDIN, 1) == PROTOCOL_STREAM);
  CHECK(refusal(4, FRAME_CREDIT, STREAM_STDERR, 1) == PROTOCOL_OK);
  CHECK(refusal(0, FRAME_RELEASE, 0, 0) == PROTOCOL_CHANNEL);
  CHECK(refusal(8, FRAME_PING, 0, 1) == PROTOCOL_CHANNEL);
  CHECK(refusal(8, FRAME_PING, 0, 0) == PROTOCOL_OK);
  CHECK(refusal(WINDOW_BYTES, FRAME_WINDOW, 0, 1) == PROTOCOL_OK);
  CHECK(refusal(WINDOW_BYTES + 1, FRAME_WINDOW, 0, 1) == PROTOCOL_LENGTH);
  CHECK(refusal(WINDOW_BYTES, FRAME_WINDOW, 0, 0) == PROTOCOL_CHANNEL);
  CHECK(refusal(8, FRAME_FOREGROUND, 0, 1) == PROTOCOL_OK);
  CHECK(refusal(7, FRAME_FOREGROUND, 0, 1) == PROTOCOL_LENGTH);
  CHECK(refusal(8, FRAME_FOREGROUND_STATE, 0, 1) == PROTOCOL_TYPE);
}

static void pieces(void) {
  uint8_t bytes[FRAME_HEADER_BYTES + 3] = {0};
  struct frame frame;
  enum protocol_error error;
  frame_header(bytes, 3, FRAME_DATA, 0, 7);
  for (size_t count = 0; count < sizeof bytes; count++) {
    CHECK(parse(bytes, count, &frame, &error) == FRAME_INCOMPLETE);
    CHECK(frame.length == (count < FRAME_HEADER_BYTES ? 0 : 3));
  }
  CHECK(parse(bytes, sizeof bytes, &frame, &error) == FRAME_COMPLETE);
  CHECK(frame.channel == 7 && frame.type == FRAME_DATA);
  bytes[6] = 1;
  CHECK(parse(bytes, FRAME_HEADER_BYTES, &frame, &error) == FRAME_MALFORMED && error == PROTOCOL_RESERVED);
}

struct spawn_bytes {
  uint8_t bytes[256];
  size_t length;
};

static struct spawn_bytes spawn_bytes(uint32_t argc, uint32_t envc, const char *strings, size_t length) {
  struct spawn_bytes spawn = {.length = 48 + length};
  put_u32(spawn.bytes + 36, argc);
  put_u32(spawn.bytes + 40, envc);
  memcpy(spawn.bytes + 48, strings, length);
  return spawn;
}

static enum protocol_error decode(struct spawn_bytes spawn) {
  struct spawn_request request;
  uint8_t *exact = malloc(spawn.length);
  memcpy(exact, spawn.bytes, spawn.length);
  enum protocol_error error = spawn_request_decode(exact, spawn.length, &request);
  if (error == PROTOCOL_OK) {
    CHECK(strcmp(request.directory, "/") == 0);
    CHECK(request.argv[0] != NULL);
    spawn_request_free(&request);
  }
  free(exact);
  return error;
}

static void spawns(void) {
  CHECK(decode(spawn_bytes(2, 1, "/\0a\0b\0X=1", 10)) == PROTOCOL_OK);
  CHECK(decode(spawn_bytes(1, 0, "/\0a", 4)) == PROTOCOL_OK);
  CHECK(decode(spawn_bytes(0, 1, "/\0X=1", 6)) == PROTOCOL_SPAWN);
  CHECK(decode(spawn_bytes(1, 0, "/\0a", 3)) == PROTOCOL_SPAWN);
  CHECK(decode(spawn_bytes(2, 0, "/\0a", 4)) == PROTOCOL_SPAWN);
  CHECK(decode(spawn_bytes(1, 0, "/\0a\0b", 6)) == PROTOCOL_SPAWN);
  CHECK(decode(spawn_bytes(1, 0, "/\0", 3)) == PROTOCOL_SPAWN);
  CHECK(decode(spawn_bytes(UINT32_MAX, UINT32_MAX, "/\0a", 4)) == PROTOCOL_SPAWN);
  struct spawn_bytes root_by_omission = spawn_bytes(1, 0, "/\0a", 4);
  put_u32(root_by_omission.bytes + 4, UINT32_MAX);
  CHECK(decode(root_by_omission) == PROTOCOL_SPAWN);
  struct spawn_bytes unknown_flag = spawn_bytes(1, 0, "/\0a", 4);
  put_u32(unknown_flag.bytes, 0x80000000);
  CHECK(decode(unknown_flag) == PROTOCOL_SPAWN);
  struct spawn_bytes limits = spawn_bytes(1, 0, "/\0a", 4);
  put_u32(limits.bytes + 44, 1);
  CHECK(decode(limits) == PROTOCOL_SPAWN);
}

static void stderr_apart(void) {
  /* What is kept of stderr stands before the strings; without the flag it is some of them. */
  struct spawn_bytes apart = spawn_bytes(1, 0, "....................\0/\0a", 24);
  memcpy(apart.bytes + 48 + STREAM_TERMS_BYTES, "/\0a", 4);
  apart.length = 48 + STREAM_TERMS_BYTES + 4;
  memset(apart.bytes + 48, 0, STREAM_TERMS_BYTES);
  put_u32(apart.bytes, SPAWN_STDERR_APART);
  CHECK(decode(apart) == PROTOCOL_OK);
  put_u32(apart.bytes, SPAWN_STDERR_APART | SPAWN_STDERR_LOSSLESS);
  CHECK(decode(apart) == PROTOCOL_OK);
  put_u32(apart.bytes, SPAWN_STDERR_LOSSLESS);
  CHECK(decode(apart) == PROTOCOL_SPAWN);
  put_u32(apart.bytes, SPAWN_STDERR_APART);
  put_u32(apart.bytes + 48, SPAWN_OUTPUT_MAX + 1);
  CHECK(decode(apart) == PROTOCOL_SPAWN);
  for (size_t length = 0; length < STREAM_TERMS_BYTES; length++) {
    struct spawn_bytes cut = spawn_bytes(1, 0, "....................", length);
    put_u32(cut.bytes, SPAWN_STDERR_APART);
    CHECK(decode(cut) == PROTOCOL_SPAWN);
  }
}

static void terminals(void) {
  const uint32_t all = SPAWN_STDIN | SPAWN_LOSSLESS | SPAWN_TERMINAL, rows = 24, columns = 80u << 16;
  const uint8_t size[WINDOW_BYTES] = {24, 0, 0, 1};
  struct window window;
  CHECK(window_decode(size, &window) == PROTOCOL_OK && window.rows == 24 && window.columns == 256);
  /* The size stands before the strings; without the flag it is one of them. */
  struct spawn_bytes terminal = spawn_bytes(1, 0, "....\0/\0a", 8);
  memcpy(terminal.bytes + 48 + WINDOW_BYTES, "/\0a", 4);
  put_u32(terminal.bytes, all);
  const uint32_t sizes[] = {rows | columns, rows, columns, 0, UINT32_MAX};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    put_u32(terminal.bytes + 48, sizes[i]);
    bool is_size = (sizes[i] & 0xffff) != 0 && sizes[i] >> 16 != 0;
    CHECK(decode(terminal) == (is_size ? PROTOCOL_OK : PROTOCOL_SPAWN));
  }
  for (uint32_t flags = SPAWN_TERMINAL; flags < all; flags++) {
    put_u32(terminal.bytes, flags);
    CHECK(decode(terminal) == PROTOCOL_SPAWN);
  }
  for (size_t length = 0; length < WINDOW_BYTES; length++) {
    struct spawn_bytes cut = spawn_bytes(1, 0, "....", length);
    put_u32(cut.bytes, all);
    CHECK(decode(cut) == PROTOCOL_SPAWN);
  }
}

int main(void) {
  headers();
  pieces();
  spawns();
  stderr_apart();
  terminals();
  return conclude();
}

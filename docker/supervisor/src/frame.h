/* The frames of docs/protocol.md: their sizes, their parser, their little-endian numbers. */
#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  PROTOCOL_VERSION = 1,
  FRAME_HEADER_BYTES = 12,
  FRAME_DATA_MAX = 64 * 1024,
  FRAME_SPAWN_MAX = 4 * 1024 * 1024,
  FRAME_PATH_MAX = 4096,
  /* What the host may send to a command's stdin before the first CREDIT. */
  STDIN_WINDOW_BYTES = 1024 * 1024,
  SPAWN_OUTPUT_MAX = 64 * 1024 * 1024,
  SPAWN_STRINGS_MAX = 65536,
  SPAWN_RLIMITS_MAX = 16,
  WINDOW_BYTES = 4,
  STREAM_TERMS_BYTES = 20
};

enum frame_type {
  /* Both ways. */
  FRAME_DATA = 2,
  FRAME_END = 3,
  FRAME_CREDIT = 4,
  /* From the host. */
  FRAME_SPAWN = 1,
  FRAME_SIGNAL = 5,
  FRAME_RELEASE = 6,
  FRAME_READ = 7,
  FRAME_PING = 8,
  FRAME_WINDOW = 9,
  FRAME_FOREGROUND = 10,
  /* To the host. */
  FRAME_HELLO = 16,
  FRAME_STARTED = 17,
  FRAME_FAILED = 18,
  FRAME_SKIP = 19,
  FRAME_EXITED = 20,
  FRAME_GONE = 21,
  FRAME_TREE = 22,
  FRAME_RESET = 23,
  FRAME_PONG = 24,
  FRAME_ERROR = 25,
  FRAME_SPILL = 26,
  FRAME_FOREGROUND_STATE = 27
};

/* In an EXITED frame. */
enum exited_flag { EXITED_CORE = 1, EXITED_GONE = 2, EXITED_KILLED_BY_HOST = 4, EXITED_LOST = 8 };

/* In a FOREGROUND_STATE frame. */
enum foreground_flag { FOREGROUND_WAITS_FOR_INPUT = 1 };

enum stream_id { STREAM_STDIN = 0, STREAM_STDOUT = 1, STREAM_STDERR = 2 };

/* Why a session was ended by what the host sent; the code of an ERROR frame. */
enum protocol_error {
  PROTOCOL_OK = 0,
  PROTOCOL_TYPE = 1,
  PROTOCOL_LENGTH = 2,
  PROTOCOL_STREAM = 3,
  PROTOCOL_RESERVED = 4,
  PROTOCOL_CHANNEL = 5,
  PROTOCOL_SPAWN = 6,
  PROTOCOL_CREDIT = 7,
  PROTOCOL_SIGNAL = 8,
  PROTOCOL_WINDOW = 9
};

struct frame {
  uint32_t length;
  uint32_t channel;
  uint8_t type;
  uint8_t stream;
  uint8_t *payload;
};

enum frame_result { FRAME_INCOMPLETE, FRAME_COMPLETE, FRAME_MALFORMED };

/*
 * Reads one frame of the host from the start of `bytes`. The header alone decides whether a frame
 * is malformed, so that nothing is ever buffered for one that will be refused; the payload points
 * into `bytes`. INCOMPLETE sets `frame->length` once the header is there, else 0.
 */
enum frame_result frame_parse(uint8_t *bytes, size_t count, struct frame *frame, enum protocol_error *error);

void frame_header(uint8_t out[FRAME_HEADER_BYTES], uint32_t length, uint8_t type, uint8_t stream, uint32_t channel);

/*
 * A terminal is a stream both ways and lossless: it has the first two flags as well, and no stderr that
 * could be apart. STDERR_LOSSLESS is a word about a stderr that is.
 */
enum spawn_flag {
  SPAWN_STDIN = 1,
  SPAWN_LOSSLESS = 2,
  SPAWN_TERMINAL = 4,
  SPAWN_STDERR_APART = 8,
  SPAWN_STDERR_LOSSLESS = 16
};

/* The size of a terminal, in characters. */
struct window {
  uint16_t rows;
  uint16_t columns;
};

/* What is kept of one output stream, and how much of it may be sent at first. */
struct stream_terms {
  bool lossless;
  uint64_t max_output_bytes;
  uint64_t max_spill_bytes;
  uint32_t credit_bytes;
};

struct spawn_rlimit {
  uint32_t resource;
  uint64_t soft;
  uint64_t hard;
};

struct spawn_request {
  uint32_t flags;
  uint32_t uid;
  uint32_t gid;
  uint32_t umask;
  struct stream_terms out;
  struct stream_terms err;
  /* Of a terminal. */
  struct window window;
  uint32_t rlimit_count;
  struct spawn_rlimit rlimits[SPAWN_RLIMITS_MAX];
  char *directory;
  char **argv;
  char **envp;
};

/*
 * Reads a SPAWN payload. The strings stay in the payload, `argv` and `envp` are one allocation that
 * `spawn_request_free` returns. On anything but PROTOCOL_OK there is nothing to free.
 */
enum protocol_error spawn_request_decode(uint8_t *payload, size_t length, struct spawn_request *request);
void spawn_request_free(struct spawn_request *request);

/* Reads a window size of WINDOW_BYTES; PROTOCOL_WINDOW when it has no rows or no columns. */
enum protocol_error window_decode(const uint8_t *payload, struct window *window);

uint32_t get_u32(const uint8_t *bytes);
uint64_t get_u64(const uint8_t *bytes);
uint8_t *put_u32(uint8_t *bytes, uint32_t value);
uint8_t *put_u64(uint8_t *bytes, uint64_t value);

#endif

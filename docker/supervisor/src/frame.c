#include "frame.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

uint32_t get_u32(const uint8_t *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

uint64_t get_u64(const uint8_t *bytes) { return (uint64_t)get_u32(bytes) | (uint64_t)get_u32(bytes + 4) << 32; }

uint8_t *put_u32(uint8_t *bytes, uint32_t value) {
  for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> (8 * i));
  return bytes + 4;
}

uint8_t *put_u64(uint8_t *bytes, uint64_t value) {
  return put_u32(put_u32(bytes, (uint32_t)value), (uint32_t)(value >> 32));
}

void frame_header(uint8_t out[FRAME_HEADER_BYTES], uint32_t length, uint8_t type, uint8_t stream, uint32_t channel) {
  put_u32(out, length);
  out[4] = type;
  out[5] = stream;
  out[6] = out[7] = 0;
  put_u32(out + 8, channel);
}

/* What a frame of the host may look like. Channel 0 is the session itself. */
struct shape {
  uint32_t min_length;
  uint32_t max_length;
  uint8_t first_stream;
  uint8_t last_stream;
  bool on_session;
};

static const struct shape shapes[] = {
    [FRAME_SPAWN] = {48, FRAME_SPAWN_MAX, 0, 0, false},
    [FRAME_DATA] = {1, FRAME_DATA_MAX, STREAM_STDIN, STREAM_STDIN, false},
    [FRAME_END] = {0, 0, STREAM_STDIN, STREAM_STDIN, false},
    [FRAME_CREDIT] = {4, 4, STREAM_STDOUT, STREAM_STDERR, false},
    [FRAME_SIGNAL] = {8, 8, 0, 0, false},
    [FRAME_RELEASE] = {0, 0, 0, 0, false},
    [FRAME_READ] = {5, 4 + FRAME_PATH_MAX, 0, 0, false},
    [FRAME_PING] = {8, 8, 0, 0, true},
    [FRAME_WINDOW] = {WINDOW_BYTES, WINDOW_BYTES, 0, 0, false},
    [FRAME_FOREGROUND] = {8, 8, 0, 0, false},
};

static enum protocol_error check(const struct frame *frame, const uint8_t *reserved) {
  if (frame->type >= sizeof shapes / sizeof *shapes || frame->type == 0) return PROTOCOL_TYPE;
  const struct shape *shape = &shapes[frame->type];
  if (frame->length < shape->min_length || frame->length > shape->max_length) return PROTOCOL_LENGTH;
  if (frame->stream < shape->first_stream || frame->stream > shape->last_stream) return PROTOCOL_STREAM;
  if (reserved[0] != 0 || reserved[1] != 0) return PROTOCOL_RESERVED;
  if ((frame->channel == 0) != shape->on_session) return PROTOCOL_CHANNEL;
  return PROTOCOL_OK;
}

enum frame_result frame_parse(uint8_t *bytes, size_t count, struct frame *frame, enum protocol_error *error) {
  frame->length = 0;
  if (count < FRAME_HEADER_BYTES) return FRAME_INCOMPLETE;
  frame->length = get_u32(bytes);
  frame->type = bytes[4];
  frame->stream = bytes[5];
  frame->channel = get_u32(bytes + 8);
  frame->payload = bytes + FRAME_HEADER_BYTES;
  *error = check(frame, bytes + 6);
  if (*error != PROTOCOL_OK) return FRAME_MALFORMED;
  return count - FRAME_HEADER_BYTES < frame->length ? FRAME_INCOMPLETE : FRAME_COMPLETE;
}

/* Takes `count` NUL-terminated strings from `*cursor`; false when they do not fit before `end`. */
static bool take_strings(char **into, uint32_t count, char **cursor, char *end) {
  for (uint32_t i = 0; i < count; i++) {
    char *terminator = *cursor < end ? memchr(*cursor, 0, (size_t)(end - *cursor)) : NULL;
    if (terminator == NULL) return false;
    into[i] = *cursor;
    *cursor = terminator + 1;
  }
  return true;
}

enum protocol_error window_decode(const uint8_t *payload, struct window *window) {
  uint32_t both = get_u32(payload);
  *window = (struct window){.rows = (uint16_t)both, .columns = (uint16_t)(both >> 16)};
  return window->rows > 0 && window->columns > 0 ? PROTOCOL_OK : PROTOCOL_WINDOW;
}

/* Reads the three numbers at `payload`; false when more is to be kept than can be. */
static bool stream_terms_decode(const uint8_t *payload, bool lossless, struct stream_terms *terms) {
  *terms = (struct stream_terms){lossless, get_u64(payload), get_u64(payload + 8), get_u32(payload + 16)};
  return terms->max_output_bytes <= SPAWN_OUTPUT_MAX;
}

enum protocol_error spawn_request_decode(uint8_t *payload, size_t length, struct spawn_request *request) {
  enum {
    FIXED_BYTES = 48,
    RLIMIT_BYTES = 20,
    FLAGS_TERMINAL = SPAWN_STDIN | SPAWN_LOSSLESS | SPAWN_TERMINAL,
    FLAGS_KNOWN = FLAGS_TERMINAL | SPAWN_STDERR_APART | SPAWN_STDERR_LOSSLESS
  };
  if (length < FIXED_BYTES) return PROTOCOL_SPAWN;
  request->flags = get_u32(payload);
  request->uid = get_u32(payload + 4);
  request->gid = get_u32(payload + 8);
  request->umask = get_u32(payload + 12);
  if (!stream_terms_decode(payload + 16, (request->flags & SPAWN_LOSSLESS) != 0, &request->out)) return PROTOCOL_SPAWN;
  request->err = request->out;
  uint32_t argc = get_u32(payload + 36);
  uint32_t envc = get_u32(payload + 40);
  request->rlimit_count = get_u32(payload + 44);
  if ((request->flags & ~(uint32_t)FLAGS_KNOWN) != 0 || request->umask > 0777) return PROTOCOL_SPAWN;
  /* (uid_t)-1 means "leave it" to the kernel, which would leave the command as root. */
  if (request->uid == UINT32_MAX || request->gid == UINT32_MAX) return PROTOCOL_SPAWN;
  if (request->rlimit_count > SPAWN_RLIMITS_MAX) return PROTOCOL_SPAWN;
  if (argc == 0 || argc > SPAWN_STRINGS_MAX || envc > SPAWN_STRINGS_MAX) return PROTOCOL_SPAWN;
  bool is_terminal = (request->flags & SPAWN_TERMINAL) != 0;
  if (is_terminal && request->flags != FLAGS_TERMINAL) return PROTOCOL_SPAWN;
  bool is_err_apart = (request->flags & SPAWN_STDERR_APART) != 0;
  bool is_err_lossless = (request->flags & SPAWN_STDERR_LOSSLESS) != 0;
  if (is_err_lossless && !is_err_apart) return PROTOCOL_SPAWN;
  size_t window_bytes = is_terminal ? WINDOW_BYTES : 0;
  size_t err_bytes = is_err_apart ? STREAM_TERMS_BYTES : 0;
  if (length - FIXED_BYTES < window_bytes + err_bytes + (size_t)request->rlimit_count * RLIMIT_BYTES) return PROTOCOL_SPAWN;

  uint8_t *cursor = payload + FIXED_BYTES;
  if (is_terminal && window_decode(cursor, &request->window) != PROTOCOL_OK) return PROTOCOL_SPAWN;
  cursor += window_bytes;
  if (is_err_apart && !stream_terms_decode(cursor, is_err_lossless, &request->err)) return PROTOCOL_SPAWN;
  cursor += err_bytes;
  for (uint32_t i = 0; i < request->rlimit_count; i++, cursor += RLIMIT_BYTES)
    request->rlimits[i] = (struct spawn_rlimit){get_u32(cursor), get_u64(cursor + 4), get_u64(cursor + 12)};

  char **strings = calloc((size_t)argc + envc + 2, sizeof *strings);
  if (strings == NULL) return PROTOCOL_SPAWN;
  char *text = (char *)cursor;
  char *end = (char *)payload + length;
  request->argv = strings;
  request->envp = strings + argc + 1;
  if (take_strings(&request->directory, 1, &text, end) && take_strings(request->argv, argc, &text, end) &&
      take_strings(request->envp, envc, &text, end) && text == end && request->argv[0][0] != 0)
    return PROTOCOL_OK;
  free(strings);
  return PROTOCOL_SPAWN;
}

void spawn_request_free(struct spawn_request *request) { free(request->argv); }

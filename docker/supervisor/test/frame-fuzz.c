/* libFuzzer: whatever the bytes, the parser stays within them and every frame it accepts can be decoded. */
#include "frame.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void touch_strings(char *const *strings) {
  for (; *strings != NULL; strings++)
    if (strlen(*strings) > FRAME_SPAWN_MAX) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t *bytes = malloc(size == 0 ? 1 : size);
  if (bytes == NULL) return 0;
  if (size > 0) memcpy(bytes, data, size);
  size_t offset = 0;
  struct frame frame;
  enum protocol_error error;
  while (frame_parse(bytes + offset, size - offset, &frame, &error) == FRAME_COMPLETE) {
    struct spawn_request request;
    if (frame.type == FRAME_SPAWN && spawn_request_decode(frame.payload, frame.length, &request) == PROTOCOL_OK) {
      if (strlen(request.directory) > FRAME_SPAWN_MAX) abort();
      touch_strings(request.argv);
      touch_strings(request.envp);
      spawn_request_free(&request);
    }
    struct window window;
    if (frame.type == FRAME_WINDOW && window_decode(frame.payload, &window) == PROTOCOL_OK &&
        (window.rows == 0 || window.columns == 0))
      abort();
    offset += FRAME_HEADER_BYTES + (size_t)frame.length;
  }
  free(bytes);
  return 0;
}

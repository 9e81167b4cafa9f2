/* What goes back to the host: whole answers, gathered and written at once. */
#ifndef FILES_ANSWER_H
#define FILES_ANSWER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

enum { ANSWER_INFO_BYTES = 56 };

enum answer_kind { ANSWER_HELLO = 0, ANSWER_DONE = 1, ANSWER_FAILED = 2, ANSWER_ENTRY = 3 };

/* Why it failed where the errno does not say. */
enum answer_reason { REASON_ERRNO = 0, REASON_NOT_REGULAR = 1, REASON_STALE = 2 };

/* Room for an answer with up to `max_bytes` of payload; `answer_end` says how many there are. */
uint8_t *answer_begin(uint32_t id, enum answer_kind kind, size_t max_bytes);
void answer_end(const uint8_t *end);

void answer_done(uint32_t id);
void answer_failed(uint32_t id, int error, enum answer_reason reason);

/* Ends the process when nobody reads them. */
void answers_flush(void);

uint8_t *put_bytes(uint8_t *at, const void *bytes, size_t count);
uint8_t *put_info(uint8_t *at, const struct stat *info);

/* What names a state of a file: the part of its info that changes with it. */
const uint8_t *info_version(const uint8_t info[ANSWER_INFO_BYTES]);

#endif

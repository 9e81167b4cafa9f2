/* SHA-256 (FIPS 180-4), to say in the hello which build runs. */
#ifndef SHA256_H
#define SHA256_H

/* The hash of a file in lower-case hex; false when it cannot be read. */
#include <stdbool.h>

enum { SHA256_HEX_BYTES = 65 };

bool sha256_file(const char *path, char hex[SHA256_HEX_BYTES]);

#endif

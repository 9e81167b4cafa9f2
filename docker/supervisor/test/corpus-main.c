/* The fuzzer's test without a fuzzer: each file that is named, whole and cut off after every byte. */
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
  static uint8_t bytes[64 * 1024];
  for (int i = 1; i < argc; i++) {
    FILE *file = fopen(argv[i], "rb");
    if (file == NULL) return 1;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (size_t length = 0; length <= size; length++) LLVMFuzzerTestOneInput(bytes, length);
  }
  printf("ok\n");
  return 0;
}

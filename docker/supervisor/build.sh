#!/bin/sh
# Builds the supervisor for one CPU: build.sh amd64|arm64|sanitized|unit|corpus|fuzz|files-unit|files-corpus|files-fuzz|without-tmpfile OUTPUT
# The same sources and compiler give the same bytes: their hash is the build's name.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=$1
case $2 in /*) output=$2 ;; *) output=$PWD/$2 ;; esac
language='-std=c11 -D_GNU_SOURCE -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Werror'
release="-Os -static -s -ffunction-sections -fdata-sections -Wl,--gc-sections -Wl,--build-id=none"
checked='-O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all'
cd "$here"

case $target in
amd64)
  # The kernel headers are not among the ones musl-gcc looks at.
  musl-gcc $language -idirafter /usr/include -idirafter /usr/include/x86_64-linux-gnu $release -o "$output" src/*.c ;;
arm64) aarch64-linux-gnu-gcc $language $release -o "$output" src/*.c ;;
sanitized) gcc $language $checked -fsanitize=address,undefined -o "$output" src/*.c ;;
unit) gcc $language $checked -fsanitize=address,undefined -Isrc -o "$output" test/frame-test.c src/frame.c ;;
corpus)
  gcc $language $checked -fsanitize=address,undefined -Isrc -o "$output" test/corpus-main.c test/frame-fuzz.c src/frame.c ;;
fuzz) clang-14 $language $checked -fsanitize=fuzzer,address,undefined -Isrc -o "$output" test/frame-fuzz.c src/frame.c ;;
files-unit)
  gcc $language $checked -fsanitize=address,undefined -Isrc -o "$output" \
    test/files-request-test.c src/files-request.c src/frame.c ;;
files-corpus)
  gcc $language $checked -fsanitize=address,undefined -Isrc -o "$output" \
    test/corpus-main.c test/files-fuzz.c src/files-request.c src/frame.c ;;
files-fuzz)
  clang-14 $language $checked -fsanitize=fuzzer,address,undefined -Isrc -o "$output" \
    test/files-fuzz.c src/files-request.c src/frame.c ;;
without-tmpfile) gcc $language -o "$output" test/without-tmpfile.c ;;
*)
  echo "build.sh: no such target: $target" >&2
  exit 2
  ;;
esac

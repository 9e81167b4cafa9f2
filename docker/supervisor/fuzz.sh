#!/bin/sh
# Fuzzes both parsers, frames and file requests, one after the other from its corpus: fuzz.sh [SECONDS]. Needs clang;
# ten minutes each by default.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for target in fuzz:corpus files-fuzz:files-corpus; do
  program=$work/${target%:*}
  "$here/build.sh" "${target%:*}" "$program"
  mkdir "$program-found"
  cd "$work"
  "$program" -max_total_time="${1:-600}" -max_len=8192 -print_final_stats=1 \
    "$program-found" "$here/test/${target#*:}"
done

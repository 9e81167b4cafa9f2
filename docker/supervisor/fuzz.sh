#!/bin/sh
# Fuzzes the frame parser from the corpus: fuzz.sh [SECONDS]. Needs clang; ten minutes by default.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/build.sh" fuzz "$work/fuzz"
mkdir "$work/found"
cd "$work"
"$work/fuzz" -max_total_time="${1:-600}" -max_len=8192 -print_final_stats=1 "$work/found" "$here/test/corpus"

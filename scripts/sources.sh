#!/bin/sh
# Lists our C++ files, one per line; with patterns, only those whose path matches one.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- '*'
for folder in include src apps tests benchmarks examples python; do
  [ -d "$folder" ] || continue
  for pattern in "$@"; do
    find "$folder" \( -name '*.hpp' -o -name '*.cpp' -o -name '*.h' \) -path "$pattern"
  done
done | sort -u

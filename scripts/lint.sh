#!/bin/sh
# Checks the format of every C++ file and runs clang-tidy over the library and the program.
# Usage: scripts/lint.sh FOLDER JOBS: the folder takes the list of compile commands. It is a configuration of its own,
# because clang cannot read the headers that g++ has precompiled.
set -eu
cd "$(dirname "$0")/.."
# Not --dry-run: clang-format 14 complains there of the closing comments of nested inline namespaces, which it keeps.
scripts/sources.sh | xargs -n 1 -P "$2" sh -c \
  'clang-format "$0" | cmp -s - "$0" || { echo "$0: not formatted; run make format" >&2; exit 1; }'
mkdir -p "$1"
cmake -S . -B "$1" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DLINKWRIGHT_BUILD_TESTS=OFF >"$1/configure.log" 2>&1 ||
  { cat "$1/configure.log"; exit 1; }
# -Wconversion of g++ leaves out signs, that of clang does not.
scripts/sources.sh 'src/*.cpp' 'apps/*.cpp' |
  xargs -r -n 1 -P "$2" clang-tidy -p "$1" --quiet --extra-arg=-Wno-unknown-warning-option \
    --extra-arg=-Wno-sign-conversion

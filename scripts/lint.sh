#!/bin/sh
# Checks the format of every C++ file and runs clang-tidy over the library and the program.
# Usage: scripts/lint.sh FOLDER JOBS: the folder takes the list of compile commands. It is a configuration of its own,
# because clang cannot read the headers that g++ has precompiled.
set -eu
cd "$(dirname "$0")/.."
# Not --dry-run: clang-format 14 complains there of the closing comments of nested inline namespaces, which it keeps.
scripts/sources.sh | xargs -n 1 -P "$2" sh -c \
  'clang-format "$0" | cmp -s - "$0" || { echo "$0: not formatted; run make format" >&2; exit 1; }'
# clang-tidy 14 looks for unused names in the file that it is given, and it is given folders.
scripts/sources.sh 'src/*' 'apps/*' | xargs -n 1 -P "$2" sh -c '
  sed -n "s/^ *using [a-zA-Z_:]*::\([a-zA-Z_]*\);.*/\1/p" "$0" | while read -r name; do
    [ "$(grep -cw "$name" "$0")" -gt 1 ] || { echo "$0: using $name: unused; take it out" >&2; exit 1; }
  done'
mkdir -p "$1"
cmake -S . -B "$1" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DLINKWRIGHT_BUILD_TESTS=OFF -DLINKWRIGHT_COMPILE_BY_FOLDER=ON \
  >"$1/configure.log" 2>&1 || { cat "$1/configure.log"; exit 1; }
# What clang does not know of g++'s flags.
sed -i 's/ -fno-tree-loop-distribute-patterns//g' "$1/compile_commands.json"
# The sources of a folder are read as one, which takes a third of the time; so a source that includes sources is no
# mistake, and a local name may be that of something in another source. -Wconversion of g++ leaves out signs, that of
# clang does not. The page is no source of ours to read.
sed -n 's/^ *"file": "\(.*\)".*/\1/p' "$1/compile_commands.json" | grep -v '/page_data\.cpp$' | sort -u |
  xargs -r -n 1 -P "$2" clang-tidy -p "$1" --quiet --checks=-bugprone-suspicious-include \
    --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-sign-conversion --extra-arg=-Wno-shadow

#!/bin/sh
# Joins test sources into one, so that headers and templates are compiled once for all of them.
# Usage: join.sh OUT SOURCE…: names in a source's anonymous namespace stay apart from those of the others, and
# messages still name the source and its line.
set -eu
out=$1
shift
for source in "$@"; do
  name=$(basename "$source" .cpp | tr -c 'a-zA-Z0-9\n' _)
  printf '#line 1 "%s"\n' "$source"
  sed "s/^namespace {/namespace of_$name {/" "$source"
done >"$out"

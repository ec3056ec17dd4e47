#!/bin/sh
# Fetches and compiles the peers, builds the benchmark, runs it; results in BUILD/bench.json.
#   usage: scripts/bench.sh BUILD JOBS
set -eu
cd "$(dirname "$0")/.."
build=$1 jobs=$2
scripts/fetch_peers.sh "$build/peers"
scripts/build_peers.sh "$build/peers" "$jobs"
cmake -B "$build" -D LINKWRIGHT_BUILD_BENCHMARKS=ON >/dev/null
cmake --build "$build" --parallel "$jobs" --target linkwright_bench
"$build/bin/linkwright_bench" --peers "$build/peers" --json "$build/bench.json"

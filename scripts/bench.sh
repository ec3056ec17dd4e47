#!/bin/sh
# Fetches and compiles the peers, builds the benchmark, runs it; results in BUILD/bench.json, figures and a report in
# BUILD/bench.
#   usage: scripts/bench.sh BUILD JOBS
set -eu
cd "$(dirname "$0")/.."
build=$1 jobs=$2
scripts/fetch_peers.sh "$build/peers"
scripts/build_peers.sh "$build/peers" "$jobs"
cmake -B "$build" -D LINKWRIGHT_BUILD_BENCHMARKS=ON >/dev/null
cmake --build "$build" --parallel "$jobs" --target linkwright_bench
status=0
"$build/bin/linkwright_bench" --peers "$build/peers" --json "$build/bench.json" || status=$?
# 1 says that outputs disagree: the times are worth seeing all the same. Otherwise there are none.
if [ $status -le 1 ]; then
  rm -rf "$build/bench"
  "$build/peers/venv/bin/python" scripts/plot_bench.py "$build/bench.json" "$build/bench" ||
    echo "skipped: the figures could not be drawn"
fi
exit $status

#!/bin/sh
# Compiles one shared object per peer and compiler into DIR; those up to date are kept.
#   usage: scripts/build_peers.sh [DIR [JOBS]]
set -eu
cd "$(dirname "$0")/.."
dir=${1:-build/peers}
jobs=${2:-2}
# shellcheck source=/dev/null
. "$dir/paths.env"

shim="-std=c++17 -O3 -DNDEBUG -w -fPIC -shared -fvisibility=hidden -Ibenchmarks/peers"
# Pinocchio's own build sets these; its joint list is longer than Boost's default.
boost="-DBOOST_MPL_LIMIT_LIST_SIZE=30 -DBOOST_MPL_LIMIT_VECTOR_SIZE=30
  -DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS -DBOOST_FUSION_INVOKE_MAX_ARITY=12"

work=$dir/jobs.txt
: > "$work"

# plan NAME WHERE COMPILER SOURCE FLAGS: WHERE is empty when the library is missing.
plan() {
  name=$1 where=$2 compiler=$3 source=$4 flags=$5
  out=$dir/peers_$name.so
  if [ -z "$where" ]; then
    echo "skipped: $name, the library is not installed"
  elif ! command -v "$compiler" >/dev/null; then
    echo "skipped: $name, there is no $compiler"
  else
    for input in "$source" benchmarks/peers/*.h benchmarks/peers/*.hpp "$dir/paths.env" \
                 scripts/build_peers.sh; do
      if [ ! -e "$out" ] || [ "$input" -nt "$out" ]; then
        echo "echo compiling $name; $compiler $shim $source -o $out.new $flags && mv $out.new $out ||
          echo skipped: $name does not compile" | tr '\n' ' ' >> "$work"
        echo >> "$work"
        return
      fi
    done
    return
  fi
  rm -f "$out"
}

pinocchio="-march=native $boost -isystem $PINOCCHIO_INCLUDE -isystem $EIGEN_INCLUDE"
plan pinocchio_gcc "$PINOCCHIO_INCLUDE" g++ benchmarks/peers/pinocchio.cpp "$pinocchio"
plan pinocchio_clang "$PINOCCHIO_INCLUDE" clang++ benchmarks/peers/pinocchio.cpp "$pinocchio"
plan pinocchio_closed_gcc "$PINOCCHIO_INCLUDE" g++ benchmarks/peers/pinocchio_closed.cpp "$pinocchio"
plan pinocchio_closed_clang "$PINOCCHIO_INCLUDE" clang++ benchmarks/peers/pinocchio_closed.cpp "$pinocchio"
derivatives=benchmarks/peers/pinocchio_derivatives.cpp
plan pinocchio_derivatives_gcc "$PINOCCHIO_INCLUDE" g++ $derivatives "$pinocchio"
plan pinocchio_derivatives_clang "$PINOCCHIO_INCLUDE" clang++ $derivatives "$pinocchio"
mujoco=$(find "${MUJOCO_DIR:-/nonexistent}" -maxdepth 1 -name 'libmujoco.so*' 2>/dev/null | head -n 1)
plan mujoco "$mujoco" g++ benchmarks/peers/mujoco.cpp \
  "-I$MUJOCO_DIR/include $mujoco -Wl,-rpath,$MUJOCO_DIR"
# Eigen is part of KDL's binary interface: other vector flags than Debian's would not fit its library.
plan kdl "$KDL_INCLUDE" g++ benchmarks/peers/kdl.cpp "-isystem $EIGEN_INCLUDE -lorocos-kdl"

tr '\n' '\0' < "$work" | xargs -0 -r -n 1 -P "$jobs" sh -c
rm -f "$work"

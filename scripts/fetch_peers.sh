#!/bin/sh
# Fetches the libraries that `make bench` compares with, and writes where they are to DIR/paths.env; also matplotlib,
# which draws the figures.
# A peer that cannot be had is left empty there; whoever reads it skips that peer and says so.
#   usage: scripts/fetch_peers.sh [DIR]
set -eu
cd "$(dirname "$0")/.."
dir=${1:-build/peers}
venv=$dir/venv
wanted=$(grep -hE '^(pin|mujoco|matplotlib)==' python/requirements_peers.txt python/requirements.txt | xargs)

mkdir -p "$dir"
if [ "$(cat "$dir/installed" 2>/dev/null)" != "$wanted" ]; then
  rm -rf "$venv" "$dir/installed"
  if /usr/bin/python3 -m venv "$venv"; then
    complete=yes
    for package in $wanted; do
      "$venv/bin/pip" install --quiet --disable-pip-version-check "$package" || {
        complete=no
        echo "skipped: $package could not be installed (offline?)"
      }
    done
    [ $complete = no ] || echo "$wanted" > "$dir/installed"
  else
    echo "skipped: no Python environment, hence neither Pinocchio nor MuJoCo nor figures"
  fi
fi

first() { # the first path that exists
  for path in "$@"; do
    [ ! -e "$path" ] || { echo "$path"; return; }
  done
}
root=$(pwd)
case "$venv" in /*) packages=$venv ;; *) packages=$root/$venv ;; esac
packages=$(first "$packages"/lib/python3*/site-packages)
pinocchio=$(first "$packages"/cmeel.prefix/include/pinocchio)
mujoco=$(first "$packages"/mujoco/include/mujoco/mujoco.h)
kdl=$(first /usr/include/kdl/tree.hpp)
eigen=$(first /usr/include/eigen3)
{
  echo "PINOCCHIO_INCLUDE='${pinocchio%/pinocchio}'"
  echo "MUJOCO_DIR='${mujoco%/include/mujoco/mujoco.h}'"
  echo "KDL_INCLUDE='${kdl%/kdl/tree.hpp}'"
  echo "EIGEN_INCLUDE='$eigen'"
} > "$dir/paths.env.new"
# An unchanged file keeps its time stamp, so that nothing is compiled again.
cmp -s "$dir/paths.env.new" "$dir/paths.env" || cp "$dir/paths.env.new" "$dir/paths.env"
rm "$dir/paths.env.new"
cat "$dir/paths.env"

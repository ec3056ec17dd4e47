#!/bin/sh
# Installs the Debian packages that are missing for the named sets (build, test, python, bench, lint, sanitize); quick when none is.
set -eu

# The package $2, unless the command $1 is there: another source's nodejs brings npm and conflicts with Debian's.
unless_command() {
  command -v "$1" >/dev/null 2>&1 || echo "$2"
}

packages_of() {
  case "$1" in
    build) echo "g++ cmake ninja-build binutils locales libeigen3-dev libtinyxml2-dev libyaml-cpp-dev" \
                "libcli11-dev libfmt-dev nlohmann-json3-dev libgtest-dev libhdf5-dev libsundials-dev" \
                "libassimp-dev libsdp-dev libboost-dev" \
                "$(unless_command node nodejs) $(unless_command npm npm)" ;;
    test)  unless_command chromium chromium ;;
    bench) echo "clang libbenchmark-dev liborocos-kdl-dev python3 python3-venv python3-pip" ;;
    python) echo "python3 python3-venv python3-dev openmpi-bin" ;;
    lint)  echo "clang-tidy clang-format" ;;
    sanitize) echo "clang libclang-rt-14-dev" ;;
    *) echo "$0: unknown set '$1' (build, test, python, bench, lint, sanitize)" >&2; exit 2 ;;
  esac
}

fail() {
  echo "$0: $1" >&2
  echo "$0: install these packages by hand and try again:$missing" >&2
  exit 1
}

missing=""
for set in "${@:-build}"; do
  for package in $(packages_of "$set"); do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing="$missing $package"
  done
done
[ -n "$missing" ] || exit 0

command -v apt-get >/dev/null || fail "this is not a Debian system (no apt-get)"
if [ "$(id -u)" = 0 ]; then
  as_root="env"
elif command -v sudo >/dev/null; then
  as_root="sudo env"
else
  fail "packages are missing, and you are neither root nor have sudo"
fi

echo "Installing:$missing"
$as_root apt-get -q update || fail "apt-get update failed; is the machine offline?"
# shellcheck disable=SC2086
$as_root DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing ||
  fail "apt-get install failed; is the machine offline?"

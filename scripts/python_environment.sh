#!/bin/sh
# Makes the folder $1 a virtual environment that holds what python/requirements.txt lists; quick when it does. With "peers"
# behind it also what python/requirements_peers.txt lists, each package that can be had.
set -eu
cd "$(dirname "$0")/.."
environment=$1

holds() { # whether the environment is known to hold what file $1 lists
  [ "$(cat "$environment/linkwright_$(basename "$1")" 2>/dev/null || true)" = "$(cat "$1")" ]
}
note() { # that it does
  cp "$1" "$environment/linkwright_$(basename "$1")"
}

# One by one, and never another version of what the package itself is tested with.
if [ "${2:-}" = peers ]; then
  peers=python/requirements_peers.txt
  ! holds $peers || exit 0
  echo "Installing what $peers lists into $environment"
  complete=yes
  for package in $(sed 's/#.*//' $peers); do
    "$environment/bin/pip" install --quiet --disable-pip-version-check --retries 1 --timeout 15 \
      -c python/requirements.txt "$package" || {
      complete=no
      echo "skipped: $package could not be installed (offline?); tests that compare with it will say so"
    }
  done
  [ $complete = no ] || note $peers
  exit 0
fi

! holds python/requirements.txt || exit 0

# A Python with headers beside it: the extension is compiled for the one that will import it.
for python in python3 /usr/bin/python3; do
  "$python" - <<'END' >/dev/null 2>&1 && break
import sys, sysconfig, pathlib, venv, ensurepip
assert sys.version_info >= (3, 10) and pathlib.Path(sysconfig.get_paths()["include"], "Python.h").exists()
END
  python=
done
[ -n "$python" ] || { echo "$0: no Python 3.10 or newer with venv and headers (Debian: python3-venv python3-dev)" >&2; exit 1; }

echo "Installing what python/requirements.txt lists into $environment"
"$python" -m venv --clear "$environment"
"$environment/bin/pip" install --quiet --disable-pip-version-check -r python/requirements.txt || {
  echo "$0: pip install failed; is the machine offline? make test PYTHON=OFF leaves Python out" >&2
  exit 1
}
note python/requirements.txt

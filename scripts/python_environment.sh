#!/bin/sh
# Makes the folder $1 a virtual environment that holds what python/requirements.txt lists; quick when it does.
set -eu
cd "$(dirname "$0")/.."
environment=$1
wanted=$(cat python/requirements.txt)
[ "$(cat "$environment/linkwright_requirements.txt" 2>/dev/null || true)" != "$wanted" ] || exit 0

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
printf '%s\n' "$wanted" >"$environment/linkwright_requirements.txt"

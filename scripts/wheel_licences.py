"""Puts the licences of everything that a repaired wheel holds of others into it: python scripts/wheel_licences.py WHEEL

Shared libraries that auditwheel has bundled and headers that are compiled in, by the Debian package they come from; nanobind by its own.
"""

import base64
import hashlib
import importlib.metadata
import pathlib
import re
import subprocess
import sys
import zipfile

#: compiled in: nothing of them is left as a file
HEADERS = ["libeigen3-dev", "nlohmann-json3-dev", "libboost-dev"]
DOCS = pathlib.Path("/usr/share/doc")
COMMON = pathlib.Path("/usr/share/common-licenses")


def said_by(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def packages_of(libraries):
    """linkwright.libs/libz-1a2b3c4d.so.1.2.13 is libz.so.1.2.13 of zlib1g."""
    names = {re.sub(r"-[0-9a-f]{8}(?=\.)", "", pathlib.PurePath(library).name) for library in libraries}
    found = {}
    for line in said_by("dpkg", "-S", *(f"*/{name}" for name in sorted(names))).splitlines():
        package, _, path = line.partition(": ")
        found.setdefault(pathlib.PurePath(path).name, package.split(":")[0])
    if names - found.keys():
        sys.exit(f"no Debian package brings {', '.join(sorted(names - found.keys()))}: whose licences hold?")
    return {found[name] for name in names}


def collect(libraries):
    """{file name: text}: the notices of every Debian source package, and the licences that they name but do not hold."""
    texts, named = {}, set()
    for package in sorted({*packages_of(libraries), *HEADERS}):
        source, version = said_by("dpkg-query", "-W", "-f", "${source:Package} ${source:Version}\n", package).splitlines()[0].split()
        notices = (DOCS / package / "copyright").read_text(encoding="utf-8")
        texts[f"{source}.txt"] = f"{source}, from the Debian source package {source} {version}\n\n{notices}"
        named.update(name.rstrip(".") for name in re.findall(rf"{COMMON}/([\w.-]+)", notices))
    texts.update({f"{name}.txt": (COMMON / name).read_text(encoding="utf-8") for name in sorted(named)})
    nanobind = [path for path in importlib.metadata.files("nanobind") or [] if path.name == "LICENSE" and "dist-info" in str(path)]
    texts["nanobind.txt"] = nanobind[0].read_text(encoding="utf-8")
    return texts


def hash_of(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def add(wheel, texts):
    """As licence files, in the metadata and in the list of files."""
    with zipfile.ZipFile(wheel) as old:
        content = {item: old.read(item) for item in old.infolist()}
    info = next(item.filename.partition("/")[0] for item in content if ".dist-info/" in item.filename)
    licences = {f"{info}/licenses/bundled/{name}": text.encode() for name, text in texts.items()}
    metadata = f"{info}/METADATA"
    lines = "".join(f"License-File: bundled/{name}\n" for name in texts)
    part = wheel.with_suffix(".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as new:
        record = []

        def write(item, data):
            new.writestr(item, data, zipfile.ZIP_DEFLATED)
            record.append(f"{getattr(item, 'filename', item)},{hash_of(data)},{len(data)}")

        for item, data in content.items():
            if item.filename == metadata:
                data = data.replace(b"License-File: LICENSE\n", b"License-File: LICENSE\n" + lines.encode(), 1)
                assert lines.encode() in data, "METADATA names no LICENSE"
            if item.filename != f"{info}/RECORD" and not item.is_dir():
                write(item, data)
        for name, data in licences.items():
            write(name, data)
        new.writestr(f"{info}/RECORD", "\n".join([*record, f"{info}/RECORD,,"]) + "\n")
    part.replace(wheel)


if __name__ == "__main__":
    wheel = pathlib.Path(sys.argv[1])
    with zipfile.ZipFile(wheel) as given:
        libraries = [name for name in given.namelist() if re.match(r"linkwright\.libs/.*\.so", name)]
    texts = collect(libraries)
    add(wheel, texts)
    print(f"{wheel.name}: {len(libraries)} libraries of others, {len(texts)} licence texts")

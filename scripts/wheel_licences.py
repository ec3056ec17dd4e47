"""Puts the licences of everything that a repaired wheel holds of others into it: python scripts/wheel_licences.py WHEEL BUILD

Shared libraries that auditwheel has bundled and headers that are compiled in, by the Debian package they come from; nanobind
and what the page is made of by their own. The licence files are there in full; the expression in the metadata (PEP 639) says
under which terms the whole is, and is judged when it stands there.
"""

import base64
import email
import hashlib
import importlib.metadata
import pathlib
import re
import subprocess
import sys
import zipfile

from packaging.licenses import canonicalize_license_expression

OWN = "BSD-3-Clause"
#: SPDX expressions of the libraries by their Debian source packages: of what is bundled, not of tools and manuals beside it
TERMS = {
    "assimp": "BSD-3-Clause AND BSL-1.0 AND MIT AND Apache-2.0",
    "boost-defaults": "BSL-1.0",
    "brotli": "MIT",
    "coinor-csdp": "CPL-1.0",
    "curl": "curl",
    "cyrus-sasl2": "BSD-Attribution-HPND-disclaimer",
    "draco": "Apache-2.0",
    "e2fsprogs": "MIT",  # of lib/et, which libcom_err is
    "eigen3": "MPL-2.0",
    "fmtlib": "MIT",
    "gcc-12": "GPL-3.0-or-later WITH GCC-exception-3.1 AND LGPL-2.1-or-later",  # libgfortran, and libquadmath
    "gmp": "(LGPL-3.0-or-later OR GPL-2.0-or-later)",
    "gnutls28": "LGPL-2.1-or-later",
    "hdf5": "HDF5",
    "keyutils": "LGPL-2.0-or-later",
    "krb5": "MIT",
    "lapack": "BSD-3-Clause",
    "libaec": "BSD-2-Clause",
    "libffi": "MIT",
    "libidn2": "(LGPL-3.0-or-later OR GPL-2.0-or-later) AND Unicode-DFS-2016",
    "libpsl": "MIT",
    "libssh2": "BSD-3-Clause",
    "libtasn1-6": "LGPL-2.1-or-later",
    "libunistring": "(LGPL-3.0-or-later OR GPL-2.0-or-later)",
    "libzstd": "(BSD-3-Clause OR GPL-2.0-only)",
    "minizip": "Zlib",
    "nanobind": "BSD-3-Clause",
    "nettle": "(LGPL-3.0-or-later OR GPL-2.0-or-later)",
    "nghttp2": "MIT",
    "nlohmann-json3": "MIT",
    "openblas": "BSD-3-Clause",
    "openldap": "OLDAP-2.8",
    "openssl": "Apache-2.0",
    "p11-kit": "BSD-3-Clause",
    "robin-map": "MIT",
    "rtmpdump": "LGPL-2.1-or-later",
    "sundials": "BSD-3-Clause",
    "three": "MIT",
    "tinyxml2": "Zlib",
    "uplot": "MIT",
    "yaml-cpp": "MIT",
}
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


def collect(libraries, build):
    """{file name: text}: the notices of every Debian source package, and the licences that they name but do not hold."""
    texts, named = of_python_and_page(build), set()
    for package in sorted({*packages_of(libraries), *HEADERS}):
        source, version = said_by("dpkg-query", "-W", "-f", "${source:Package} ${source:Version}\n", package).splitlines()[0].split()
        notices = (DOCS / package / "copyright").read_text(encoding="utf-8")
        texts[f"{source}.txt"] = f"{source}, from the Debian source package {source} {version}\n\n{notices}"
        named.update(name.rstrip(".") for name in re.findall(rf"{COMMON}/([\w.-]+)", notices))
    texts.update({f"{name}.txt": (COMMON / name).read_text(encoding="utf-8") for name in sorted(named)})
    return texts


def of_python_and_page(build):
    """Of nanobind with the map inside it, and of what the page is made of, where there is a page."""
    files = importlib.metadata.files("nanobind") or []
    licence = next(path for path in files if path.name == "LICENSE" and "dist-info" in str(path))
    head = next(path for path in files if path.name == "robin_map.h").read_text(encoding="utf-8").partition("*/")[0]
    notice = re.sub(r"^ ?(/\*\*|\*) ?", "", head, flags=re.M).strip()
    texts = {"nanobind.txt": licence.read_text(encoding="utf-8"), "robin-map.txt": f"{notice}\n"}
    if (build / "viewer/page.html").exists():
        for name in ("three", "uplot"):
            texts[f"{name}.txt"] = (build / f"viewer/node_modules/{name}/LICENSE").read_text(encoding="utf-8")
    return texts


def expression_of(sources):
    """The terms of the whole: ours, and those of every source beside."""
    unknown = sorted(set(sources) - TERMS.keys())
    if unknown:
        sys.exit(f"{', '.join(unknown)}: under which licence? Look at the notices and add a row to TERMS in {__file__}")
    parts = {part for source in sources for part in TERMS[source].split(" AND ")}
    return canonicalize_license_expression(" AND ".join([OWN, *sorted(parts - {OWN})]))


def hash_of(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def sources_of(texts):
    """What is held, without the licences that notices name."""
    return [name.removesuffix(".txt") for name in texts if not (COMMON / name.removesuffix(".txt")).exists()]


def add(wheel, texts):
    """As licence files, in the metadata and in the list of files."""
    with zipfile.ZipFile(wheel) as old:
        content = {item: old.read(item) for item in old.infolist()}
    info = next(item.filename.partition("/")[0] for item in content if ".dist-info/" in item.filename)
    licences = {f"{info}/licenses/bundled/{name}": text.encode() for name, text in texts.items()}
    metadata = f"{info}/METADATA"
    lines = "".join(f"License-File: bundled/{name}\n" for name in texts)
    ours, whole = (f"License-Expression: {terms}\n".encode() for terms in (OWN, expression_of(sources_of(texts))))
    part = wheel.with_suffix(".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as new:
        record = []

        def write(item, data):
            new.writestr(item, data, zipfile.ZIP_DEFLATED)
            record.append(f"{getattr(item, 'filename', item)},{hash_of(data)},{len(data)}")

        for item, data in content.items():
            if item.filename == metadata:
                data = data.replace(b"License-File: LICENSE\n", b"License-File: LICENSE\n" + lines.encode(), 1)
                assert lines.encode() in data and ours in data, "METADATA names no LICENSE, or not as ours"
                data = data.replace(ours, whole, 1)
            if item.filename != f"{info}/RECORD" and not item.is_dir():
                write(item, data)
        for name, data in licences.items():
            write(name, data)
        new.writestr(f"{info}/RECORD", "\n".join([*record, f"{info}/RECORD,,"]) + "\n")
    part.replace(wheel)


def check(wheel):
    """Ends the program unless the metadata says what the wheel holds: a valid expression with the terms of every library,
    and every licence file that it names."""
    with zipfile.ZipFile(wheel) as held:
        files = held.namelist()
        metadata = next(name for name in files if name.endswith(".dist-info/METADATA"))
        said = email.message_from_bytes(held.read(metadata))
    licences = metadata.replace("METADATA", "licenses/")
    named, there = set(said.get_all("License-File")), {name.removeprefix(licences) for name in files if name.startswith(licences)}
    if named != there:
        sys.exit(f"{wheel.name}: METADATA and the licence files differ in {sorted(named ^ there)}")
    expression = said["License-Expression"]
    terms = set(canonicalize_license_expression(expression).split(" AND "))
    for package in packages_of(libraries_in(files)):
        source = said_by("dpkg-query", "-W", "-f", "${source:Package}\n", package).split()[0]
        if f"bundled/{source}.txt" not in named or not set(TERMS[source].split(" AND ")) <= terms:
            sys.exit(f"{wheel.name}: holds {package}, and METADATA does not say so: {expression}")


def libraries_in(files):
    return [name for name in files if re.match(r"linkwright\.libs/.*\.so", name)]


if __name__ == "__main__":
    wheel, build = map(pathlib.Path, sys.argv[1:])
    with zipfile.ZipFile(wheel) as given:
        libraries = libraries_in(given.namelist())
    texts = collect(libraries, build)
    add(wheel, texts)
    check(wheel)
    print(f"{wheel.name}: {len(libraries)} libraries of others, {len(texts)} licence texts; {expression_of(sources_of(texts))}")

"""Results of a sweep on disk: lines of JSON, appended as they come."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import os
import pathlib
import pickle
from typing import IO, Any, Mapping, Sequence

import numpy as np

from . import _core
from ._errors import InputError

FORMAT = "linkwright sweep 1"


class SweepFile:
    """Binds a file to a function and its cases, and keeps their results.

    The first line says what it is bound to; every other is a result, {"case": 3, "result": …}, or an error. A line
    that a crash left unfinished is cut off.
    """

    def __init__(self, path: str | os.PathLike[str], function: str, cases: Sequence[Any]) -> None:
        self.path = pathlib.Path(path)
        self.results: dict[int, Any] = {}
        head = {"format": FORMAT, "function": function, "cases": len(cases[0]), "digest": digest(cases)}
        self._file: IO[bytes] = open(self.path, "a+b")
        try:
            self._lock()
            self._read(head)
        except BaseException:
            self._file.close()
            raise

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # not a system with file locks
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"{self.path}: another sweep is writing to it") from None

    def _read(self, head: dict[str, Any]) -> None:
        self._file.seek(0)
        lines = self._file.read().split(b"\n")
        whole = sum(len(line) + 1 for line in lines[:-1])
        if lines[-1]:
            self._file.truncate(whole)
        if whole == 0:
            self._write([head])
            return
        self._check(_parse(lines[0]), head)
        for number, line in enumerate(lines[1:-1], start=2):
            entry = _parse(line)
            if not isinstance(entry, dict) or not isinstance(entry.get("case"), int):
                raise InputError(f"{self.path}:{number}: this line is no result of a sweep")
            if "result" in entry or "pickle" in entry:
                self.results[entry["case"]] = _decode(entry)

    def _check(self, found: Any, head: dict[str, Any]) -> None:
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise InputError(f"{self.path}: this is not a file of a sweep; choose another name")
        for key, what in (("function", "function"), ("cases", "number of cases"), ("digest", "cases or options")):
            if found.get(key) != head[key]:
                detail = "" if key == "digest" else f": {found.get(key)!r}, not {head[key]!r}"
                raise InputError(
                    f"{self.path}: holds results of another {what}{detail}; choose another file, or remove it to begin afresh"
                )

    def append(self, done: Sequence[tuple[int, Any]], failed: Sequence[tuple[int, str]]) -> None:
        """Results, and errors of cases that a rerun tries again; on disk when it returns."""
        self._write([{"case": i} | _encode(value) for i, value in done] + [{"case": i, "error": text} for i, text in failed])

    def _write(self, entries: Sequence[dict[str, Any]]) -> None:
        self._file.write(b"".join(json.dumps(entry).encode() + b"\n" for entry in entries))
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()


def _parse(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _is_plain(value: Any) -> bool:
    """Whether JSON gives back exactly this."""
    if type(value) is list:
        return all(map(_is_plain, value))
    if type(value) is dict:
        return all(type(key) is str for key in value) and all(map(_is_plain, value.values()))
    return value is None or type(value) in (bool, int, float, str)


def _encode(value: Any) -> dict[str, Any]:
    if _is_plain(value):
        return {"result": value}
    return {"pickle": base64.b64encode(pickle.dumps(value)).decode()}


def _decode(entry: Mapping[str, Any]) -> Any:
    if "pickle" in entry:
        return pickle.loads(base64.b64decode(entry["pickle"]))
    return entry["result"]


def digest(value: Any) -> str:
    """The same for values that are the same, in every process."""
    out = hashlib.sha256()
    _feed(out, value)
    return out.hexdigest()


def _feed(out: Any, value: Any) -> None:
    """Types and contents, one behind the other."""
    out.update(f"{type(value).__qualname__}(".encode())
    if isinstance(value, Mapping):
        for key in sorted(value, key=repr):
            _feed(out, key)
            _feed(out, value[key])
    elif isinstance(value, (list, tuple)):
        for one in value:
            _feed(out, one)
    elif isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        out.update(f"{array.dtype.str}{array.shape}".encode())
        out.update(array.tobytes())
    elif isinstance(value, _core.System):
        _feed(out, [value.is_cut_open, _core.system_digest(value), *value._initial()])
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for entry in dataclasses.fields(value):
            _feed(out, getattr(value, entry.name))
    elif callable(value):
        out.update(f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', repr(type(value)))}".encode())
    elif value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        out.update(repr(value).encode())
    else:
        out.update(pickle.dumps(value))
    out.update(b")")

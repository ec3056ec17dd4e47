"""Many cases of one function, over any executor of concurrent.futures."""

from __future__ import annotations

import itertools
import os
import pickle
import sys
import time
import traceback
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Callable, Iterable, Iterator, Mapping, NamedTuple, Sequence, TypeAlias, overload

from . import _core
from ._arguments import Expected, judged
from ._errors import Error, InputError, warn
from ._sweep_file import SweepFile

if TYPE_CHECKING:
    from ._system import System

#: seconds that a chunk of cases shall take, so that sending it costs little beside
CHUNK_SECONDS = 0.5
#: chunks that wait at every worker
AHEAD = 2


class SweepWarning(UserWarning):
    """Some cases failed; Sweep.failures tells which."""


@dataclass(frozen=True)
class Failure:
    """A case that raised."""

    index: int
    case: Any
    error: BaseException
    traceback: str

    def __str__(self) -> str:
        return f"case {self.index}, {self.case!r}: {type(self.error).__name__}: {self.error}"


@judged
@dataclass(frozen=True, repr=False)
class Sweep(Sequence[Any]):
    """Results in the order of the cases; None for those that failed.

    >>> study = lw.sweep(period, lw.grid(length=[0.5, 1.0]))
    >>> longest = max(study)
    """

    cases: list[Any]
    results: list[Any]
    failures: list[Failure]

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        return self.results[index]

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.results)

    def raise_first(self) -> None:
        """Raises the error of the first case that failed, if one did."""
        if self.failures:
            failure = self.failures[0]
            failure.error.__notes__ = [*getattr(failure.error, "__notes__", []), f"case {failure.index}: {failure.case!r}"]
            raise failure.error

    def to_pandas(self) -> Any:
        """A DataFrame with a row per case: its parameters, and its results, by name where they have names."""
        import pandas as pd

        rows = []
        for case, result in zip(self.cases, self.results):
            row = dict(case) if isinstance(case, Mapping) else {"case": case}
            rows.append(row | (dict(result) if isinstance(result, Mapping) else {"result": result}))
        return pd.DataFrame(rows)

    def __repr__(self) -> str:
        lines = [f"Sweep: {len(self.results)} cases, {len(self.failures)} failed"]
        return "\n".join(lines + [f"  {failure}" for failure in self.failures[:10]])


#: of one parameter
Values: TypeAlias = Annotated[Iterable[Any], Expected("a list of values")]


@judged
def grid(**parameters: Values) -> list[dict[str, Any]]:
    """Every combination, the last parameter fastest.

    >>> cases = lw.grid(stiffness=[10, 100], damping=[0.1, 0.2, 0.3])
    """
    return [dict(zip(parameters, values)) for values in itertools.product(*parameters.values())]


@judged
def sweep(
    function: Callable[..., Any] | System, cases: Iterable[Any], executor: Executor | None = None, *,
    file: str | os.PathLike[str] | None = None, progress: bool | None = None, **options: Any,
) -> Sweep:
    """Calls a function for every case, or simulates a system, and returns the results in order.

    A case that is a mapping gives the function its keyword arguments, any other its one argument; options go to every
    call. A System is simulated with the case and options as for simulate. executor: of threads, processes, Dask
    (client.get_executor()) or MPI (MPIPoolExecutor); without one cases run here. Cases travel in chunks that grow
    until sending them costs little beside. One that raises is among failures, with a SweepWarning at the end; the others go on.

    file: results are appended as they come, and a rerun computes only what is missing or failed; it is bound to
    these cases and this function. It may hold pickles: open only files that you trust. progress: a bar on stderr;
    without a word, on a terminal.

    >>> study = lw.sweep(arm, lw.grid(tau=[[0.0] * 7, [1.0] * 7]), time=0.1)
    """
    call = _Call(function, options)
    wanted = _listed(cases)
    _require_portable(call, executor)
    results: dict[int, Any] = {}
    failures: dict[int, Failure] = {}
    store = None if file is None else SweepFile(file, call.name, [wanted, options, function])
    try:
        if store is not None:
            results.update(store.results)
        left = [i for i in range(len(wanted)) if i not in results]
        bar = _Bar(len(wanted), len(results), progress)

        def take(done: Sequence[_Outcome]) -> None:
            for outcome in done:
                if outcome.error is None:
                    results[outcome.place] = outcome.value
                else:
                    case = wanted[outcome.place]
                    failures[outcome.place] = Failure(outcome.place, case, outcome.error, outcome.traceback)
            if store is not None:
                store.append([(o.place, o.value) for o in done if o.error is None],
                             [(o.place, f"{type(o.error).__name__}: {o.error}") for o in done if o.error is not None])
            bar.show(len(results), len(failures))

        with bar:
            if executor is None:
                for i in left:
                    take(_run_chunk(call, [(i, wanted[i])]))
            else:
                _Chunks(executor, call, wanted, left, take).run()
    finally:
        if store is not None:
            store.close()
    found = Sweep(wanted, [results.get(i) for i in range(len(wanted))], [failures[i] for i in sorted(failures)])
    if found.failures:
        warn(f"{len(found.failures)} of {len(wanted)} cases failed; the first: {found.failures[0]}", SweepWarning)
    return found


def _listed(cases: Iterable[Any]) -> list[Any]:
    try:
        return list(cases)
    except Exception as error:
        raise InputError(f"cases: expected what can be read to its end; got {type(error).__name__}: {error}") from error


# --- at the worker ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Call:
    function: Any
    options: dict[str, Any]

    @property
    def name(self) -> str:
        if isinstance(self.function, _core.System):
            return f"simulate {self.function.name}"
        inner = getattr(self.function, "func", self.function)
        return str(getattr(inner, "__qualname__", type(inner).__qualname__))

    def __call__(self, case: Any) -> Any:
        function: Any = self.function
        if isinstance(function, _core.System):
            from ._simulate import simulate

            if not isinstance(case, Mapping):
                raise InputError(f"a case of a system is a mapping of options of simulate; got {case!r}")
            return simulate(function, **{**self.options, **case})  # type: ignore[arg-type]
        if isinstance(case, Mapping):
            return function(**{**self.options, **case})
        return function(case, **self.options)


class _Outcome(NamedTuple):
    place: int
    value: Any
    error: BaseException | None
    traceback: str
    seconds: float


def _run_chunk(call: _Call, chunk: Sequence[tuple[int, Any]]) -> list[_Outcome]:
    """Every case by itself: one that raises spoils no other."""
    out = []
    for index, case in chunk:
        begin = time.perf_counter()
        try:
            value, error, told = call(case), None, ""
        except Exception as raised:
            value, error, told = None, _portable(raised), traceback.format_exc()
        out.append(_Outcome(index, value, error, told, time.perf_counter() - begin))
    return out


def _portable(error: Exception) -> Exception:
    """The error, or, where it cannot travel, one that says the same."""
    try:
        pickle.loads(pickle.dumps(error))
        return error
    except Exception:
        return Error(f"{type(error).__name__}: {error}")


def _require_portable(call: _Call, executor: Executor | None) -> None:
    if not isinstance(executor, ProcessPoolExecutor):
        return
    try:
        pickle.dumps(call)
    except Exception as reason:
        raise InputError(
            f"function {call.name!r} cannot be sent to another process ({reason}); define it with def at the top of a "
            "module, or use an executor of threads"
        ) from None


# --- here ------------------------------------------------------------------------------------------


class _Chunks:
    """Chunks on their way, never more than a few per worker, sized by what cases have cost so far."""

    def __init__(
        self, executor: Executor, call: _Call, cases: list[Any], left: list[int],
        take: Callable[[Sequence[_Outcome]], None],
    ) -> None:
        self.executor, self.call, self.cases, self.take = executor, call, cases, take
        self.left = list(reversed(left))
        self.workers = _worker_count(executor)
        self.under_way: dict[Future[Any], list[int]] = {}
        self.seconds, self.done = 0.0, 0

    def run(self) -> None:
        try:
            while self.left or self.under_way:
                while self.left and len(self.under_way) < AHEAD * self.workers:
                    self.submit([self.left.pop() for _ in range(min(self.size(), len(self.left)))])
                finished, _ = wait(self.under_way, return_when=FIRST_COMPLETED)
                for future in finished:
                    self.collect(future)
        except BaseException:
            for future in self.under_way:
                future.cancel()
            raise

    def size(self) -> int:
        """So many that a chunk takes CHUNK_SECONDS, and at the end fewer, so that no worker waits for another."""
        if self.done == 0:
            return 1
        by_cost = CHUNK_SECONDS / max(self.seconds / self.done, 1e-9)
        return max(1, int(min(by_cost, len(self.left) / (AHEAD * self.workers))))

    def submit(self, chunk: list[int]) -> None:
        self.under_way[self.executor.submit(_run_chunk, self.call, [(i, self.cases[i]) for i in chunk])] = chunk

    def collect(self, future: Future[Any]) -> None:
        chunk = self.under_way.pop(future)
        error = future.exception()
        if isinstance(error, BrokenExecutor):
            raise error
        if error is None:
            outcomes = future.result()
            self.seconds += sum(outcome.seconds for outcome in outcomes)
            self.done += len(outcomes)
            self.take(outcomes)
        elif len(chunk) > 1:  # one of them cannot travel: each by itself
            for index in chunk:
                self.submit([index])
        else:
            self.take([_Outcome(chunk[0], None, error, "", 0.0)])


def _worker_count(executor: Any) -> int:
    client = getattr(executor, "_client", None)
    if client is not None and hasattr(client, "nthreads"):  # Dask
        return max(1, sum(int(count) for count in client.nthreads().values()))
    for name in ("_max_workers", "num_workers"):
        count = getattr(executor, name, None)
        if isinstance(count, int) and count > 0:
            return count
    return os.cpu_count() or 1


class _Bar:
    """[#####     ] 45/100, 3 failed, 12 s left"""

    WIDTH = 30

    def __init__(self, count: int, before: int, wanted: bool | None) -> None:
        self.count, self.before, self.begin, self.shown = count, before, time.monotonic(), 0.0
        self.on = sys.stderr.isatty() if wanted is None else wanted

    def __enter__(self) -> _Bar:
        self.show(self.before, 0)
        return self

    def show(self, done: int, failed: int) -> None:
        now, finished = time.monotonic(), done + failed >= self.count
        if not self.on or (now - self.shown < 0.1 and not finished):
            return
        self.shown = now
        over = done + failed
        filled = "#" * (self.WIDTH * over // max(self.count, 1))
        text = f"\r[{filled:<{self.WIDTH}}] {over}/{self.count}"
        if failed:
            text += f", {failed} failed"
        if over > self.before and not finished:
            text += f", {(now - self.begin) * (self.count - over) / (over - self.before):.0f} s left"
        sys.stderr.write(f"{text:<79}")
        sys.stderr.flush()

    def __exit__(self, *_: object) -> None:
        if self.on:
            sys.stderr.write("\n")

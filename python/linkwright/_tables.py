"""Results with names: as dictionaries, pandas and xarray objects. Results themselves are plain arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ._errors import InputError

if TYPE_CHECKING:
    from ._system import System

SPATIAL = ["wx", "wy", "wz", "vx", "vy", "vz"]


def axis_names(system: System, size: int, axis: str) -> list[str]:
    """What the entries of an axis of that size are called."""
    known = {
        system.nv: system.velocity_names,
        len(system.effort_names): system.effort_names,
        system.nq: system.position_names,
    }
    if size in known:
        # velocity_names win where nq = nv: there both are the same joints.
        return system.velocity_names if size == system.nv else known[size]
    if size == len(SPATIAL):
        return SPATIAL
    for names in (system.closing_names, system.closure_names, system.reaction_names):
        if size == len(names):
            return names
    raise InputError(
        f"{axis} has {size} entries: neither nq ({system.nq}), nv ({system.nv}) nor anything else that this system "
        "names; give names"
    )


def named(system: System, values: ArrayLike, names: Sequence[str] | None) -> dict[str, Any]:
    array = np.asarray(values)
    names = axis_names(system, array.shape[-1], "values") if names is None else _checked(names, array.shape[-1])
    return dict(zip(names, array.tolist() if array.ndim == 1 else np.moveaxis(array, -1, 0)))


def _checked(names: Sequence[str], size: int) -> list[str]:
    if len(names) != size:
        raise InputError(f"names: expected {size}, one per entry of the last axis; got {len(names)}")
    return list(names)


def to_pandas(system: System, values: ArrayLike, names: Sequence[str] | None) -> Any:
    import pandas as pd

    array = np.asarray(values)
    if array.ndim not in (1, 2):
        raise InputError(f"values: expected one or two axes; got {array.ndim} (to_xarray takes any number)")
    columns = axis_names(system, array.shape[-1], "values") if names is None else _checked(names, array.shape[-1])
    if array.ndim == 1:
        return pd.Series(array, index=columns)
    square = array.shape == (system.nv, system.nv) or (array.shape[0] == 6 and array.shape[1] == system.nv)
    index = axis_names(system, array.shape[0], "rows of values") if square else None
    return pd.DataFrame(array, columns=columns, index=index)


def to_xarray(system: System, values: ArrayLike, names: Sequence[str] | None, dims: Sequence[str] | None) -> Any:
    import xarray as xr

    array = np.asarray(values)
    if dims is None:
        dims = ("state", "row", "column")[-array.ndim:] if array.ndim != 2 else ("state", "column")
    if len(dims) != array.ndim:
        raise InputError(f"dims: expected {array.ndim}, one per axis of values; got {len(dims)}")
    last = axis_names(system, array.shape[-1], "values") if names is None else _checked(names, array.shape[-1])
    coordinates: dict[str, Any] = {dims[-1]: last}
    if array.ndim == 3:
        coordinates[dims[-2]] = axis_names(system, array.shape[-2], "rows of values")
    return xr.DataArray(array, dims=list(dims), coords=coordinates)

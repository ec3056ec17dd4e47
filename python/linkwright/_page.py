"""The interactive page of a mechanism or a run."""

from __future__ import annotations

import html
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Sequence

from numpy.typing import ArrayLike

from . import _core
from ._arguments import judged
from ._errors import warn

if TYPE_CHECKING:
    from ._system import System


@judged
@dataclass(frozen=True, repr=False)
class Page:
    """One self-contained HTML page; it needs no network. A notebook shows it, `save` writes it.

    >>> page = arm.view()
    """

    text: str

    @staticmethod
    def made(text: str, told: Sequence[str], path: str | os.PathLike[str] | None) -> Page:
        """Warns of what could not be shown as the model asks, and writes the page where a path is given."""
        for warning in told:
            warn(warning, UserWarning)
        page = Page(text)
        if path is not None:
            page.save(path)
        return page

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it, whole or not at all."""
        _core.write_page(os.fspath(path), self.text)

    def _repr_html_(self) -> str:
        return (
            '<iframe style="width: 100%; height: 560px; border: 0" allowfullscreen sandbox="allow-scripts allow-downloads" '
            f'srcdoc="{html.escape(self.text, quote=True)}"></iframe>'
        )

    def __repr__(self) -> str:
        return f"Page of {len(self.text) / 1e6:.1f} MB; save('page.html') writes it"


def view_system(system: System, q: ArrayLike | None, path: str | os.PathLike[str] | None) -> Page:
    """The page of a mechanism at q."""
    text, told = _core.system_page(system, system.state().q if q is None else q)
    return Page.made(text, told, path)

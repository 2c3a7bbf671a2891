"""Tables of HTML and axes of matplotlib."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Table of HTML of texts, which are escaped."""

    def row(cells: Iterable[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    return f"<table>{row(head, 'th')}{''.join(row(cells, 'td') for cells in rows)}</table>"


def axes(ax: Axes | None) -> Axes:
    """The axes, or new ones.

    Raises
    ------
    ImportError
        Without matplotlib.
    """
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("plots need matplotlib: pip install matplotlib") from None
    return plt.subplots()[1]

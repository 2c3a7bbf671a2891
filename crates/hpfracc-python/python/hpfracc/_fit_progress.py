"""Progress of fits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable


class Progress:
    """Callback of the extension: a bar of tqdm, or a function of the caller."""

    def __init__(self, progress: bool | Callable[..., Any], unit: str):
        self._bar: Any = None
        self.report: Callable[..., Any] | None = None
        if progress is True:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                raise ImportError("progress=True needs tqdm: pip install tqdm, or pass a function") from None
            self._bar = tqdm(unit=f" {unit}")
            self.report = self._update
        elif callable(progress):
            self.report = progress
        elif progress not in (False, None):
            raise InputError(f"progress is {progress!r}, expected True, False or a function of (done, all, cost)")

    def _update(self, done: int, count: int, cost: float) -> None:
        if count:
            self._bar.total = count
        self._bar.n = done
        if np.isfinite(cost):
            self._bar.set_postfix(cost=f"{cost:.6g}", refresh=False)
        self._bar.refresh()

    def __enter__(self) -> Callable[..., Any] | None:
        return self.report

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

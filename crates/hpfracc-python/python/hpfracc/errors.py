"""Exceptions, with the messages of the library."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .solution import Solution


class Error(Exception):
    """Any error of hpfracc.

    Attributes
    ----------
    solution : Solution or None
        Of a failed :func:`hpfracc.solve`: the part before the failure.
    """

    solution: Solution | None = None


class InputError(Error, ValueError):
    """An argument that is refused: its message names value, place and what was expected."""


class EquationError(InputError):
    """A text that is no equation; the message shows the place with a caret."""


class SolverError(Error, RuntimeError):
    """A computation that did not succeed, such as an iteration that does not converge."""


class DeviceError(Error, RuntimeError):
    """A backend or device that is not there, or that failed."""


class MemoryLimitError(Error, MemoryError):
    """More memory than is available: refused before it is allocated."""

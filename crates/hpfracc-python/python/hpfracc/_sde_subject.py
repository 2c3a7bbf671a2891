"""Names of models and texts of equations as arguments."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from . import _hpfracc
from .errors import EquationError, InputError


def subject(model: Any) -> tuple[str | None, str]:
    """Name of a model, or None and the text of an equation."""
    if isinstance(model, os.PathLike):
        return None, Path(model).read_text(encoding="utf-8")
    if not isinstance(model, str):
        from .equation import Equation

        if isinstance(model, Equation):
            return None, model.text
        raise InputError(f"model is {model!r}, expected a name, an equation or a function")
    known = [entry["name"] for entry in _hpfracc.sde_models()]
    if model in known:
        return model, ""
    try:
        _hpfracc.sde_equation(model, [], None)
    except EquationError:
        if "=" not in model:
            listed = ", ".join(known)
            raise InputError(f"unknown model '{model}'; known are {listed}, and equations as text") from None
    return None, model


def name_of(value: Any, what: str = "model") -> str:
    """A name as text."""
    if not isinstance(value, str):
        raise InputError(f"{what} is {value!r}, expected a name")
    return value

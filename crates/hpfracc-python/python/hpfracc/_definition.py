"""A definition of the catalogue of operators as a function of a framework."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from .errors import InputError

_F = TypeVar("_F", bound=Callable[..., Any])


def identifier(name: str) -> str:
    """Name of a definition or of a parameter in Python."""
    return "lambda_" if name == "lambda" else name.replace("-", "_")


class Definition:
    """Names, parameters and parts of the documentation of a definition.

    Parameters
    ----------
    entry : Mapping
        Entry of :func:`hpfracc.operators.definitions`.
    """

    def __init__(self, entry: Mapping[str, Any]) -> None:
        self.name: str = entry["name"]
        self.title: str = entry["title"]
        self.formula: str = entry["formula"]
        self._parameters: list[dict[str, Any]] = entry["parameters"]
        self._names: dict[str, str] = {identifier(p["name"]): p["name"] for p in self._parameters}
        self.schemes = ", ".join(f"{s['scheme']} ({s['range']})" for s in entry["schemes"])
        self.parameter_lines = "".join(
            f"{identifier(p['name'])} : float\n    {p['meaning']}; {p['range']}.\n" for p in self._parameters
        )

    def values(self, keywords: Mapping[str, Any]) -> dict[str, float]:
        """Parameters by their names in the catalogue; an unknown one is refused."""
        values = {}
        for key, value in keywords.items():
            if key not in self._names:
                known = ", ".join(self._names) or "none"
                raise InputError(f"{identifier(self.name)} has no parameter {key}; parameters: {known}")
            values[self._names[key]] = float(value)
        return values

    def named(self, function: _F, module: str, documentation: str) -> _F:
        """The function with the name of the definition, its documentation, and its parameters in the signature."""
        function.__name__ = function.__qualname__ = identifier(self.name)
        function.__module__ = module
        function.__doc__ = documentation
        signature = inspect.signature(function)
        own = [
            inspect.Parameter(
                identifier(p["name"]),
                inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if p["default"] is None else p["default"],
                annotation="float",
            )
            for p in self._parameters
        ]
        rest = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
        function.__signature__ = signature.replace(parameters=[*rest, *own])  # type: ignore[attr-defined]
        return function

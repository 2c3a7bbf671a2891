"""Runs the examples in the documentation of the installed package: of all modules but those of frameworks, or of some."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import sys

import hpfracc

FRAMEWORKS = ("torch", "jax")


def main(chosen: list[str]) -> int:
    names = chosen or [m.name for m in pkgutil.iter_modules(hpfracc.__path__) if m.name not in FRAMEWORKS]
    failed = 0
    for name in names:
        module = importlib.import_module(f"hpfracc.{name}")
        results = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        print(f"{module.__name__}: {results.attempted} examples, {results.failed} failed")
        failed += results.failed
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Runs the examples in the documentation of the installed package: of all modules but those of frameworks, or of some."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import sys
from collections.abc import Iterator

import hpfracc

FRAMEWORKS = ("torch", "jax")


def own(module: object) -> Iterator[tuple[str, type]]:
    """Classes of the extension that bear the name of the package, which a search of modules leaves out."""
    for name, value in vars(module).items():
        if inspect.isclass(value) and value.__module__ == hpfracc.__name__:
            yield name, value


def main(chosen: list[str]) -> int:
    modules = [m.name for m in pkgutil.iter_modules(hpfracc.__path__)]
    names = chosen or [name for name in modules if not any(part in FRAMEWORKS for part in name.split("_"))]
    finder, failed = doctest.DocTestFinder(), 0
    for name in names:
        module = importlib.import_module(f"hpfracc.{name}")
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        tests = finder.find(module)
        if name == "_hpfracc":
            for class_name, value in own(module):
                tests += finder.find(value, f"hpfracc.{class_name}", module=hpfracc)
        for test in tests:
            runner.run(test)
        attempted = sum(len(test.examples) for test in tests)
        print(f"{module.__name__}: {attempted} examples, {runner.failures} failed")
        failed += runner.failures
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Runs the code blocks of the Python pages of the book, `docs/python.md` and `docs/python/*.md`.

A block is ours, or a peer's where its info string has `peer=NAME`, the name to import. The blocks of a page share one
namespace and run in order. What a statement prints is compared with the comment after it: numbers with decimals within
one unit of the last digit of the comment, or within the tolerance of `0.37 +- 0.01`. A comment
`same: A = B, rtol=1e-12` of the page compares two values, if the peer is installed. Blocks with `run=no` are only
compiled.

The peer `hpfracc` is another package of the same name: the environment variable `HPFRACC_PEER` is the folder that has
it, and its blocks run in a process of their own.
"""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import tokenize
import warnings
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"
PAGES = sorted((DOCS / "python").glob("*.md"))
PAGES = [page for page in (DOCS / "python.md", *PAGES) if page.is_file()]

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|\bnan\b|\binf\b")


@dataclass(frozen=True)
class Block:
    """Code of a page, or a comparison of two values."""

    line: int
    code: str
    peer: str | None = None
    run: bool = True
    same: tuple[str, str, float] | None = None


def blocks(page: Path) -> list[Block]:
    """Python blocks and comparisons of a page, in order."""
    found: list[Block] = []
    fence: tuple[int, str] | None = None
    code: list[str] = []
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            if fence is None:
                fence, code = (number, line[3:].strip()), []
                continue
            start, info = fence
            fence = None
            language, *words = info.split() or [""]
            if language != "python":
                continue
            options = dict(word.split("=", 1) for word in words)
            unknown = set(options) - {"peer", "run"}
            assert not unknown, f"{page.name}:{start}: unknown options {sorted(unknown)}"
            text = "\n" * start + "\n".join(code) + "\n"
            found.append(Block(start, text, options.get("peer"), options.get("run") != "no"))
        elif fence is not None:
            code.append(line)
        elif comparison := re.fullmatch(r"<!-- same: (.+?) = (.+?), rtol=(\S+) -->", line.strip()):
            theirs, ours, rtol = comparison.groups()
            found.append(Block(number, "", same=(theirs, ours, float(rtol))))
    assert fence is None, f"{page.name}:{fence}: fence without end"
    return found


def comments(code: str) -> dict[int, tuple[str, bool]]:
    """Comments of a code by line: the text, and whether the line has nothing else."""
    found = {}
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.COMMENT:
            text = token.string[1:].removeprefix(" ")
            found[token.start[0]] = (text, not token.line[: token.start[1]].strip())
    return found


def expected(statement: ast.stmt, notes: dict[int, tuple[str, bool]]) -> str | None:
    """Printed text that the page states for a statement."""
    end = statement.end_lineno or statement.lineno
    if end in notes and not notes[end][1]:
        return notes[end][0]
    lines = []
    while (note := notes.get(end + 1)) and note[1]:
        lines.append(note[0])
        end += 1
    return "\n".join(lines) or None


def unit(number: str) -> float:
    """Tolerance of a number as written: 0 for integers, 1e-6 for `2.`, else one unit of the last digit."""
    mantissa, _, exponent = number.lower().partition("e")
    _, point, decimals = mantissa.partition(".")
    if not point and not exponent:
        return 0.0
    if point and not exponent and decimals in ("", "0"):
        return 1e-6
    return 10.0 ** (int(exponent or 0) - len(decimals))


def plain(text: str) -> str:
    """Text without the spaces by which NumPy aligns numbers."""
    return re.sub(r"(?<=\[) | (?=\])", "", " ".join(text.split()))


def agrees(printed: str, stated: str) -> bool:
    """Whether a printed text has the words of the stated one, and its numbers within a unit of their last digits."""
    if match := re.fullmatch(r"(.*?) \+- (\S+)", stated):
        value, tolerance = float(match[1]), float(match[2])
        return abs(float(printed) - value) <= tolerance
    printed, stated = plain(printed), plain(stated)
    if printed == stated:
        return True
    if NUMBER.sub("#", printed) != NUMBER.sub("#", stated):
        return False
    pairs = list(zip(NUMBER.findall(printed), NUMBER.findall(stated), strict=True))
    return all(a == b or abs(float(a) - float(b)) <= 1.01 * unit(b) for a, b in pairs if "n" not in a + b) and all(
        a == b for a, b in pairs if "n" in a + b
    )


def execute(code: str, name: str, names: dict) -> None:
    """Runs a block statement by statement and compares what it prints with its comments."""
    notes = comments(code)
    for statement in ast.parse(code, name).body:
        printed = io.StringIO()
        program = compile(ast.Module([statement], []), name, "exec")
        with contextlib.redirect_stdout(printed):
            exec(program, names)  # noqa: S102
        text = printed.getvalue().rstrip("\n")
        stated = expected(statement, notes)
        place = f"{name}:{statement.lineno}"
        if not text:
            continue
        assert stated is not None, f"{place}: printed {text!r}, and the page has no comment after it"
        assert agrees(text, stated), f"{place}: printed {text!r}, the page says {stated!r}"


def missing(code: str) -> str | None:
    """First package that a code imports and that is not installed."""
    for node in ast.walk(ast.parse(code)):
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            modules = [node.module]
        for module in modules:
            package = module.partition(".")[0]
            if importlib.util.find_spec(package) is None:
                return package
    # `hpfracc.torch` and `hpfracc.jax` need the framework of their name.
    for package in ("torch", "jax", "sklearn"):
        if f"hpfracc.{package}" in code and importlib.util.find_spec(package) is None:
            return package
    return None


def run_page(page: Path, peer: str | None) -> None:
    """Runs the blocks of a page; skips the test at the first that needs a package which is not installed."""
    import numpy as np

    names: dict = {"__name__": "__main__"}
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        for block in blocks(page):
            name = page.name
            if block.same:
                if peer is None:
                    continue
                theirs, ours, rtol = block.same
                try:
                    values = eval(theirs, names), eval(ours, names)  # noqa: S307
                except NameError:
                    continue  # a value of another peer of the page
                np.testing.assert_allclose(*values, rtol=rtol, err_msg=f"{name}:{block.line}")
            elif block.run and block.peer in (None, peer):
                if package := missing(block.code):
                    pytest.skip(f"{package} is not installed: {name} was run up to line {block.line}")
                execute(block.code, name, names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_blocks_compile(page: Path) -> None:
    for block in blocks(page):
        compile(block.code, page.name, "exec")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_ours(page: Path) -> None:
    run_page(page, None)


PEERS = sorted({(page, block.peer) for page in PAGES for block in blocks(page) if block.peer and block.run})


@pytest.mark.parametrize(("page", "peer"), PEERS, ids=lambda value: getattr(value, "name", value))
def test_peer(page: Path, peer: str) -> None:
    if peer == "hpfracc":
        run_other_hpfracc(page)
        return
    if importlib.util.find_spec(peer) is None:
        pytest.skip(f"{peer} is not installed")
    run_page(page, peer)


def run_other_hpfracc(page: Path) -> None:
    folder = os.environ.get("HPFRACC_PEER")
    if not folder:
        pytest.skip("the environment variable HPFRACC_PEER is not set")
    codes = [block.code for block in blocks(page) if block.peer == "hpfracc" and block.run]
    program = "\n".join([
        "import importlib.util, json, sys",
        "spec = importlib.util.spec_from_file_location('pages', sys.argv[1])",
        "pages = importlib.util.module_from_spec(spec)",
        "sys.modules['pages'] = pages",
        "spec.loader.exec_module(pages)",
        "names = {}",
        "for code in json.loads(sys.argv[3]):",
        "    pages.execute(code, sys.argv[2], names)",
    ])
    path = os.pathsep.join([folder, *filter(None, sys.path)])
    arguments = [sys.executable, "-c", program, __file__, page.name, json.dumps(codes)]
    done = subprocess.run(
        arguments, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("printed", "stated", "same"),
    [
        ("0.42758443", "0.42758443", True),
        ("0.427585", "0.427584", True),
        ("0.427586", "0.427584", False),
        ("[1.5 2.0]", "[1.5 2.]", True),
        ("[ 1.5 -2. ]", "[1.5 -2.]", True),
        ("1 0.5", "2 0.5", False),
        ("1.5", "2.", False),
        ("2.00000001", "2.0", True),
        ("nan", "nan", True),
        ("1.0", "nan", False),
        ("-5.312e+09", "-5.31e+09", True),
        ("0.3621", "0.368 +- 0.01", True),
        ("0.35", "0.368 +- 0.01", False),
        ("shape (3,)", "shape (4,)", False),
    ],
)
def test_comparison(printed: str, stated: str, same: bool) -> None:
    assert agrees(printed, stated) == same

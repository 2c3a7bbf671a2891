"""Writes `python/hpfracc/operators.py`: a function for each definition of the catalogue of operators.

Run it with the package installed, after the catalogue has changed. A test compares the file with its output.
"""

from __future__ import annotations

import textwrap
from pathlib import Path

from hpfracc._definition import identifier
from hpfracc._hpfracc import apply, definitions

FILE = Path(__file__).parents[1] / "python" / "hpfracc" / "operators.py"

HEAD = '''"""Fractional derivatives and integrals of arrays: a function for each definition.

Written by `tools/operators.py` from the catalogue of the library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._hpfracc import Operator, Stream, definitions
from ._hpfracc import apply as _apply

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import ArrayLike, NDArray

    from .backends import Machine

__all__ = [
    "Operator",
    "Stream",
    "definitions",
{names}]
'''

#: The example of a definition without closed form: samples of a smooth function.
SAMPLES = 201
STEP = 0.01


def number(value: float) -> str:
    return f"{value:g}"


def wrapped(text: str, indent: str) -> str:
    return textwrap.fill(text, width=118, initial_indent=indent, subsequent_indent=indent)


def last_value(definition: dict) -> float:
    import numpy as np

    t = STEP * np.arange(SAMPLES)
    parameters = {p["name"]: p["example"] for p in definition["parameters"]}
    alpha = definition["schemes"][0]["example"]
    arguments = (definition["name"], alpha, STEP, None, None, None, parameters, None)
    return float(apply(np.sin(t), arguments, -1, None)[-1])


def example(definition: dict) -> str:
    name = identifier(definition["name"])
    parameters = "".join(f", {identifier(p['name'])}={number(p['example'])}" for p in definition["parameters"])
    alpha = number(definition["schemes"][0]["example"])
    return f"""
    Examples
    --------
    >>> import numpy as np
    >>> import hpfracc
    >>> t = {STEP} * np.arange({SAMPLES})
    >>> y = hpfracc.{name}(np.sin(t), {alpha}{parameters}, dt={STEP})
    >>> round(float(y[-1]), 6)
    {round(last_value(definition), 6)}
"""


def documentation(definition: dict) -> str:
    orders = dict.fromkeys(scheme["range"] for scheme in definition["schemes"])
    parts = [f'    """{definition["title"]} of order alpha.\n']
    parts.append(wrapped(f"``{definition['formula']}``", "    ") + "\n")
    parts.append(f"""    Parameters
    ----------
    x : array_like
        Samples; float32 and float64 are kept, other real numbers become float64. All axes but one are a batch.
    alpha : float
        Order: {"; ".join(orders)}, depending on the scheme.""")
    for p in definition["parameters"]:
        default = "" if p["default"] is None else f", {number(p['default'])} by default"
        text = f"{p['meaning'][0].upper()}{p['meaning'][1:]}: {p['range']}{default}."
        parts.append(f"    {identifier(p['name'])} : float\n" + wrapped(text, "        "))
    box = definition["name"] in ("riesz", "fractional-laplacian")
    several = " One for each of the last axes, for the scheme spectral on a box." if box else ""
    parts.append(f"""    dt : float, optional
        Step between samples, in units of time; 1 by default.{several}
    t : array_like, optional
        Increasing times of the samples, in place of equal steps.
    axis : int
        Axis of the samples.
    scheme : str, optional
        Discretisation, see Notes; by default the first that is defined for the order.
    tolerance : float, optional
        The memory is a sum of exponentials within this relative tolerance: O(n) time.
    out : ndarray, optional
        Array of the type and shape of x for the result.
    machine : Machine, optional
        Backends that may compute; those of :func:`hpfracc.machine` by default.

    Returns
    -------
    ndarray
        The result for each sample, of the type and shape of x.

    Raises
    ------
    InputError
        For an order, parameter, step or shape that is refused; the message names it.

    Notes
    -----
""")
    rows = [("scheme", "orders", "order of accuracy", "cost")]
    rows += [(s["scheme"], s["range"], s["accuracy"], s["cost"]) for s in definition["schemes"]]
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    line = "    " + "  ".join("=" * w for w in widths)
    table = ["    " + "  ".join(cell.ljust(w) for cell, w in zip(row, widths)).rstrip() for row in rows]
    parts.append("\n".join([line, table[0], line, *table[1:], line]) + "\n")
    for title, key in (("Of constants", "of_constants"), ("Of powers", "of_powers"), ("Relation", "relation")):
        parts.append(wrapped(f"{title}: {definition[key]}.", "    ") + "\n")
    parts.append(wrapped(f"Source: {definition['source']}.", "    "))
    return "\n".join(parts) + "\n" + example(definition) + '    """'


def function(definition: dict) -> str:
    own = definition["parameters"]
    required = [p for p in own if p["default"] is None]
    optional = [p for p in own if p["default"] is not None]
    signature = ["x: ArrayLike", "alpha: float", "*"]
    signature += [f"{identifier(p['name'])}: float" for p in required]
    signature += [f"{identifier(p['name'])}: float = {p['default']!r}" for p in optional]
    signature += [
        "dt: float | Sequence[float] | None = None",
        "t: ArrayLike | None = None",
        "axis: int = -1",
        "scheme: str | None = None",
        "tolerance: float | None = None",
        "out: NDArray[Any] | None = None",
        "machine: Machine | None = None",
    ]
    inner = ", ".join(f'"{p["name"]}": {identifier(p["name"])}' for p in own)
    parameters = f"{{{inner}}}" if own else "None"
    lines = "".join(f"    {part},\n" for part in signature)
    return (
        f"\n\ndef {identifier(definition['name'])}(\n{lines}) -> NDArray[Any]:\n{documentation(definition)}\n"
        f'    arguments = ("{definition["name"]}", alpha, dt, t, scheme, tolerance, {parameters}, machine)\n'
        "    return _apply(x, arguments, axis, out)\n"
    )


def source() -> str:
    """Text of the module."""
    all_definitions = definitions()
    names = "".join(f'    "{identifier(d["name"])}",\n' for d in all_definitions)
    return HEAD.replace("{names}", names) + "".join(function(d) for d in all_definitions)


if __name__ == "__main__":
    FILE.write_text(source())

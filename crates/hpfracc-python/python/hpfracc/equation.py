"""Equations as data: read from text, with named parameters, derived facts and a catalogue of the literature."""

from __future__ import annotations

import html
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _hpfracc
from .errors import InputError

__all__ = ["CatalogueEntry", "Equation", "Parameter", "catalogue"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """Named number of an equation.

    Attributes
    ----------
    name : str
        Name.
    value : float
        Value.
    low, high : float
        Ends of its range; infinite without one.
    closed : tuple of bool
        Whether the lower and the upper end belong to the range.
    unit : str or None
        Unit, for tables and plots only.
    """

    name: str
    value: float
    low: float = -np.inf
    high: float = np.inf
    closed: tuple[bool, bool] = (False, False)
    unit: str | None = None

    def __str__(self) -> str:
        text = f"{self.name} = {self.value:g}"
        if np.isfinite(self.low) or np.isfinite(self.high):
            text += f" in {'[' if self.closed[0] else '('}{self.low:g}, {self.high:g}{']' if self.closed[1] else ')'}"
        return f"{text} [{self.unit}]" if self.unit else text


class Equation:
    r"""System of ordinary, fractional, delayed or stochastic differential equations, read from text.

    An equation is a value: methods such as :meth:`with_values` return another one. Two equations are equal if they
    have the same parts under the same names and the same expressions. They can be pickled.

    Parameters
    ----------
    text : str
        Statements, separated by lines or ``;``, with comments after ``#``. A product is a space, ``*`` or a number
        before a name.

        ================  ==================================================================
        statement         example
        ================  ==================================================================
        equation          ``D^alpha x = f``, ``x' = f``, ``D^2 y + 0.5 D^1.5 y + y = f``
        other derivative  ``RL D^alpha x``, ``CF D^alpha x``, ``AB D^alpha x``
        with noise        ``dX = f dt + g dW``
        parameter         ``rho = 28 in [0, 200]``, ``tau = 1 in (0, inf) [s]``
        definition        ``r = sqrt(x^2 + y^2)``
        initial value     ``x(0) = 1``, ``x'(0) = 0``
        delay, history    ``y(t - tau)``, ``y(t) = cos(t) for t <= 0``
        interval          ``t in [0, 50]``
        event             ``when x = 1 rising: stop``, ``when v = 0: v = -0.8 v``
        table of data     ``table load: [0, 1, 2] -> [0, 3, 1]``
        shown quantity    ``show s = exp(x)``
        ================  ==================================================================
    folder : path, optional
        Folder of the files that the text names, such as tables of data and networks; the current one by default.

    Raises
    ------
    EquationError
        For a text that is no equation: the message shows the place with a caret.

    See Also
    --------
    catalogue : Equations of the literature.
    hpfracc.solve : Solves an equation.

    Examples
    --------
    >>> import hpfracc
    >>> equation = hpfracc.Equation("D^0.9 y = r y (1 - y); r = 2 in (0, 10]; y(0) = 0.1; t in [0, 5]")
    >>> equation.states, equation.parameters, equation.orders
    (('y',), {'r': 2.0}, array([0.9]))
    >>> equation.with_values(r=3).parameters
    {'r': 3.0}
    >>> hpfracc.Equation("x' = -rat x; rate = 2; x(0) = 1")
    Traceback (most recent call last):
    ...
    hpfracc.errors.EquationError: line 1, column 7: unknown name `rat`
      x' = -rat x; rate = 2; x(0) = 1
            ^^^ did you mean `rate`?
    """

    __slots__ = ("_core", "_entry")

    _core: _hpfracc.EquationCore
    #: Name in the catalogue, whose default scheme and steps the equation has.
    _entry: str | None

    def __init__(self, text: str, *, folder: str | os.PathLike[str] = "") -> None:
        if not isinstance(text, str):
            raise InputError(f"text is {type(text).__name__}, expected str")
        self._core = _hpfracc.EquationCore.parse(text, os.fspath(folder))
        self._entry = None

    @classmethod
    def _of(cls, core: _hpfracc.EquationCore, entry: str | None = None) -> Equation:
        equation = cls.__new__(cls)
        equation._core = core
        equation._entry = entry
        return equation

    @classmethod
    def named(cls, name: str) -> Equation:
        """Equation of the :func:`catalogue`.

        Parameters
        ----------
        name : str
            Name, such as ``"lorenz"``.

        Returns
        -------
        Equation

        Raises
        ------
        InputError
            For an unknown name; the message has the nearest one.

        Examples
        --------
        >>> import hpfracc
        >>> hpfracc.Equation.named("relaxation").states
        ('y',)
        >>> hpfracc.Equation.named("lorentz")
        Traceback (most recent call last):
        ...
        hpfracc.errors.InputError: the catalogue has no equation 'lorentz'; did you mean 'lorenz'?
        """
        entry = _entries().get(name)
        if entry is None:
            near = _hpfracc.nearest_equation(str(name))
            hint = f"did you mean {near!r}?" if near else "hpfracc.catalogue() has all names"
            raise InputError(f"the catalogue has no equation {name!r}; {hint}")
        return cls._of(_hpfracc.EquationCore.parse(entry.text, ""), name)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Equation:
        """Equation of a text file. Files that it names are searched in its folder.

        Parameters
        ----------
        path : path
            Text file, in UTF-8.

        Returns
        -------
        Equation
        """
        with open(path, encoding="utf-8") as file:
            text = file.read()
        return cls(text, folder=os.path.dirname(os.path.abspath(path)))

    # Parts.

    @property
    def text(self) -> str:
        """Canonical text, one statement a line, from which the same equation is read."""
        return self._core.text()

    @property
    def states(self) -> tuple[str, ...]:
        """Names of the components of the state."""
        return tuple(self._core.states())

    @property
    def orders(self) -> npt.NDArray[np.float64]:
        """Orders of the highest derivative of each state."""
        return np.array(self._core.orders())

    @property
    def lower_orders(self) -> tuple[tuple[float, ...], ...]:
        """Orders of the lower derivatives of each state, largest first."""
        return tuple(tuple(orders) for orders in self._core.lower_orders())

    @property
    def definition(self) -> tuple[str, ...]:
        """Definition of the derivative of each state, such as ``"caputo"``."""
        return tuple(self._core.derivatives())

    @property
    def parameters(self) -> dict[str, float]:
        """Values of the parameters by name."""
        return {name: value for name, value, _, _ in self._core.parameters()}

    @property
    def parameter_table(self) -> tuple[Parameter, ...]:
        """Parameters with their ranges and units."""
        table = []
        for name, value, ends, unit in self._core.parameters():
            low, high, *closed = ends or (-np.inf, np.inf, False, False)
            table.append(Parameter(name, value, low, high, (closed[0], closed[1]), unit))
        return tuple(table)

    @property
    def right_hand_sides(self) -> dict[str, str]:
        """Right-hand side of each state, solved for its highest derivative."""
        return dict(zip(self._core.states(), self._core.right_hand_sides()))

    @property
    def definitions(self) -> dict[str, str]:
        """Named quantities that depend on parameters, time or the state."""
        return dict(self._core.definitions())

    @property
    def shown(self) -> dict[str, str]:
        """Quantities to show besides the state, by name."""
        return dict(self._core.shown())

    @property
    def delays(self) -> tuple[str, ...]:
        """Delays."""
        return tuple(self._core.delays())

    @property
    def noises(self) -> dict[str, str]:
        """Kinds of the noises, by name."""
        return dict(self._core.noises())

    @property
    def events(self) -> tuple[str, ...]:
        """Expressions that cross zero, their direction, and what happens."""
        return tuple(self._core.events())

    @property
    def interval(self) -> tuple[float, float] | None:
        """Interval of time."""
        return self._core.interval()

    # Facts.

    @property
    def form(self) -> str:
        """Kind of the equation in words.

        Examples
        --------
        >>> import hpfracc
        >>> hpfracc.Equation("D^2 y + D^1.5 y + y = 0; y(0) = 1; y'(0) = 0").form
        'multi-term differential equation'
        """
        return self._core.form()

    @property
    def is_autonomous(self) -> bool:
        """Whether right-hand side, noise and delays do not depend on time as they are written."""
        return self._core.is_autonomous()

    @property
    def is_stochastic(self) -> bool:
        """Whether the equation has noise; :func:`hpfracc.solve` solves equations without it."""
        return bool(self._core.noises())

    @property
    def fingerprint(self) -> int:
        """Number of 64 bits that identifies the equation with its values, the same on every machine."""
        return self._core.fingerprint()

    def jacobian(self) -> dict[tuple[str, str], str]:
        """Derivatives of the right-hand side with respect to the states that are not identically zero.

        Returns
        -------
        dict
            Expressions by the names of row and column.

        Raises
        ------
        InputError
            For a function without a derivative.

        Examples
        --------
        >>> import hpfracc
        >>> hpfracc.Equation("x' = x y; y' = -y; x(0) = 1; y(0) = 1").jacobian()
        {('x', 'x'): 'y', ('x', 'y'): 'x', ('y', 'y'): '-1'}
        """
        return self._by_names(self._core.jacobian())

    def linear_part(self) -> tuple[dict[tuple[str, str], str], bool]:
        """Entries of the linear part with constant coefficients, and whether nothing else remains.

        Returns
        -------
        entries : dict
            Expressions of constants and parameters by the names of row and column.
        whole : bool
            Whether the right-hand side is linear with constant coefficients.
        """
        entries, whole = self._core.linear_part()
        return self._by_names(entries), whole

    def _by_names(self, entries: Iterable[tuple[int, int, str]]) -> dict[tuple[str, str], str]:
        names = self._core.states()
        return {(names[row], names[column]): text for row, column, text in entries}

    def rhs(self, t: float, y: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Value of the right-hand side at a time and a state.

        Parameters
        ----------
        t : float
            Time.
        y : array_like, shape (states,)
            State.

        Returns
        -------
        ndarray, shape (states,)

        Raises
        ------
        InputError
            For equations with delays or lower derivatives.

        Examples
        --------
        >>> import hpfracc
        >>> hpfracc.Equation("x' = x y; y' = -y; x(0) = 1; y(0) = 1").rhs(0.0, [2.0, 3.0])
        array([ 6., -3.])
        """
        return self._core.rhs(float(t), y)

    # Other values.

    def with_values(self, values: Mapping[str, float] | None = None, /, **named: float) -> Equation:
        """Equation with other values of parameters.

        Parameters
        ----------
        values : mapping, optional
            Values by name.
        **named : float
            The same as keywords.

        Returns
        -------
        Equation

        Raises
        ------
        InputError
            For an unknown name, and for a value outside of its range or not finite.
        """
        items = []
        for name, value in {**(values or {}), **named}.items():
            items.append((str(name), _number(f"the parameter {name}", value)))
        return self._of(self._core.with_values(items), self._entry)

    def with_orders(self, *orders: float | Sequence[float]) -> Equation:
        """Equation with other orders of the highest derivatives: one for all states, or one for each.

        If the equation has a parameter ``alpha``, a single order sets that.

        Parameters
        ----------
        *orders : float
            Orders, above 0 and at most the number of initial values.

        Returns
        -------
        Equation

        Examples
        --------
        >>> import hpfracc
        >>> equation = hpfracc.Equation("D^alpha x = y; D^alpha y = -x; alpha = 0.9; x(0) = 1; y(0) = 0")
        >>> equation.with_orders(0.8).parameters
        {'alpha': 0.8}
        >>> equation.with_orders(0.8, 0.7).orders
        array([0.8, 0.7])
        """
        flat = [_number("an order", order) for order in np.ravel(np.asarray(orders, dtype=object)).tolist()]
        if len(flat) == 1 and "alpha" in self.parameters:
            return self.with_values(alpha=flat[0])
        return self._of(self._core.with_orders(flat), self._entry)

    def with_interval(self, t0: float, t1: float) -> Equation:
        """Equation on another interval of time."""
        return self._of(self._core.with_interval(_number("t0", t0), _number("t1", t1)), self._entry)

    def with_initial(
        self, y0: npt.ArrayLike | Mapping[str, float | Sequence[float]]
    ) -> Equation:
        """Equation with other initial values.

        Parameters
        ----------
        y0 : array_like or mapping
            Values of all states, shape (states,); with orders above 1 also the rows y, y', ..., shape
            (rows, states). A mapping has the value, or the list y, y', ..., of some states by name.

        Returns
        -------
        Equation

        Examples
        --------
        >>> import hpfracc
        >>> equation = hpfracc.Equation("D^1.5 y = -y; y(0) = 1; y'(0) = 0; t in [0, 1]")
        >>> print(equation.with_initial({"y": [2, 0.5]}))
        D^1.5 y = -y
        y(0) = 2
        y'(0) = 0.5
        t in [0, 1]
        """
        names = self._core.states()
        values: list[tuple[int, int, float]] = []
        if isinstance(y0, Mapping):
            for name, numbers in y0.items():
                if name not in names:
                    raise InputError(f"y0 has a state {name!r}; the states are {', '.join(names)}")
                rows = np.ravel(np.asarray(numbers, dtype=object)).tolist()
                values += [(names.index(name), j, _number(f"y0[{name!r}]", v)) for j, v in enumerate(rows)]
        else:
            array = _floats("y0", y0)
            rows = int(np.ceil(max(self._core.orders(), default=1.0)))
            array = array.reshape(1) if array.ndim == 0 else array
            if array.ndim == 1 and len(names) == 1 and 1 < len(array) <= rows:
                array = array[:, None]
            array = array[None, :] if array.ndim == 1 else array
            if array.ndim != 2 or array.shape[1] != len(names) or array.shape[0] > rows:
                expected = f"({len(names)},)" + (f" or ({rows}, {len(names)})" if rows > 1 else "")
                raise InputError(f"y0 has the shape {np.shape(y0)}, expected {expected}")
            orders = self._core.orders()
            for j, row in enumerate(array.tolist()):
                # Zeros of states whose orders have no use for them are left out.
                values += [(k, j, v) for k, v in enumerate(row) if j < orders[k] or v != 0.0]
        return self._of(self._core.with_initial(values), self._entry)

    # Values.

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        folder = self._core.folder()
        return f"Equation({self.text!r}{f', folder={folder!r}' if folder else ''})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(p.name)}</td><td>{p.value:.6g}</td><td>{html.escape(p.unit or '')}</td></tr>"
            for p in self.parameter_table
        )
        table = f"<table><tr><th>parameter</th><th>value</th><th>unit</th></tr>{rows}</table>" if rows else ""
        return f"<p>{html.escape(self.form)}</p><pre>{html.escape(self.text)}</pre>{table}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Equation):
            return NotImplemented
        return self._core.equals(other._core)

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.text, self._core.folder(), self._entry)


def _restored(text: str, folder: str, entry: str | None) -> Equation:
    equation = Equation(text, folder=folder)
    equation._entry = entry
    return equation


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """Equation of the literature.

    Attributes
    ----------
    name, title, about, source : str
        Name, title, description, and the publications that the equation and its parameters are from.
    scheme : str
        Name of a scheme that suits the equation.
    steps : int
        Number of steps, or of output intervals of a scheme with adaptive steps.
    grading : float
        Exponent of graded steps; 1 means equal steps.
    text : str
        Text.
    """

    name: str
    title: str
    about: str
    source: str
    scheme: str
    steps: int
    grading: float
    text: str

    def equation(self) -> Equation:
        """The equation."""
        return Equation.named(self.name)


_ENTRIES: dict[str, CatalogueEntry] = {}


def _entries() -> dict[str, CatalogueEntry]:
    if not _ENTRIES:
        _ENTRIES.update((fields[0], CatalogueEntry(*fields)) for fields in _hpfracc.equation_catalogue())
    return _ENTRIES


def catalogue() -> dict[str, CatalogueEntry]:
    """Equations of the literature by name.

    Returns
    -------
    dict
        Entries by name, in the order of the alphabet. :meth:`Equation.named` and :func:`hpfracc.solve` take the names.

    Examples
    --------
    >>> import hpfracc
    >>> entry = hpfracc.catalogue()["lorenz"]
    >>> entry.title, entry.scheme, entry.steps
    ('Lorenz system', 'pece', 10000)
    >>> entry.equation().parameters["rho"]
    28.0
    """
    return dict(_entries())


def _number(name: str, value: Any) -> float:
    """The value as a float, if it is one real number."""
    if isinstance(value, (str, bytes)) or value is None:
        raise InputError(f"{name} is {value!r}, expected a number")
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"{name} is {value!r}, expected a number") from None


def _floats(name: str, value: Any) -> npt.NDArray[np.float64]:
    """The value as an array of float64, if it has real numbers only."""
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise InputError(f"{name} is no array of numbers: {error}") from None
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        raise InputError(f"{name} has the type {array.dtype}, expected real numbers")
    return array.astype(np.float64)

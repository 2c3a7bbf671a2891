"""Fractional derivatives and integrals: closed forms, types, axes, gradients, streams, refusals."""

import importlib.util
import pickle
from math import gamma
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hpfracc
from hpfracc import operators

DT = 0.01
N = 201
T = DT * np.arange(N)

DEFINITIONS = operators.definitions()
BY_NAME = {definition["name"].replace("-", "_"): definition for definition in DEFINITIONS}


def unchecked(value: Any) -> Any:
    """A value whose type is not checked."""
    return value


# Which makes the same choices at every call: others are not equal to the bit.
MACHINE = hpfracc.Machine(effort="wisdom-only")


def call(name, x, dt=DT, **keywords):
    definition = BY_NAME[name]
    own = {p["name"].replace("lambda", "lambda_"): p["example"] for p in definition["parameters"]}
    alpha = definition["schemes"][0]["example"]
    return getattr(operators, name)(x, alpha, dt=dt, machine=MACHINE, **own, **keywords)


def test_closed_forms():
    # D^alpha t^2 = 2/Gamma(3 - alpha) t^(2 - alpha)
    exact = 2 / gamma(2.5) * T**1.5
    assert abs(hpfracc.caputo(T**2, 0.5, dt=DT) - exact).max() < 2e-3
    assert abs(hpfracc.caputo(T**2, 0.5, dt=DT, scheme="bdf3") - exact)[20:].max() < 1e-5
    assert abs(hpfracc.rl_integral(T, 0.5, dt=DT) - T**1.5 / gamma(2.5)).max() < 1e-12
    # Of two sines on a period, (k^alpha sin(k x + alpha pi/2)).
    x = 2 * np.pi * np.arange(64) / 64
    exact = 3**0.7 * np.sin(3 * x + 0.7 * np.pi / 2)
    assert abs(hpfracc.weyl(np.sin(3 * x), 0.7, dt=2 * np.pi / 64) - exact).max() < 1e-12


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_every_definition(name):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, 3, N))
    y = call(name, x)
    assert y.shape == x.shape and y.dtype == np.float64
    # Batches are their rows, in any axis and with any strides.
    scale = abs(y).max()
    for i in range(2):
        for j in range(3):
            assert abs(call(name, x[i, j]) - y[i, j]).max() <= 1e-12 * scale
    moved = np.moveaxis(x, -1, 1)
    assert abs(np.moveaxis(call(name, moved, axis=1), 1, -1) - y).max() <= 1e-12 * scale
    reversed_twice = x[:, :, ::-1].copy()[:, :, ::-1]
    assert np.array_equal(call(name, reversed_twice), y)
    # Single precision is kept, and results are written to `out`.
    single = call(name, x.astype(np.float32))
    assert single.dtype == np.float32
    assert abs(single - y).max() < 2e-3 * scale
    out = np.full_like(x, np.nan)
    assert call(name, x, out=out) is out
    assert np.array_equal(out, y)


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_documentation(name):
    text = getattr(operators, name).__doc__
    definition = BY_NAME[name]
    assert definition["title"] in text
    for scheme in definition["schemes"]:
        assert scheme["scheme"] in text
    for parameter in definition["parameters"]:
        assert parameter["name"] in text


def test_module_is_that_of_the_catalogue():
    tool = Path(__file__).parents[1] / "tools" / "operators.py"
    spec = importlib.util.spec_from_file_location("operators_tool", tool)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert Path(operators.__file__).read_text() == module.source()


def test_bound_operator():
    x = np.sin(T)
    bound = hpfracc.Operator("caputo", 0.5, N, dt=DT)
    y = bound.apply(x)
    assert np.array_equal(bound(x), y)
    assert np.array_equal(hpfracc.caputo(x, 0.5, dt=DT), y)
    matrix = bound.matrix()
    assert abs(matrix @ x - y).max() < 1e-12 * abs(y).max()
    g = np.cos(3 * T)
    assert abs(bound.vjp(g) - matrix.T @ g).max() < 1e-12 * abs(matrix.T @ g).max()
    h = 1e-5
    loss = lambda alpha: hpfracc.caputo(x, alpha, dt=DT) @ g
    difference = (loss(0.5 + h) - loss(0.5 - h)) / (2 * h)
    assert abs(bound.vjp_order(x, g) - difference) < 1e-7 * abs(difference)
    assert repr(bound) == "Operator('caputo', 0.5, 201, dt=0.01, scheme='l1')"
    assert (bound.name, bound.scheme, bound.alpha, bound.shape) == ("caputo", "l1", 0.5, (N,))


def test_meshes_and_exponentials():
    t = T**2 / T[-1]
    exact = 2 / gamma(2.5) * t**1.5
    y = hpfracc.caputo(t**2, 0.5, t=t)
    assert abs(y - exact).max() < 2e-3
    fast = hpfracc.caputo(t**2, 0.5, t=t, tolerance=1e-10)
    assert abs(fast - y).max() < 1e-8
    equal = hpfracc.caputo(np.sin(T), 0.5, dt=DT)
    assert abs(hpfracc.caputo(np.sin(T), 0.5, dt=DT, tolerance=1e-10) - equal).max() < 1e-8


def test_boxes():
    n = 32
    x = 2 * np.pi * np.arange(n) / n
    wave = np.sin(2 * x)[:, None] * np.cos(x)[None, :]
    dx = 2 * np.pi / n
    y = hpfracc.fractional_laplacian(wave, 1.0, dt=(dx, dx))
    assert abs(y - 5**0.5 * wave).max() < 1e-12
    bound = hpfracc.Operator("riesz", 1.0, (n, n), dt=dx)
    assert abs(bound(np.stack([wave, 2 * wave])) + 5**0.5 * np.stack([wave, 2 * wave])).max() < 1e-12


def test_streams():
    x = np.sin(T)
    y = hpfracc.caputo(x, 0.5, dt=DT)
    bound = hpfracc.Operator("caputo", 0.5, N, dt=DT)
    stream = bound.stream(tolerance=1e-10)
    first = np.array([stream.push(sample) for sample in x[:50]])
    assert isinstance(stream.push(x[50]), float)
    copy = pickle.loads(pickle.dumps(stream))
    rest = stream.push(x[51:])
    assert np.array_equal(copy.push(x[51:]), rest)
    assert stream.pushed == copy.pushed == N
    assert abs(first - y[:50]).max() < 1e-8 and abs(rest - y[51:]).max() < 1e-8
    two = bound.stream(2, tolerance=1e-10)
    both = two.push(np.stack([x, 2 * x]))
    assert both.shape == (2, N)
    assert abs(both[1] - 2 * y).max() < 1e-8


def test_pickled_operators():
    for bound in (
        hpfracc.Operator("caputo", 0.5, N, dt=DT),
        hpfracc.Operator("tempered-caputo", 0.5, N, dt=DT, lambda_=0.3),
        hpfracc.Operator("caputo", 0.5, t=T**2),
    ):
        copy = pickle.loads(pickle.dumps(bound))
        assert np.array_equal(copy(np.sin(T)), bound(np.sin(T)))
        assert repr(copy) == repr(bound)
    assert pickle.loads(pickle.dumps(hpfracc.caputo)) is hpfracc.caputo


X = np.zeros(N)


@pytest.mark.parametrize(
    "run, error, message",
    [
        (lambda: hpfracc.caputo(np.zeros(5, complex), 0.5), hpfracc.InputError, "x has the type complex128, expected real"),
        (lambda: hpfracc.caputo(["a", "b"], 0.5), hpfracc.InputError, "x has the type <U1, expected real numbers"),
        (lambda: hpfracc.caputo([[1.0], [1.0, 2.0]], 0.5), hpfracc.InputError, "x is no array of numbers"),
        (lambda: hpfracc.caputo(np.zeros(5, np.longdouble), 0.5), hpfracc.InputError, "x has the type float128"),
        (lambda: hpfracc.caputo(1.0, 0.5), hpfracc.InputError, "x is a single number, expected an array of samples"),
        (lambda: hpfracc.caputo(np.zeros((2, 0)), 0.5), hpfracc.InputError, "0"),
        (lambda: hpfracc.caputo(X, -0.5), hpfracc.InputError, "-0.5"),
        (lambda: hpfracc.caputo(X, float("nan")), hpfracc.InputError, "NaN"),
        (lambda: hpfracc.caputo(X, unchecked("half")), hpfracc.InputError, "alpha is 'half', expected a number"),
        (lambda: hpfracc.caputo(X, 0.5, scheme=unchecked(3)), hpfracc.InputError, "scheme is 3, expected a text"),
        (lambda: hpfracc.caputo(X, 0.5, dt=unchecked("x")), hpfracc.InputError, "dt has the type <U1"),
        (lambda: hpfracc.tempered_caputo(X, 0.5, lambda_=unchecked(None)), hpfracc.InputError, "lambda is None, expected a number"),
        (lambda: hpfracc.caputo(X, 0.5, dt=0.0), hpfracc.InputError, "0"),
        (lambda: hpfracc.caputo(X, 0.5, dt=DT, t=T), hpfracc.InputError, "both dt and t are given"),
        (lambda: hpfracc.caputo(X, 0.5, t=T[:-1]), hpfracc.InputError, "201 samples along axis -1 of an operator for 200"),
        (lambda: hpfracc.caputo(X, 0.5, axis=1), hpfracc.InputError, "axis 1 of an array with 1 dimensions"),
        (lambda: hpfracc.caputo(X, 0.5, scheme="l7"), hpfracc.InputError, "l7.*l1, l1-2, l2-1sigma"),
        (lambda: hpfracc.caputo(X, 0.5, out=np.zeros(N, np.float32)), hpfracc.InputError, "out is an array of float32, expected an array of float64"),
        (lambda: hpfracc.caputo(X, 0.5, out=np.zeros(3)), hpfracc.InputError, r"out has the shape \[3\], expected \[201\]"),
        (lambda: hpfracc.caputo(X, 0.5, out=X), hpfracc.InputError, "out shares its memory with the samples"),
        (lambda: hpfracc.caputo(X, 0.5, out=unchecked([0.0] * N)), hpfracc.InputError, "out is .*list"),
        (lambda: hpfracc.Operator("kaputo", 0.5, 10), hpfracc.InputError, "kaputo.*caputo, riemann-liouville"),
        (lambda: hpfracc.Operator("caputo", 0.5), hpfracc.InputError, "n or t is missing"),
        (lambda: hpfracc.Operator("caputo", 0.5, 10, mu=3.0), hpfracc.InputError, "mu"),
        (lambda: hpfracc.Operator("caputo", 0.5, (8, 8)), hpfracc.InputError, "caputo by the scheme l1 acts along one axis"),
        (lambda: hpfracc.Operator("caputo", 0.5, 10)(np.zeros(11)), hpfracc.InputError, "11 samples along axis -1 of an operator for 10"),
        (lambda: hpfracc.Operator("caputo", 0.5, 10).stream(dtype="int8"), hpfracc.InputError, "int8"),
        (lambda: hpfracc.Operator("caputo", 0.5, 10).stream(2).push(np.zeros(3)), hpfracc.InputError, r"shape \[3\], expected \(2,\)"),
        (lambda: hpfracc.Operator("caputo", 0.5, 10).vjp_order(np.zeros(10), np.zeros(9)), hpfracc.InputError, "gradient of the result"),
        (lambda: hpfracc.Stream.resume("{}"), hpfracc.InputError, "this is no state of a stream"),
    ],
)
def test_refusals(run, error, message):
    with pytest.raises(error, match=message):
        run()


def test_read_only():
    x = np.sin(T)
    x.flags.writeable = False
    assert np.isfinite(hpfracc.caputo(x, 0.5, dt=DT)).all()
    with pytest.raises(hpfracc.InputError, match="out is read-only"):
        hpfracc.caputo(np.sin(T), 0.5, dt=DT, out=x)


def test_integers_and_lists():
    expected = hpfracc.caputo(np.arange(10.0), 0.5)
    for x in (np.arange(10), list(range(10)), np.arange(10, dtype=np.uint8), np.arange(10, dtype=">f8"), np.arange(10, dtype=np.float16)):
        assert np.array_equal(hpfracc.caputo(x, 0.5), expected)


def test_nan_stays_in_its_signal():
    x = np.ones((2, N))
    x[0, 100] = np.nan
    y = hpfracc.caputo(x, 0.5, dt=DT)
    assert np.isnan(y[0, 100:]).all() and not np.isnan(y[1]).any()

"""Derivatives of solutions of functions, against central differences and those of texts."""

import hpfracc
import numpy as np
import pytest
from hpfracc import InputError

TIME = (0.0, 1.5)


def predator(t, y, a, b):
    return np.array([a * y[0] - b * y[0] * y[1], -y[1] + b * y[0] * y[1] + 0.1 * np.sin(t)])


def jac(t, y, a, b):
    return np.array([[a - b * y[1], -b * y[0]], [b * y[1], -1 + b * y[0]]])


def jac_args(t, y, a, b):
    return np.array([[y[0], -y[0] * y[1]], [0.0, y[0] * y[1]]])


def vjp(t, y, v, a, b):
    return v @ jac(t, y, a, b), v @ jac_args(t, y, a, b)


def loss(sol):
    return float((np.sin(sol.y) * WEIGHTS[: len(sol.t)]).sum())


def cotangents(sol):
    return np.cos(sol.y) * WEIGHTS[: len(sol.t)]


WEIGHTS = np.random.default_rng(1).normal(size=2000)
BY = {"matrices": {"jac": jac, "jac_args": jac_args}, "products": {"vjp": vjp}}


def solution(scheme, *, y0=(1.0, 0.8), alpha=(0.9, 0.7), args=(1.1, 0.7), **given):
    steps = {"rtol": 1e-12} if scheme == "collocation" else {"steps": 40}
    linear = {"linear": [-0.5, -1.0]} if scheme.startswith("exponential") else {}
    return hpfracc.solve(predator, TIME, y0, alpha=alpha, args=args, scheme=scheme, **steps, **linear, **given)


def differences(function, at, e=1e-5):
    """Central differences of a function of an array."""
    at = np.asarray(at, dtype=float)
    rows = []
    for k in range(at.size):
        move = np.zeros(at.size)
        move[k] = e
        move = move.reshape(at.shape)
        rows.append((np.asarray(function(at + move)) - np.asarray(function(at - move))) / (2 * e))
    return np.array(rows).reshape(at.shape + np.shape(rows[0]))


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("scheme", [name for name in hpfracc.ode_schemes() if name != "collocation"])
def test_gradient_against_differences(scheme, by):
    sol = solution(scheme, **BY[by])
    found = sol.gradient(cotangents(sol))
    assert set(found) == {"y0", "alpha", "args"}
    for name, at in (("y0", [1.0, 0.8]), ("alpha", [0.9, 0.7]), ("args", [1.1, 0.7])):
        expected = differences(lambda x, name=name: loss(solution(scheme, **{name: x}, **BY[by])), at)
        np.testing.assert_allclose(found[name], expected, rtol=2e-6, atol=1e-7, err_msg=name)


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("scheme", ["pece", "trapezoid", "bdf2", "l1", "collocation"])
def test_sensitivities_belong_to_the_gradient(scheme, by):
    sol = solution(scheme, **BY[by])
    bars = cotangents(sol)
    gradient = sol.gradient(bars)
    found = sol.sensitivity(["y0", "alpha", "args"])
    for name, tangents in found.items():
        assert tangents.shape == (2, 2, len(sol.t))
        np.testing.assert_allclose((tangents * bars).sum((1, 2)), gradient[name], rtol=1e-8, err_msg=name)
    np.testing.assert_array_equal(sol.sensitivity("alpha"), found["alpha"])


def test_same_as_the_text():
    text = "D^0.8 y = -k y^2; k = 1.5; y(0) = 1; t in [0, 1]"
    text = hpfracc.solve(text, scheme="trapezoid", steps=30)
    sol = hpfracc.solve(
        lambda t, y, k: -k * y**2, (0, 1), [1.0], alpha=0.8, args=(1.5,), scheme="trapezoid", steps=30,
        jac=lambda t, y, k: [[-2 * k * y[0]]], jac_args=lambda t, y, k: [[-y[0] ** 2]],
    )
    bars = np.ones_like(sol.y)
    found = sol.gradient(bars)
    np.testing.assert_allclose(found["args"], [text.gradient(bars)["k"]], rtol=1e-10)
    assert isinstance(found["alpha"], float)
    np.testing.assert_allclose(sol.sensitivity("args")[0], text.sensitivity("k"), rtol=1e-10, atol=1e-14)


def test_shapes_and_orders_above_one():
    f = lambda t, y, k: -k * y * (1 + y**2)  # noqa: E731
    back = lambda t, y, v, k: (-k * v * (1 + 3 * y**2), [-(v * y * (1 + y**2)).sum()])  # noqa: E731
    y0 = np.array([[[1.0, 0.5, 0.2], [0.3, 0.1, 0.7]], [[0.1, -0.2, 0.0], [0.4, 0.3, 0.2]]])
    given = {"scheme": "pece", "steps": 20, "vjp": back}
    sol = hpfracc.solve(f, (0, 1), y0, alpha=1.6, args=(1.2,), **given)
    bars = np.random.default_rng(2).normal(size=sol.y.shape)
    found = sol.gradient(bars)
    assert found["y0"].shape == (2, 2, 3) and found["args"].shape == (1,)
    value = lambda y0, alpha, k: float(  # noqa: E731
        (hpfracc.solve(f, (0, 1), y0, alpha=float(alpha), args=(float(k),), **given).y * bars).sum()
    )
    np.testing.assert_allclose(found["y0"], differences(lambda x: value(x, 1.6, 1.2), y0), rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(found["alpha"], differences(lambda x: value(y0, x, 1.2), 1.6), rtol=1e-6)
    np.testing.assert_allclose(found["args"][0], differences(lambda x: value(y0, 1.6, x), 1.2), rtol=1e-6)
    assert sol.sensitivity("y0").shape == (2, 2, 3, 2, 3, 21)
    plain = hpfracc.solve(f, (0, 1), 0.5, alpha=0.5, args=(1.0,), vjp=lambda t, y, v, k: -k * v * (1 + 3 * y**2))
    assert set(plain.gradient(np.ones_like(plain.y))) == {"y0", "alpha"}


@pytest.mark.parametrize("kind", ["lower", "terms"])
def test_multi_term(kind):
    # D^1.4 y + k D^0.6 y + y^2 = t
    def solve(orders, k=0.8, y0=(0.5, 0.2)):
        if kind == "lower":
            return hpfracc.solve(
                lambda t, y, lower, k: t - k * lower[0] - y**2, (0, 1), y0, alpha=orders[1], lower_orders=[orders[0]],
                args=(float(k),), scheme="trapezoid", steps=20, jac=lambda t, y, lower, k: [[[-2 * y[0]], [-k]]],
                jac_args=lambda t, y, lower, k: [-lower[0]],
            )
        return hpfracc.solve(
            lambda t, y, k: t - y**2 + (0.8 - k) * y, (0, 1), y0, terms=[(2.0, orders[1]), (1.6, orders[0])],
            args=(float(k),), scheme="trapezoid", steps=20, jac=lambda t, y, k: [[-2 * y[0] + 0.8 - k]],
            jac_args=lambda t, y, k: [-y],
        )

    sol = solve([0.6, 1.4])
    bars = np.cos(np.arange(21.0))[None]
    found = sol.gradient(bars)
    value = lambda *given: float((solve(*given).y * bars).sum())  # noqa: E731
    by_orders = differences(value, [0.6, 1.4])
    of_orders = found["terms"] if kind == "terms" else [found["lower_orders"][0], found["alpha"]]
    np.testing.assert_allclose(of_orders, by_orders, rtol=1e-5)
    by_k = differences(lambda k: value([0.6, 1.4], k), 0.8)
    np.testing.assert_allclose(found["args"], [by_k], rtol=1e-6)
    by_start = differences(lambda y0: value([0.6, 1.4], 0.8, y0), [0.5, 0.2])
    np.testing.assert_allclose(found["y0"].ravel(), by_start, rtol=1e-6)
    names = ["y0", "terms", "args"] if kind == "terms" else ["y0", "alpha", "lower_orders", "args"]
    for name, tangents in sol.sensitivity(names).items():
        np.testing.assert_allclose(np.ravel(found[name]), (tangents * bars).sum((-1, -2)).ravel(), rtol=1e-8)


def test_refused():
    sol = solution("pece")
    with pytest.raises(InputError, match=r"give solve jac\(t, y, \*args\), and jac_args"):
        sol.gradient(np.zeros_like(sol.y))
    sol = solution("pece", jac=jac)
    assert set(sol.gradient(np.zeros_like(sol.y))) == {"y0", "alpha"}
    with pytest.raises(InputError, match=r"no derivative with respect to 'args': give solve jac_args or vjp for it"):
        sol.sensitivity("args")
    with pytest.raises(InputError, match="cotangents have the shape"):
        sol.gradient(np.zeros(3))
    with pytest.raises(InputError, match=r"jac_args at t = .* has the shape \(2, 3\), expected \(2, 2\)|jac_args has"):
        wrong = solution("pece", jac=jac, jac_args=lambda t, y, a, b: np.ones((2, 2 if t == 0 else 3)))
        wrong.gradient(np.zeros_like(wrong.y))
    with pytest.raises(InputError, match=r"the value of jac_args has the shape \(2,\)"):
        wrong = solution("pece", jac=jac, jac_args=lambda t, y, a, b: np.ones(2))
        wrong.gradient(np.zeros_like(wrong.y))
    with pytest.raises(ZeroDivisionError):
        broken = solution("pece", vjp=lambda t, y, v, a, b: (v, [1 / (t if t > 1 else 1 if t == 0 else 0)]))
        broken.gradient(np.zeros_like(broken.y))
    for given, message in (
        ({"jac_args": jac_args}, "give jac"),
        ({"jac": jac, "jac_args": jac_args, "vjp": vjp}, "without jac_args"),
        ({"vjp": 3}, "vjp is int"),
    ):
        with pytest.raises(InputError, match=message):
            solution("pece", **given)
    delayed = hpfracc.solve(
        lambda t, y, lagged: -lagged[0], TIME, [1.0], alpha=0.8, delays=0.5, scheme="pece", steps=20
    )
    with pytest.raises(InputError, match="derivatives of a solution"):
        delayed.gradient(np.zeros_like(delayed.y))
    with pytest.raises(InputError, match="belongs to functions|belong to functions"):
        hpfracc.solve("y' = -y; y(0) = 1; t in [0, 1]", vjp=vjp)

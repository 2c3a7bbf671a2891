"""Equations whose right-hand sides are functions of Python."""

import math
import pickle
import signal
import subprocess
import sys
import threading
import time

import hpfracc
import numpy as np
import pytest
from hpfracc import InputError, SolverError
from scipy.integrate import solve_ivp
from scipy.special import erfc


def exact(t):
    return np.exp(t) * erfc(np.sqrt(t))


def decay(t, y):
    return -y


def test_scalar_and_list_values():
    others = [lambda t, y: [-y[0]], lambda t, y: -float(y[0]), lambda t, y: np.float32(-1) * y, lambda t, y: -y[::1]]
    for f in [decay, *others]:
        sol = hpfracc.solve(f, (0, 1), 1.0, alpha=0.5, rtol=1e-8)
        np.testing.assert_allclose(sol.y[0], exact(sol.t), atol=1e-7)
    assert sol.components == ("y[0]",) and sol.equation is None


@pytest.mark.parametrize("scheme", list(hpfracc.ode_schemes()))
def test_same_bits_as_the_text(scheme):
    arguments = {} if scheme == "collocation" else {"steps": 60}
    if scheme.startswith("exponential"):
        arguments["linear"] = -1.0
    text = hpfracc.solve("D^0.6 y = -y; y(0) = 1; t in [0, 1]", scheme=scheme, **arguments)
    function = hpfracc.solve(decay, (0, 1), [1.0], alpha=0.6, scheme=scheme, jac=lambda t, y: [[-1.0]], **arguments)
    np.testing.assert_array_equal(text.y, function.y)
    np.testing.assert_array_equal(text(0.123), function(0.123))


def test_ordinary_equation_like_scipy():
    def lotka(t, y, a, b):
        return np.array([a * y[0] - b * y[0] * y[1], -y[1] + 0.5 * y[0] * y[1]])

    reference = solve_ivp(lotka, (0, 5), [2.0, 1.0], args=(1.0, 0.5), rtol=1e-11, atol=1e-11, t_eval=[1.0, 5.0])
    sol = hpfracc.solve(lotka, (0, 5), [2.0, 1.0], alpha=1.0, args=(1.0, 0.5), t_eval=[1.0, 5.0])
    np.testing.assert_allclose(sol.y, reference.y, rtol=1e-8)


def test_jacobians():
    def f(t, y):
        return np.stack([-100 * y[0] + y[1], -y[1]])

    plain = hpfracc.solve(f, (0, 1), [1.0, 1.0], alpha=0.8, scheme="bdf2", steps=50)
    matrix = np.array([[-100.0, 1.0], [0.0, -1.0]])
    jac = hpfracc.solve(f, (0, 1), [1.0, 1.0], alpha=0.8, scheme="bdf2", steps=50, jac=lambda t, y: matrix)
    vectorized = hpfracc.solve(f, (0, 1), [1.0, 1.0], alpha=0.8, scheme="bdf2", steps=50, vectorized=True)
    np.testing.assert_allclose(plain.y, jac.y, rtol=1e-9)
    np.testing.assert_allclose(vectorized.y, jac.y, rtol=1e-9)
    assert jac.statistics.jacobians > 0
    with pytest.raises(InputError, match=r"jac at t = .* has the shape \(3,\), expected \(2, 2\)"):
        hpfracc.solve(f, (0, 1), [1.0, 1.0], alpha=0.8, scheme="bdf2", steps=50, jac=lambda t, y: [1, 2, 3])


def test_states_of_any_shape():
    start = np.linspace(0.5, 1.5, 12).reshape(3, 4)
    sol = hpfracc.solve(decay, (0, 1), start, alpha=0.5, scheme="pece", steps=300)
    assert sol.y.shape == (3, 4, 301) and sol(0.5).shape == (3, 4) and sol([0.1, 0.2]).shape == (3, 4, 2)
    single = hpfracc.solve(decay, (0, 1), [start[1, 2]], alpha=0.5, scheme="pece", steps=300)
    np.testing.assert_allclose(sol.y[1, 2], single.y[0], rtol=1e-13)
    assert sol.components[6] == "y[1, 2]"
    np.testing.assert_array_equal(sol["y[1, 2]"], sol.y[1, 2])
    orders = np.full((3, 4), 0.5)
    orders[0, 0] = 0.9
    mixed = hpfracc.solve(decay, (0, 1), start, alpha=orders, scheme="pece", steps=300)
    np.testing.assert_allclose(mixed.y[1], sol.y[1], rtol=1e-12)
    assert abs(mixed.y[0, 0, -1] - sol.y[0, 0, -1]) > 1e-3
    many = hpfracc.solve(decay, (0, 1), np.ones(100), alpha=0.5)
    assert many.scheme == "pece"


def test_orders_above_one():
    # D^3/2 y = -y, y = E_{3/2}(-t^{3/2}) + t E_{3/2,2}(-t^{3/2}); at order 2 cos and sin.
    sol = hpfracc.solve(decay, (0, 3), [1.0, 2.0], alpha=2.0)
    np.testing.assert_allclose(sol.y[0], np.cos(sol.t) + 2 * np.sin(sol.t), atol=1e-8)
    two = hpfracc.solve(decay, (0, 3), [[1.0, 0.0], [2.0, 1.0]], alpha=2.0)
    assert two.y.shape[0] == 2
    np.testing.assert_allclose(two.y[1], np.sin(two.t), atol=1e-8)
    mixed = hpfracc.solve(decay, (0, 1), [[1.0, 1.0], [0.0, 2.0]], alpha=[0.5, 2.0])
    np.testing.assert_allclose(mixed.y[0], exact(mixed.t), atol=1e-9)
    with pytest.raises(InputError, match=r"y0 has the shape \(3,\), expected 2 rows"):
        hpfracc.solve(decay, (0, 1), [1.0, 2.0, 3.0], alpha=1.5)
    with pytest.raises(InputError, match="takes none"):
        hpfracc.solve(decay, (0, 1), [[1.0, 1.0], [3.0, 2.0]], alpha=[0.5, 2.0])


def test_multi_term():
    # y'' + D^1.5 y + y = 1 + t has the solution 1 + t.
    terms = [(1, 2), (lambda t: 1.0, 1.5), (1, 0)]
    for jac in (None, lambda t, y: [[0.0]]):
        sol = hpfracc.solve(lambda t, y: [1 + t], (0, 1), [1, 1], terms=terms, jac=jac)
        np.testing.assert_allclose(sol.y[0], 1 + sol.t, atol=1e-9)
        assert sol.y.shape[0] == 1 and sol(0.5).shape == (1,)
    # The same with the derivative as an argument.
    def f(t, y, lower):
        assert lower.shape == (1, 1)
        return 1 + t - lower[0] - y

    sol = hpfracc.solve(f, (0, 1), [1, 1], alpha=2, lower_orders=[1.5])
    np.testing.assert_allclose(sol.y[0], 1 + sol.t, atol=1e-9)
    jac = hpfracc.solve(f, (0, 1), [1, 1], alpha=2, lower_orders=[1.5], jac=lambda t, y, lower: [[[-1.0], [-1.0]]])
    np.testing.assert_allclose(jac.y[0], 1 + jac.t, atol=1e-9)
    text = hpfracc.solve("D^2 y + 0.5 D^0.7 y + y = 0; y(0) = 1; y'(0) = 0; t in [0, 2]")
    other = hpfracc.solve(lambda t, y: 0 * y, (0, 2), [1, 0], terms=[(0.5, 0.7), (1, 2), (1, 0)])
    np.testing.assert_allclose(other(2.0), text(2.0), atol=1e-9)


def test_delays():
    # y' = y(t - 1.5), y = 2 before 0.
    sol = hpfracc.solve(lambda t, y, lagged: lagged[0], (0, 2), [2.0], alpha=1.0, delays=1.5)
    np.testing.assert_allclose(sol.y[0, -1], 2 * (3 + 0.125), rtol=1e-9)
    past = hpfracc.solve(lambda t, y, lagged: lagged[0], (0, 1), [2.0], alpha=1.0, delays=[1.5], history=lambda t: [t])
    np.testing.assert_allclose(past.y[0, -1], 2 + 0.5 - 1.5, rtol=1e-9)
    constant = hpfracc.solve(lambda t, y, lagged: lagged[0], (0, 1), [2.0], alpha=1.0, delays=[1.5], history=[7.0])
    np.testing.assert_allclose(constant.y[0, -1], 9.0, rtol=1e-9)
    text = hpfracc.solve("delay-logistic", 5.0, scheme="pece", steps=500)
    tau = text.equation.parameters
    assert tau and text.y.shape == (1, 501)
    varying = hpfracc.solve(
        lambda t, y, lagged: lagged[0] + lagged[1], (0, 1), [2.0], alpha=1.0, scheme="pece", steps=500,
        delays=lambda t, y: [1.5 + 0 * y[0], 2.5],
    )
    np.testing.assert_allclose(varying.y[0, -1], 6.0, rtol=1e-9)
    shaped = hpfracc.solve(
        lambda t, y, lagged: lagged[1], (0, 1), np.ones((2, 3)), alpha=1.0, scheme="pece", steps=10, delays=[1.0, 2.0]
    )
    assert shaped.y.shape == (2, 3, 11)
    with pytest.raises(InputError, match=r"delay 0 is -1"):
        hpfracc.solve(lambda t, y, lagged: lagged[0], (0, 1), [2.0], alpha=1.0, delays=-1.0)


def test_other_definitions():
    sol = hpfracc.solve(
        lambda t, y: 0 * y, (0, 1), [1.0], alpha=0.5, definition="riemann-liouville", slope=-1.0, scheme="pece",
        passes=2, steps=400,
    )
    np.testing.assert_allclose(sol(0.25)[0], 1 / math.sqrt(math.pi * 0.25) - exact(0.25), atol=1e-4)
    assert np.isnan(sol.y[0, 0]) and sol.y[0, 100] == sol(0.25)[0] and np.isnan(sol(0.0)[0])
    fabrizio = hpfracc.solve(decay, (0, 1), [1.0], alpha=0.5, definition="caputo-fabrizio")
    np.testing.assert_allclose(fabrizio.y[0], np.exp(-fabrizio.t / 3), atol=1e-9)
    np.testing.assert_allclose(fabrizio([0.3])[0], np.exp(-0.1), atol=1e-9)
    baleanu = hpfracc.solve(decay, (0, 1), [1.0], alpha=0.5, definition="atangana-baleanu")
    np.testing.assert_allclose(baleanu.y[0], np.exp(baleanu.t / 9) * erfc(np.sqrt(baleanu.t) / 3), atol=1e-9)
    with pytest.raises(InputError, match="0 < alpha <= 1"):
        hpfracc.solve(decay, (0, 1), [1.0, 0.0], alpha=1.5, definition="atangana-baleanu")


def test_events():
    def fall(t, y):
        return y[0]

    fall.direction = -1
    fall.jump = lambda t, y: [y[0], -0.5 * y[1]]

    def late(t, y):
        return t - 1.0

    late.terminal = True
    sol = hpfracc.solve(lambda t, y: [y[1], -10.0], (0, 3), [1.0, 0.0], alpha=1.0, events=[fall, late])
    first = math.sqrt(0.2)
    np.testing.assert_allclose(sol.t_events[0], [first, 2 * first], rtol=1e-9)
    assert sol.status == "stopped" and sol.t[-1] == 1.0
    assert sol.y_events[0].shape == (2, 2)

    def half(t, y, shift):
        return y[0] - shift

    half.terminal = 1
    sol = hpfracc.solve(lambda t, y, shift: -y, (0, 2), [1.0], alpha=0.5, events=half, args=(0.5,), t_eval=[0.1, 1.9])
    np.testing.assert_allclose(exact(sol.t_events[0]), [0.5], rtol=1e-8)
    assert sol.t.tolist() == [0.1]
    with pytest.raises(ZeroDivisionError):
        hpfracc.solve(decay, (0, 2), [1.0], alpha=0.5, events=lambda t, y: 1 / 0)
    with pytest.raises(InputError, match="an event at t = 0 has the type"):
        hpfracc.solve(decay, (0, 2), [1.0], alpha=0.5, events=lambda t, y: "a")


class Mine(Exception):
    pass


@pytest.mark.parametrize("scheme", list(hpfracc.ode_schemes()))
def test_exceptions_come_through(scheme):
    raised = Mine("here")

    def f(t, y):
        if t > 0.5:
            raise raised
        return -y

    linear = {"linear": -1.0} if scheme.startswith("exponential") else {}
    with pytest.raises(Mine) as caught:
        hpfracc.solve(f, (0, 1), [1.0], alpha=0.5, scheme=scheme, **linear)
    assert caught.value is raised
    assert caught.traceback[-1].name == "f"


def test_wrong_values_name_the_time():
    def at_half(value):
        return lambda t, y: value if t >= 0.5 else -y

    for value, message in [
        ([1.0, 2.0], r"the value of f at t = 0.5 has the shape \(2,\), expected \(1,\)"),
        (None, "the value of f at t = 0.5 has the type object"),
        ("text", "the value of f at t = 0.5 has the type"),
        (1j, "the value of f at t = 0.5 has the type complex128, expected real numbers"),
        ([[1.0], [2.0, 3.0]], "the value of f at t = 0.5 is no array of numbers"),
    ]:
        with pytest.raises(InputError, match=message):
            hpfracc.solve(at_half(value), (0, 1), [1.0], alpha=0.5, scheme="pece", steps=10)
    for scheme, arguments in [("pece", {"steps": 10}), ("bdf2", {"steps": 10}), ("collocation", {})]:
        with pytest.raises(SolverError, match=r"f was not finite first at t = 0\.\d+, in component 0") as failed:
            hpfracc.solve(at_half([np.nan]), (0, 1), [1.0], alpha=0.5, scheme=scheme, **arguments)
        part = failed.value.solution
        assert part.status == "failed" and 0 < part.t[-1] <= 0.5
        np.testing.assert_allclose(part(0.05), exact(0.05), atol=0.2)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"alpha": None}, "alpha is missing"),
        ({"alpha": 0.0}, "alpha is 0.0"),
        ({"alpha": [0.5, 0.5]}, r"alpha has the shape \(2,\)"),
        ({"alpha": "half"}, "alpha has the type"),
        ({"y0": []}, "without a component"),
        ({"y0": None}, "y0 is missing"),
        ({"y0": [1j]}, "y0 has the type complex128"),
        ({"y0": [np.nan]}, "NaN"),
        ({"y0": {"y": 1}}, "y0 is a mapping"),
        ({"t_span": None}, "t_span is missing"),
        ({"parameters": {"k": 1}}, "parameters belong to texts"),
        ({"definition": "weyl"}, "definition is 'weyl'"),
        ({"history": [1.0]}, "history belongs to delays"),
        ({"delays": 1.0, "jac": decay}, "jac of an equation with delays"),
        ({"terms": [(1, 1)]}, "the terms have the orders"),
        ({"terms": [(1, 0)], "alpha": None}, "no derivative"),
        ({"terms": [1], "alpha": None}, "pairs"),
        ({"lower_orders": [0.7]}, "order of a multi-term equation is 0.5"),
        ({"lower_orders": [0.2], "delays": 1.0}, "not known"),
        ({"slope": 1.0}, "slope belongs to"),
        ({"vectorized": True, "y0": [[1.0]]}, "vectorized"),
        ({"jac": 3}, "jac is int"),
        ({"definition": "caputo-fabrizio", "save": "last"}, "Caputo derivatives only"),
        ({"definition": "caputo-fabrizio", "events": decay}, "events of an equation"),
        ({"events": [3]}, "an event is int"),
        ({"scheme": "pece", "steps": 10, "t_eval": [0.5, 0.2], "save": "last"}, "time to save is 0.2"),
    ],
)
def test_refused(arguments, message):
    given = {"t_span": (0, 1), "y0": [1.0], "alpha": 0.5, **arguments}
    with pytest.raises(InputError, match=message):
        hpfracc.solve(decay, given.pop("t_span"), given.pop("y0"), **given)


def test_pickle_of_a_function():
    sol = hpfracc.solve(lambda t, y: -y, (0, 1), [1.0], alpha=0.5)
    again = pickle.loads(pickle.dumps(sol))
    np.testing.assert_array_equal(again.y, sol.y)
    with pytest.raises(InputError, match="has its numbers only"):
        again(0.5)
    with pytest.raises(InputError, match="has its numbers only"):
        again.gradient(np.zeros_like(sol.y))


def test_states_are_new_arrays():
    seen = []

    def f(t, y):
        seen.append(y)
        return -y

    hpfracc.solve(f, (0, 1), [1.0], alpha=0.5, scheme="pece", steps=10)
    assert len({id(y) for y in seen}) == len(seen) and seen[0][0] == 1.0


INTERRUPTED = """
import hpfracc, sys
kind = sys.argv[1]
print("ready", flush=True)
try:
    if kind == "text":
        hpfracc.solve("D^0.5 y = sin(t) - y; y(0) = 1; t in [0, 1]", scheme="trapezoid", steps=8_000_000)
    elif kind == "without a thread":
        hpfracc.solve("y' = cos(1000 t) - y; y(0) = 1; t in [0, 1e6]")
    else:
        hpfracc.solve(lambda t, y: -y, (0, 1), [1.0], alpha=0.5, scheme="pece", steps=8_000_000)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(0)
sys.exit(1)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
@pytest.mark.parametrize("kind", ["text", "without a thread", "function"])
def test_interrupt(kind):
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED, kind], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "interrupted\n"
    assert process.wait(timeout=30) == 0


def test_other_threads_run_during_a_text():
    count = 0
    stop = threading.Event()

    def work():
        nonlocal count
        while not stop.is_set():
            count += 1
            time.sleep(0.0005)

    thread = threading.Thread(target=work)
    thread.start()
    hpfracc.solve("D^0.5 y = sin(t) - y; y(0) = 1; t in [0, 1]", scheme="trapezoid", steps=100_000)
    stop.set()
    thread.join()
    assert count > 5

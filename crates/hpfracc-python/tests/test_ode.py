"""Equations as texts: values, events, derivatives, errors."""

import math
import pickle
import sys
import types

import hpfracc
import numpy as np
import pytest
from hpfracc import Equation, InputError, SolverError
from scipy.special import erfc

RELAXATION = "D^0.5 y = -k y; k = 1; y(0) = 1; t in [0, 1]"
FIXED = [name for name in hpfracc.ode_schemes() if name != "collocation"]


def exact(t):
    return np.exp(t) * erfc(np.sqrt(t))


def test_default_is_collocation():
    sol = hpfracc.solve(RELAXATION)
    assert sol.scheme == "collocation" and sol.status == "complete"
    assert sol.y.shape == (1, len(sol.t)) and sol.y.dtype == np.float64
    np.testing.assert_allclose(sol.y[0], exact(sol.t), atol=1e-10)
    t = np.array([[1.0, 0.25], [0.5, 0.0]])
    assert sol(t).shape == (1, 2, 2)
    np.testing.assert_allclose(sol(t)[0], exact(t), atol=1e-10)
    assert sol(0.25).shape == (1,)
    assert sol.statistics.steps == len(sol.t) - 1
    t, y = sol
    assert t is sol.t and y is sol.y and len(sol) == len(t)


@pytest.mark.parametrize("scheme", FIXED)
def test_schemes(scheme):
    linear = {"linear": -1.0} if scheme.startswith("exponential") else {}
    sol = hpfracc.solve(RELAXATION, scheme=scheme, steps=400, **linear)
    assert sol.scheme == scheme and len(sol.t) == 401
    tolerance = 1e-12 if linear else 5e-3 if "rectangle" in scheme or scheme == "l1" else 1e-3
    np.testing.assert_allclose(sol.y[0, -1], exact(1.0), atol=tolerance)


@pytest.mark.parametrize("scheme", ["exponential-rectangle", "exponential-trapezoid"])
def test_linear_part_as_a_matrix(scheme):
    # A rotation with decay: exact in steps of any length.
    text = "D^0.7 x = -50 x + 30 y; D^0.7 y = -30 x - 50 y; x(0) = 1; y(0) = 2; t in [0, 1]"
    matrix = [[-50.0, 30.0], [-30.0, -50.0]]
    sol = hpfracc.solve(text, scheme=scheme, steps=4, linear=matrix)
    exact = hpfracc.solve(text, rtol=1e-12)
    np.testing.assert_allclose(sol.y, exact(sol.t), atol=1e-10)
    function = hpfracc.solve(
        lambda t, y: np.array(matrix) @ y, (0, 1), [1.0, 2.0], alpha=0.7, scheme=scheme, steps=4, linear=matrix
    )
    np.testing.assert_allclose(function.y, sol.y, rtol=1e-13)
    with pytest.raises(InputError, match="matrix"):
        sol.gradient(np.ones_like(sol.y))
    # The same numbers as a diagonal.
    one = hpfracc.solve(text, scheme=scheme, steps=50, linear=[-50.0, -50.0])
    two = hpfracc.solve(text, scheme=scheme, steps=50, linear=[[-50.0, 0.0], [0.0, -50.0]])
    np.testing.assert_allclose(one.y, two.y, atol=1e-9)
    with pytest.raises(InputError, match="the order of a component, the linear part being a matrix"):
        hpfracc.solve(text.replace("D^0.7 y", "D^0.6 y"), scheme=scheme, steps=4, linear=matrix)
    with pytest.raises(InputError, match=r"linear has the shape \(2, 3\), expected a number, the shape of y, \(2,\), or that"):
        hpfracc.solve(text, scheme=scheme, steps=4, linear=np.ones((2, 3)))


def test_steps():
    graded = hpfracc.solve(RELAXATION, scheme="trapezoid", steps=100, grading=3)
    np.testing.assert_allclose(graded.t, (np.arange(101) / 100) ** 3, rtol=1e-14)
    nodes = [0, 0.1, 0.3, 1.0]
    assert hpfracc.solve(RELAXATION, scheme="l1", steps=nodes).t.tolist() == nodes
    adaptive = hpfracc.solve(RELAXATION, scheme="pece", rtol=1e-5)
    np.testing.assert_allclose(adaptive.y[0, -1], exact(1.0), atol=1e-4)
    assert adaptive.statistics.rejections >= 0 and len(adaptive.t) > 10
    with pytest.raises(SolverError, match="raise rtol, atol or max_steps") as failed:
        hpfracc.solve(RELAXATION, scheme="pece", rtol=1e-9, max_steps=50)
    assert 40 < len(failed.value.solution.t) < 60


def test_catalogue_has_its_own_scheme():
    sol = hpfracc.solve("lorenz", 1.0)
    entry = hpfracc.catalogue()["lorenz"]
    assert sol.scheme == entry.scheme and len(sol.t) == entry.steps + 1
    assert sol.t[-1] == 1.0 and sol.components == ("x", "y", "z")
    with pytest.raises(InputError, match="did you mean 'lorenz'"):
        hpfracc.solve("lorentz")


def test_values_of_arguments():
    sol = hpfracc.solve(RELAXATION, (0, 2), [3.0], parameters={"k": 2.0}, alpha=1.0, t_eval=[0.0, 0.5, 2.0])
    assert sol.t.tolist() == [0.0, 0.5, 2.0]
    np.testing.assert_allclose(sol.y[0], 3 * np.exp(-2 * sol.t), rtol=1e-9)
    two = Equation("D^1.5 y = 0; y(0) = 1; y'(0) = 0; t in [0, 1]")
    np.testing.assert_allclose(hpfracc.solve(two, y0=[2, 3]).y[0, -1], 5.0)
    np.testing.assert_allclose(hpfracc.solve(two, y0={"y": [2, 4]}).y[0, -1], 6.0)
    np.testing.assert_allclose(hpfracc.solve(two, y0=5.0).y[0, -1], 5.0)


def test_t_eval_and_save():
    times = [0.1, 0.2, 0.9]
    every = hpfracc.solve(RELAXATION, scheme="pece", steps=1000, t_eval=times)
    last = hpfracc.solve(RELAXATION, scheme="pece", steps=1000, t_eval=times, save="last")
    np.testing.assert_allclose(every.y, last.y, rtol=1e-13)
    assert last.nodes.tolist() == [1.0] and last.t.tolist() == times
    only = hpfracc.solve(RELAXATION, scheme="pece", steps=1000, save="last", memory="exponentials")
    np.testing.assert_allclose(only.y[0], exact(1.0), atol=1e-4)
    for memory in ("direct", "blocked", "within"):
        sol = hpfracc.solve(RELAXATION, scheme="pece", steps=1000, memory=memory)
        np.testing.assert_allclose(sol.y[0, -1], only.y[0, 0], rtol=1e-8)


def test_other_derivatives():
    # D_RL^1/2 y = -y, I^1/2 y(0) = 1: y = t^(-1/2) E_{1/2,1/2}(-t^(1/2)).
    sol = hpfracc.solve("RL D^0.5 y = -y; y(0) = 1; t in [0, 1]", scheme="pece", passes=2, steps=400)
    value = 1 / math.sqrt(math.pi * 0.25) - exact(0.25)
    np.testing.assert_allclose(sol(0.25)[0], value, atol=1e-4)
    assert np.isnan(sol.y[0, 0]) and np.isnan(sol(0.0)[0])
    at_nodes = sol.y[0, 100]
    assert sol.t[100] == 0.25 and at_nodes == sol(0.25)[0]
    # CF with M = 1: y = y_0 + (1 - a) (f - f_0) + a I f; f = -y.
    fabrizio = hpfracc.solve("CF D^0.5 y = -y; y(0) = 1; t in [0, 1]")
    np.testing.assert_allclose(fabrizio.y[0], np.exp(-fabrizio.t / 3), atol=1e-9)
    baleanu = hpfracc.solve("AB D^0.5 y = -y; y(0) = 1; t in [0, 1]")
    # AB: y = E_1/2(-t^1/2 / 3).
    np.testing.assert_allclose(baleanu.y[0], np.exp(baleanu.t / 9) * erfc(np.sqrt(baleanu.t) / 3), atol=1e-9)


def test_delay_text():
    sol = hpfracc.solve("y' = y(t - tau); tau = 1.5; a = 2; y(t) = a for t <= 0; t in [0, 2]")
    np.testing.assert_allclose(sol.y[0, -1], 2 * (3 + 0.25 / 2), rtol=1e-9)
    assert 1.5 in sol.t


def test_events_of_a_text():
    text = "y' = v; v' = -10; when y = 0 falling: v = -0.5 v; when t = 1: stop; y(0) = 1; v(0) = 0; t in [0, 3]"
    sol = hpfracc.solve(text)
    fall = math.sqrt(0.2)
    np.testing.assert_allclose(sol.t_events[0], [fall, 2 * fall], rtol=1e-9)
    assert sol.status == "stopped" and sol.t[-1] == 1.0 and sol.t_events[1].tolist() == [1.0]
    np.testing.assert_allclose(sol.y_events[0][0], [0, -10 * fall], atol=1e-9)
    assert sol.statistics.jumps == len(sol.t_events[0])
    with pytest.raises(InputError, match="stopped by an event has no derivatives"):
        sol.gradient(np.zeros_like(sol.y))
    jumping = hpfracc.solve(text.replace("when t = 1: stop;", ""), 1.0)
    assert jumping.status == "complete"
    with pytest.raises(InputError, match="jumps of the state"):
        jumping.gradient(np.zeros_like(jumping.y))


def test_shown_and_names():
    sol = hpfracc.solve("y' = -y; show s = y^2; y(0) = 1; t in [0, 1]")
    np.testing.assert_array_equal(sol.shown["s"], sol["s"])
    np.testing.assert_allclose(sol["s"], sol["y"] ** 2, rtol=1e-14)
    np.testing.assert_allclose(sol.shown_at([0.3])["s"], np.exp(-0.6), rtol=1e-9)
    at = hpfracc.solve("y' = -y; show s = y^2; y(0) = 1; t in [0, 1]", t_eval=[0.5])
    np.testing.assert_allclose(at["s"], np.exp(-1.0), rtol=1e-9)
    with pytest.raises(InputError, match="no component 'z'; it has y, s"):
        sol["z"]


@pytest.mark.parametrize("scheme", ["pece", "bdf2", "l1", "collocation"])
def test_gradient_and_sensitivity(scheme):
    steps = {} if scheme == "collocation" else {"steps": 200}
    text = "D^alpha y = -k y^2 + c; k = 1.3; c = 0.2; a = 0.8; alpha = 0.7; y(0) = a; t in [0, 2]"
    sol = hpfracc.solve(text, scheme=scheme, **steps)
    loss = np.linspace(0, 1, sol.y.size).reshape(sol.y.shape)
    gradient = sol.gradient(loss)
    assert list(gradient) == ["k", "c", "a", "alpha"]
    tangents = sol.sensitivity(["k", "c", "a", "alpha"])
    for name, value in gradient.items():
        np.testing.assert_allclose(np.sum(loss * tangents[name]), value, rtol=1e-9)
    np.testing.assert_array_equal(sol.sensitivity("k"), tangents["k"])
    # Central differences of solutions at the end.
    for name in gradient:
        value, h = sol.equation.parameters[name], 1e-4
        moved = [{name: value + h}, {name: value - h}]
        ends = [hpfracc.solve(text, scheme=scheme, parameters=values, **steps).y[0, -1] for values in moved]
        np.testing.assert_allclose(tangents[name][0, -1], (ends[0] - ends[1]) / (2 * h), rtol=1e-5)


def test_derivatives_are_refused():
    sol = hpfracc.solve(RELAXATION, scheme="pece", steps=100, t_eval=[0.5, 0.25, 1.0])
    assert sol.sensitivity("k").shape == (1, 3)
    whole = hpfracc.solve(RELAXATION, scheme="pece", steps=100).sensitivity("k")
    np.testing.assert_array_equal(sol.sensitivity("k"), whole[:, [50, 25, 100]])
    with pytest.raises(InputError, match="expected that of y"):
        sol.gradient(np.zeros((1, 2)))
    with pytest.raises(InputError, match="no parameter 'q'; its parameters are k"):
        sol.sensitivity("q")
    with pytest.raises(InputError, match="0.123, which is no node"):
        hpfracc.solve(RELAXATION, scheme="pece", steps=100, t_eval=[0.123]).sensitivity("k")
    with pytest.raises(InputError, match="Riemann-Liouville"):
        hpfracc.solve("RL D^0.5 y = -k y; k = 1; y(0) = 1; t in [0, 1]").sensitivity("k")
    with pytest.raises(InputError, match="all nodes"):
        hpfracc.solve(RELAXATION, scheme="pece", save="last").sensitivity("k")


def test_pickle_solves_again():
    sol = hpfracc.solve("D^0.5 y = -k y; show s = 2 y; k = 1; y(0) = 1; t in [0, 1]", scheme="pece", steps=100)
    again = pickle.loads(pickle.dumps(sol))
    np.testing.assert_array_equal(again.y, sol.y)
    np.testing.assert_array_equal(again([0.123]), sol([0.123]))
    np.testing.assert_array_equal(again.sensitivity("k"), sol.sensitivity("k"))
    np.testing.assert_array_equal(again["s"], sol["s"])
    assert again.statistics == sol.statistics and again.equation == sol.equation


def test_output():
    sol = hpfracc.solve(RELAXATION)
    assert "collocation" in repr(sol) and "<table>" in sol._repr_html_()
    numbers = sol.to_dict()
    assert numbers["components"] == ["y"] and numbers["statistics"]["steps"] == sol.statistics.steps
    assert Equation(numbers["equation"]) == sol.equation


def test_failures_have_the_part_before():
    text = "D^0.5 y = -1000 y; y(0) = 1; t in [0, 1]"
    with pytest.raises(SolverError, match="not finite at t = 0.105") as failed:
        hpfracc.solve(text, scheme="pece", steps=1000)
    part = failed.value.solution
    assert part.status == "failed" and 90 < len(part.t) < 110
    assert part(0.01).shape == (1,)
    pickled = pickle.loads(pickle.dumps(part))
    np.testing.assert_array_equal(pickled.y, part.y)
    with pytest.raises(InputError):
        pickled(0.01)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"scheme": "pce"}, "did you mean \"pece\""),
        ({"scheme": 3}, "scheme is int"),
        ({"steps": 100}, "collocation has adaptive steps"),
        ({"scheme": "pece", "steps": 0}, "steps is 0, expected at least 1"),
        ({"scheme": "pece", "steps": 10.0}, "steps is 10.0, expected a whole number"),
        ({"scheme": "pece", "steps": True}, "steps is True"),
        ({"scheme": "pece", "steps": 10, "rtol": 1e-3}, "fixed steps have no rtol"),
        ({"scheme": "bdf2", "rtol": 1e-3}, "does not take adaptive steps"),
        ({"scheme": "bdf2", "steps": 10, "grading": 2}, "does not take graded steps"),
        ({"scheme": "pece", "steps": 10, "grading": 0.5}, "exponent of graded steps is 0.5"),
        ({"scheme": "pece", "steps": [0, 0.5]}, "the last node is 0.5"),
        ({"rtol": 0.0, "atol": 0.0}, "tol"),
        ({"rtol": "small"}, "rtol is 'small', expected a number"),
        ({"t_eval": [2.0]}, "t_eval has the time 2.0, outside of"),
        ({"t_eval": [[0.5]]}, "one axis"),
        ({"t_eval": [float("nan")]}, "nan"),
        ({"parameters": {"q": 1}}, "`q` is no parameter"),
        ({"alpha": 1.5}, "order"),
        ({"memory": "short"}, "memory is \"short\""),
        ({"save": "some"}, "save is 'some'"),
        ({"linear": 1.0}, "linear belongs to the scheme"),
        ({"passes": 2}, "passes belongs to the scheme pece"),
        ({"points": 3}, "number of points is 3"),
        ({"scheme": "exponential-trapezoid"}, "linear is missing"),
        ({"scheme": "exponential-trapezoid", "linear": [1.0, 2.0]}, "linear has the shape (2,), expected a number"),
        ({"events": lambda t, y: 0}, "events belongs to functions"),
        ({"args": (1,)}, "belong to functions"),
        ({"t_span": (1, 0)}, "empty or not finite"),
        ({"t_span": (0, 1, 2)}, "t_span has the shape"),
        ({"y0": ["a"]}, "y0 has the type"),
        ({"progress": 3}, "progress is int"),
        ({"scheme": "pece", "steps": 2**50}, "memory"),
    ],
)
def test_refused(arguments, message):
    with pytest.raises((InputError, hpfracc.MemoryLimitError)) as caught:
        hpfracc.solve(RELAXATION, **arguments)
    assert message.lower() in str(caught.value).lower()


def test_stochastic_and_incomplete_texts():
    with pytest.raises(InputError, match="stochastic"):
        hpfracc.solve("dX = -X dt + dW; X(0) = 1; t in [0, 1]")
    with pytest.raises(InputError, match="Caputo derivatives only"):
        hpfracc.solve("CF D^0.5 y = -y; y(0) = 1; t in [0, 1]", save="last")
    with pytest.raises(InputError, match="no interval"):
        hpfracc.solve("y' = -y; y(0) = 1")
    with pytest.raises(InputError, match="expected a text"):
        hpfracc.solve(3)
    with pytest.raises(InputError, match="outside the solved interval"):
        hpfracc.solve(RELAXATION)(2.0)


def test_progress_is_reported():
    seen = []
    text = "D^0.5 y = sin(t) - y; y(0) = 1; t in [0, 1]"
    hpfracc.solve(text, scheme="newton-gregory", steps=400_000, progress=lambda t, steps: seen.append((t, steps)))
    assert seen == sorted(seen) and all(0 <= t <= 1 for t, _ in seen)

    class Stop(Exception):
        pass

    def stop(t, steps):
        raise Stop

    with pytest.raises(Stop):
        hpfracc.solve(text, scheme="newton-gregory", steps=4_000_000, progress=stop)


def test_progress_bar(monkeypatch):
    bars = []

    class Bar:
        def __init__(self, total, bar_format):
            self.total, self.n = total, 0.0
            bars.append(self)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.closed = True

        def set_postfix_str(self, text, refresh):
            pass

        def update(self, n):
            self.n += n

    module = types.ModuleType("tqdm.auto")
    module.tqdm = Bar
    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.auto", module)
    hpfracc.solve(RELAXATION, 2.0, progress=True)
    assert bars[0].closed and bars[0].n == bars[0].total == 2.0
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ImportError, match="pip install tqdm"):
        hpfracc.solve(RELAXATION, progress=True)


def test_plot(monkeypatch):
    sol = hpfracc.solve("y' = -y; show s = y^2; y(0) = 1; t in [0, 1]")

    class Axes:
        def __init__(self):
            self.curves = {}

        def plot(self, t, y, label):
            self.curves[label] = (t, y)

        def set_xlabel(self, text):
            pass

        def set_ylabel(self, text):
            pass

        def legend(self):
            pass

    matplotlib = types.ModuleType("matplotlib")
    matplotlib.pyplot = types.ModuleType("matplotlib.pyplot")
    monkeypatch.setitem(sys.modules, "matplotlib", matplotlib)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", matplotlib.pyplot)
    axes = Axes()
    assert sol.plot(axes, components=["y", "s"]) is axes
    t, y = axes.curves["s"]
    assert len(t) >= 600
    np.testing.assert_allclose(y, np.exp(-2 * t), rtol=1e-9)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        sol.plot()

"""Partial differential equations: closed forms, arguments, errors."""

import pickle
import signal
import threading
import time

import hpfracc
import numpy as np
import pytest
from hpfracc import EquationError, InputError, MemoryLimitError, SolverError, mittag_leffler, pde, spatial

LINE = {"box": [(0, 1, 100)], "boundary": "dirichlet"}
SUBDIFFUSION = "D^0.6 u = 0.1 lap(u)"


def eigenvalue(n, k=1, length=1.0):
    """Of minus the second difference on n cells with Dirichlet ends, whose modes are sines."""
    h = length / n
    return (2 * np.sin(0.5 * np.pi * k * h / length) / h) ** 2


def test_a_sine_decays_like_a_mittag_leffler_function():
    sol = pde.solve(SUBDIFFUSION, **LINE, start="sin(pi x)", until=2, save=[0, 0.5, 2])
    assert sol.method == "without-steps" and sol.statistics is None
    assert sol.u.shape == (3, 100) and sol.u.dtype == np.float64 and sol.t.tolist() == [0, 0.5, 2]
    assert sol.names == ("u",) and len(sol) == 3 and sol["u"] is sol.u
    for t, u in zip(sol.t, sol.u):
        exact = mittag_leffler(-0.1 * eigenvalue(100) * t**0.6, 0.6) * np.sin(np.pi * sol.x)
        np.testing.assert_allclose(u, exact, atol=1e-12)


@pytest.mark.parametrize("method, tolerance", [("product-trapezoid", 1e-4), ("l1", 2e-3), ("implicit-explicit", 1e-4)])
def test_methods(method, tolerance):
    sol = pde.solve(SUBDIFFUSION, **LINE, start="sin(pi x)", until=1, save=[1], method=method, steps=100)
    assert sol.method == method and sol.statistics.steps == 100
    exact = mittag_leffler(-0.1 * eigenvalue(100), 0.6) * np.sin(np.pi * sol.x)
    np.testing.assert_allclose(sol.u[0], exact, atol=tolerance)
    assert np.abs(sol.u[0] - exact).max() > 1e-12


def test_steps_by_number_nodes_and_tolerance():
    task = {**LINE, "start": "sin(pi x)", "until": 1, "save": [1]}
    exact = mittag_leffler(-0.1 * eigenvalue(100), 0.6)
    steps = pde.solve(SUBDIFFUSION, **task, steps=50, grading=2)
    nodes = pde.solve(SUBDIFFUSION, **task, steps=(np.arange(51) / 50) ** 2)
    np.testing.assert_allclose(steps.u, nodes.u, rtol=1e-11)
    adaptive = pde.solve(SUBDIFFUSION, **task, rtol=1e-5, memory="exact")
    assert adaptive.statistics.steps > 5
    np.testing.assert_allclose(adaptive.u[0], exact * np.sin(np.pi * adaptive.x), atol=1e-4)
    exponentials = pde.solve(SUBDIFFUSION, **task, steps=50, grading=2, memory="single-exponentials")
    np.testing.assert_allclose(steps.u, exponentials.u, atol=1e-6)


def test_times_of_the_result():
    assert pde.solve(SUBDIFFUSION, **LINE, start=1, until=2).t.tolist() == np.linspace(0, 2, 101).tolist()
    plane = pde.solve(SUBDIFFUSION, box=[(0, 1, 8)] * 2, boundary="neumann", start=1, until=2)
    assert len(plane.t) == 6 and plane.u.shape == (6, 8, 8)
    assert pde.solve(f"{SUBDIFFUSION}; t in [0, 3]", **LINE, start=1, save=4).t.tolist() == [0, 1, 2, 3]


def test_starts():
    task = {"box": [(0, 1, 12), (0, 2, 10)], "boundary": "neumann", "until": 1, "save": [0, 1]}
    text = pde.solve("D u = a lap(u); a = 0.1", **task, start="a x + cos(y)")
    box = spatial.Box(task["box"], "neumann")
    x, y = box.mesh()
    np.testing.assert_allclose(text.u[0], 0.1 * x + np.cos(y), rtol=1e-13)
    for start in (0.1 * x + np.cos(y), lambda x, y: 0.1 * x + np.cos(y), {"u": "0.1 x + cos(y)"}):
        np.testing.assert_allclose(pde.solve("D u = 0.1 lap(u)", **task, start=start).u, text.u, rtol=1e-12)
    own = pde.solve("D u = 0.1 lap(u); u(0) = 0.1 x + cos(y)", **task)
    np.testing.assert_allclose(own.u, text.u, rtol=1e-12)
    single = pde.solve("D u = 0.1 lap(u)", **task, start=np.float32(x))
    assert single.u.dtype == np.float64


def test_waves_have_a_velocity():
    sol = pde.solve("D^1.5 u = lap(u)", **LINE, start=0, velocity="sin(pi x)", until=1, save=[1])
    exact = mittag_leffler(-eigenvalue(100), 1.5, 2.0) * np.sin(np.pi * sol.x)
    np.testing.assert_allclose(sol.u[0], exact, atol=1e-11)
    with pytest.raises(InputError, match=r"velocity of u is missing: give velocity, or u'\(0\)"):
        pde.solve("D^1.5 u = lap(u)", **LINE, start=0, until=1)


def test_boundary_values():
    # The stationary solution is linear.
    for boundary in (
        ("dirichlet", pde.dirichlet(2)),
        ("dirichlet", pde.dirichlet("2 + 0 t")),
        ("dirichlet", pde.neumann({"u": "k"})),
        {"x": ("dirichlet", pde.robin(1.0, 4))},
    ):
        sol = pde.solve(
            "D u = lap(u) + 0 k; k = 2", box=[(0, 1, 40)], boundary=boundary, start=0, until=20, save=[20], method="l1"
        )
        assert sol.method == "l1"
        np.testing.assert_allclose(sol.u[0], 2 * sol.x, atol=1e-5)
    # u = t x.
    ends = ("dirichlet", pde.dirichlet("t"))
    sol = pde.solve("D u = lap(u) + x", box=(0, 1, 20), boundary=ends, start=0, until=1, save=[1])
    assert sol.method == "product-trapezoid"
    np.testing.assert_allclose(sol.u[0], sol.x, atol=1e-9)


def test_conditions_of_each_axis():
    for boundary in (["periodic", ("dirichlet", "neumann")], {"y": ("dirichlet", "neumann"), "x": "periodic"}):
        task = {"box": [(0, 1, 16), (0, 1, 20)], "boundary": boundary, "until": 0.3, "save": [0.3]}
        sol = pde.solve("D u = lap(u)", **task, start="sin(pi y/2)")
        decay = np.exp(-0.3 * eigenvalue(40, length=2.0))
        np.testing.assert_allclose(sol.u[0], np.broadcast_to(decay * np.sin(np.pi * sol.y / 2), (16, 20)), atol=1e-11)


def test_parameters_and_orders():
    text = "D^alpha u = k lap(u); alpha = 0.6; k = 1"
    sol = pde.solve(text, **LINE, start="sin(pi x)", until=1, save=[1], alpha=0.8, parameters={"k": 0.2})
    assert sol.parameters == {"alpha": 0.8, "k": 0.2} and sol.orders.tolist() == [0.8]
    np.testing.assert_allclose(sol.u[0], mittag_leffler(-0.2 * eigenvalue(100), 0.8) * np.sin(np.pi * sol.x), atol=1e-11)
    two = pde.solve("D u = lap(u); D v = lap(v)", **LINE, start={"u": 1, "v": 2}, until=1, save=2, alpha=[0.5, 0.9])
    assert two.orders.tolist() == [0.5, 0.9] and two.u.shape == (2, 2, 100)
    with pytest.raises(InputError, match="no parameter 'kappa'; its parameters are alpha, k"):
        pde.solve(text, **LINE, start=1, until=1, parameters={"kappa": 1})
    with pytest.raises(InputError, match=r"alpha has the shape \(3,\), expected a number for each of 1 fields"):
        pde.solve(text, **LINE, start=1, until=1, alpha=[1, 1, 1])
    with pytest.raises(InputError, match="order = 2.5 makes the order of the derivative of u 2.5, expected"):
        pde.solve(SUBDIFFUSION, **LINE, start=1, until=1, alpha=2.5)


def test_several_fields():
    # u + v diffuses without the exchange.
    text = "D^0.7 u = lap(u) - u + v; D^0.7 v = lap(v) + u - v"
    task = {"box": [(0, 1, 30)], "boundary": "neumann", "until": 1, "save": [0, 1], "steps": 60}
    sol = pde.solve(text, **task, start={"u": "1 + cos(pi x)", "v": 0})
    assert sol.names == ("u", "v") and sol.u.shape == (2, 2, 30)
    both = pde.solve("D^0.7 u = lap(u)", **task, start="1 + cos(pi x)")
    np.testing.assert_allclose(sol["u"] + sol["v"], both.u, atol=1e-9)
    assert sol.integral["u"].shape == (2,)
    again = pde.solve(text, **task, start=sol.u[0])
    np.testing.assert_array_equal(again.u, sol.u)
    with pytest.raises(InputError, match=r"start is a text or a function, expected a mapping of the fields u, v"):
        pde.solve(text, **task, start="x")
    with pytest.raises(InputError, match="start has the field 'w'; the fields are u, v"):
        pde.solve(text, **task, start={"w": 1})
    with pytest.raises(InputError, match=r"start of v is missing: give start, or v\(0\) = \.\.\. in the text"):
        pde.solve(text, **task, start={"u": 1})
    with pytest.raises(InputError, match="no field 'w'"):
        sol["w"]


@pytest.mark.parametrize("name", pde.equations())
def test_ready_equations(name):
    box = [(0, 1, 32)]
    # Steps of several orders are those of L1, up to order 1.
    steps = None if name == "cattaneo" else 200
    sol = pde.solve(name, box=box, boundary="periodic", until=0.1, steps=steps, save=3)
    assert sol.t.tolist() == [0, 0.05, 0.1] and np.isfinite(sol.u).all()
    assert sol.equation == name and name in repr(sol)
    if name in ("cahn-hilliard", "porous-medium", "burgers"):
        mass = sol.integral["u"]
        np.testing.assert_allclose(mass, mass[0], atol=1e-10)


def test_energies_decay():
    for name in ("allen-cahn", "cahn-hilliard"):
        sol = pde.solve(name, box=[(0, 1, 32)], boundary="neumann", until=1, steps=40, save=5)
        assert sol.energy.shape == (5,) and (sol.energy[1:] < sol.energy[0]).all()
    flat = pde.solve("allen-cahn", box=[(0, 1, 8)], boundary="neumann", start=0, until=1, steps=5, save=2)
    np.testing.assert_allclose(flat.energy, 0.25, rtol=1e-12)
    with pytest.raises(InputError, match="energy is that of the ready equations"):
        pde.solve(SUBDIFFUSION, **LINE, start=1, until=1).energy  # noqa: B018


def test_unknown_ready_equation():
    with pytest.raises(InputError, match="no ready equation 'fisher-kp'; did you mean 'fisher-kpp'"):
        pde.solve("fisher-kp", **LINE, until=1)
    with pytest.raises(InputError, match="burgers has no form in 2 dimensions, expected 1 to 1"):
        pde.solve("burgers", box=[(0, 1, 8)] * 2, boundary="periodic", until=1)


def test_graphs():
    rng = np.random.default_rng(5)
    graph = spatial.Graph(np.arange(19), np.arange(1, 20), rng.uniform(0.5, 2, 19))
    laplacian = graph.laplacian()
    start = rng.normal(size=20)
    values, vectors = np.linalg.eigh(laplacian.matrix())
    exact = vectors @ (mittag_leffler(-np.abs(values) * 2**0.7, 0.7) * (vectors.T @ start))
    linear = pde.solve("D^0.7 u = lap(u)", operator=laplacian, start=start, until=2, save=[2])
    assert linear.method == "without-steps" and linear.u.shape == (1, 20) and linear.box is None
    np.testing.assert_allclose(linear.u[0], exact, atol=1e-9)
    logistic = pde.solve("D^0.7 u = lap(u) + u - u^3", operator=laplacian, start=np.abs(start), until=50, save=[50])
    np.testing.assert_allclose(logistic.u, 1, atol=0.05)
    with pytest.raises(InputError, match="x of a solution with an operator"):
        linear.x  # noqa: B018
    with pytest.raises(InputError, match="text or a function, and an operator has no coordinates"):
        pde.solve("D^0.7 u = lap(u)", operator=laplacian, start="x", until=1)
    with pytest.raises(InputError, match="box and operator: give one of them"):
        pde.solve("D^0.7 u = lap(u)", operator=laplacian, **LINE, start=start, until=1)
    with pytest.raises(InputError, match="sum A"):
        pde.solve("D^0.7 u = lap(u)", operator=laplacian + 1.0, start=start, until=1)


def test_space_fractional_by_text_and_by_operator():
    task = {"start": "sin(pi x)", "until": 1, "save": [1]}
    text = pde.solve("D^0.8 u = -(-lap)^0.7(u)", **LINE, **task)
    exact = mittag_leffler(-(eigenvalue(100) ** 0.7), 0.8) * np.sin(np.pi * text.x)
    np.testing.assert_allclose(text.u[0], exact, atol=1e-12)
    power = spatial.Power(spatial.Laplacian([(0, 1, 100)], boundary="dirichlet"), 0.7)
    own = pde.solve("D^0.8 u = lap(u)", operator=power, start=np.sin(np.pi * text.x), until=1, save=[1])
    np.testing.assert_allclose(own.u, text.u, atol=1e-12)


def test_errors_name_value_and_place():
    task = {**LINE, "start": 1, "until": 1}

    def refused(match, error=InputError, equation=SUBDIFFUSION, **changed):
        with pytest.raises(error, match=match):
            pde.solve(equation, **{**task, **changed})

    refused("unknown name", EquationError, "D^0.6 u = kapa lap(u); kappa = 1")
    refused("equation is int, expected str", equation=3)
    refused("box is missing", box=None)
    refused("boundary is missing", boundary=None)
    refused("box has 4 axes, expected 1 to 3", box=[(0, 1, 5)] * 4)
    refused(r"axis 0 of box is \(0, 1\), expected \(low, high, n\)", box=[(0, 1)])
    refused("n of axis 0 is 2.5, expected a whole number", box=[(0, 1, 2.5)])
    refused("low of axis 0 is 'a', expected a number", box=[("a", 1, 5)])
    refused("axis 0: .* is 0, expected", box=[(0, 0, 5)])
    refused("number of points .*is 1, expected", box=[(0, 1, 1)])
    refused("boundary of axis 0 is \"dirichlett\".*did you mean \"dirichlet\"", boundary="dirichlett")
    refused("boundary of x is \"robin\", which needs its coefficient", boundary=[("robin", "neumann")])
    refused("boundary has 3 entries, expected one for each axis, 1", boundary=["neumann"] * 3)
    refused("boundary has the axis 'q', expected x", boundary={"q": "neumann"})
    refused("boundary of x is 3, expected a condition or a pair", boundary=[3])
    refused("periodic", boundary=("periodic", "neumann"))
    refused("-1", boundary=spatial.robin(-1))
    refused("points is \"gauss\", expected", points="gauss")
    refused("periodic", boundary="periodic", points="legendre")
    ends = ("neumann", pde.dirichlet("q"))
    refused("boundary value at the upper end of x: .*unknown name `q`", EquationError, boundary=ends)
    refused("boundary value at the lower end of x is nan", boundary=pde.dirichlet(float("nan")))
    refused("has the field 'v'; the fields are u", boundary=pde.dirichlet({"v": 1}))
    refused("start of u: unknown name `q`, expected one of x", EquationError, start="q x")
    refused(r"start of u has the shape \(5,\), expected \(100,\)", start=np.ones(5))
    refused("start of u has the type complex128", start=np.ones(100) + 0j)
    refused("start of field 0 is NaN at index 7", start=np.where(np.arange(100) == 7, np.nan, 1.0))
    refused(r"start of u is missing: give start, or u\(0\)", start=None)
    refused("until is missing", until=None)
    refused("until is -1.0, expected a positive number", until=-1)
    refused("save has the time 2.0, outside of \\[0, 1\\]", save=[0, 2])
    refused("save has the times 0.5, 0.2, expected increasing", save=[0.5, 0.2])
    refused("save is 1, expected at least 2", save=1)
    refused("method is \"l2\" \\(did you mean \"l1\"\\?\\)", method="l2")
    refused("method is \"without-steps\", which needs a linear equation", method="without-steps", equation="D u = lap(u) - u^3")
    refused("method is \"without-steps\", which has no steps", method="without-steps", steps=5)
    refused("steps and rtol: fixed steps have no rtol", steps=5, rtol=1e-3)
    refused("steps is 0, expected at least 1", steps=0)
    refused("grading and nodes", steps=[0, 1], grading=2)
    refused("memory is \"none\"", memory="none", steps=5)
    refused("tolerance is 2, expected 0 < tolerance < 1", tolerance=2)
    refused("alpha", equation="D^1.5 u = lap(u) - u^3", velocity=0, method="l1", steps=5)
    refused("operator is str", operator="x", box=None)


def test_solutions_that_end():
    with pytest.raises(SolverError, match="t = "):
        pde.solve("D u = lap(u) + u^2", box=[(0, 1, 20)], boundary="neumann", start=10, until=1, method="l1")


def test_memory_is_checked_first():
    with pytest.raises(MemoryLimitError, match="fields of 1000000 values at 1000000 times"):
        pde.solve(SUBDIFFUSION, box=[(0, 1, 1000)] * 2, boundary="neumann", start=1, until=1, save=10**6)


def test_poisson():
    # Catalan's constant.
    spectral = pde.poisson(1, power=0.5, definition="spectral", box=[(-1, 1, 401)], boundary="dirichlet")
    assert abs(spectral.u[200] - 8 * 0.915965594177219 / np.pi**2) < 1e-3
    integral = pde.poisson("1 + 0 x", power=0.5, definition="integral", box=(-1, 1, 401))
    np.testing.assert_allclose(integral.u, np.sqrt(1 - integral.x**2), atol=1e-9)
    assert 0 < integral.iterations < 30 and "integral, 401 points" in repr(integral)
    disk = pde.poisson(
        lambda x, y: np.ones_like(x), power=0.5, definition="integral", box=[(-1, 1, 31), (-1, 1, 31)], domain="x^2 + y^2 < 1"
    )
    assert disk.u.shape == (31, 31) and np.isnan(disk.u[0, 0]) and abs(disk.u[15, 15] - 2 / np.pi) < 0.03
    x, y = np.meshgrid(*disk.axes, indexing="ij")
    mask = pde.poisson(1, power=0.5, definition="integral", box=[(-1, 1, 31)] * 2, domain=x**2 + y**2 < 1)
    np.testing.assert_array_equal(mask.u, disk.u)
    assert pickle.loads(pickle.dumps(disk)).definition == "integral"


def test_poisson_errors():
    box = [(-1, 1, 11)]

    def refused(match, error=InputError, **changed):
        task = {"f": 1, "power": 0.5, "definition": "spectral", "box": box, "boundary": "dirichlet"}
        task.update(changed)
        with pytest.raises(error, match=match):
            pde.poisson(task.pop("f"), **task)

    refused("mean of the source is", boundary="neumann")
    refused("exponent s is -1, expected", power=-1)
    refused("definition is 'both'", definition="both")
    refused("domain and definition=\"spectral\"", domain="x > 0")
    refused("boundary and definition=\"integral\"", definition="integral")
    refused("power is 1.5, expected above 0 and below 1", definition="integral", boundary=None, power=1.5)
    refused("value other than 0", boundary=pde.dirichlet(1))
    refused("f: unknown name `q`", EquationError, f="q")
    refused(r"f has the shape \(3,\), expected \(11,\)", f=np.ones(3))
    refused("is 0", definition="integral", boundary=None, domain="x > 5")
    refused("NaN at index 2", f=np.where(np.arange(11) == 2, np.nan, 1))


GRADIENT = {"box": [(0, 1, 12)], "boundary": "dirichlet", "until": 1, "steps": 30, "grading": 2}


@pytest.mark.parametrize("method", ["product-trapezoid", "l1"])
def test_gradients(method):
    text = "D^alpha u = k lap(u) - r u^3 + q; alpha = 0.7; k = 0.1; r = 2; q = 0.3; a = 1; u(0) = a sin(pi x)"
    bars = np.random.default_rng(1).normal(size=(1, 12))

    def solved(**changed):
        task = {**GRADIENT, "save": [1], "method": method, "memory": "exact", **changed}
        return pde.solve(text, **task)

    def loss(**changed):
        return float(np.sum(bars * solved(**changed).u))

    sol = solved()
    gradient = sol.gradient(bars)
    assert list(gradient.parameters) == ["alpha", "k", "r", "q", "a"]
    for name, value in sol.parameters.items():
        h = 1e-5 * value
        slope = (loss(parameters={name: value + h}) - loss(parameters={name: value - h})) / (2 * h)
        assert abs(gradient.parameters[name] - slope) < 1e-6 * max(1, abs(slope)), name
    assert gradient.orders.tolist() == [pytest.approx(gradient.parameters["alpha"], rel=1e-8)]
    start = np.sin(np.pi * sol.x)
    step = 1e-5 * np.cos(np.arange(12))
    slope = (loss(start=start + step) - loss(start=start - step)) / 2
    assert abs(gradient.start @ step - slope) < 1e-9


def test_gradients_of_several_fields_and_times():
    text = "D^0.6 u = 0.1 lap(u) - g u v; D^0.9 v = 0.2 lap(v) + g u v; g = 2"
    nodes = np.linspace(0, 1, 21) ** 2
    task = {"box": [(0, 1, 6), (0, 1, 5)], "boundary": "neumann", "until": 1, "steps": nodes, "save": nodes[[5, 20]]}
    task["start"] = {"u": "1 + 0.3 cos(pi x)", "v": "0.2 + 0.1 cos(pi y)"}
    sol = pde.solve(text, **task, memory="exact")
    bars = np.random.default_rng(2).normal(size=sol.u.shape)
    gradient = sol.gradient(bars)
    assert gradient.start.shape == (2, 6, 5) and gradient.orders.shape == (2,)
    values = [pde.solve(text, **task, memory="exact", parameters={"g": 2 + h}).u for h in (1e-5, -1e-5)]
    assert abs(gradient.parameters["g"] - np.sum(bars * (values[0] - values[1])) / 2e-5) < 1e-6
    values = [pde.solve(text, **task, memory="exact", alpha=[0.6, 0.9 + h]).u for h in (1e-5, -1e-5)]
    assert abs(gradient.orders[1] - np.sum(bars * (values[0] - values[1])) / 2e-5) < 1e-6


def test_parameters_without_a_gradient():
    text = "D^0.7 u = k lap(u) + a - u^3; k = 0.1; a = 1"
    task = {**GRADIENT, "save": [1]}
    sol = pde.solve(text, **{**task, "boundary": pde.dirichlet("a t")}, start="k x")
    assert sol.gradient(np.ones_like(sol.u)).parameters == {}
    power = pde.solve("D^0.7 u = k lap^s(u) - u^3; k = 0.1; s = 0.8", **task, start=1)
    assert list(power.gradient(np.ones_like(power.u)).parameters) == ["k"]
    # At the end of a range.
    end = pde.solve("D^alpha u = 0.1 lap(u); alpha = 1 in (0, 1]", **task, start="sin(pi x)")
    assert np.isfinite(end.gradient(np.ones_like(end.u)).parameters["alpha"])


def test_errors_of_gradients():
    linear = pde.solve(SUBDIFFUSION, **LINE, start=1, until=1, save=[1])
    with pytest.raises(InputError, match="gradient of a solution without steps"):
        linear.gradient(np.ones_like(linear.u))
    sol = pde.solve(SUBDIFFUSION, **GRADIENT, start=1, save=[0.3, 1])
    with pytest.raises(InputError, match="save has the time 0.3, which is no node of the steps"):
        sol.gradient(np.ones_like(sol.u))
    with pytest.raises(InputError, match=r"cotangents have the shape \(2,\), expected that of u, \(2, 12\)"):
        sol.gradient(np.ones(2))
    with pytest.raises(InputError, match="pickled"):
        pickle.loads(pickle.dumps(sol)).gradient(np.ones_like(sol.u))
    adaptive = pde.solve(SUBDIFFUSION, **LINE, start="sin(pi x)", until=1, save=[1], rtol=1e-3, memory="exact")
    with pytest.raises(InputError, match="adaptive steps"):
        adaptive.gradient(np.ones_like(adaptive.u))


def test_solutions_print_pickle_and_draw():
    sol = pde.solve(SUBDIFFUSION, **LINE, start="sin(pi x)", until=1, save=3, steps=10)
    assert repr(sol).startswith("FieldSolution\n") and "steps     10" in repr(sol)
    assert "<table>" in sol._repr_html_()
    again = pickle.loads(pickle.dumps(sol))
    assert again.names == sol.names and again.orders.tolist() == sol.orders.tolist()
    np.testing.assert_array_equal(again.u, sol.u)
    assert again.box == sol.box and again.statistics == sol.statistics
    with pytest.raises(InputError, match="the box has the axes x, and not y"):
        sol.y  # noqa: B018
    pytest.importorskip("matplotlib").use("Agg")
    assert len(sol.plot().lines) == 3
    plane = pde.solve(SUBDIFFUSION, box=[(0, 1, 8)] * 2, boundary="neumann", start="x y", until=1)
    assert plane.plot(time=0.4).get_title() == "t = 0.4"


def test_progress():
    seen = []
    pde.solve(
        "D^0.6 u = 0.1 lap(u) + u - u^3", box=[(0, 1, 200)] * 2, boundary="neumann", start="cos(pi x)", until=1, steps=40,
        save=[1], progress=lambda t, steps: seen.append((t, steps)),
    )
    assert seen and all(0 <= t <= 1 and 0 <= steps <= 40 for t, steps in seen)


@pytest.mark.parametrize("method", ["product-trapezoid", "without-steps"])
def test_ctrl_c(method):
    equation = "D^0.6 u = 0.1 lap(u) + u - u^3" if method == "product-trapezoid" else "D^0.6 u = 0.1 lap(u)"
    threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        while time.monotonic() - begin < 60:
            pde.solve(equation, box=[(0, 1, 300)] * 2, boundary="neumann", start="cos(pi x)", until=1, save=20, method=method)
    assert time.monotonic() - begin < 5


def test_the_module_is_an_attribute():
    assert hpfracc.pde is pde and hpfracc.spatial is spatial


def test_several_variable_and_distributed_orders():
    task = {**LINE, "start": "sin(pi x)", "until": 1, "save": [1]}
    for left in ("D^0.8 u + 0.5 D^0.3 u", "int(2 a D^a u, a in [0.2, 1])"):
        exact = pde.solve(f"{left} = 0.2 lap(u)", **task)
        assert exact.method == "without-steps"
        stepped = pde.solve(f"{left} = 0.2 lap(u)", **task, steps=200)
        assert stepped.method == "l1"
        np.testing.assert_allclose(stepped.u, exact.u, atol=5e-3)
    text = "D^(0.6 + b t) u = 0.1 lap(u); b = 0"
    constant = pde.solve(text, **task, steps=200)
    assert constant.method == "l1" and constant.orders.tolist() == [0.6]
    np.testing.assert_allclose(constant.u, pde.solve(SUBDIFFUSION, **task).u, atol=5e-3)
    moved = pde.solve(text, **task, steps=200, parameters={"b": 0.3})
    assert np.abs(moved.u - constant.u).max() > 1e-3
    with pytest.raises(InputError, match="one order in time for each field"):
        pde.solve(text, **task, method="product-trapezoid")
    with pytest.raises(InputError, match="several, distributed or variable orders"):
        constant.gradient(np.ones_like(constant.u))
    with pytest.raises(EquationError, match="weight of a derivative in time is -1"):
        pde.solve("D u - D^0.5 u = lap(u)", **task)


def test_shown_quantities():
    text = "D^0.8 u = 0.1 lap(u); u(0) = 1 + cos(pi x); show mass = integral(u); show square = u^2"
    task = {"box": [(0, 1, 40)], "boundary": "neumann", "until": 1, "save": 5}
    for method, steps in ((None, None), ("l1", 50)):
        sol = pde.solve(text, **task, method=method, steps=steps)
        assert list(sol.shown) == ["mass", "square"] and sol.shown["mass"].shape == (5, 40)
        np.testing.assert_allclose(sol.shown["mass"], 1, rtol=1e-9)
        np.testing.assert_allclose(sol.shown["mass"][:, 0], sol.integral["u"], rtol=1e-12)
        np.testing.assert_allclose(sol.shown["square"], sol.u**2, rtol=1e-14)
    assert pde.solve("D u = lap(u); u(0) = 1", **task).shown == {}


def test_events_end_a_solution():
    growth = "D u = 0 lap(u) + u; u(0) = 1; when mean(u) = 2 rising: stop"
    sol = pde.solve(growth, box=[(0, 1, 20)], boundary="neumann", until=2, save=np.linspace(0, 2, 201))
    assert abs(sol.t[-1] - np.log(2)) < 0.011 and sol.u.max() < 2
    with pytest.raises(EquationError, match="an event of `u`, which differs from point to point"):
        pde.solve("D u = u; u(0) = 1; when u = 2: stop", **LINE, until=1)
    with pytest.raises(InputError, match="noise"):
        pde.solve("D u = lap(u) + dW/dt; u(0) = 1", **LINE, until=1)

"""hpfracc.torch: gradients against differences, solutions against closed forms, and the messages for bad input."""

import math
import warnings
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from torch.autograd import gradcheck, gradgradcheck  # noqa: E402

import hpfracc  # noqa: E402
import hpfracc.torch as ht  # noqa: E402
from hpfracc import InputError, SolverError  # noqa: E402
from hpfracc import _torch_memory as memory  # noqa: E402
from hpfracc._hpfracc import History, definitions, noise_increments, product_weights  # noqa: E402

RNG = np.random.default_rng(1)
#: The machine may choose another backend for the second call: the same numbers to rounding.
ROUNDING = 1e-11


def double(*shape):
    return torch.from_numpy(RNG.normal(size=shape)).requires_grad_()


def number(value):
    return torch.tensor(value, dtype=torch.float64, requires_grad=True)


#: Without types, so that they are checked also where PyTorch is not installed.
Module: Any = torch.nn.Module


class Field(Module):
    def __init__(self, dim=2, width=4):
        super().__init__()
        torch.manual_seed(3)
        layers = torch.nn.Linear(dim, width), torch.nn.Tanh(), torch.nn.Linear(width, dim)
        self.net = torch.nn.Sequential(*layers).double()

    def forward(self, t, y):
        return self.net(y) * (1.0 + t)


# Operators


@pytest.mark.parametrize("definition", definitions(), ids=lambda d: d["name"])
def test_every_operator_has_both_gradients(definition):
    name = definition["name"].replace("-", "_")
    parameters = {
        "lambda_" if p["name"] == "lambda" else p["name"].replace("-", "_"): p["example"] for p in definition["parameters"]
    }
    alpha = definition["schemes"][0]["example"]
    x = double(2, 9)
    f = lambda x, alpha: getattr(ht, name)(x, alpha, dt=0.3, **parameters)  # noqa: E731
    expected = getattr(hpfracc, name)(x.detach().numpy(), alpha, dt=0.3, **parameters)
    np.testing.assert_allclose(f(x, alpha).detach(), expected, rtol=1e-11, atol=1e-11 * np.abs(expected).max())
    assert gradcheck(f, (x, number(alpha)), nondet_tol=1e-9, rtol=1e-4, atol=1e-5, eps=1e-6)
    assert gradgradcheck(lambda x: f(x, alpha), (x,), nondet_tol=1e-9)


def test_operator_dimensions_types_and_views():
    x = torch.from_numpy(RNG.normal(size=(4, 9, 3)))
    y = ht.caputo(x, 0.5, dt=0.1, dim=1)
    np.testing.assert_allclose(y, hpfracc.caputo(x.numpy(), 0.5, dt=0.1, axis=1), atol=1e-12)
    np.testing.assert_allclose(ht.caputo(x.movedim(1, 2), 0.5, dt=0.1).movedim(2, 1), y, atol=1e-12)
    single = x.float().requires_grad_()
    alpha = torch.tensor(0.5, requires_grad=True)
    result = ht.caputo(single, alpha, dt=0.1, dim=1)
    assert result.dtype == torch.float32
    result.sum().backward()
    assert single.grad.dtype == torch.float32 and alpha.grad.dtype == torch.float32
    t = np.cumsum(RNG.uniform(0.1, 0.2, size=9))
    for times in (t, torch.from_numpy(t), list(t)):
        np.testing.assert_allclose(
            ht.caputo(x, 0.5, t=times, dim=1), hpfracc.caputo(x.numpy(), 0.5, t=t, axis=1), atol=1e-11
        )
    assert gradcheck(lambda x, a: ht.caputo(x, a, t=t), (double(9), number(0.4)), nondet_tol=ROUNDING)


def test_operator_in_functional_transformations():
    x, orders = torch.from_numpy(RNG.normal(size=(3, 8))), torch.tensor([0.2, 0.5, 0.7], dtype=torch.float64)
    f = lambda x, a: ht.caputo(x, a, dt=0.1)  # noqa: E731
    each = torch.stack([f(x[k], orders[k]) for k in range(3)])
    torch.testing.assert_close(torch.func.vmap(f)(x, orders), each)
    torch.testing.assert_close(torch.func.vmap(f, (0, None))(x, 0.5), f(x, 0.5))
    matrix = torch.func.jacrev(f)(x[0], 0.5)
    torch.testing.assert_close(torch.func.jacfwd(f)(x[0], 0.5), matrix)
    torch.testing.assert_close(matrix @ x[0], f(x[0], 0.5))
    y, dy = torch.func.jvp(f, (x[0], orders[1]), (x[1], torch.tensor(1.0, dtype=torch.float64)))
    e = 1e-6
    expected = f(x[1], 0.5) + (f(x[0], 0.5 + e) - f(x[0], 0.5 - e)) / (2 * e)
    torch.testing.assert_close(dy, expected, rtol=1e-6, atol=1e-7)


def test_tangents_of_dual_tensors():
    x, e = torch.from_numpy(RNG.normal(size=8)), 1e-6
    with torch.autograd.forward_ad.dual_level():
        alpha = torch.autograd.forward_ad.make_dual(*torch.tensor([0.5, 1.0], dtype=torch.float64))
        tangent = torch.autograd.forward_ad.unpack_dual(ht.caputo(x, alpha, dt=0.2)).tangent
    expected = (ht.caputo(x, 0.5 + e, dt=0.2) - ht.caputo(x, 0.5 - e, dt=0.2)) / (2 * e)
    torch.testing.assert_close(tangent, expected, rtol=1e-6, atol=1e-6)


def test_second_derivatives_of_operators():
    x, alpha = double(8), number(0.5)
    loss = (ht.caputo(x, alpha, dt=0.2) ** 2).sum()
    (gx,) = torch.autograd.grad(loss, x, create_graph=True)
    (mixed,) = torch.autograd.grad(gx.sum(), alpha)
    e = 1e-5

    def sums(a):
        (g,) = torch.autograd.grad((ht.caputo(x, a, dt=0.2) ** 2).sum(), x)
        return g.sum()

    torch.testing.assert_close(mixed, (sums(0.5 + e) - sums(0.5 - e)) / (2 * e), rtol=1e-6, atol=1e-6)
    (by_order,) = torch.autograd.grad(ht.caputo(x, alpha, dt=0.2).sum(), alpha, create_graph=True)
    with pytest.raises(NotImplementedError, match="second derivative with respect to its order"):
        torch.autograd.grad(by_order, alpha)


def test_bad_input_of_operators():
    x = torch.ones(8)
    for call, message in (
        (lambda: ht.caputo(np.ones(8), 0.5), "x is ndarray, expected a tensor"),
        (lambda: ht.caputo(x.int(), 0.5), "torch.int32"),
        (lambda: ht.caputo(x.half(), 0.5), "torch.float16"),
        (lambda: ht.caputo(x, torch.ones(2)), r"alpha has the shape \(2,\)"),
        (lambda: ht.caputo(x, 0.5, weight=1.0), "no parameter weight"),
        (lambda: ht.caputo(x, 0.5, dim=1), "axis 1"),
        (lambda: ht.caputo(x, 0.5, scheme="l7"), "l7"),
        (lambda: ht.caputo(x, 0.5, t=torch.arange(8.0, requires_grad=True)), "t requires a gradient"),
        (lambda: ht.FractionalDerivative("kaputo"), "no operator 'kaputo'"),
        (lambda: ht.FractionalDerivative("caputo", 1.0), "inside its bounds"),
    ):
        with pytest.raises(InputError, match=message):
            call()


def test_module_learns_the_order():
    t = 0.02 * torch.arange(101, dtype=torch.float64)
    target = ht.caputo(t**2, 0.7, dt=0.02)
    layer = ht.FractionalDerivative("caputo", 0.3, dt=0.02)
    optimiser = torch.optim.Adam(layer.parameters(), lr=0.1)
    for _ in range(150):
        optimiser.zero_grad()
        ((layer(t**2) - target) ** 2).mean().backward()
        optimiser.step()
    assert abs(layer.alpha.item() - 0.7) < 1e-3
    assert "learned" in repr(layer)
    copy = ht.FractionalDerivative("caputo", 0.5, dt=0.02)
    copy.load_state_dict(layer.state_dict())
    assert copy.alpha.item() == layer.alpha.item()
    with torch.no_grad():
        layer.raw.fill_(1e9)
    assert 0.0 < layer.alpha.item() < 1.0 and torch.isfinite(layer(t)).all()
    constant = ht.FractionalIntegral(1.0, learn_order=False, dt=0.02)
    assert not list(constant.parameters())
    torch.testing.assert_close(constant(t)[-1].item(), 0.5 * t[-1].item() ** 2)
    wide = ht.FractionalIntegral(1.0, bounds=(0.5, 1.5), dt=0.02)
    assert abs(wide.alpha.item() - 1.0) < 1e-12


def test_mittag_leffler():
    z = torch.tensor([-2.0, -0.5, 0.3, 1.0], dtype=torch.float64, requires_grad=True)
    assert gradcheck(ht.mittag_leffler, (z, number(0.6), number(1.2)), nondet_tol=ROUNDING)
    assert gradgradcheck(lambda z: ht.mittag_leffler(z, 0.7, 1.2), (z,), nondet_tol=ROUNDING)
    orders = torch.tensor([[0.4], [0.9]], dtype=torch.float64, requires_grad=True)
    assert ht.mittag_leffler(z, orders).shape == (2, 4)
    assert gradcheck(lambda z, a: ht.mittag_leffler(z, a), (z, orders), nondet_tol=ROUNDING)
    torch.testing.assert_close(ht.mittag_leffler(z, 1.0).detach(), torch.exp(z.detach()), rtol=1e-13, atol=0)
    assert ht.mittag_leffler(z.detach().float(), 0.5).dtype == torch.float32
    assert ht.mittag_leffler(torch.tensor(-1.0), 0.5).shape == ()
    with pytest.raises(NotImplementedError, match="second order"):
        (g,) = torch.autograd.grad(ht.mittag_leffler(z, number(0.5)).sum(), z, create_graph=True)
        alpha = number(0.5)
        (g,) = torch.autograd.grad(ht.mittag_leffler(z, alpha).sum(), alpha, create_graph=True)
        g.backward()
    with pytest.raises(InputError, match="do not broadcast"):
        ht.mittag_leffler(z, torch.ones(3))


# Histories


@pytest.mark.parametrize("algorithm", ["direct", "blocked"])
@pytest.mark.parametrize(("dtype", "error"), [("float32", 1e-4), ("float64", 1e-12)])
def test_history_against_sums(algorithm, dtype, error):
    for steps in (1, 2, 64, 65, 300):
        weights, rows = RNG.normal(size=(2, steps)), RNG.normal(size=(steps, 5)).astype(dtype)
        groups = [0, 1, 1, 0, 1]
        history = History(weights, 5, groups=groups, dtype=dtype, algorithm=algorithm)
        out = np.empty(5, dtype)
        for n in range(steps):
            history.push(rows[n], out)
            lags = weights[groups][:, : n + 1]
            np.testing.assert_allclose(out, np.einsum("gm,mg->g", lags, rows[n::-1][: n + 1]), atol=error)
        assert history.pushed == history.capacity == steps
        with pytest.raises(InputError, match="the history is full"):
            history.push(rows[0], out)


def test_history_refuses():
    history = History(np.ones((1, 4)), 3)
    out = np.empty(3)
    for row, to, message in (
        (np.ones(2), out, "expected 3 numbers of float64"),
        (np.ones(3, "f4"), out, "float32"),
        (np.ones(6)[::2], out, "gaps"),
        ([1, 2, 3], out, "list"),
        (out, out, "shares its memory"),
    ):
        with pytest.raises(InputError, match=message):
            history.push(row, to)
    for arguments, message in (
        ((np.ones(3), 3), "one row for each group"),
        ((np.ones((2, 3)), 3), "without the group"),
        ((np.ones((1, 0)), 3), "empty"),
    ):
        with pytest.raises(InputError, match=message):
            History(*arguments)
    with pytest.raises(InputError, match="group 2 of lane 1"):
        History(np.ones((2, 3)), 2, groups=[0, 2])


def test_weights_and_their_derivatives():
    k = np.arange(1, 9.0)
    lags, _ = product_weights("rectangle", 0.7, 0.1, 8)
    np.testing.assert_allclose(lags[1:], 0.1**0.7 / math.gamma(1.7) * (k**0.7 - (k - 1) ** 0.7), rtol=1e-13)
    for rule in ("rectangle", "trapezoid"):
        e = 1e-6
        above, below = product_weights(rule, 0.7 + e, 0.1, 8), product_weights(rule, 0.7 - e, 0.1, 8)
        for change, a, b in zip(product_weights(rule, 0.7, 0.1, 8, True), above, below):
            np.testing.assert_allclose(change[1:], (a[1:] - b[1:]) / (2 * e), atol=1e-8)


# Fractional equations


@pytest.mark.parametrize("recompute", [True, False])
@pytest.mark.parametrize(
    ("method", "passes"), [("rectangle", 1), ("pece", 1), ("pece", 3), ("trapezoid", 1), ("rectangle-implicit", 1)]
)
def test_gradients_of_a_solve(method, passes, recompute):
    field, y0, t = Field(), double(3, 2), torch.linspace(0, 1, 7, dtype=torch.float64)
    solve = lambda y0, alpha, *_: ht.fdeint(  # noqa: E731
        field, y0, t, alpha, method=method, passes=passes, recompute=recompute
    )
    assert gradcheck(solve, (y0, number(0.6), *field.parameters()))


def test_gradients_with_orders_by_component_and_above_one():
    field, y0, t = Field(), double(3, 2), torch.linspace(0, 1, 7, dtype=torch.float64)
    orders = torch.tensor([0.5, 0.8], dtype=torch.float64, requires_grad=True)
    assert gradcheck(lambda y0, alpha, *_: ht.fdeint(field, y0, t, alpha), (y0, orders, *field.parameters()))
    orders = torch.tensor([1.5, 0.8], dtype=torch.float64, requires_grad=True)
    for method in ("rectangle", "pece", "trapezoid", "rectangle-implicit"):
        solve = lambda y, v, alpha: ht.fdeint(field, (y, v), t, alpha, method=method)  # noqa: B023, E731
        assert gradcheck(solve, (y0, double(3, 2), orders))
    # A component of an order below 1 does not see the derivative.
    v = double(3, 2)
    ht.fdeint(field, (y0, v), t, orders).sum().backward()
    assert v.grad[:, 1].abs().max() == 0.0


def test_relaxation_and_order_of_accuracy():
    errors = {}
    for method in ("rectangle", "pece", "trapezoid", "rectangle-implicit"):
        for n in (200, 400):
            t = torch.linspace(0, 1, n + 1, dtype=torch.float64)
            y = ht.fdeint(lambda t, y: -y, torch.ones(1, dtype=torch.float64), t, 0.6, method=method)
            errors[method, n] = abs(y[-1].item() - hpfracc.mittag_leffler(-1.0, 0.6))
    assert errors["rectangle", 400] < 1e-2 and errors["pece", 400] < 1e-3
    assert errors["rectangle", 200] / errors["rectangle", 400] > 1.7
    assert errors["pece", 200] / errors["pece", 400] > 2.5
    assert errors["rectangle-implicit", 200] / errors["rectangle-implicit", 400] > 1.7
    assert errors["trapezoid", 200] / errors["trapezoid", 400] > 2.5
    # The oscillator of order 1.5, and alpha = 1 as Euler's method.
    t = torch.linspace(0, 2, 801, dtype=torch.float64)
    one, zero = torch.ones(1, dtype=torch.float64), torch.zeros(1, dtype=torch.float64)
    y = ht.fdeint(lambda t, y: -y, (one, zero), t, 1.5)
    assert abs(y[-1].item() - hpfracc.mittag_leffler(-(2.0**1.5), 1.5)) < 1e-4
    y = ht.fdeint(lambda t, y: -y, one, t, 1.0, method="rectangle")
    assert abs(y[-1].item() - (1 - 2 / 800) ** 800) < 1e-12


@pytest.mark.parametrize(("dim", "scheme"), [(2, "trapezoid"), (40, "trapezoid"), (40, "rectangle")])
def test_implicit_steps_are_those_of_the_library(dim, scheme):
    """Stiff and nonlinear: a dense Jacobian for few numbers, GMRES for more."""
    rates = np.linspace(1.0, 2000.0, dim)
    f = lambda t, y: torch.from_numpy(rates) * (torch.cos(3 * t) - y - 0.2 * y**3) + y.flip(0) ** 2  # noqa: E731
    t, y0 = torch.linspace(0, 1, 21, dtype=torch.float64), torch.full((dim,), 0.5, dtype=torch.float64)
    y = ht.fdeint(f, y0, t, 0.7, method="trapezoid" if scheme == "trapezoid" else "rectangle-implicit")
    g = lambda t, y: rates * (np.cos(3 * t) - y - 0.2 * y**3) + y[::-1] ** 2  # noqa: E731
    expected = hpfracc.solve(g, (0, 1), y0.numpy(), alpha=0.7, scheme=scheme, steps=20)
    np.testing.assert_allclose(y.numpy().T, expected.y, atol=1e-10)


def test_gradients_of_implicit_steps_by_products():
    field, y0, t = Field(), double(20, 2), torch.linspace(0, 4, 5, dtype=torch.float64)
    solve = lambda y0, alpha, *_: ht.fdeint(  # noqa: E731
        lambda t, y: 5 * field(t, y) - 20 * y, y0, t, alpha, method="trapezoid"
    )
    assert gradcheck(solve, (y0, number(0.6), *field.parameters()), fast_mode=True)
    stiff = ht.fdeint(lambda t, y: -1e6 * (y - 1), torch.zeros(1), torch.linspace(0, 1, 11), 0.5, method="rectangle-implicit")
    assert abs(stiff[-1].item() - 1) < 1e-5
    with pytest.raises(SolverError, match="Newton's method found no solution of the step to t = 1"):
        ht.fdeint(lambda t, y: y * y + 1, torch.ones(1), torch.linspace(0, 5, 6), 1.0, method="rectangle-implicit")


def test_short_solves_store_their_graphs(monkeypatch):
    calls, y0, t = [], double(3, 2), torch.linspace(0, 1, 11, dtype=torch.float64)
    field = Field()

    def f(t, y):
        calls.append(t)
        return field(t, y)

    counts, gradients = [], []
    for most in (memory._STORED, 0):
        monkeypatch.setattr(memory, "_STORED", most)
        calls.clear()
        ht.fdeint(f, y0, t, 0.6).sum().backward()
        counts.append(len(calls))
        gradients.append([p.grad.clone() for p in field.parameters()])
        field.zero_grad()
    assert counts == [1 + 20, 1 + 20 + 20]
    for stored, recomputed in zip(*gradients):
        torch.testing.assert_close(stored, recomputed)


def test_parameters_are_found_without_being_named():
    t, y0 = torch.linspace(0, 1, 21, dtype=torch.float64), torch.ones(2, dtype=torch.float64)
    raw = number(0.3)
    rate = torch.exp(raw)  # Computed before the solve: its graph is used at each node.
    ht.fdeint(lambda t, y: -rate * y, y0, t, 0.6)[-1].sum().backward()
    e = 1e-5
    solve = lambda raw: ht.fdeint(lambda t, y: -math.exp(raw) * y, y0, t, 0.6)[-1].sum().item()  # noqa: E731
    assert abs(raw.grad.item() - (solve(0.3 + e) - solve(0.3 - e)) / (2 * e)) < 1e-8
    # A tensor that only later calls use has to be named.
    late = number(0.5)
    f = lambda t, y: -y if t < 0.5 else -late * y  # noqa: E731
    ht.fdeint(f, y0, t, 0.6, params=[late])[-1].sum().backward()
    assert late.grad.item() < 0.0
    with torch.no_grad():
        assert not ht.fdeint(lambda t, y: -rate * y, y0, t, 0.6).requires_grad


def test_single_precision_and_long_solves():
    field = Field().float()
    y0, t = torch.ones(8, 2), torch.linspace(0, 1, 401)
    y = ht.fdeint(field, y0, t, 0.7)
    exact = ht.fdeint(Field(), y0.double(), torch.linspace(0, 1, 401, dtype=torch.float64), 0.7)
    assert y.dtype == torch.float32 and y.shape == (401, 8, 2)
    torch.testing.assert_close(y.double(), exact, rtol=0, atol=2e-5)


def test_sums_on_other_devices(monkeypatch):
    """The sums that other devices use, on the CPU."""
    field, y0, t = Field(), double(3, 2), torch.linspace(0, 1, 9, dtype=torch.float64)
    orders = torch.tensor([0.5, 0.8], dtype=torch.float64, requires_grad=True)
    tensors = (y0, orders, *field.parameters())
    expected = ht.fdeint(field, y0, t, orders)
    gradients = torch.autograd.grad(expected.pow(2).sum(), tensors)

    def start(self, weights, of, like):
        self.lanes = like.numel()
        self._start_on(like, weights, of)
        self.push = self._push_there

    monkeypatch.setattr(memory.History, "__init__", start)
    found = ht.fdeint(field, y0, t, orders)
    torch.testing.assert_close(found, expected)
    for a, b in zip(torch.autograd.grad(found.pow(2).sum(), tensors), gradients):
        torch.testing.assert_close(a, b)


def test_solves_have_no_second_derivative():
    y0, t = double(2), torch.linspace(0, 1, 6, dtype=torch.float64)
    (g,) = torch.autograd.grad(ht.fdeint(lambda t, y: y.sin(), y0, t, 0.5).sum(), y0, create_graph=True)
    with pytest.raises(NotImplementedError, match="fdeint has no second derivatives"):
        g.sum().backward()


def test_bad_input_of_solves():
    t, y0 = torch.linspace(0, 1, 11), torch.ones(2)
    f = lambda t, y: -y  # noqa: E731
    for call, message in (
        (lambda: ht.fdeint(f, y0.int(), t, 0.5), "torch.int32"),
        (lambda: ht.fdeint(f, y0[:0], t, 0.5), "y0 is empty"),
        (lambda: ht.fdeint(f, y0, t[:1], 0.5), "at least two times"),
        (lambda: ht.fdeint(f, y0, t**2, 0.5), r"expected a uniform grid"),
        (lambda: ht.fdeint(f, y0, -t, 0.5), "increasing times"),
        (lambda: ht.fdeint(f, y0, t * math.nan, 0.5), r"t\[0\] is not finite"),
        (lambda: ht.fdeint(f, y0, t, 0.0), "alpha is 0.0"),
        (lambda: ht.fdeint(f, y0, t, math.nan), "alpha is nan"),
        (lambda: ht.fdeint(f, y0, t, 1.5), "expected 2"),
        (lambda: ht.fdeint(f, y0, t, torch.ones(3)), "does not broadcast"),
        (lambda: ht.fdeint(f, y0, t, 0.5, method="euler"), "expected one of pece, rectangle"),
        (lambda: ht.fdeint(f, y0, t, 0.5, passes=0), "passes is 0"),
        (lambda: ht.fdeint(lambda t, y: y[0], y0, t, 0.5), r"func returned a tensor of the shape \(\)"),
        (lambda: ht.fdeint(lambda t, y: y.double(), y0, t, 0.5), "func returned torch.float64"),
        (lambda: ht.fdeint(lambda t, y: 1.0, y0, t, 0.5), "func returned float"),
    ):
        with pytest.raises(InputError, match=message):
            call()
    with pytest.raises(SolverError, match="not finite at t = "):
        ht.fdeint(lambda t, y: torch.exp(100 * y), y0, t, 0.5)
    with pytest.raises(ZeroDivisionError):
        ht.fdeint(lambda t, y: y / (1 // 0), y0, t, 0.5)


# Stochastic equations


COEFFICIENTS = {
    "diagonal": lambda net: lambda t, y: 0.3 * torch.sin(net(y)),
    "scalar": lambda net: lambda t, y: 0.3 * torch.sin(net(y)),
    "general": lambda net: lambda t, y: torch.stack([net(y), 0.1 * y, y.sin()], -1),
}


@pytest.mark.parametrize("noise", COEFFICIENTS)
@pytest.mark.parametrize("hurst", [0.5, 0.7])
def test_gradients_of_a_stochastic_solve(noise, hurst):
    field, y0, t = Field(), double(3, 2), torch.linspace(0, 1, 6, dtype=torch.float64)
    diffusion = COEFFICIENTS[noise](field.net)
    parameters = tuple(field.parameters())
    for alpha in (1.0, number(0.8)):
        solve = lambda y0, alpha, *_: ht.fsdeint(  # noqa: E731
            field, diffusion, y0, t, alpha=alpha, noise=noise, hurst=hurst, seed=3, recompute=hurst == 0.5
        )
        assert gradcheck(solve, (y0, alpha, *parameters))


def test_stochastic_solve_is_the_scheme():
    t, y0 = torch.linspace(0, 1, 11, dtype=torch.float64), torch.ones(4, 3, dtype=torch.float64)
    drift, diffusion = (lambda t, y: -y), (lambda t, y: 0.2 * y)
    y = ht.fsdeint(drift, diffusion, y0, t, seed=9, hurst=0.3)
    increments = torch.from_numpy(noise_increments(9, [0.3] * 3, 10, 0.1, 4))
    expected = [y0]
    for dz in increments:
        expected.append(expected[-1] * (1 - 0.1 + 0.2 * dz))
    torch.testing.assert_close(y, torch.stack(expected))
    torch.testing.assert_close(ht.fsdeint(drift, diffusion, y0, t, increments=increments), y)
    # A path has the same noise in any batch.
    torch.testing.assert_close(ht.fsdeint(drift, diffusion, y0[:2], t, seed=9, hurst=0.3), y[:, :2], rtol=0, atol=0)


@pytest.mark.parametrize("recompute", [True, False])
def test_gradients_of_milstein(recompute):
    field, y0, t = Field(), double(3, 2), torch.linspace(0, 1, 6, dtype=torch.float64)
    scale = double(2)
    solve = lambda y0, scale, *_: ht.fsdeint(  # noqa: E731
        field, lambda t, y: 0.3 * torch.sin(scale * y), y0, t, method="milstein", seed=3, recompute=recompute
    )
    assert gradcheck(solve, (y0, scale, *field.parameters()))


def test_strong_orders():
    """Geometric Brownian motion, whose paths are known: order 1/2 of Euler, 1 of Milstein."""
    drift, diffusion, paths = (lambda t, y: 0.5 * y), (lambda t, y: 0.8 * y), 2000
    y0 = torch.ones(paths, 1, dtype=torch.float64)
    fine = torch.from_numpy(noise_increments(5, [0.5], 512, 1 / 512, paths))
    exact = torch.exp((0.5 - 0.32) + 0.8 * fine.sum(0))
    for method, order in (("euler", 0.5), ("milstein", 1.0)):
        errors = []
        for n in (32, 128, 512):
            increments = fine.view(n, 512 // n, paths, 1).sum(1)
            t = torch.linspace(0, 1, n + 1, dtype=torch.float64)
            y = ht.fsdeint(drift, diffusion, y0, t, method=method, increments=increments)
            errors.append((y[-1] - exact).abs().mean().item())
        assert abs(math.log(errors[0] / errors[-1]) / math.log(16) - order) < 0.15


def test_moments_with_memory():
    """Without drift the variance at the end is that of the integral of the kernel."""
    t, alpha = torch.linspace(0, 1, 101, dtype=torch.float64), 0.75
    y0 = torch.zeros(20000, 1, dtype=torch.float64)
    y = ht.fsdeint(lambda t, y: 0 * y, lambda t, y: torch.ones_like(y), y0, t, alpha=alpha, seed=1)
    variance = 1 / (math.gamma(alpha) ** 2 * (2 * alpha - 1))
    assert abs(y[-1].var().item() / variance - 1) < 0.04
    assert abs(y[-1].mean().item()) < 0.03


def test_bad_input_of_stochastic_solves():
    t, y0 = torch.linspace(0, 1, 11), torch.ones(4, 2)
    f, g = (lambda t, y: -y), (lambda t, y: torch.ones_like(y))
    for settings, message in (
        ({"alpha": 0.5}, "expected alpha > 0.5"),
        ({"alpha": 1.2}, "alpha <= 1"),
        ({"hurst": 1.0}, "hurst is 1.0"),
        ({"noise": "white"}, "expected one of diagonal, scalar, general"),
        ({"noise": "general"}, "number of noises after it"),
        ({"method": "heun"}, "expected one of euler, milstein"),
        ({"method": "milstein", "hurst": 0.7}, "'milstein', which needs noise='diagonal', hurst=0.5 and alpha=1.0"),
        ({"method": "milstein", "noise": "scalar"}, "which needs"),
        ({"seed": -1}, "seed is -1"),
        ({"increments": torch.ones(3)}, "increments have the shape"),
    ):
        with pytest.raises(InputError, match=message):
            ht.fsdeint(f, g, y0, t, **settings)
    with pytest.raises(InputError, match="diffusion returned a tensor of the shape"):
        ht.fsdeint(f, lambda t, y: y[0], y0, t)


def test_other_devices_warn_once(monkeypatch):
    if not torch.cuda.is_available():
        pytest.skip("no device other than the CPU")
    monkeypatch.setattr(ht, "_warned", False)
    x = torch.ones(8, device="cuda")
    with pytest.warns(RuntimeWarning, match="computed on the CPU"):
        assert ht.caputo(x, 0.5).device == x.device
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ht.caputo(x, 0.5)

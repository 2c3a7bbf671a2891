"""hpfracc.torch: solves: gradients against differences, solutions against closed forms, the messages for bad input."""

import math
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from torch.autograd import gradcheck  # noqa: E402

import hpfracc  # noqa: E402
import hpfracc.torch as ht  # noqa: E402
from hpfracc import InputError, SolverError  # noqa: E402
from hpfracc import _torch_memory as memory  # noqa: E402
from hpfracc._hpfracc import noise_increments  # noqa: E402

RNG = np.random.default_rng(1)


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

"""hpfracc.torch: operators, histories and weights: gradients against differences, and the messages for bad input."""

import math
import warnings

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from torch.autograd import gradcheck, gradgradcheck  # noqa: E402

import hpfracc  # noqa: E402
import hpfracc.torch as ht  # noqa: E402
from hpfracc import InputError  # noqa: E402
from hpfracc import _torch_memory as memory  # noqa: E402
from hpfracc._hpfracc import History, definitions, product_weights  # noqa: E402

RNG = np.random.default_rng(1)
#: The machine may choose another backend for the second call: the same numbers to rounding.
ROUNDING = 1e-11


def double(*shape):
    return torch.from_numpy(RNG.normal(size=shape)).requires_grad_()


def number(value):
    return torch.tensor(value, dtype=torch.float64, requires_grad=True)


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

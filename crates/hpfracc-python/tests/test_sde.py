"""Ensembles of models and texts: exact moments, bits, schemes, errors, results."""

import math
import pickle
import sys

import hpfracc
import numpy as np
import pytest
from ensembles import OU, assert_same
from hpfracc import EquationError, InputError, MemoryLimitError, SolverError

# Models


def test_models_are_listed():
    models = hpfracc.models()
    assert len(models) == 15
    for name, model in models.items():
        assert model.name == name and model.equation and model.parameters and model.observables
        assert name in repr(model) and name in model._repr_html_()
        assert pickle.loads(pickle.dumps(model)) == model
    assert [p.name for p in models["rough-bergomi"].parameters] == ["s0", "xi0", "eta", "hurst", "rho"]


@pytest.mark.parametrize("name", list(hpfracc.models()))
def test_moments_are_the_exact_ones(name):
    found = hpfracc.simulate(name, paths=4000, steps=128, t_span=1.0, every=32, seed=5)
    assert found.mean.shape == (5, len(found.observables))
    assert found.covariance.shape == (5, len(found.observables), len(found.observables))
    if found.exact_mean is None:
        return
    for k in range(len(found.observables)):
        mean, variance = found.exact_mean[-1, k], found.exact_variance
        error = found.standard_error[-1, k]
        # Euler's steps have a bias, and powers of a rough volatility have long tails.
        if not math.isnan(mean) and math.isfinite(error):
            assert abs(found.mean[-1, k] - mean) < 4.5 * error + 0.02 * abs(mean)
        heavy = name in ("rough-bergomi", "stable-levy-motion")
        if variance is not None and not math.isnan(variance[-1, k]) and not heavy:
            assert abs(found.variance[-1, k] / variance[-1, k] - 1) < 0.15


def test_exact_moments_of_ornstein_uhlenbeck():
    t = np.array([0.0, 0.5, 3.0])
    mean, variance = hpfracc.exact_moments("ornstein-uhlenbeck", t, theta=2.0, mu=0.3, sigma=0.4, x0=1.5)
    np.testing.assert_allclose(mean[:, 0], 0.3 + 1.2 * np.exp(-2 * t), rtol=1e-14)
    np.testing.assert_allclose(variance[:, 0], 0.16 / 4 * (1 - np.exp(-4 * t)), rtol=1e-13, atol=1e-300)
    with pytest.raises(InputError, match="t is -1"):
        hpfracc.exact_moments("ornstein-uhlenbeck", [-1.0])


def test_events_stop_paths():
    text = "dX = 0.5 dt + 0.2 dW; X(0) = 0; t in [0, 4]; when X = 1: stop; when X = -0.1 falling: stop"
    found = hpfracc.simulate(text, paths=500, steps=200, seed=3, store=True)
    stopped = found.stop_event >= 0
    assert 400 < stopped.sum() <= 500 and (np.isnan(found.stop_time) == ~stopped).all()
    assert set(found.stop_event) <= {-1, 0, 1} and 0 < found.stop_time[stopped].min() < found.stop_time[stopped].max() <= 4
    levels = np.array([1.0, -0.1])[found.stop_event[stopped]]
    np.testing.assert_allclose(found.paths[stopped, -1, 0], levels, atol=1e-12)
    assert hpfracc.simulate("dX = dW; X(0) = 0; t in [0, 1]", paths=2, steps=2).stop_time is None


def test_parameters_of_models():
    found = hpfracc.simulate("ornstein-uhlenbeck", x0=3.0, theta=0.1, paths=10, steps=5, t_span=(2.0, 3.0))
    assert found.parameters == {"theta": 0.1, "mu": 0.0, "sigma": 0.5, "x0": 3.0}
    assert found.mean[0, 0] == 3.0
    assert found.t[0] == 2.0 and found.t[-1] == 3.0
    assert found.exact_mean[0, 0] == 3.0
    options = {"paths": 10, "steps": 5, "t_span": (2, 3)}
    same = hpfracc.simulate("ornstein-uhlenbeck", parameters={"x0": 3.0, "theta": 0.1}, **options)
    assert_same(found, same)


# Bits


@pytest.mark.parametrize("subject", ["rough-heston", "fractional-langevin", OU])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_bits_do_not_depend_on_threads(subject, dtype):
    options = {"paths": 333, "steps": 40, "seed": 3, "quantiles": [0.1, 0.5], "store": True, "dtype": dtype}
    one = hpfracc.simulate(subject, threads=1, **options)
    assert one.paths.dtype == dtype and one.mean.dtype == np.float64
    assert_same(one, hpfracc.simulate(subject, threads=2, **options))
    assert_same(one, hpfracc.simulate(subject, threads=3, **options))
    assert_same(one, hpfracc.simulate(subject, **options))
    assert (hpfracc.simulate(subject, **(options | {"seed": 4})).mean[-1] != one.mean[-1]).any()


@pytest.mark.parametrize("subject", ["rough-bergomi", OU])
def test_an_ensemble_in_parts(subject):
    options = {"steps": 20, "seed": 3, "store": True}
    whole = hpfracc.simulate(subject, paths=100, **options)
    parts = [hpfracc.simulate(subject, paths=p, first=f, **options).paths for f, p in [(0, 30), (30, 70)]]
    np.testing.assert_array_equal(np.concatenate(parts), whole.paths)


def test_a_text_is_the_model_of_the_library():
    text = hpfracc.simulate(OU, paths=300, steps=50, seed=7, store=True)
    model = hpfracc.simulate("ornstein-uhlenbeck", paths=300, steps=50, t_span=1.0, seed=7, store=True)
    np.testing.assert_allclose(text.paths, model.paths, rtol=1e-12, atol=1e-14)


def test_statistics_are_those_of_the_paths():
    found = hpfracc.simulate(OU, paths=1000, steps=10, seed=1, store=True, quantiles=[0.0, 0.25, 0.9, 1.0])
    x = found.paths[:, :, 0]
    np.testing.assert_allclose(found.mean[:, 0], x.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(found.variance[:, 0], x.var(axis=0, ddof=1), rtol=1e-10, atol=1e-28)
    error = x.std(axis=0, ddof=1) / math.sqrt(1000)
    np.testing.assert_allclose(found.standard_error[:, 0], error, rtol=1e-10, atol=1e-15)
    np.testing.assert_array_equal(found.least[:, 0], x.min(axis=0))
    np.testing.assert_array_equal(found.greatest[:, 0], x.max(axis=0))
    exact = np.quantile(x, [0.0, 0.25, 0.9, 1.0], axis=0).T
    np.testing.assert_allclose(found.quantiles[:, 0], exact, rtol=0.03, atol=0.01)
    close = hpfracc.simulate(OU, paths=1000, steps=10, seed=1, quantiles=[0.25], quantile_error=1e-4)
    np.testing.assert_allclose(close.quantiles[:, 0, 0], exact[:, 1], rtol=2e-4, atol=1e-4)
    first = hpfracc.simulate(OU, paths=1000, steps=10, seed=1, store=17)
    np.testing.assert_array_equal(first.paths, found.paths[:17])


def test_saved_times():
    options = {"paths": 50, "steps": 20, "seed": 2}
    all_times = hpfracc.simulate(OU, **options)
    np.testing.assert_allclose(all_times.t, np.linspace(0, 1, 21))
    some = hpfracc.simulate(OU, t=[0.25, 0.5], **options)
    np.testing.assert_array_equal(some.mean, all_times.mean[[5, 10]])
    every = hpfracc.simulate(OU, every=8, **options)
    np.testing.assert_array_equal(every.mean, all_times.mean[[0, 8, 16, 20]])
    with pytest.raises(InputError, match="t = 0.26 is no node"):
        hpfracc.simulate(OU, t=[0.26], **options)
    with pytest.raises(InputError, match="t and every"):
        hpfracc.simulate(OU, t=[0.5], every=2, **options)


def test_shown_quantities_are_observables():
    text = "dX = -X dt + 0.5 dW; X(0) = 1; t in [0, 1]; show s = X^2; k = 2; show r = k X + t"
    found = hpfracc.simulate(text, paths=100, steps=10, store=True)
    assert found.observables == ("X", "s", "r")
    x, s, r = np.moveaxis(found.paths, 2, 0)
    np.testing.assert_allclose(s, x**2, rtol=1e-14)
    np.testing.assert_allclose(r, 2 * x + found.t, rtol=1e-14)
    with pytest.raises(SolverError, match="path .*: e is too large"):
        hpfracc.simulate("dX = dW; X(0) = 0; t in [0, 1]; show e = 1/(X - X)", paths=8, steps=4)


# Schemes


def test_schemes_of_a_text():
    text = "dS = 0.1 S dt + 0.4 S dW; S(0) = 1; t in [0, 1]"
    for scheme in ("euler-maruyama", "tamed-euler", "drift-implicit", "milstein", "sric2", "sriw1"):
        found = hpfracc.simulate(text, scheme=scheme, paths=2000, steps=64, every=64, seed=1)
        assert found.scheme == scheme
        assert abs(found.mean[-1, 0] - math.exp(0.1)) < 4.5 * found.standard_error[-1, 0] + 0.01
    for scheme in ("heun", "reversible-heun"):
        found = hpfracc.simulate(text.replace("S dW", "S o dW"), scheme=scheme, paths=2000, steps=64, every=64, seed=1)
        assert abs(found.mean[-1, 0] - math.exp(0.18)) < 4.5 * found.standard_error[-1, 0] + 0.01
    assert hpfracc.simulate(OU, scheme="sra1", paths=10, steps=5).scheme == "sra1"
    assert set(hpfracc.sde_schemes()) >= {"milstein", "forced-euler-maruyama", "fractional-euler-maruyama"}
    with pytest.raises(InputError, match="schemes for this equation are euler-maruyama"):
        hpfracc.simulate(text, scheme="heun", paths=10, steps=5)
    with pytest.raises(InputError, match="unknown scheme 'rk4'; known are euler-maruyama"):
        hpfracc.simulate(text, scheme="rk4", paths=10, steps=5)
    with pytest.raises(InputError, match="has its own scheme"):
        hpfracc.simulate("rough-heston", scheme="milstein", paths=10, steps=5)


def test_strong_order_of_milstein():
    sigma = 0.5
    text = f"dS = 0.1 S dt + {sigma} S dW; S(0) = 1; t in [0, 1]"
    errors = []
    for steps in (16, 64):
        ends = hpfracc.simulate(text, scheme="milstein", paths=500, steps=steps, seed=3, store=True).paths[:, -1, 0]
        w = hpfracc.brownian(steps, paths=500, seed=3)[:, -1]
        errors.append(np.sqrt(np.mean((ends - np.exp(0.1 - sigma**2 / 2 + sigma * w)) ** 2)))
    assert 2.8 < errors[0] / errors[1] < 5.5


def test_fractional_equations():
    text = "D^alpha X = -X + 0.3 dW/dt; alpha = 0.8; X(0) = 1; t in [0, 1]"
    try:
        found = hpfracc.simulate(text, paths=2000, steps=100, every=100, seed=1)
    except EquationError:
        text = "d^alpha X = -X dt + 0.3 dW; alpha = 0.8; X(0) = 1; t in [0, 1]"
        found = hpfracc.simulate(text, paths=2000, steps=100, every=100, seed=1)
    assert found.scheme == "fractional-euler-maruyama"
    exact = hpfracc.exact_moments("caputo-ornstein-uhlenbeck", [1.0], alpha=0.8, theta=1.0, mu=0.0, sigma=0.3, x0=1.0)
    assert abs(found.mean[-1, 0] - exact[0][0, 0]) < 4.5 * found.standard_error[-1, 0] + 0.01
    assert abs(found.variance[-1, 0] / exact[1][0, 0] - 1) < 0.15


def test_random_starts():
    text = "dX = 0 dt + 1 dW; X(0) = normal(2, 0.5); t in [0, 1]"
    found = hpfracc.simulate(text, paths=4000, steps=4, seed=1)
    assert abs(found.mean[0, 0] - 2) < 4.5 * 0.5 / math.sqrt(4000)
    assert abs(found.variance[-1, 0] / 1.25 - 1) < 0.1


# Errors


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"model": "brown"}, InputError, "unknown model 'brown'; known are ornstein-uhlenbeck"),
        ({"model": "dX = -Y dt; X(0) = 1; t in [0, 1]"}, EquationError, "unknown name `Y`"),
        ({"model": "dX = -X dt + dW; X(0) = 1"}, InputError, "no interval"),
        ({"model": 3}, InputError, "model is 3"),
        ({"sigmaa": 1.0}, InputError, "unknown parameter of ornstein-uhlenbeck 'sigmaa'; known are theta, mu"),
        ({"sigma": -1.0}, InputError, "the parameter sigma is -1"),
        ({"sigma": float("nan")}, InputError, "the parameter sigma is NaN"),
        ({"sigma": "big"}, InputError, "sigma is 'big'"),
        ({"model": OU, "beta": 1.0}, InputError, "unknown parameter of the equation 'beta'; known are theta, mu"),
        ({"paths": 0}, InputError, "paths is 0"),
        ({"paths": 2.5}, InputError, "paths is 2.5"),
        ({"steps": 0}, InputError, "steps is 0"),
        ({"steps": 2**32}, InputError, "number of steps"),
        ({"t_span": (1.0, 1.0)}, InputError, "the interval \\[1, 1\\]"),
        ({"t_span": (0.0, 1.0, 2.0)}, InputError, "t_span has 3 numbers"),
        ({"t_span": "1"}, InputError, "t_span is '1'"),
        ({"seed": -1}, InputError, "seed is -1"),
        ({"dtype": "float16"}, InputError, "dtype is float16"),
        ({"quantiles": [1.5]}, InputError, "a probability is 1.5"),
        ({"quantiles": [float("nan")]}, InputError, "a probability is NaN"),
        ({"quantiles": [0.5], "quantile_error": 0.7}, InputError, "the error of a quantile is 0.7"),
        ({"moments": False}, InputError, "nothing to collect"),
        ({"store": -1}, InputError, "store is -1"),
        ({"tile": 0}, InputError, "tile is 0"),
        ({"checkpoint_interval": 0}, InputError, "checkpoint_interval is 0"),
        ({"progress": 3}, InputError, "progress is 3"),
        ({"calculus": "ito"}, InputError, "calculus: only for drift and diffusion as functions"),
        ({"every": 0}, InputError, "every is 0"),
        ({"paths": 10**9, "steps": 10**6, "store": True}, MemoryLimitError, "array of all paths"),
        ({"first": 2**64 - 1}, InputError, "first path"),
    ],
)
def test_refused_arguments(arguments, kind, message):
    arguments = {"model": "ornstein-uhlenbeck", "paths": 10, "steps": 4} | arguments
    with pytest.raises(kind, match=message):
        hpfracc.simulate(arguments.pop("model"), **arguments)


def test_paths_that_blow_up():
    with pytest.raises(SolverError, match="path .*: component 0 is not finite after step"):
        hpfracc.simulate("dX = X^3 dt + dW; X(0) = 3; t in [0, 10]", paths=10, steps=50)


# Results


def test_ensembles_are_values():
    found = hpfracc.simulate("rough-bergomi", paths=50, steps=10, store=4, quantiles=[0.05, 0.95])
    copy = pickle.loads(pickle.dumps(found))
    assert_same(found, copy)
    assert copy.observables == ("s", "v") and copy.parameters == found.parameters
    assert repr(found).startswith("Ensemble(rough-bergomi: 50 paths, 11 times to t = 1, observables s, v;")
    assert "<table>" in found._repr_html_() and "exact mean" in found._repr_html_()
    only = hpfracc.simulate("rough-bergomi", paths=50, steps=10, store=4, moments=False)
    assert only.mean is None and only.variance is None and only.std is None and only.standard_error is None
    assert "paths" in repr(only) and "<table>" in only._repr_html_()


def test_plots():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    found = hpfracc.simulate("rough-bergomi", paths=50, steps=10, store=4, quantiles=[0.05, 0.25, 0.75, 0.95])
    ax = found.plot("v")
    assert ax.get_ylabel() == "v" and len(ax.collections) == 2
    hpfracc.simulate(OU, paths=50, steps=10).plot(ax=ax)
    hpfracc.simulate(OU, paths=50, steps=10, store=True, moments=False).plot(-1)
    with pytest.raises(InputError, match="observable 'w' is unknown; known are s, v"):
        found.plot("w")


def test_plots_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="plots need matplotlib"):
        hpfracc.simulate(OU, paths=5, steps=10).plot()

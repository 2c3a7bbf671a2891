"""Drift and diffusion as functions: tiles, noises, contexts, threads, exceptions."""

import contextvars
import math
import threading

import hpfracc
import numpy as np
import pytest
from ensembles import OU, assert_same
from hpfracc import InputError, NoiseProcess, SolverError


def test_functions_are_the_text():
    text = hpfracc.simulate(OU, paths=100, steps=20, seed=7, store=True)
    found = hpfracc.simulate(
        lambda t, x, theta: -theta * x, lambda t, x, theta: 0.5, x0=[1.0], theta=1.0, paths=100, steps=20, seed=7,
        t_span=1.0, store=True,
    )
    np.testing.assert_allclose(found.paths, text.paths, rtol=1e-12, atol=1e-14)
    assert found.parameters == {"theta": 1.0} and found.observables == ("x",)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_functions_get_tiles_of_paths(dtype):
    shapes = set()

    def drift(t, x):
        shapes.add((x.shape, x.dtype.name, type(t)))
        return np.stack([x[1], -x[0]])

    found = hpfracc.simulate(drift, lambda t, x: [[0.0], [0.1]], x0=[1.0, 0.0], noise_kind="scalar", paths=5000,
                             steps=8, dtype=dtype, additive=True)
    assert shapes == {((2, 4096), dtype, float), ((2, 904), dtype, float)}
    assert found.observables == ("x0", "x1")
    assert abs(found.mean[-1, 0] - math.cos(1)) < 0.1


def test_matrix_noise_and_correlations():
    c = np.array([[1.0, 0.5], [0.5, 1.0]])

    def diffusion(t, x):
        return np.array([[1.0, 2.0], [0.0, 3.0]])[:, :, None]

    options = {"noise_kind": "general", "noises": 2, "additive": True, "paths": 20_000, "steps": 4, "seed": 1}
    noise = NoiseProcess("correlated", correlation=c)
    found = hpfracc.simulate(lambda t, x: 0.0, diffusion, x0=[0.0, 0.0], noise=noise, **options)
    g = np.array([[1.0, 2.0], [0.0, 3.0]])
    np.testing.assert_allclose(found.covariance[-1], g @ c @ g.T, rtol=0.06)


def test_fractional_noise_of_functions():
    found = hpfracc.simulate(lambda t, x: 0 * x, lambda t, x: 1.0, x0=[0.0], hurst=0.3, additive=True, paths=200,
                             steps=32, seed=3, store=True)
    np.testing.assert_allclose(found.paths[:, :, 0], hpfracc.fbm(32, 0.3, paths=200, seed=3), atol=1e-13)
    with pytest.raises(InputError, match="noise 0 has H = 0.3"):
        hpfracc.simulate(lambda t, x: 0 * x, lambda t, x: x, x0=[0.0], hurst=0.3, paths=10, steps=4)


def test_orders_and_starts_of_functions():
    starts = np.linspace(0.5, 1.5, 40)[:, None]
    found = hpfracc.simulate(lambda t, x: -x, x0=starts, paths=40, steps=400, alpha=0.7, store=True)
    assert found.scheme == "fractional-euler-maruyama"
    exact = hpfracc.exact_moments("caputo-ornstein-uhlenbeck", [1.0], alpha=0.7, theta=1.0, mu=0.0, x0=1.0)[0][0, 0]
    np.testing.assert_allclose(found.paths[:, -1, 0], starts[:, 0] * exact, rtol=0.01)
    with pytest.raises(InputError, match="starts"):
        hpfracc.simulate(lambda t, x: -x, x0=starts, paths=30, steps=4)


def test_exceptions_of_functions_come_through():
    class Special(Exception):
        pass

    def fails(t, x):
        if t > 0.5:
            raise Special("at", t)
        return x

    with pytest.raises(Special) as caught:
        hpfracc.simulate(fails, lambda t, x: 1.0, x0=[1.0], paths=100, steps=64)
    assert caught.value.args == ("at", 0.515625)
    with pytest.raises(InputError, match=r"drift returned an array of shape \[3\], expected \[1, 16\]"):
        hpfracc.simulate(lambda t, x: np.zeros(3), lambda t, x: 1.0, x0=[1.0], paths=16, steps=4)
    with pytest.raises(InputError, match="diffusion"):
        hpfracc.simulate(lambda t, x: x, lambda t, x: "1", x0=[1.0], paths=16, steps=4)
    with pytest.raises(InputError, match="drift has the type complex128"):
        hpfracc.simulate(lambda t, x: 1j * x, lambda t, x: 1.0, x0=[1.0], paths=16, steps=4)
    with pytest.raises(SolverError, match="path .*: component 0 is not finite after step 0"):
        hpfracc.simulate(lambda t, x: x * np.inf, lambda t, x: 1.0, x0=[1.0], paths=16, steps=4)


def test_functions_run_in_the_context_of_the_caller():
    variable = contextvars.ContextVar("variable", default=0)
    variable.set(5)
    seen = []
    hpfracc.simulate(lambda t, x: seen.append(variable.get()) or -x, x0=[1.0], paths=2, steps=2)
    assert set(seen) == {5}
    if np.lib.NumpyVersion(np.__version__) < "2.0.0":
        return  # errstate is a variable of the thread there.
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        hpfracc.simulate(lambda t, x: x / (t - t), x0=[1.0], paths=2, steps=2)


def test_functions_may_be_called_by_several_threads():
    results = []

    def solve():
        results.append(hpfracc.simulate(lambda t, x: -x, lambda t, x: 0.5, x0=[1.0], paths=50, steps=50, seed=1))

    workers = [threading.Thread(target=solve) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(results) == 4
    for result in results[1:]:
        assert_same(result, results[0])


def test_functions_may_use_the_library():
    def drift(t, x):
        noise = hpfracc.fbm(100, 0.3, paths=100, seed=1)
        inner = hpfracc.simulate(lambda t, y: -y, x0=[1.0], paths=20, steps=20, threads=2)
        assert noise.shape == (100, 101) and inner.mean[-1, 0] < 1
        return -x

    assert hpfracc.simulate(drift, x0=[1.0], paths=10, steps=3).mean[-1, 0] < 1
    shares = []

    def progress(share):
        shares.append(hpfracc.brownian(100, paths=100).shape)

    hpfracc.simulate("rough-heston", paths=3000, steps=200, progress=progress)
    assert set(shares) == {(100, 101)}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"x0": None}, "x0 is missing"),
        ({"x0": "1"}, "x0 has shape"),
        ({"x0": [float("nan")]}, "component 0 is NaN at the start"),
        ({"noise_kind": "matrix"}, "noise_kind is 'matrix'"),
        ({"noise_kind": "general"}, "noises is missing"),
        ({"noises": 2}, "only for noise_kind='general'"),
        ({"noise": "fbm"}, "noise is 'fbm'"),
        ({"noise": NoiseProcess("brownian", 3)}, "the noise has length 3, expected 1"),
        ({"hurst": 0.7, "noise": NoiseProcess("brownian")}, "noise and hurst"),
        ({"calculus": "klimontovich"}, "calculus is 'klimontovich'"),
        ({"alpha": [0.5, 0.6]}, "the list of orders has length 2, expected 1"),
        ({"alpha": 1.5}, "order of component 0 is 1.5"),
        ({"scheme": "sra1"}, "SRA1 does not take this equation: .*; schemes for this equation are euler-maruyama"),
    ],
)
def test_refused_arguments_of_functions(arguments, message):
    arguments = {"x0": [1.0], "paths": 10, "steps": 4} | arguments
    with pytest.raises(InputError, match=message):
        hpfracc.simulate(lambda t, x: -x, lambda t, x: x, **arguments)

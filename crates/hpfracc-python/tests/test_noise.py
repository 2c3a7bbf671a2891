"""Noise: closed forms of the distributions, and bits that do not depend on threads or batches."""

import math
import pickle
import threading

import hpfracc
import numpy as np
import pytest
from hpfracc import InputError, MemoryLimitError, NoiseProcess

#: Noises of one component, by name.
NOISES = {
    "brownian": NoiseProcess("brownian"),
    "fbm": NoiseProcess("fbm", hurst=0.7),
    "rough": NoiseProcess("fbm", hurst=0.1),
    "riemann-liouville": NoiseProcess("riemann-liouville", hurst=0.2),
    "coloured": NoiseProcess("coloured", tau=0.3),
    "stable": NoiseProcess("stable", index=1.7, skewness=0.3),
    "poisson": NoiseProcess("poisson", rate=4.0, jump=("normal", 0.1, 0.5)),
}


def z_score(values, mean, variance):
    """Distance of the mean from the exact one, in standard errors."""
    return abs(values.mean() - mean) / math.sqrt(variance / len(values))


@pytest.mark.parametrize("noise", NOISES.values(), ids=NOISES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_bits_do_not_depend_on_batches_and_threads(noise, dtype):
    options = {"t_end": 2.0, "seed": 11, "dtype": dtype}
    whole = noise.sample(37, paths=150, **options)
    assert whole.shape == (150, 1, 38)
    assert whole.dtype == dtype
    assert (whole[:, :, 0] == 0).all()
    parts = [noise.sample(37, paths=p, first=f, **options) for f, p in [(0, 1), (1, 70), (71, 79)]]
    np.testing.assert_array_equal(np.concatenate(parts), whole)
    for threads in (1, 2, 3):
        np.testing.assert_array_equal(noise.sample(37, paths=150, threads=threads, **options), whole)
    other = noise.sample(37, paths=150, t_end=2.0, seed=12, dtype=dtype)
    assert (other[:, 0, -1] != whole[:, 0, -1]).any()


@pytest.mark.parametrize("noise", NOISES.values(), ids=NOISES)
def test_paths_are_sums_of_increments(noise):
    increments = noise.sample(50, paths=9, seed=3, increments=True)
    assert increments.shape == (9, 1, 50)
    np.testing.assert_array_equal(noise.sample(50, paths=9, seed=3)[..., 1:], increments.cumsum(axis=-1))
    single = noise.sample(50, paths=9, seed=3, increments=True, dtype="float32")
    exact = np.cumsum(single.astype(float), axis=-1).astype("float32")
    np.testing.assert_array_equal(noise.sample(50, paths=9, seed=3, dtype="float32")[..., 1:], exact)


@pytest.mark.parametrize("hurst", [0.1, 0.5, 0.85])
def test_covariance_of_fbm(hurst):
    b = hpfracc.fbm(16, hurst, paths=20_000, t_end=4.0, seed=1)
    t = np.linspace(0.0, 4.0, 17)
    for i, j in [(16, 16), (4, 16), (9, 9), (1, 15)]:
        exact = hpfracc.fbm_covariance(hurst, t[i], t[j])
        variances = [hpfracc.fbm_covariance(hurst, t[k], t[k]) for k in (i, j)]
        assert z_score(b[:, i] * b[:, j], exact, variances[0] * variances[1] + exact**2) < 4.5


def test_fgn_has_the_covariance_of_its_lags():
    covariances = hpfracc.fgn_covariance(0.8, 8)
    x = hpfracc.fgn(8, 0.8, paths=20_000, seed=5)
    for lag in range(8):
        assert z_score(x[:, 0] * x[:, lag], covariances[lag], 1 + covariances[lag] ** 2) < 4.5
    scaled = hpfracc.fgn(8, 0.8, seed=5, dt=0.25)
    np.testing.assert_allclose(scaled, 0.25**0.8 * hpfracc.fgn(8, 0.8, seed=5), rtol=1e-14)
    power = np.arange(9.0) ** 1.6
    exact = 0.5 * np.array([2.0] + [power[k + 1] - 2 * power[k] + power[k - 1] for k in range(1, 8)])
    np.testing.assert_allclose(covariances, exact, rtol=1e-12)


def test_fbm_is_the_model_of_the_library():
    paths = hpfracc.simulate("fractional-brownian-motion", hurst=0.7, sigma=1.0, paths=70, steps=64, t_span=1.0, seed=9,
                             store=True).paths
    np.testing.assert_array_equal(hpfracc.fbm(64, 0.7, paths=70, seed=9), paths[:, :, 0])


def test_components_are_independent():
    b = hpfracc.fbm(4, [0.3, 0.7], paths=20_000, seed=2)
    assert b.shape == (20_000, 2, 5)
    assert z_score(b[:, 0, -1] * b[:, 1, -1], 0.0, 1.0) < 4.5
    w = hpfracc.brownian(4, components=3, paths=20_000, t_end=2.0, seed=2)
    assert w.shape == (20_000, 3, 5)
    for i in range(3):
        for j in range(3):
            assert z_score(w[:, i, -1] * w[:, j, -1], 2.0 * (i == j), 4.0 * (1 + (i == j))) < 4.5


def test_correlated_brownian():
    c = np.array([[2.0, 0.6], [0.6, 0.5]])
    z = hpfracc.correlated_brownian(8, covariance=c, paths=20_000, t_end=3.0, seed=4)
    for i in range(2):
        for j in range(2):
            variance = 9.0 * (c[i, i] * c[j, j] + c[i, j] ** 2)
            assert z_score(z[:, i, -1] * z[:, j, -1], 3.0 * c[i, j], variance) < 4.5
    same = hpfracc.correlated_brownian(8, np.ones((2, 2)), seed=4)
    np.testing.assert_array_equal(same[:, 0], same[:, 1])
    with pytest.raises(InputError, match="not positive semidefinite"):
        hpfracc.correlated_brownian(8, [[1.0, 1.2], [1.2, 1.0]])
    with pytest.raises(InputError, match="either correlation or covariance"):
        hpfracc.correlated_brownian(8)
    with pytest.raises(InputError, match="square matrix"):
        hpfracc.correlated_brownian(8, [[1.0, 0.5]])


def test_riemann_liouville():
    y, w = hpfracc.riemann_liouville_fbm(64, 0.3, driver=True, paths=20_000, t_end=2.0, seed=6)
    assert z_score(y[:, -1] ** 2, 2.0**0.6, 2 * 2.0**1.2) < 5
    assert z_score(w[:, -1] ** 2, 2.0, 8.0) < 4.5
    exact = math.sqrt(0.6) * 2.0**0.8 / 0.8
    assert z_score(y[:, -1] * w[:, -1], exact, 2.0 * 2.0**0.6 + exact**2) < 5
    z = hpfracc.riemann_liouville_fbm(64, 0.3, rho=-0.5, paths=20_000, t_end=2.0, seed=6)[1]
    assert z_score(z[:, -1] * w[:, -1], -1.0, 4.0 + 1.0) < 4.5
    only = hpfracc.riemann_liouville_fbm(64, 0.3, paths=20_000, t_end=2.0, seed=6)
    np.testing.assert_array_equal(only, y)
    scaled = hpfracc.riemann_liouville_fbm(16, 0.3, normalisation="fractional-integral", seed=6)
    factor = 1 / (math.gamma(0.8) * math.sqrt(0.6))
    np.testing.assert_allclose(scaled, factor * hpfracc.riemann_liouville_fbm(16, 0.3, seed=6), rtol=1e-12, atol=1e-15)
    with pytest.raises(InputError, match="driver and rho"):
        hpfracc.riemann_liouville_fbm(8, 0.3, driver=True, rho=0.1)


def test_coloured_noise():
    z = hpfracc.coloured_noise(32, 0.4, paths=20_000, t_end=1.5, seed=8)
    variance = 1.5 - 0.4 * (1 - math.exp(-1.5 / 0.4))
    assert z_score(z[:, -1] ** 2, variance, 2 * variance**2) < 4.5


def test_stable_levy():
    z = hpfracc.stable_levy(16, 1.4, scale=0.7, paths=20_000, t_end=2.0, seed=4)[:, -1]
    exact = math.exp(-2.0 * 0.7**1.4)
    assert z_score(np.cos(z), exact, 0.5) < 4.5
    normal = hpfracc.stable_levy(4, 2.0, paths=20_000, seed=4)[:, -1]
    assert z_score(normal**2, 2.0, 8.0) < 4.5


def test_compound_poisson():
    jumps = hpfracc.compound_poisson(16, 3.0, ("double-exponential", 0.4, 0.5, 0.25), paths=20_000, t_end=2.0, seed=1)
    mean, square = 0.4 * 0.5 - 0.6 * 0.25, 2 * (0.4 * 0.25 + 0.6 * 0.0625)
    assert z_score(jumps[:, -1], 6.0 * mean, 6.0 * square) < 4.5
    fair = hpfracc.compound_poisson(16, 3.0, 0.5, compensated=True, paths=20_000, t_end=2.0, seed=1)
    assert z_score(fair[:, -1], 0.0, 6.0 * 0.25) < 4.5
    with pytest.raises(InputError, match="'normal' have 1 numbers, expected 2"):
        hpfracc.compound_poisson(4, 1.0, ("normal", 1.0))
    with pytest.raises(InputError, match="unknown jumps 'gamma'"):
        hpfracc.compound_poisson(4, 1.0, ("gamma", 1.0))


def test_antithetic_paths_mirror_each_other():
    b = hpfracc.fbm(16, 0.3, paths=6, seed=7, antithetic=True)
    np.testing.assert_array_equal(b[0::2], -b[1::2])
    np.testing.assert_array_equal(b[0::2], hpfracc.fbm(16, 0.3, paths=3, seed=7))
    np.testing.assert_array_equal(hpfracc.fbm(16, 0.3, paths=3, first=3, seed=7, antithetic=True), b[3:])
    with pytest.raises(InputError, match="not symmetric"):
        hpfracc.compound_poisson(4, 1.0, antithetic=True)


@pytest.mark.parametrize("noise", NOISES.values(), ids=NOISES)
def test_substeps_are_the_same_path_on_a_coarser_grid(noise):
    fine = noise.sample(40, paths=5, seed=3)
    fields = {name: getattr(noise, name) for name in noise.__dataclass_fields__} | {"substeps": 4}
    coarse = NoiseProcess(**fields).sample(10, paths=5, seed=3)
    np.testing.assert_allclose(coarse, fine[..., ::4], atol=1e-12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 0}, "n is 0"),
        ({"n": 2.5}, "n is 2.5, expected a whole number"),
        ({"hurst": 1.0}, "the exponent H is 1, expected above 0 and below 1"),
        ({"hurst": float("nan")}, "the exponent H is NaN"),
        ({"hurst": "0.5"}, "hurst is '0.5'"),
        ({"hurst": []}, "hurst is"),
        ({"hurst": 0.5j}, "hurst is 0.5j"),
        ({"paths": 0}, "paths is 0"),
        ({"paths": -3}, "paths is -3"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 2**64}, "expected 0 to 2\\^64 - 1"),
        ({"seed": 1.5}, "seed is 1.5"),
        ({"first": 2**64 - 1}, "first is"),
        ({"dt": 0.0}, "the length of a step is 0"),
        ({"dt": float("inf")}, "the length of a step"),
        ({"t_end": -1.0}, "t_end is -1.0"),
        ({"t_end": 1.0, "dt": 0.1}, "t_end and dt are both given"),
        ({"dtype": "int32"}, "dtype is int32"),
        ({"dtype": "nonsense"}, "dtype is nonsense"),
        ({"threads": 0}, "threads is 0"),
        ({"method": "cholesky"}, "method is 'cholesky'"),
        ({"substeps": 0}, "substeps is 0"),
    ],
)
def test_refused_arguments(arguments, message):
    arguments = {"n": 4, "hurst": 0.5} | arguments
    n, hurst = arguments.pop("n"), arguments.pop("hurst")
    with pytest.raises(InputError, match=message):
        hpfracc.fbm(n, hurst, **arguments)


def test_too_many_paths_are_refused():
    with pytest.raises(MemoryLimitError, match="bytes of memory are needed"):
        hpfracc.brownian(2**31, paths=2**30)
    with pytest.raises(MemoryLimitError):
        hpfracc.fbm(2**30, 0.3, paths=1000)


def test_other_noises_refuse_missing_numbers():
    with pytest.raises(InputError, match="kind is 'white'"):
        NoiseProcess("white")
    with pytest.raises(InputError, match="needs hurst"):
        NoiseProcess("fbm")
    with pytest.raises(InputError, match="index, skewness and scale have"):
        NoiseProcess("stable", index=[1.5, 1.6], skewness=[0.0, 0.1, 0.2])
    with pytest.raises(InputError, match="near"):
        hpfracc.riemann_liouville_fbm(8, 0.3, near_cells=4)


def test_noise_is_a_value():
    noise = NoiseProcess("fbm", hurst=(0.3, 0.6))
    assert pickle.loads(pickle.dumps(noise)) == noise
    assert repr(noise) == "NoiseProcess('fbm', hurst=(0.3, 0.6))"


def test_threads_of_python_share_a_process():
    expected = hpfracc.fbm(512, 0.4, paths=40, seed=1)
    results = []
    workers = [
        threading.Thread(target=lambda: results.append(hpfracc.fbm(512, 0.4, paths=40, seed=1))) for _ in range(4)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(results) == 4
    for result in results:
        np.testing.assert_array_equal(result, expected)

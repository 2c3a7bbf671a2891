"""Fractional differences and estimators of long memory."""

import pickle

import numpy as np
import pytest
from scipy.special import gamma

import hpfracc

RNG = np.random.default_rng(5)
X = RNG.normal(size=700)


def weights(d, n):
    w = np.ones(n)
    for k in range(1, n):
        w[k] = w[k - 1] * (k - 1 - d) / k
    return w


@pytest.mark.parametrize("d", [0.4, -0.3, 1.0, -1.0, 2.5, 0.0])
@pytest.mark.parametrize("n", [5, 256, 700])
def test_differences_are_convolutions(d, n):
    expected = np.convolve(weights(d, n), X[:n])[:n]
    found = hpfracc.difference(X[:n], d)
    assert found == pytest.approx(expected, abs=1e-12 * np.abs(expected).max())
    back = hpfracc.integrate(found, d)
    # Rounding of the differences grows as the weights of the inverse do.
    assert back == pytest.approx(X[:n], abs=1e-13 * np.abs(weights(-d, n)).sum() * np.abs(found).max())
    assert np.array_equal(hpfracc.integrate(X[:n], d), hpfracc.difference(X[:n], -d))


def test_whole_orders_are_exact():
    x = np.arange(10) ** 2
    assert np.array_equal(hpfracc.difference(x, 1), np.diff(x, prepend=0).astype(float))
    assert np.array_equal(hpfracc.integrate(x, 1), np.cumsum(x).astype(float))
    assert np.array_equal(hpfracc.integrate(hpfracc.difference(x, 2.0), 2.0), x)


def test_axes_strides_types_and_out():
    x = RNG.normal(size=(3, 40, 2))
    along = hpfracc.difference(x, 0.4, axis=1)
    assert along.shape == x.shape
    assert np.array_equal(along[2, :, 1], hpfracc.difference(x[2, :, 1].copy(), 0.4))
    assert np.array_equal(hpfracc.difference(x[::2, ::-1], 0.4, axis=-2)[1, :, 0], hpfracc.difference(x[2, ::-1, 0], 0.4))
    narrow = hpfracc.difference(x.astype(np.float32), 0.4, axis=1)
    assert narrow.dtype == np.float32 and narrow == pytest.approx(along, abs=1e-6)
    out = np.empty_like(x)
    assert hpfracc.difference(x, 0.4, 1, out=out) is out and np.array_equal(out, along)
    assert hpfracc.difference(x, 0.4, 1, out=x) is x and np.array_equal(x, along)
    assert hpfracc.difference([1, 2], 1.0).dtype == np.float64
    assert hpfracc.difference(np.zeros((0, 3)), 0.4).shape == (0, 3) and hpfracc.difference([], 0.4).shape == (0,)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"x": [1.0, np.nan]}, "value 1 of the series is NaN"),
        ({"x": 1.0}, "x is a number, expected a time series"),
        ({"x": ["a"]}, "x has the type <U1"),
        ({"d": np.inf}, "`d` is inf, expected a finite number"),
        ({"d": -1e6}, "overflows"),
        ({"axis": 2}, "axis 2 of an array with 1 dimensions"),
        ({"out": np.zeros(3)}, r"out has the shape \[3\], expected \[700\]"),
        ({"out": np.zeros(700, dtype=np.float32)}, "out is no array of float64"),
        ({"out": [0.0]}, "out is no array"),
        ({"x": np.full(700, 3e38, dtype=np.float32), "d": -1.0}, "which f32 cannot hold"),
    ],
)
def test_differences_refuse(arguments, message):
    with pytest.raises(hpfracc.InputError, match=message):
        hpfracc.difference(**{"x": X, "d": 0.4, **arguments})
    frozen = np.zeros(700)
    frozen.flags.writeable = False
    with pytest.raises(hpfracc.InputError, match="read-only"):
        hpfracc.difference(X, 0.4, out=frozen)


def test_streams_are_differences():
    stream = hpfracc.DifferenceStream(0.4)
    first = [stream.push(x) for x in X[:10]]
    copy = pickle.loads(pickle.dumps(stream))
    restored = hpfracc.DifferenceStream.restore(stream.d, stream.history)
    rest = stream.extend(X[10:])
    assert np.concatenate([first, rest]) == pytest.approx(hpfracc.difference(X, 0.4), abs=1e-12)
    assert np.array_equal(copy.extend(X[10:]), rest) and np.array_equal(restored.extend(X[10:]), rest)
    assert len(stream) == 700 and np.array_equal(stream.history, X) and stream.d == 0.4
    back = stream.inverse()
    assert back.extend(np.concatenate([first, rest])) == pytest.approx(X, abs=1e-11)
    assert repr(stream) == "DifferenceStream(d=0.4, 700 values)"
    with pytest.raises(hpfracc.InputError, match="value 700 of the series is inf"):
        stream.push(np.inf)
    assert len(stream) == 700
    with pytest.raises(hpfracc.InputError, match="`d` is NaN"):
        hpfracc.DifferenceStream(np.nan)
    with pytest.raises(hpfracc.InputError, match="values has 2 dimensions"):
        stream.extend(np.zeros((2, 2)))


def fractional_noise(hurst, n, seed):
    covariance = hpfracc.fgn_autocovariance(hurst, n)
    full = covariance[np.abs(np.subtract.outer(np.arange(n), np.arange(n)))]
    return np.linalg.cholesky(full) @ np.random.default_rng(seed).normal(size=n)


NOISE = fractional_noise(0.75, 600, 1)


def test_autocovariances_have_closed_forms():
    k = np.arange(6)
    expected = 0.5 * (np.abs(k + 1) ** 1.5 - 2 * k**1.5 + np.abs(k - 1) ** 1.5)
    assert hpfracc.fgn_autocovariance(0.75, 6) == pytest.approx(expected, rel=1e-12)
    d = 0.3
    expected = gamma(1 - 2 * d) / gamma(1 - d) ** 2
    assert hpfracc.arfima_autocovariance(d, 1)[0] == pytest.approx(expected)
    assert hpfracc.arfima_autocovariance(d, 2)[1] == pytest.approx(expected * d / (1 - d))
    assert hpfracc.fgn_density(0.5, [[0.5, 1.0]]) == pytest.approx(np.full((1, 2), 0.5 / np.pi))


@pytest.mark.parametrize("method", ["auto", "exact", "whittle", "local-whittle", "gph", "wavelet"])
def test_estimators_find_h(method):
    found = hpfracc.hurst(NOISE, "noise", method=method)
    assert abs(found.hurst - 0.75) < 3 * found.errors["hurst"] and found.success
    assert found.d == pytest.approx(found.hurst - 0.5)
    path = hpfracc.hurst(np.concatenate([[0.0], np.cumsum(NOISE)]), "path", method=method)
    assert path.hurst == pytest.approx(found.hurst, abs=1e-6)
    low, high = found["hurst"].interval
    assert high - low == pytest.approx(2 * 1.959963984540054 * found["hurst"].error)
    copy = pickle.loads(pickle.dumps(found))
    assert copy.parameters == found.parameters and copy.report() == found.report()
    assert "hurst" in repr(found) and "<table>" in found._repr_html_()


def test_exact_likelihood_is_that_of_the_normal_density():
    found = hpfracc.hurst(NOISE[:120], "noise", method="exact", mean=0.0)
    sigma, h = found["sigma"].value, found.hurst

    def log_likelihood(h, sigma):
        c = sigma**2 * hpfracc.fgn_autocovariance(h, 120)[np.abs(np.subtract.outer(np.arange(120), np.arange(120)))]
        x = NOISE[:120]
        return -0.5 * (x @ np.linalg.solve(c, x) + np.linalg.slogdet(c)[1] + 120 * np.log(2 * np.pi))

    assert found.log_likelihood == pytest.approx(log_likelihood(h, sigma), rel=1e-9)
    for other in (h - 0.01, h + 0.01):
        assert log_likelihood(other, sigma) < found.log_likelihood
    assert found.covariance.shape == (len(found.names),) * 2


def test_arfima():
    short = np.random.default_rng(2).normal(size=800)
    for k in range(1, 800):
        short[k] += 0.4 * short[k - 1]
    found = hpfracc.arfima(hpfracc.integrate(short, 0.3)[100:], "noise", ar=1, method="whittle")
    assert abs(found.d - 0.3) < 3 * found.errors["d"] and abs(found["ar1"].value - 0.4) < 3 * found.errors["ar1"]
    assert "ARFIMA(1, d, 0)" in found.method


def test_tracks():
    rng = np.random.default_rng(4)
    tracks = [np.cumsum(fractional_noise(0.35, 150, seed)) * np.sqrt(2 * 0.5) for seed in range(4)]
    found = hpfracc.track_diffusion(tracks, dt=1.0)
    assert abs(found["alpha"].value - 0.7) < 3 * found.errors["alpha"] and abs(found["D"].value - 0.5) < 3 * found.errors["D"]
    plane = hpfracc.track_diffusion([np.stack(tracks[:2], axis=1), np.stack(tracks[2:], axis=1)], dt=1.0)
    assert plane.parameters == pytest.approx(found.parameters, rel=1e-9)
    with pytest.raises(hpfracc.InputError, match="position 3 of track 0, dimension 0, is NaN"):
        hpfracc.track_diffusion([[0.0, 1.0, 2.0, np.nan]], 1.0)
    with pytest.raises(hpfracc.InputError, match="`time_step` is 0"):
        hpfracc.track_diffusion(tracks, 0.0)
    with pytest.raises(hpfracc.InputError, match=r"track 0 has the shape \(1, 2, 3\)"):
        hpfracc.track_diffusion([rng.normal(size=(1, 2, 3))], 1.0)
    with pytest.raises(hpfracc.InputError, match="track 1 has 2 dimensions, expected 1"):
        hpfracc.track_diffusion([tracks[0], np.zeros((9, 2))], 1.0)


def test_descriptions():
    for describe in (hpfracc.rescaled_range, hpfracc.detrended_fluctuations):
        of = describe(NOISE, "noise")
        assert [row[0] for row in of.expected] == [0.1, 0.3, 0.5, 0.7, 0.9]
        assert 0.5 < of.exponent < 1.1 and str(round(of.exponent, 3))[:4] in of.report
    with pytest.raises(hpfracc.InputError, match="expected at least 64"):
        hpfracc.detrended_fluctuations(X[:50], "noise")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"kind": None}, "say what x is"),
        ({"kind": "level"}, 'kind is "level"'),
        ({"method": "rs"}, 'method is "rs", expected one of auto, exact'),
        ({"x": np.ones(50)}, "all values of the series are 1"),
        ({"x": [1.0, np.nan, 2.0]}, "value 1 of the series is NaN"),
        ({"x": np.zeros((3, 3))}, "x has 2 dimensions"),
        ({"x": [1.0, 2.0]}, "expected at least"),
        ({"method": "gph", "bandwidth": 10**6}, "`bandwidth` is 1000000"),
        ({"method": "gph", "bandwidth": 2.5}, "bandwidth is 2.5, expected a whole number"),
        ({"method": "wavelet", "moments": 7}, "`moments` is 7"),
        ({"mean": "x"}, "mean is 'x', expected a number"),
    ],
)
def test_estimators_refuse(arguments, message):
    with pytest.raises(hpfracc.InputError, match=message):
        hpfracc.hurst(**{"x": X, "kind": "noise", **arguments})
    with pytest.raises(hpfracc.InputError, match="method is 'gph'"):
        hpfracc.arfima(X, "noise", method="gph")

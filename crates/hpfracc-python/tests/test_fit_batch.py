"""Fits of many curves."""

import pickle

import numpy as np
import pytest

import hpfracc

T = np.linspace(0.0, 4.0, 20)
TAU = np.linspace(0.5, 3.0, 50)
Y = 2.0 * np.exp(-T / TAU[:, None]) + 0.01 * np.sin(50 * T + TAU[:, None])
TEXT = "a exp(-t/tau); a = 1; tau = 1 in (0, inf)"


def test_curves_are_single_fits():
    found = hpfracc.fit_batch(TEXT, T, Y)
    assert len(found) == 50 and found.names == ["a", "tau"] and found.success.all() and found.failures == {}
    for k in (0, 17, 49):
        one = hpfracc.fit(TEXT, T, Y[k])
        assert [found["a"][k], found["tau"][k]] == list(one.parameters.values())
        assert found.error("tau")[k] == one.errors["tau"] and found.costs[k] == one.cost
        assert found.passes[k] == one.passes
    assert "50 curves" in repr(found)
    assert np.array_equal(pickle.loads(pickle.dumps(found)).values, found.values)
    with pytest.raises(KeyError, match="no parameter is called 'b'"):
        found["b"]


def test_strides_own_inputs_and_ragged_curves():
    found = hpfracc.fit_batch(TEXT, T, Y)
    wide = np.zeros((50, 40))
    wide[:, ::2] = Y
    assert np.array_equal(hpfracc.fit_batch(TEXT, T, wide[:, ::2]).values, found.values)
    assert np.array_equal(hpfracc.fit_batch(TEXT, T, np.asfortranarray(Y)).values, found.values)
    assert np.array_equal(hpfracc.fit_batch(TEXT, np.tile(T, (50, 1)), Y).values, found.values)
    xs, ys = [T[: 10 + k % 5] for k in range(50)], [Y[k, : 10 + k % 5] for k in range(50)]
    ragged = hpfracc.fit_batch(TEXT, xs, ys)
    assert ragged["tau"][7] == hpfracc.fit(TEXT, xs[7], ys[7])["tau"].value


def test_blocks_of_curves_have_the_same_results():
    y = np.tile(Y, (200, 1))
    y[9000, 2] = np.nan
    seen = []
    found = hpfracc.fit_batch(TEXT, T, y, start={"tau": np.full(10_000, 1.0)}, progress=lambda *of: seen.append(of[:2]))
    once = hpfracc.fit_batch(TEXT, T, Y)
    assert np.array_equal(np.delete(found.values, 9000, axis=0), np.delete(np.tile(once.values, (200, 1)), 9000, axis=0))
    assert list(found.failures) == [9000] and seen[-1] == (10_000, 10_000)


def test_failures_do_not_end_the_others():
    y = Y.copy()
    y[3, 2] = np.nan
    found = hpfracc.fit_batch(TEXT, T, y)
    assert list(found.failures) == [3] and "NaN in row 2" in found.failures[3]
    assert np.isnan(found.values[3]).all() and not found.success[3] and found.success[4]
    assert hpfracc.fit_batch(TEXT, T, y, nan_policy="omit").failures == {}


def test_starts_and_fixed_values_by_curve():
    found = hpfracc.fit_batch(TEXT, T, Y, fixed={"tau": TAU})
    assert np.array_equal(found["tau"], TAU) and found["a"] == pytest.approx(2.0, abs=0.02)
    found = hpfracc.fit_batch(TEXT, T, Y, start={"tau": TAU}, bounds={"a": (0, 2.0)}, sigma=0.01)
    assert found["a"].max() <= 2.0
    assert hpfracc.fit_batch(TEXT, T, Y, tied={"a": "2"})["a"] == pytest.approx(2.0)


def test_models_without_starts_take_the_mean_curve():
    found = hpfracc.fit_batch("stretched-exponential", T, Y)
    assert found.success.all() and found["tau"] == pytest.approx(TAU, rel=0.2)
    omega = np.geomspace(0.01, 100, 30)
    eps = 2.0 + 5.0 / (1 + (1j * omega * TAU[:, None]) ** 0.7)
    spectra = hpfracc.fit_batch("cole-cole", omega, eps)
    assert spectra["tau"] == pytest.approx(TAU, rel=1e-7)
    parts = hpfracc.fit_batch("cole-cole", omega, (eps.real, -eps.imag))
    assert parts.values == pytest.approx(spectra.values, rel=1e-9)


def test_functions():
    def decay(t, a, tau):
        return a * np.exp(-t / tau)

    found = hpfracc.fit_batch(decay, T, Y[:5], start=[1.0, 1.0])
    assert found["tau"] == pytest.approx(hpfracc.fit_batch(TEXT, T, Y[:5])["tau"], rel=1e-7)

    def bad(t, a):
        raise ZeroDivisionError("here")

    with pytest.raises(ZeroDivisionError, match="here"):
        hpfracc.fit_batch(bad, T, Y, start=[1.0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"y": Y[0]}, r"y has the shape \(20,\), expected \(curves, n\)"),
        ({"x": np.zeros((49, 20))}, "49 curves|50 curves"),
        ({"start": {"tau": TAU[:3]}}, "a column of starts has 3 curves"),
        ({"start": {"z": 1.0}}, "no parameter is called `z`"),
        ({"y": (Y, Y)}, "y has 2 responses, expected 1"),
        ({"sigma": 0.1, "weight": 1.0}, "sigma and weight are given"),
        ({"loss": "some"}, 'loss is "some"'),
        ({"y": np.zeros((0, 20))}, "curves"),
        ({"nan_policy": "drop"}, "nan_policy is 'drop'"),
        ({"x": np.zeros((2, 2, 2))}, "x has 3 dimensions"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(hpfracc.InputError, match=message):
        hpfracc.fit_batch(**{"model": TEXT, "x": T, "y": Y, **arguments})

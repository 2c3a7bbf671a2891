"""Fits of texts and functions to one set of data, against NIST and SciPy."""

import json
import multiprocessing
import pickle
import re
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import curve_fit

import hpfracc

NIST = Path(__file__).parents[2] / "hpfracc-fit" / "tests" / "data" / "nist"
MODELS = {
    "Bennett5": "b1 (b2 + x)^(-1/b3)",
    "BoxBOD": "b1 (1 - exp(-b2 x))",
    "Chwirut1": "exp(-b1 x)/(b2 + b3 x)",
    "Eckerle4": "(b1/b2) exp(-0.5 ((x - b3)/b2)^2)",
    "Gauss1": "b1 exp(-b2 x) + b3 exp(-((x - b4)/b5)^2) + b6 exp(-((x - b7)/b8)^2)",
    "Hahn1": "(b1 + b2 x + b3 x^2 + b4 x^3)/(1 + b5 x + b6 x^2 + b7 x^3)",
    "MGH09": "b1 (x^2 + x b2)/(x^2 + x b3 + b4)",
    "MGH17": "b1 + b2 exp(-x b4) + b3 exp(-x b5)",
    "Misra1a": "b1 (1 - exp(-b2 x))",
    "Misra1b": "b1 (1 - (1 + b2 x/2)^(-2))",
    "Rat43": "b1/(1 + exp(b2 - b3 x))^(1/b4)",
    "Roszman1": "b1 - b2 x - atan(b3/(x - b4))/pi",
}


def nist(name):
    lines = (NIST / f"{name}.dat").read_text().splitlines()
    starts = [[float(x) for x in m.groups()] for m in (re.match(r"\s*b\d+\s*=\s*(\S+)\s+(\S+)", line) for line in lines) if m]
    first = next(k for k, line in enumerate(lines) if k > 55 and re.match(r"\s*Data:\s+y", line)) + 1
    rows = np.array([[float(x) for x in line.split()] for line in lines[first:] if line.strip()])
    answer = json.loads((NIST / "reference.json").read_text())[name]
    reference = [np.array(answer[key], dtype=float) for key in ("parameters", "stderr")]
    return rows[:, 1], rows[:, 0], np.array(starts).T, *reference, float(answer["rss"])


@pytest.mark.skipif(not NIST.exists(), reason="the files of NIST are part of the repository")
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("start", [0, 1])
def test_nist(name, start):
    x, y, starts, parameters, errors, cost = nist(name)
    names = [f"b{k + 1}" for k in range(len(parameters))]
    found = hpfracc.fit(MODELS[name], x, y, start=dict(zip(names, starts[start])))
    assert found.success
    assert [found[name].value for name in names] == pytest.approx(parameters, rel=1e-7)
    assert [found.errors[name] for name in names] == pytest.approx(errors, rel=1e-6)
    assert found.cost == pytest.approx(cost, rel=1e-8)


T = np.linspace(0.0, 5.0, 40)
Y = 2.0 * np.exp(-T / 1.5) + 0.5 + 0.02 * np.sin(37.0 * T**2)
TEXT = "y = a exp(-t/tau) + c; tau = 1 in (0, inf)"


def decay(t, a, tau=1.0, c=0.0):
    return a * np.exp(-t / tau) + c


def jacobian(t, a, tau, c):
    e = np.exp(-t / tau)
    return np.stack([e, a * e * t / tau**2, np.ones_like(t)], axis=1)


def test_scipy_has_the_same_estimates_and_covariance():
    found = hpfracc.fit(TEXT, T, Y)
    values, covariance = curve_fit(decay, T, Y, p0=[1.0, 1.0, 0.0], xtol=1e-14, ftol=1e-14, gtol=1e-14)
    order = [found.names.index(name) for name in ("a", "tau", "c")]
    assert [found.parameters[name] for name in ("a", "tau", "c")] == pytest.approx(values, rel=1e-7)
    assert found.covariance[np.ix_(order, order)] == pytest.approx(covariance, rel=1e-5)
    scale = np.sqrt(np.diag(covariance))
    assert found.correlations[np.ix_(order, order)] == pytest.approx(covariance / np.outer(scale, scale), rel=1e-5)


def test_known_errors_are_absolute_and_weights_are_not():
    sigma = 0.01 + 0.005 * T
    found = hpfracc.fit(TEXT, T, Y, sigma=sigma)
    values, covariance = curve_fit(decay, T, Y, p0=[1.0, 1.0, 0.0], sigma=sigma, absolute_sigma=True, xtol=1e-14, ftol=1e-14)
    assert found.errors_are_known and found.standard_deviation == 1.0
    assert found["tau"].value == pytest.approx(values[1], rel=1e-7)
    assert found.errors["tau"] == pytest.approx(np.sqrt(covariance[1, 1]), rel=1e-5)
    weighted = hpfracc.fit(TEXT, T, Y, weight=sigma**-2)
    _, covariance = curve_fit(decay, T, Y, p0=[1.0, 1.0, 0.0], sigma=sigma, xtol=1e-14, ftol=1e-14)
    assert weighted["tau"].value == pytest.approx(found["tau"].value, rel=1e-9)
    assert weighted.errors["tau"] == pytest.approx(np.sqrt(covariance[1, 1]), rel=1e-5)
    one = hpfracc.fit(TEXT, T, Y, sigma=0.02)
    assert one["tau"].value == pytest.approx(hpfracc.fit(TEXT, T, Y)["tau"].value, rel=1e-9)


@pytest.mark.parametrize("options", [{}, {"jac": jacobian}])
def test_functions_have_the_estimates_of_texts(options):
    text = hpfracc.fit(TEXT, T, Y)
    found = hpfracc.fit(decay, T, Y, start={"a": 1.0}, **options)
    assert found.names == ["a", "tau", "c"]
    for name in found:
        assert found[name].value == pytest.approx(text[name].value, rel=1e-8)
        assert found.errors[name] == pytest.approx(text.errors[name], rel=1e-6)
    x = np.array([0.3, 2.0])
    assert found.predict(x) == pytest.approx(decay(x, **found.parameters), rel=1e-15)
    assert found.predict(0.3) == pytest.approx(float(text.predict(0.3)), rel=1e-8)
    assert found.band(x).error == pytest.approx(text.band(x).error, rel=1e-6)
    assert found.residuals() == pytest.approx(Y - found.predict(T), abs=1e-15)


def test_a_function_sees_all_rows_and_the_caller_thread():
    shapes, threads = set(), set()

    def cumulative(t, a, b):
        shapes.add(np.shape(t))
        threads.add(threading.get_ident())
        return a * np.cumsum(t) + b

    y = cumulative(T, 0.7, 3.0)
    shapes.clear()
    found = hpfracc.fit(cumulative, T, y, start=[1.0, 1.0])
    assert found.parameters == pytest.approx({"a": 0.7, "b": 3.0})
    assert shapes == {T.shape} and threads == {threading.get_ident()}


def test_functions_of_several_inputs_and_responses():
    x = np.stack([T, T**2])

    def plane(x, a, b):
        return a * x[0] + b * x[1]

    def two(t, a, b):
        return np.stack([a * t, np.exp(-b * t)])

    assert hpfracc.fit(plane, x, plane(x, 2.0, -1.0), start=[1, 1]).parameters == pytest.approx({"a": 2.0, "b": -1.0})
    found = hpfracc.fit(two, T, two(T, 2.0, 0.5), start=[1, 1])
    assert found.parameters == pytest.approx({"a": 2.0, "b": 0.5})
    assert found.predict(T).shape == (2, len(T)) and found.data == 2 * len(T)
    z = np.exp(1j * 0.7 * T) * 2.0

    def wave(t, a, w):
        return a * np.exp(1j * w * t)

    found = hpfracc.fit(wave, T, z, start=[1.5, 0.6])
    assert found.parameters == pytest.approx({"a": 2.0, "w": 0.7})
    assert found.predict(T) == pytest.approx(z)
    text = hpfracc.fit("a exp(i w t); w = 0.6", T, z)
    assert text.parameters == pytest.approx({"a": 2.0, "w": 0.7})
    assert text.predict(T) == pytest.approx(z)


def test_star_parameters_and_names():
    def line(x, *p):
        return p[0] + p[1] * x

    y = 1.0 + 2.0 * T
    assert hpfracc.fit(line, T, y, start=[0, 0]).parameters == pytest.approx({"p0": 1.0, "p1": 2.0})
    named = hpfracc.fit(line, T, y, start=[0, 0], parameters=["u", "v"])
    assert named.parameters == pytest.approx({"u": 1.0, "v": 2.0})


def test_exceptions_of_functions_come_through():
    class Special(Exception):
        pass

    def bad(x, a):
        raise Special("here")

    with pytest.raises(Special, match="here"):
        hpfracc.fit(bad, T, Y, start=[1.0])
    calls = []

    def later(x, a):
        calls.append(1)
        if len(calls) > 3:
            raise Special("later")
        return a * np.exp(x)

    with pytest.raises(Special, match="later"):
        hpfracc.fit(later, T, Y, start=[1.0])
    with pytest.raises(hpfracc.InputError, match=r"the model returned an array of the shape \[3\], expected \[40\]"):
        hpfracc.fit(lambda x, a: np.zeros(3), T, Y, start=[1.0])
    with pytest.raises(hpfracc.InputError, match=r"jac returned an array of the shape"):
        hpfracc.fit(decay, T, Y, start={"a": 1.0}, jac=lambda *_: np.zeros(40))


def test_fixed_tied_bounds_and_logarithms():
    fixed = hpfracc.fit(TEXT, T, Y, fixed={"c": 0.5})
    assert fixed["c"].role == "fixed" and fixed["c"].value == 0.5 and np.isnan(fixed.errors["c"])
    tied = hpfracc.fit(TEXT, T, Y, tied={"c": "2.5 - a"}, start={"a": 1.0})
    assert tied["c"].role == "tied"
    assert tied["c"].value == pytest.approx(2.5 - tied["a"].value) and tied.errors["c"] == pytest.approx(tied.errors["a"])
    held = hpfracc.fit(TEXT, T, Y, bounds={"c": (0.6, None)})
    assert held["c"].held[0] == "lower" and held["c"].value == 0.6 and held.interval("c") is None
    pair = hpfracc.fit(decay, T, Y, start={"a": 1.0, "c": 0.7}, bounds=([0, 0, 0.6], [10, 10, 10]))
    assert pair["c"].held[0] == "lower"
    logarithmic = hpfracc.fit(TEXT, T, Y, logarithmic="tau")
    assert logarithmic["tau"].value == pytest.approx(hpfracc.fit(TEXT, T, Y)["tau"].value, rel=1e-9)
    fixed = hpfracc.fit(decay, T, Y, start={"a": 1.0}, fixed={"tau": 1.5})
    assert fixed["tau"].value == 1.5 and fixed["a"].value == pytest.approx(2.0, abs=0.05)


def test_priors_need_known_errors_and_pull():
    prior = {"tau": (1.0, 1e-6)}
    with pytest.raises(hpfracc.InputError, match="the prior of `tau` needs data with known standard deviations"):
        hpfracc.fit(TEXT, T, Y, prior=prior)
    assert hpfracc.fit(TEXT, T, Y, sigma=0.02, prior=prior)["tau"].value == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize("loss", ["huber", "soft-l1", "cauchy", "arctan", "tukey"])
def test_losses_resist_outliers(loss):
    y = Y.copy()
    y[[5, 20, 33]] += 5.0
    found = hpfracc.fit(TEXT, T, y, loss=loss)
    assert found["tau"].value == pytest.approx(1.5, abs=0.12)
    assert found.loss[0] == loss and found.loss[1] > 0 and found.criteria is None


def test_soft_l1_is_that_of_scipy():
    from scipy.optimize import least_squares

    y = Y.copy()
    y[5] += 3.0
    found = hpfracc.fit(TEXT, T, y, loss="soft_l1", loss_scale=0.1)
    of = least_squares(lambda p: decay(T, *p) - y, [1.0, 1.0, 0.0], loss="soft_l1", f_scale=0.1, xtol=1e-14, ftol=1e-14)
    assert [found.parameters[name] for name in ("a", "tau", "c")] == pytest.approx(of.x, rel=1e-6)
    assert found.cost == pytest.approx(2 * of.cost, rel=1e-9)


def test_several_sets_share_parameters():
    sets = {"low": T, "high": T[::2]}
    y = {"low": decay(T, 2.0, 1.5, 0.1), "high": decay(T[::2], 3.0, 1.5, 0.2)}
    found = hpfracc.fit(TEXT, sets, y, own=["a", "c"])
    expected = {"a@low": 2.0, "a@high": 3.0, "c@low": 0.1, "c@high": 0.2, "tau": 1.5}
    assert found.parameters == pytest.approx(expected)
    assert found.predict(0.0, set="high") == pytest.approx(3.2)
    lists = hpfracc.fit(TEXT, list(sets.values()), list(y.values()), own=["a", "c"], sets=["low", "high"])
    assert lists.parameters == found.parameters
    function = hpfracc.fit(decay, sets, y, own=["a", "c"], start={"a": 1.0})
    assert function.parameters == pytest.approx(expected, rel=1e-7)
    assert function.predict(0.0, set="low") == pytest.approx(2.1)
    with pytest.raises(hpfracc.InputError, match="the sets low, high: say which one"):
        found.predict(0.0)
    both = hpfracc.fit({"u": "a x", "v": "a x^2 + b"}, T, {"u": 2 * T, "v": 2 * T**2 + 1})
    assert both.parameters == pytest.approx({"a": 2.0, "b": 1.0})


def test_further_starts_find_a_frequency():
    y = 2.0 * np.sin(3.0 * T) + 0.5
    found = hpfracc.fit("a sin(w x) + c; w = 1 in [0.1, 10]", T, y, starts=30, seed=1)
    assert found["w"].value == pytest.approx(3.0) and found.start_search["at_best"] > 0


def test_omitted_rows_are_counted():
    y = Y.copy()
    y[[3, 8]] = np.nan
    with pytest.raises(hpfracc.InputError, match="the set `data` has NaN in row 3 of responses 0"):
        hpfracc.fit(TEXT, T, y)
    found = hpfracc.fit(TEXT, T, y, nan_policy="omit")
    keep = np.isfinite(y)
    assert found.skipped == 2
    assert found["tau"].value == pytest.approx(hpfracc.fit(TEXT, T[keep], y[keep])["tau"].value, rel=1e-12)


def test_strided_and_narrow_input():
    wide = np.empty((2, 80))
    wide[0, ::2], wide[1, ::2] = T, Y
    strided = hpfracc.fit(TEXT, wide[0, ::2], wide[1, ::2])
    assert strided.parameters == hpfracc.fit(TEXT, T, Y).parameters
    assert hpfracc.fit(TEXT, T.tolist(), Y.tolist()).parameters == strided.parameters
    narrow = hpfracc.fit(TEXT, T.astype(np.float32), Y.astype(np.float32))
    assert narrow["tau"].value == pytest.approx(strided["tau"].value, rel=1e-5)


def test_pickles_go_on_with_the_same_bits():
    x, y = T.copy(), Y.copy()
    found = hpfracc.fit(TEXT, x, y, sigma=0.02)
    y[:] = 0.0
    copy = pickle.loads(pickle.dumps(found))
    assert copy.parameters == found.parameters and np.array_equal(copy.covariance, found.covariance)
    assert copy._result is None
    assert copy.derived("tau*2") == found.derived("tau*2")
    assert np.array_equal(copy.residuals(), found.residuals())
    assert pickle.loads(pickle.dumps(hpfracc.fit(decay, T, Y, start={"a": 1.0}))).predict(1.0) > 0


def test_reports(tmp_path):
    found = hpfracc.fit(TEXT, T, Y)
    assert "converged" in repr(found) and "tau" in found.report() and "AIC" in found.report()
    assert "<table>" in found._repr_html_() and "tau" in found._repr_html_()
    assert str(found["tau"]).startswith("tau = 1.4")
    assert set(found) == {"a", "tau", "c"} and len(found) == 3
    with pytest.raises(KeyError, match="no parameter is called 'b'"):
        found["b"]


def test_plots_are_optional():
    found = hpfracc.fit(TEXT, T, Y)
    try:
        import matplotlib
    except ImportError:
        with pytest.raises(ImportError, match="plots need matplotlib"):
            found.plot()
        return
    matplotlib.use("Agg")
    assert found.plot().get_xlabel() == "t"


def test_checkpoints_resume(tmp_path):
    folder = tmp_path / "states"
    text = "b1 exp(-b2 x) + b3 exp(-b4 x) + b5 exp(-b6 x)"
    y = np.exp(-T) + 2 * np.exp(-3 * T) + 0.5 * np.exp(-0.2 * T)
    start = {f"b{k}": value for k, value in enumerate((1.2, 0.3, 5.6, 5.5, 6.5, 7.6), 1)}
    options = {"start": start, "checkpoint": folder, "checkpoint_every": 0}
    whole = hpfracc.fit(text, T, y, start=start)
    part = hpfracc.fit(text, T, y, **options, max_passes=5)
    assert not part.success and list(folder.iterdir())
    assert hpfracc.fit(text, T, y, **options).parameters == whole.parameters
    with pytest.raises(hpfracc.SolverError, match="the checkpoints cannot be used"):
        hpfracc.fit(text, T, y + 1.0, **options)


def test_progress_and_plan():
    seen = []
    hpfracc.fit(TEXT, T, Y, progress=lambda done, of, cost: seen.append((done, of, cost)))
    assert seen and seen[-1][0] > 0 and seen[-1][1] == 0 and seen[-1][2] > 0

    def stop(*_):
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        hpfracc.fit(TEXT, T, Y, progress=stop)
    plan = hpfracc.fit(TEXT, T, Y, plan=True)
    assert isinstance(plan, hpfracc.FitPlan) and 0 < plan.bytes < 1 << 20
    assert hpfracc.fit(TEXT, T, Y, plan=True, loss="huber").residual_bytes == 8 * len(T)


def test_interrupts_end_long_computations():
    found = hpfracc.fit(TEXT, T, Y)
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        found.bootstrap(replicates=20_000_000)
    assert time.monotonic() - begin < 30

    def slow(x, a):
        time.sleep(0.01)
        return a * np.exp(-x) + np.sin(1e6 * a * x)

    timer = threading.Timer(0.1, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(100):
            hpfracc.fit(slow, T, Y, start=[1.0])


def fitted_in_child(queue):
    found = hpfracc.fit("stretched-exponential", T, Y)
    queue.put((found["tau"].value, hpfracc.fit_batch(TEXT + "; a = 1; c = 0", T, np.tile(Y, (100, 1)))["tau"][7]))


def test_forked_processes_have_threads_of_their_own():
    if "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("processes are not forked here")
    expected = hpfracc.fit("stretched-exponential", T, Y)["tau"].value
    batch = hpfracc.fit_batch(TEXT + "; a = 1; c = 0", T, np.tile(Y, (100, 1)))["tau"][7]
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    child = context.Process(target=fitted_in_child, args=(queue,))
    child.start()
    child.join(30)
    alive = child.is_alive()
    child.kill()
    assert not alive and queue.get() == (expected, batch)


BAD = [
    ({"model": "a exp(-t/tau"}, hpfracc.EquationError, "tau"),
    ({"model": "cole-colle"}, hpfracc.InputError, "did you mean `cole-cole`"),
    ({"model": 3}, hpfracc.InputError, "model is 3, expected a text"),
    ({"model": ["a t", 3]}, hpfracc.InputError, "expected a text"),
    ({"model": []}, hpfracc.InputError, "a model needs a text"),
    ({"model": "a + b; a = 1"}, hpfracc.InputError, "name its inputs by inputs"),
    ({"y": Y[:-1]}, hpfracc.InputError, "39 rows, expected 40"),
    ({"y": ["a"] * 40}, hpfracc.InputError, "y has the type <U1, expected real or complex numbers"),
    ({"y": [[1, 2], [3]]}, hpfracc.InputError, "y is no array of numbers"),
    ({"y": np.zeros((2, 2, 2))}, hpfracc.InputError, r"y has the shape \(2, 2, 2\)"),
    ({"y": np.stack([Y, Y])}, hpfracc.InputError, "y has 2 responses, expected 1"),
    ({"x": np.stack([T, T])}, hpfracc.InputError, r"x has the shape \(2, 40\)|x has 2 inputs"),
    ({"x": (T, T)}, hpfracc.InputError, "x has 2 inputs, expected 1 of the model: t"),
    ({"x": np.full(40, np.inf)}, hpfracc.InputError, "row 0 of inputs 0"),
    ({"x": [], "y": []}, hpfracc.InputError, "rows of data"),
    ({"x": [1.0], "y": [1.0]}, hpfracc.InputError, "1 data cannot determine 3 parameters"),
    ({"sigma": -1.0}, hpfracc.InputError, "standard deviation -1 in row 0, expected a positive number"),
    ({"sigma": 0.1, "weight": 1.0}, hpfracc.InputError, "sigma and weight are given"),
    ({"sigma": np.zeros((3, 40))}, hpfracc.InputError, "sigma has 3 rows, expected 1"),
    ({"sigma": 1j}, hpfracc.InputError, "sigma is complex, but y is real"),
    ({"relative": "some"}, hpfracc.InputError, "relative is 'some'"),
    ({"start": {"b": 1.0}}, hpfracc.InputError, "no parameter is called `b`; the parameters are"),
    ({"start": [1.0]}, hpfracc.InputError, "start has 1 values, expected 3"),
    ({"start": {"a": "x"}}, hpfracc.InputError, "start of 'a' is 'x', expected a number"),
    ({"start": {"tau": -1.0}}, hpfracc.InputError, "the start -1 of `tau` is outside of its bounds"),
    ({"bounds": {"a": (2.0, 1.0)}}, hpfracc.InputError, r"the bounds \[2, 1\] of `a`"),
    ({"bounds": {"a": 1.0}}, hpfracc.InputError, "no pair"),
    ({"bounds": 3}, hpfracc.InputError, "bounds is neither"),
    ({"tied": {"c": "2 d"}}, hpfracc.InputError, "the tie of `c`"),
    ({"prior": {"a": 1.0}}, hpfracc.InputError, "prior has a value that is no pair"),
    ({"loss": "median"}, hpfracc.InputError, 'loss is "median", expected one of squares, huber'),
    ({"loss": "huber", "loss_scale": -1.0}, hpfracc.InputError, "the scale of the loss is -1"),
    ({"starts": -1}, hpfracc.InputError, "starts is -1"),
    ({"starts": 1.5}, hpfracc.InputError, "starts is 1.5, expected a whole number"),
    ({"max_passes": 0}, hpfracc.InputError, "max_passes is 0"),
    ({"jac": jacobian}, hpfracc.InputError, "jac and parameters belong to functions"),
    ({"hertz": True}, hpfracc.InputError, "hertz and constants belong to models of the catalogue"),
    ({"nan_policy": "drop"}, hpfracc.InputError, "nan_policy is 'drop'"),
    ({"checkpoint_every": -1}, hpfracc.InputError, "checkpoint_every is -1"),
    ({"progress": 3}, hpfracc.InputError, "progress is 3"),
    ({"model": lambda: 0}, hpfracc.InputError, "no parameters"),
    ({"model": lambda x, a: a * x}, hpfracc.InputError, "the parameter `a` has no start"),
    ({"model": decay, "inputs": ["t"]}, hpfracc.InputError, "belong to models of texts"),
    ({"inputs": [3]}, hpfracc.InputError, r"inputs is \[3\], expected names"),
    ({"sets": ["u", "v"]}, hpfracc.InputError, "y has 40 entries, expected 2"),
    ({"y": {}}, hpfracc.InputError, "found none"),
    ({"x": {"u": T}, "y": {"v": Y}}, hpfracc.InputError, "x has no value for the set 'v'"),
]


@pytest.mark.parametrize(("arguments", "error", "message"), BAD)
def test_bad_input(arguments, error, message):
    with pytest.raises(error, match=message):
        hpfracc.fit(**{"model": TEXT, "x": T, "y": Y, **arguments})

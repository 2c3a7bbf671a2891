"""Intervals, profiles, bootstraps, posteriors, bands and comparisons of models."""

import pickle

import numpy as np
import pytest
from scipy import stats

import hpfracc

X = np.linspace(0.0, 1.0, 25)
Y = 1.0 + 2.0 * X + 0.1 * np.random.default_rng(3).normal(size=25)
LINE = "a + b x"
DESIGN = np.stack([np.ones(25), X], axis=1)


@pytest.fixture(scope="module")
def line():
    return hpfracc.fit(LINE, X, Y)


@pytest.fixture(scope="module")
def known():
    return hpfracc.fit(LINE, X, Y, sigma=0.1)


def test_a_line_has_the_closed_form(line):
    inverse = np.linalg.inv(DESIGN.T @ DESIGN)
    beta = inverse @ DESIGN.T @ Y
    variance = np.sum((Y - DESIGN @ beta) ** 2) / 23
    assert line.names == ["a", "b"]
    assert list(line.parameters.values()) == pytest.approx(beta, rel=1e-12)
    assert line.covariance == pytest.approx(variance * inverse, rel=1e-10)
    assert line.standard_deviation == pytest.approx(np.sqrt(variance)) and line.degrees_of_freedom == 23
    t = stats.t.ppf(0.975, 23)
    error = line.errors["b"]
    assert line.interval("b") == pytest.approx((beta[1] - t * error, beta[1] + t * error), rel=1e-10)
    # The profile of a linear parameter is the interval of Student's t.
    assert line.profile("b").interval == pytest.approx(line.interval("b"), rel=1e-5)
    x = np.array([0.2, 2.0])
    rows = np.stack([np.ones(2), x], axis=1)
    square = np.einsum("ij,jk,ik->i", rows, variance * inverse, rows)
    band = line.band(x, 0.9)
    half = stats.t.ppf(0.95, 23) * np.sqrt(square)
    assert band.value == pytest.approx(rows @ beta) and band.error == pytest.approx(np.sqrt(square))
    assert band.confidence[1] == pytest.approx(rows @ beta + half)
    assert band.prediction[0] == pytest.approx(rows @ beta - stats.t.ppf(0.95, 23) * np.sqrt(square + variance))


def test_derived_quantities(line):
    value, error = line.derived("2*b")
    assert value == pytest.approx(2 * line["b"].value) and error == pytest.approx(2 * line.errors["b"])
    with pytest.raises(hpfracc.InputError, match="`z` is no parameter"):
        line.derived("z + 1")
    fixed = hpfracc.fit(LINE, X, Y, fixed={"a": 1.0})
    assert np.isnan(fixed.derived("a*2")[1])


def test_criteria_are_those_of_the_likelihood(line, known):
    n, k = 25, 3
    log_likelihood = -0.5 * n * (np.log(2 * np.pi * line.cost / n) + 1)
    of = line.criteria
    assert of.log_likelihood == pytest.approx(log_likelihood)
    assert of.aic == pytest.approx(2 * k - 2 * log_likelihood)
    assert of.bic == pytest.approx(k * np.log(n) - 2 * log_likelihood)
    assert of.aicc == pytest.approx(of.aic + 2 * k * (k + 1) / (n - k - 1))
    assert known.criteria.log_likelihood == pytest.approx(stats.norm.logpdf(Y, known.predict(X), 0.1).sum())


def test_models_are_compared(line):
    larger = hpfracc.fit("a + b x + c x^2", X, Y)
    f = (line.cost - larger.cost) / (larger.cost / 22)
    assert larger.f_test(line) == pytest.approx(stats.f.sf(f, 1, 22))
    with pytest.raises(hpfracc.InputError, match="the number of free parameters of the smaller model is 3"):
        line.f_test(larger)
    of = line.cross_validation(25)
    leverage = np.einsum("ij,jk,ik->i", DESIGN, np.linalg.inv(DESIGN.T @ DESIGN), DESIGN)
    press = (line.residuals() / (1 - leverage)) ** 2
    assert of.error == pytest.approx(np.sqrt(press.mean()), rel=1e-9) and len(of.blocks) == 25
    with pytest.raises(hpfracc.SolverError, match="has neither a prior nor two finite bounds"):
        line.log_evidence()
    bounds = {"a": (-10.0, 10.0), "b": (-10.0, 10.0)}
    found = hpfracc.fit(LINE, X, Y, sigma=0.1, bounds=bounds, start={"a": 0, "b": 0})
    determinant = np.linalg.det(DESIGN.T @ DESIGN / 0.01)
    expected = stats.norm.logpdf(Y, found.predict(X), 0.1).sum() + np.log(2 * np.pi) - 0.5 * np.log(determinant) - 2 * np.log(20)
    assert found.log_evidence() == pytest.approx(expected)


def test_residuals_are_tested(line):
    assert not line.residual_tests().are_correlated
    curved = hpfracc.fit(LINE, X, np.sin(3 * X))
    tests = curved.residual_tests()
    assert tests.are_correlated and tests.autocorrelation > 0.5 and tests.runs < tests.expected_runs
    assert hpfracc.fit(LINE, X[:4], Y[:4]).residual_tests() is None


def test_weak_directions_have_words():
    found = hpfracc.fit("a b exp(-x)", X, np.exp(-X) + 0.01 * np.cos(20 * X), start={"a": 1.0, "b": 1.0})
    (weak,) = found.weak_directions
    assert str(weak) == "the data do not determine a, b separately: they can change together"
    assert set(weak.shares) == {"a", "b"} and weak.ratio < 1e-9
    assert "warning: the data do not determine" in found.report() and "warning" in found._repr_html_()


@pytest.mark.parametrize("scheme", ["residual", "wild", "pairs", "blocks"])
def test_bootstraps(line, scheme):
    length = {"block_length": 3} if scheme == "blocks" else {}
    of = line.bootstrap(scheme, 400, seed=2, **length)
    assert of.replicates == 400 and sum(of.failures.values()) == 0
    values = of.values("b")
    assert of.errors["b"] == pytest.approx(values.std(ddof=1))
    assert of.errors["b"] == pytest.approx(line.errors["b"], rel=0.5)
    assert of.bias["b"] == pytest.approx(values.mean() - line["b"].value)
    low, high = of.interval("b")
    assert low < line["b"].value < high
    low, high = of.interval("b", 0.5, method="percentile")
    assert np.mean((values > low) & (values < high)) == pytest.approx(0.5, abs=0.01)
    assert of.interval("b", 0.9999) is None
    copy = pickle.loads(pickle.dumps(of))
    assert np.array_equal(copy.values("b"), values) and copy.interval("b") == of.interval("b")
    again = line.bootstrap(scheme, 400, seed=2, **length)
    assert np.array_equal(again.values("b"), values)


def test_bootstraps_refuse(line):
    for arguments, message in [
        (("some",), 'scheme is "some", expected one of residual, wild, pairs, blocks'),
        (("blocks",), "needs block_length"),
        (("wild", 0), "replicates is 0"),
    ]:
        with pytest.raises(hpfracc.InputError, match=message):
            line.bootstrap(*arguments)
    with pytest.raises(hpfracc.InputError, match="block_length is 3"):
        line.bootstrap("wild", 10, block_length=3)


def test_posterior_of_a_line_is_normal(known):
    of = known.sample(1000, 4, seed=1)
    assert of.converged and of.reasons == [] and of.divergences == []
    covariance = 0.01 * np.linalg.inv(DESIGN.T @ DESIGN)
    for k, name in enumerate(("a", "b")):
        summary = of.summary[name]
        assert abs(summary["mean"] - known[name].value) < 5 * summary["mean_error"]
        assert of.standard_deviation[name] == pytest.approx(np.sqrt(covariance[k, k]), rel=0.06)
        assert of.r_hat[name] < 1.01 and of.effective_size[name] > 400
        assert of.draws[name].shape == (4, 1000)
    assert of.derived("b - a") == pytest.approx(of.draws["b"] - of.draws["a"])
    low, high = of.interval("b", 0.5)
    assert np.mean((of.draws["b"] > low) & (of.draws["b"] < high)) == pytest.approx(0.5, abs=0.001)
    copy = pickle.loads(pickle.dumps(of))
    assert np.array_equal(copy.draws["a"], of.draws["a"]) and "converged" in repr(copy) and "R-hat" in copy._repr_html_()
    with pytest.raises(hpfracc.InputError, match="unpickled"):
        copy.derived("a")
    assert np.array_equal(known.sample(1000, 4, seed=1).draws["a"], of.draws["a"])
    few = known.sample(20, 2)
    assert not few.converged and "take more draws" in few.reasons[0]


def test_samplings_refuse(known):
    for arguments, message in [
        ({"draws": 0}, "draws is 0"),
        ({"chains": 1.5}, "chains is 1.5"),
        ({"acceptance": 2.0}, "the acceptance is 2"),
        ({"depth": 50}, "the depth is 50"),
        ({"draws": 2**33}, "draws is 8589934592"),
    ]:
        with pytest.raises(hpfracc.InputError, match=message):
            known.sample(**arguments)


def test_functions_in_python_have_all_of_it(line):
    found = hpfracc.fit(lambda x, a, b: a + b * x, X, Y, start=[0.0, 0.0], sigma=0.1)
    assert found.profile("b").interval == pytest.approx(found.interval("b"), rel=1e-5)
    assert found.bootstrap("residual", 100, seed=2).errors["b"] == pytest.approx(line.bootstrap("residual", 100, seed=2).errors["b"])
    assert found.sample(200, 2).mean["b"] == pytest.approx(found["b"].value, abs=0.05)
    assert found.cross_validation(5).error == pytest.approx(10 * line.cross_validation(5).error)
    assert found.f_test(hpfracc.fit("a", X, Y, sigma=0.1, inputs="x")) < 1e-10


def test_levels_and_names_are_checked(line):
    with pytest.raises(hpfracc.InputError, match="the level of an interval is 1.5"):
        line.interval("b", 1.5)
    with pytest.raises(hpfracc.InputError, match="no parameter is called `z`"):
        line.profile("z")
    with pytest.raises(hpfracc.InputError, match="the number of blocks"):
        line.cross_validation(1)
    with pytest.raises(hpfracc.InputError, match="there is no set 'u'"):
        line.predict(X, set="u")
    with pytest.raises(hpfracc.InputError, match="x has 2 inputs"):
        line.predict((X, X))
    with pytest.raises(hpfracc.InputError, match="rows"):
        hpfracc.fit("a x + b q", (X, X**2), Y, inputs=["x", "q"]).predict((X, X[:3]))

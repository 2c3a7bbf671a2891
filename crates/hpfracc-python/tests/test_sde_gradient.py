"""Gradients of ensembles: against differences, errors."""

import pickle

import hpfracc
import numpy as np
import pytest
from ensembles import OU
from hpfracc import InputError


def end(x):
    derivative = np.zeros_like(x)
    derivative[:, -1, 0] = 2 * x[:, -1, 0] / len(x)
    return (x[:, -1, 0] ** 2).mean(), derivative


def test_gradients_are_those_of_differences():
    options = {"paths": 200, "steps": 20, "seed": 4}
    text = OU.replace("X(0) = 1", "X(0) = c; c = 1")
    found = hpfracc.ensemble_gradient(text, end, **options)

    def value(**values):
        x = hpfracc.simulate(text, store=True, **options, **values).paths
        return (x[:, -1, 0] ** 2).mean()

    assert abs(found.value - value()) < 1e-13
    for name, centre in {"theta": 1.0, "mu": 0.0, "sigma": 0.5}.items():
        difference = (value(**{name: centre + 1e-5}) - value(**{name: centre - 1e-5})) / 2e-5
        assert abs(found.parameters[name] - difference) < 1e-8
    assert abs(found.start["X"] - (value(c=1 + 1e-5) - value(c=1 - 1e-5)) / 2e-5) < 1e-8
    assert found.orders == {}
    single = hpfracc.ensemble_gradient(text, end, dtype="float32", **options)
    assert abs(single.parameters["sigma"] - found.parameters["sigma"]) < 1e-4
    assert found == pickle.loads(pickle.dumps(found)) and "EnsembleGradient(" in repr(found)


ADDITIVE = "dX = -a sin(X) dt + s dW; a = 1.2; s = 0.4; X(0) = c; c = 1; t in [0, 1]"
DIAGONAL = "dX = -a X dt + s (1 + X^2 / 4) dW; a = 1.2; s = 0.4; X(0) = c; c = 1; t in [0, 1]"
STRATONOVICH = DIAGONAL.replace("dW", "o dW")
CAPUTO = "D^0.8 X = -a X + s dW/dt; a = 1.2; s = 0.4; X(0) = c; c = 1; t in [0, 1]"


@pytest.mark.parametrize(
    ("scheme", "text"),
    [
        ("euler-maruyama", DIAGONAL),
        ("tamed-euler", DIAGONAL),
        ("drift-implicit", DIAGONAL),
        ("milstein", DIAGONAL),
        ("sric2", DIAGONAL),
        ("sriw1", DIAGONAL),
        ("sra1", ADDITIVE),
        ("heun", STRATONOVICH),
        ("reversible-heun", STRATONOVICH),
    ],
)
def test_every_scheme_has_a_gradient(scheme, text):
    options = {"paths": 40, "steps": 16, "seed": 4, "scheme": scheme}
    found = hpfracc.ensemble_gradient(text, end, **options)

    def value(**values):
        x = hpfracc.simulate(text, store=True, **options, **values).paths
        return (x[:, -1, 0] ** 2).mean()

    assert found.value == value()
    for name, centre in {"a": 1.2, "s": 0.4}.items():
        difference = (value(**{name: centre + 1e-5}) - value(**{name: centre - 1e-5})) / 2e-5
        assert abs(found.parameters[name] - difference) < 1e-7, name
    assert abs(found.start["X"] - (value(c=1 + 1e-5) - value(c=1 - 1e-5)) / 2e-5) < 1e-7
    single = hpfracc.ensemble_gradient(text, end, dtype="float32", **options)
    assert abs(single.parameters["s"] - found.parameters["s"]) < 1e-3


def test_all_schemes_are_tested():
    tested = {mark.args[1][k][0] for mark in test_every_scheme_has_a_gradient.pytestmark for k in range(9)}
    memory = {"fractional-euler-maruyama", "fractional-predictor-corrector", "forced-euler-maruyama"}
    assert tested | memory == set(hpfracc.sde_schemes())


@pytest.mark.parametrize(
    "scheme", ["fractional-euler-maruyama", "fractional-predictor-corrector", "forced-euler-maruyama"]
)
def test_schemes_with_memory_have_gradients_of_orders(scheme):
    options = {"paths": 40, "steps": 16, "seed": 4, "scheme": scheme}
    found = hpfracc.ensemble_gradient(CAPUTO, end, **options)

    def value(order=0.8, **values):
        text = CAPUTO.replace("0.8", repr(order))
        x = hpfracc.simulate(text, store=True, **options, **values).paths
        return (x[:, -1, 0] ** 2).mean()

    assert found.value == value()
    assert abs(found.parameters["a"] - (value(a=1.2 + 1e-5) - value(a=1.2 - 1e-5)) / 2e-5) < 1e-7
    assert abs(found.orders["X"] - (value(0.8 + 1e-5) - value(0.8 - 1e-5)) / 2e-5) < 2e-6


def test_gradients_of_adaptive_and_antithetic_solves():
    options = {"paths": 40, "seed": 4}
    adaptive = {**options, "rtol": 1e-3}

    def value(**values):
        x = hpfracc.simulate(DIAGONAL, store=True, **adaptive, **values).paths
        return (x[:, -1, 0] ** 2).mean()

    found = hpfracc.ensemble_gradient(DIAGONAL, end, **adaptive)
    assert found.value == value()
    # Differences also see other steps.
    assert abs(found.parameters["a"] - (value(a=1.21) - value(a=1.19)) / 0.02) < 1e-2
    pairs = hpfracc.ensemble_gradient(ADDITIVE, end, antithetic=True, steps=16, **options)
    x = hpfracc.simulate(ADDITIVE, antithetic=True, store=True, steps=16, **options).paths
    assert abs(pairs.value - (x[:, -1, 0] ** 2).mean()) < 1e-14


def test_gradients_refuse():
    with pytest.raises(InputError, match="has no gradient"):
        hpfracc.ensemble_gradient("rough-heston", end)
    with pytest.raises(InputError, match="expected numbers of shape"):
        hpfracc.ensemble_gradient(OU, lambda x: (0.0, x[0]), paths=5, steps=5)
    with pytest.raises(InputError, match="no pair"):
        hpfracc.ensemble_gradient(OU, lambda x: 0.0, paths=5, steps=5)
    with pytest.raises(InputError, match="unknown scheme 'other'; known are euler-maruyama, tamed-euler"):
        hpfracc.ensemble_gradient(OU, end, scheme="other", paths=5, steps=5)
    with pytest.raises(InputError, match="schemes for this equation are euler-maruyama, .*milstein"):
        hpfracc.ensemble_gradient(DIAGONAL, end, scheme="sra1", paths=5, steps=5)
    with pytest.raises(InputError, match="random initial value"):
        hpfracc.ensemble_gradient("dX = dW; X(0) = normal(0, 1); t in [0, 1]", end, paths=5, steps=5)
    with pytest.raises(ZeroDivisionError):
        hpfracc.ensemble_gradient(OU, lambda x: 1 / 0, paths=5, steps=5)

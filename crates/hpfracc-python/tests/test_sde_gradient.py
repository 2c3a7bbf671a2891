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


def test_gradients_refuse():
    with pytest.raises(InputError, match="has no gradient"):
        hpfracc.ensemble_gradient("rough-heston", end)
    with pytest.raises(InputError, match="expected numbers of shape"):
        hpfracc.ensemble_gradient(OU, lambda x: (0.0, x[0]), paths=5, steps=5)
    with pytest.raises(InputError, match="no pair"):
        hpfracc.ensemble_gradient(OU, lambda x: 0.0, paths=5, steps=5)
    with pytest.raises(InputError, match="unknown scheme with a gradient 'milstein'"):
        hpfracc.ensemble_gradient(OU, end, scheme="milstein", paths=5, steps=5)
    with pytest.raises(InputError, match="random initial value"):
        hpfracc.ensemble_gradient("dX = dW; X(0) = normal(0, 1); t in [0, 1]", end, paths=5, steps=5)
    with pytest.raises(ZeroDivisionError):
        hpfracc.ensemble_gradient(OU, lambda x: 1 / 0, paths=5, steps=5)

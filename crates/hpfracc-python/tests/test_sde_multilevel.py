"""Multilevel Monte Carlo: prices, payoffs, errors."""

import pickle

import hpfracc
import numpy as np
import pytest
from hpfracc import EquationError, InputError, SolverError

CALL = 0.10450583572185565  # Black and Scholes: S = K = T = 1, r = 0.05, sigma = 0.2


def test_multilevel_of_a_text():
    text = "dS = 0.05 S dt + 0.2 S dW; S(0) = 1; t in [0, 1]"
    payoff = "exp(-0.05) max(S - K, 0); K = 1"
    found = hpfracc.multilevel(text, payoff, target=1e-3, scheme="milstein", seed=1)
    assert abs(found.value - CALL) < 4e-3 and float(found) == found.value
    assert found.standard_error <= 1e-3 and found.target == 1e-3
    assert [level.steps for level in found.levels][:3] == [1, 4, 16]
    assert found == hpfracc.multilevel(text, payoff, target=1e-3, scheme="milstein", seed=1, threads=1)
    assert pickle.loads(pickle.dumps(found)) == found
    assert "Expectation(0.10" in repr(found) and "<table>" in found._repr_html_()


def test_multilevel_of_a_model():
    found = hpfracc.multilevel("geometric-brownian", "max(s - 1, 0) exp(-0.05)", target=2e-3, t_span=1.0, seed=1,
                               mu=0.05, sigma=0.2)
    assert abs(found.value - CALL) < 8e-3


def test_payoffs_that_are_functions():
    shapes = set()

    def average(path):
        shapes.add(path.shape)
        return path[:, 0].mean()

    text = "dX = -X dt + 0.5 dW; X(0) = 1; t in [0, 1]"
    found = hpfracc.multilevel(text, average, target=0.02, coarsest=4, seed=1, pilot=200)
    assert shapes == {(5, 1)}
    assert abs(found.value - np.exp(-np.linspace(0, 1, 5)).mean()) < 0.08
    with pytest.raises(ZeroDivisionError):
        hpfracc.multilevel(text, lambda path: 1 / 0, target=0.02)
    with pytest.raises(TypeError):
        hpfracc.multilevel(text, lambda path: "1", target=0.02)


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"target": 0.0}, InputError, "the target of an expectation is 0"),
        ({"payoff": 3}, InputError, "payoff is 3"),
        ({"payoff": "max(X, "}, EquationError, "line 1, column"),
        ({"payoff": "X - K"}, InputError, "K has no value"),
        ({"refinement": 1}, InputError, "refinement is 1"),
        ({"pilot": 10}, InputError, "pilot is 10"),
        ({"finest": 2, "target": 0.02}, SolverError, "leaves a bias"),
        ({"payoff": "1/(X - X)"}, SolverError, "payoff"),
        ({"scheme": "heun2"}, InputError, "unknown scheme 'heun2'"),
    ],
)
def test_refused_arguments_of_multilevel(arguments, kind, message):
    arguments = {"payoff": "X", "target": 0.05} | arguments
    text = "dX = X dt + 0.5 X dW; X(0) = 1; t in [0, 1]"
    with pytest.raises(kind, match=message):
        hpfracc.multilevel(text, arguments.pop("payoff"), **arguments)

"""Equations as data."""

import pickle

import hpfracc
import numpy as np
import pytest
from hpfracc import Equation, EquationError, InputError

LORENZ = """
D^alpha x = sigma (y - x)
D^alpha y = x (rho - z) - y
D^alpha z = x y - beta z
sigma = 10; rho = 28 in [0, 200]; beta = 8/3; alpha = 0.995 in (0, 1]
x(0) = 1; y(0) = 1; z(0) = 1; t in [0, 50]
"""


def test_parts():
    equation = Equation(LORENZ)
    assert equation.states == ("x", "y", "z")
    assert equation.parameters == {"sigma": 10.0, "rho": 28.0, "beta": 8 / 3, "alpha": 0.995}
    assert equation.orders.tolist() == [0.995] * 3
    assert equation.interval == (0.0, 50.0)
    assert equation.definition == ("caputo",) * 3
    assert equation.form == "Caputo fractional differential equation"
    assert equation.is_autonomous and not equation.is_stochastic
    rho = equation.parameter_table[1]
    assert (rho.name, rho.low, rho.high, rho.closed) == ("rho", 0.0, 200.0, (True, True))
    assert str(rho) == "rho = 28 in [0, 200]"
    assert equation.right_hand_sides["x"] == "sigma (y - x)"
    assert equation.lower_orders == ((), (), ())


def test_facts():
    equation = Equation("D^2 y + 0.5 D^1.5 y + k y = sin(t); k = 2; y(0) = 1; y'(0) = 0; t in [0, 1]")
    assert equation.lower_orders == ((1.5,),)
    assert not equation.is_autonomous
    delayed = Equation("y' = -y(t - tau); tau = 1; y(t) = 1 for t <= 0; show s = y^2; when y = 0: stop; t in [0, 3]")
    assert delayed.delays == ("tau",)
    assert delayed.shown == {"s": "y^2"}
    assert delayed.events == ("y = 0: stop",)
    noisy = Equation("dX = -X dt + dW; X(0) = 1")
    assert noisy.is_stochastic and list(noisy.noises.values()) == ["Brownian motion"]
    entries, whole = Equation("x' = a x + y; y' = -x; a = 2; x(0) = 1; y(0) = 0").linear_part()
    assert entries == {("x", "x"): "a", ("x", "y"): "1", ("y", "x"): "-1"} and whole


def test_rhs_and_jacobian():
    equation = Equation(LORENZ)
    state = [1.0, 2.0, 3.0]
    np.testing.assert_array_equal(equation.rhs(0.0, state), [10.0, 25.0 - 2.0, 2.0 - 8 / 3 * 3.0])
    assert equation.jacobian()["x", "y"] == "sigma"
    with pytest.raises(InputError, match="y has 2 numbers, expected 3"):
        equation.rhs(0.0, [1.0, 2.0])
    with pytest.raises(InputError, match="lagged"):
        Equation("y' = -y(t - 1); y(t) = 1 for t <= 0").rhs(0.0, [1.0])


def test_errors_show_the_place():
    with pytest.raises(EquationError) as caught:
        Equation("x' = -rat x; rate = 2; x(0) = 1")
    assert str(caught.value).splitlines()[-1].strip() == "^^^ did you mean `rate`?"
    assert isinstance(caught.value, ValueError)
    with pytest.raises(InputError, match="text is int, expected str"):
        Equation(3)
    with pytest.raises(EquationError, match="no/such.csv"):
        Equation('table f: a -> b from "no/such.csv"\ny\' = f(t); y(0) = 1')


def test_values_are_checked():
    equation = Equation(LORENZ)
    with pytest.raises(InputError, match="rho = 300 is outside its range"):
        equation.with_values(rho=300)
    with pytest.raises(InputError, match="did you mean `sigma`"):
        equation.with_values(sigm=1)
    with pytest.raises(InputError, match="expected a number"):
        equation.with_values(rho="many")
    with pytest.raises(InputError):
        equation.with_values(rho=float("nan"))
    assert equation.parameters["rho"] == 28.0


def test_other_values():
    equation = Equation(LORENZ)
    assert equation.with_values({"rho": 20}, beta=2).parameters["rho"] == 20.0
    assert equation.with_orders(0.9).parameters["alpha"] == 0.9
    assert equation.with_orders([0.9, 0.8, 0.7]).orders.tolist() == [0.9, 0.8, 0.7]
    with pytest.raises(InputError, match="length 2, expected 1 or 3"):
        equation.with_orders(0.9, 0.8)
    assert equation.with_interval(1, 2).interval == (1.0, 2.0)
    assert "z(0) = 7" in equation.with_initial({"z": 7}).text
    assert "y(0) = 5" in equation.with_initial([4, 5, 6]).text
    with pytest.raises(InputError, match=r"y0 has the shape \(2,\), expected \(3,\)"):
        equation.with_initial([1, 2])
    with pytest.raises(InputError, match="the states are x, y, z"):
        equation.with_initial({"w": 1})
    with pytest.raises(InputError, match="takes none"):
        equation.with_initial({"x": [1, 2]})


def test_equality_hash_pickle():
    equation = Equation(LORENZ).with_values(rho=20.1)
    again = pickle.loads(pickle.dumps(equation))
    assert again == equation and hash(again) == hash(equation)
    assert again.parameters == equation.parameters
    assert equation != Equation(LORENZ) and equation != 3
    assert eval(repr(equation)) == equation
    named = pickle.loads(pickle.dumps(Equation.named("lorenz")))
    assert hpfracc.solve(named, 0.1).scheme == "pece"
    assert "<pre>" in equation._repr_html_() and "<td>rho</td>" in equation._repr_html_()


def test_files(tmp_path):
    (tmp_path / "drive.csv").write_text('time, "force"\n0, 0\n1, 2\n')
    (tmp_path / "driven.eq").write_text('table f: time -> force from "drive.csv"\ny\' = f(t); y(0) = 0; t in [0, 1]')
    equation = Equation.read(tmp_path / "driven.eq")
    assert abs(hpfracc.solve(equation).y[0, -1] - 1.0) < 1e-10
    assert pickle.loads(pickle.dumps(equation)) == equation
    (tmp_path / "drive.csv").write_text("time,force\n0,0\n1,two\n")
    with pytest.raises(EquationError, match="line 3, column `force`: `two` is no number"):
        Equation.read(tmp_path / "driven.eq")


def test_catalogue():
    entries = hpfracc.catalogue()
    assert len(entries) > 70 and list(entries) == sorted(entries)
    assert entries["robertson"].source
    for entry in entries.values():
        assert entry.equation().states
        assert Equation(entry.equation().text) == entry.equation(), entry.name
    with pytest.raises(InputError, match="did you mean 'lorenz'"):
        Equation.named("lorentz")

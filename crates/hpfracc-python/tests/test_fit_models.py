"""Fits of the catalogue, of circuits, transfer functions and equations."""

import numpy as np
import pytest
from scipy.special import erfcx

import hpfracc


def test_catalogue_has_sources():
    names = hpfracc.fit_models()
    assert len(names) > 30 and "fractional-zener-modulus" in names
    entry = hpfracc.model_entry("cole-cole")
    assert entry.formula == "eps = eps_inf + delta/(1 + (i omega tau)^alpha)"
    assert "Cole and Cole" in entry.source and entry.responses[1] == ("eps_loss", "-Im eps")
    assert "relaxation time" in str(entry)
    with pytest.raises(hpfracc.InputError, match="did you mean `cole-cole`"):
        hpfracc.model_entry("cole-col")


def test_mittag_leffler_relaxation_without_a_start():
    t = 0.01 * 1.17 ** np.arange(60)
    # E(1/2, -sqrt(t/tau)) is exp(t/tau) erfc(sqrt(t/tau)).
    y = 0.5 + 2.0 * erfcx(np.sqrt(t / 1.3))
    found = hpfracc.fit("mittag-leffler-relaxation", t, y)
    assert found.parameters == pytest.approx({"a": 2.0, "tau": 1.3, "s": 0.5, "c": 0.5}, rel=1e-8)
    assert found.start_search["points"] > 1 and found["tau"].unit == "s"


OMEGA = np.geomspace(1e-3, 1e3, 60)


def test_permittivity_has_the_sign_of_its_convention():
    eps = 2.0 + 5.0 / (1 + (1j * OMEGA * 0.3) ** 0.7)
    expected = {"eps_inf": 2.0, "delta": 5.0, "tau": 0.3, "alpha": 0.7}
    found = hpfracc.fit("cole-cole", OMEGA, eps)
    assert found.parameters == pytest.approx(expected, rel=1e-8)
    assert found.predict(OMEGA) == pytest.approx(eps)
    assert np.abs(found.residuals()).max() < 1e-8
    parts = hpfracc.fit("cole-cole", OMEGA, np.stack([eps.real, -eps.imag]))
    assert parts.parameters == pytest.approx(expected, rel=1e-8)
    assert parts.predict(OMEGA)[1] == pytest.approx(-eps.imag)
    noisy = eps * (1 + 0.01 * np.sin(37.0 * np.arange(60)))
    found, parts = hpfracc.fit("cole-cole", OMEGA, noisy), hpfracc.fit("cole-cole", OMEGA, np.stack([noisy.real, -noisy.imag]))
    band, other = found.band(OMEGA), parts.band(OMEGA)
    assert np.array_equal(band.value[1], -other.value[1]) and np.array_equal(band.confidence[0][1], -other.confidence[1][1])
    assert np.all(band.confidence[0] < band.value) and np.all(band.prediction[1] > band.confidence[1])


def test_hertz_and_relative_errors():
    eps = 2.0 + 5.0 / (1 + (1j * OMEGA * 0.3) ** 0.7)
    found = hpfracc.fit("cole-cole", OMEGA / (2 * np.pi), eps, hertz=True, relative="modulus")
    assert found["tau"].value == pytest.approx(0.3, rel=1e-8)


def test_circuits_take_impedances():
    cpe = 1 / (2e-3 * (1j * OMEGA) ** 0.8)
    z = 10.0 + 1 / (1 / 200.0 + 1 / cpe)
    found = hpfracc.fit("circuit R0-p(R1,CPE1)", OMEGA, z, relative="each")
    assert sorted(found.parameters.values()) == pytest.approx([2e-3, 0.8, 10.0, 200.0], rel=1e-7)
    assert found.predict(1.0) == pytest.approx(10.0 + 1 / (1 / 200.0 + 2e-3 * 1j**0.8))
    with pytest.raises(hpfracc.EquationError):
        hpfracc.fit("circuit R0-p(R1", OMEGA, z)


def test_transfer_functions_and_sums():
    s = 1j * OMEGA
    h = (2.0 + s**0.5) / (1 + 3.0 * s**0.9)
    found = hpfracc.fit("transfer (b0 + s^beta)/(1 + a1 s^alpha)", OMEGA, h)
    assert found.parameters == pytest.approx({"b0": 2.0, "beta": 0.5, "a1": 3.0, "alpha": 0.9}, rel=1e-6)
    eps = 2.0 + 5.0 / (1 + s * 0.01) + 3.0 / (1 + (s * 10.0) ** 0.6)
    found = hpfracc.fit("debye + cole-cole", OMEGA, eps)
    assert found.cost < 1e-16


def test_constants_of_the_experiment():
    names = [of for of in hpfracc.fit_models() if any(note[3] for note in hpfracc.model_entry(of).parameters)]
    entry = hpfracc.model_entry(names[0])
    constant = next(note[0] for note in entry.parameters if note[3])
    with pytest.raises(hpfracc.InputError, match="no constant|constants"):
        hpfracc.fit(names[0], OMEGA, OMEGA, constants={"nothing": 1.0})
    with pytest.raises(hpfracc.InputError):
        hpfracc.fit(names[0], OMEGA, OMEGA, constants={constant: float("nan")})


EQUATION = "D^alpha y = -y/tau; alpha = 0.9 in (0, 1]; tau = 1 in (0, inf); y(0) = a; a = 1"


def test_equations_fit_orders():
    t = np.linspace(0.0, 3.0, 31)
    y = 2.0 * erfcx(np.sqrt(t / 0.8))
    found = hpfracc.fit(EQUATION, t, y)
    assert found["alpha"].value == pytest.approx(0.5, abs=2e-3)
    # The order is that of time alone: y/tau, not (t/tau)^alpha.
    assert found["tau"].value == pytest.approx(np.sqrt(0.8), rel=5e-3)
    assert found.predict(np.array([0.5, 1.5])) == pytest.approx(2.0 * erfcx(np.sqrt(np.array([0.5, 1.5]) / 0.8)), rel=2e-3)
    names = [of.name for of in found.discretisation()]
    assert names == ["alpha", "tau", "a"]
    assert hpfracc.fit("exp(-a t)", t, y, start={"a": 1.0}).discretisation() == []
    with pytest.raises(hpfracc.InputError, match="the time -1 in row 0"):
        hpfracc.fit(EQUATION, t - 1.0, y)
    with pytest.raises(hpfracc.InputError, match="`z` cannot be observed"):
        hpfracc.fit(EQUATION, t, y, observed="z")


def test_equations_of_two_states():
    text = "D^1 u = -k u; D^1 v = k u - v; k = 0.5; u(0) = 1; v(0) = 0"
    t = np.linspace(0.0, 4.0, 21)
    u = np.exp(-2.0 * t)
    v = 2.0 * (np.exp(-t) - np.exp(-2.0 * t))
    found = hpfracc.fit(text, t, np.stack([u, v]))
    assert found["k"].value == pytest.approx(2.0, rel=1e-4)
    assert hpfracc.fit(text, t, v, observed="v")["k"].value == pytest.approx(2.0, rel=1e-4)


def test_formulas_of_several_inputs_and_responses():
    x, q = np.linspace(0, 1, 20), np.linspace(1, 2, 20) ** 2
    y = 2 * np.exp(-(q**2) * x) + 3
    found = hpfracc.fit("a exp(-q^2 x) + b; a = 1", (x, q), y, inputs=["x", "q"])
    assert found.parameters == pytest.approx({"a": 2.0, "b": 3.0})
    assert found.predict((x, q)) == pytest.approx(y)
    assert found.predict((0.5, 2.0)) == pytest.approx(2 * np.exp(-2.0) + 3)
    other = hpfracc.fit("a exp(-q^2 x) + b; a = 1", np.stack([q, x, x]), y, inputs=["q", "x", "unused"])
    assert other.parameters == found.parameters and np.array_equal(other.predict(np.stack([q, x, x])), found.predict((x, q)))
    constant = hpfracc.fit("a", x, y, inputs="x")
    assert constant["a"].value == pytest.approx(y.mean())
    assert constant.predict(x) == pytest.approx(np.full(20, y.mean())) and constant.band(x).error.shape == (20,)
    two = hpfracc.fit(["u = a x", "v = a x^2 + b"], x, np.stack([2 * x, 2 * x**2 + 1]))
    assert two.parameters == pytest.approx({"a": 2.0, "b": 1.0})

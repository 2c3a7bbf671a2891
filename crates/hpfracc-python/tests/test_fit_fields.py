"""Fits of partial differential equations."""

import pickle
from pathlib import Path

import numpy as np
import pytest

import hpfracc
from hpfracc import FieldModel, InputError, pde

LINEAR = "D^alpha u = kappa lap(u); alpha = 0.9; kappa = 0.2; u(0) = sin(pi x)"
REACTION = "D^alpha u = 0.02 lap(u) + r u (1 - u); alpha = 0.9; r = 2; u(0) = exp(-20 x^2)"


def rod(**options: object) -> FieldModel:
    return FieldModel(LINEAR, box=[(0, 1, 60)], boundary="dirichlet", **options)  # type: ignore[arg-type]


def test_orders_and_coefficients_of_whole_fields() -> None:
    times = np.array([0.2, 0.5, 1.0])
    truth = pde.solve(
        LINEAR, box=[(0, 1, 60)], boundary="dirichlet", alpha=0.7, parameters={"kappa": 0.1}, until=1, save=[0, *times]
    )
    model = rod()
    u = np.asarray(truth.u)[1:]
    found = hpfracc.fit(model, model.inputs(times), u.ravel())
    assert found["alpha"].value == pytest.approx(0.7, abs=1e-7)
    assert found["kappa"].value == pytest.approx(0.1, abs=1e-7)
    assert model.parameters["alpha"][1:] == pytest.approx((0.0, 1.0))


def test_reactions_by_steps_from_points_with_noise() -> None:
    times, places = np.linspace(0.25, 2, 8), np.array([3, 11, 20, 33])
    model = FieldModel(REACTION, box=[(0, 1, 40)], boundary="neumann", steps=100)
    truth = pde.solve(
        REACTION, box=model.box, alpha=0.8, parameters={"r": 1.5}, until=2, save=[0, *times], steps=400
    )
    u = np.asarray(truth.u)[1:, places]
    t, x = np.meshgrid(times, model.box.axes[0][places], indexing="ij")
    noise = 3e-3 * np.random.default_rng(1).standard_normal(t.size)
    found = hpfracc.fit(model, (t.ravel(), x.ravel()), u.ravel() + noise, sigma=3e-3)
    for name, value in (("alpha", 0.8), ("r", 1.5)):
        assert abs(found[name].value - value) < 4 * found.errors[name] < 0.2


def test_files_have_columns_of_times_points_and_fields(tmp_path: Path) -> None:
    rows = [(0.1, 0.5, 0.811), (0.3, 0.5, 0.649), (0.6, 0.5, 0.512), (1.0, 0.2, 0.237), (0.1, 0.2, 0.477)]
    path = tmp_path / "sensors.csv"
    path.write_text("t,x,u\n" + "".join(f"{t},{x},{u}\n" for t, x, u in rows))
    t, x, u = np.array(rows).T
    of_file, of_arrays = hpfracc.fit_file(rod(), path), hpfracc.fit(rod(), (t, x), u)
    assert all(of_file[name].value == of_arrays[name].value for name in ("alpha", "kappa"))


def test_searches_constants_and_copies() -> None:
    model = rod(search="kappa", constants=["alpha"])
    assert list(model.parameters) == ["kappa"]
    assert model.parameters["kappa"][0] is None
    again = pickle.loads(pickle.dumps(model))
    assert again.parameters == model.parameters and repr(again) == repr(model)
    t = np.array([0.1, 0.5, 1.0])
    found = hpfracc.fit(model, (t, 0 * t + 0.5), np.exp(-(np.pi**2) * 0.15 * t))
    assert found["kappa"].value > 0


def test_columns_of_whole_fields() -> None:
    model = FieldModel(
        "D^alpha u = lap(u); alpha = 0.5; u(0) = sin(pi x) sin(pi y)",
        box=[(0, 1, 3), (0, 2, 4)],
        boundary="dirichlet",
    )
    t, x, y = model.inputs([0.5, 1.0])
    assert t.shape == x.shape == y.shape == (24,)
    assert (t[:12] == 0.5).all() and (t[12:] == 1.0).all()
    assert (x[:4] == x[0]).all() and y[1] > y[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"observed": "v"}, "v"),
        ({"constants": ["beta"]}, "beta"),
        ({"steps": 0}, "steps is 0"),
        ({"steps": 2.5}, "steps is 2.5"),
        ({"search": [1]}, "search is"),
        ({"boundary": pde.dirichlet("kappa t")}, "kappa"),
    ],
)
def test_models_that_are_refused(options: dict[str, object], message: str) -> None:
    given = {"boundary": "dirichlet", **options}
    with pytest.raises(hpfracc.Error, match=message):
        FieldModel(LINEAR, box=[(0, 1, 20)], **given)  # type: ignore[arg-type]


def test_boundary_values_depend_on_constants() -> None:
    text = "D^0.8 u = k lap(u); k = 0.3; top = 2; u(0) = 0 x"
    walls = [(pde.dirichlet(0.0), pde.dirichlet("top t"))]
    with pytest.raises(hpfracc.Error, match="top"):
        FieldModel(text, box=[(0, 1, 20)], boundary=walls)
    model = FieldModel(text, box=[(0, 1, 20)], boundary=walls, constants="top", steps=40)
    assert list(model.parameters) == ["k"]


def test_data_that_are_refused() -> None:
    t = np.array([0.1, 0.2, 0.3])
    with pytest.raises(InputError, match="inputs"):
        hpfracc.fit(rod(), t, t)
    with pytest.raises(InputError, match=r"1\.5"):
        hpfracc.fit(rod(), (t, [0.5, 1.5, 0.5]), t)
    with pytest.raises(InputError, match="time"):
        hpfracc.fit(rod(), (-t, [0.5, 0.5, 0.5]), t)
    with pytest.raises(InputError, match="FieldModel"):
        hpfracc.fit(rod(), (t, t), t, observed="u")
    with pytest.raises(InputError, match="times has the shape"):
        rod().inputs(0.5)

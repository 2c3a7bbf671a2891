"""Controlled and latent equations: gradients, training, files, and what is refused."""

import pickle

import hpfracc
import numpy as np
import pytest
from hpfracc import ControlledEquation, InputError, LatentEquation, Training, train, train_controlled

rng = np.random.default_rng(3)
T = np.linspace(0, 1, 9)
SLOPES = rng.uniform(-1, 1, 60)
CONTROLS = np.stack([np.tile(T, (60, 1)), SLOPES[:, None] * T], axis=-1)
CONTROLLED = ControlledEquation(components=3, field=[6])
LATENT = LatentEquation(components=2, encoder=[8], posterior=[6], prior=[6], diffusion=0.3, context=1)
SEQUENCES = 5.0 + rng.normal(0, 1, (40, 1, 2)) * np.linspace(0.3, 1, 7)[:, None] + rng.normal(0, 0.05, (40, 7, 2))


def checked_gradient(training, samples, seed=0):
    theta = training.initial(1) + np.random.default_rng(1).normal(0, 0.1, training.size)
    loss, gradient = training.gradient(theta, samples, seed=seed)
    assert loss == pytest.approx(training.loss(theta, samples, seed=seed), rel=1e-12)
    direction = np.random.default_rng(0).standard_normal(len(theta))
    ends = [training.loss(theta + h * direction, samples, seed=seed) for h in (1e-6, -1e-6)]
    assert gradient @ direction == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-5, abs=1e-8)


@pytest.mark.parametrize("orders", ["one", 0.7, "learned"])
def test_gradients_of_controlled_equations(orders):
    model = ControlledEquation(3, [6], encoder=[4], orders=orders)
    training = Training.controlled(CONTROLS, SLOPES, model, solver={"steps": 2}, precision="f64")
    checked_gradient(training, [0, 5, 7])
    if orders == "learned":
        theta = training.initial()
        assert training.learns_orders and training.orders(theta) == pytest.approx(np.full(3, 0.8))


def test_responses_are_the_predictions_of_the_loss():
    y = np.stack([SLOPES, SLOPES**2], axis=1)[:, None] * T[[4, 8], None]
    training = Training.controlled(CONTROLS, y, CONTROLLED, at=[4, -1], precision="f64", dt=0.125)
    theta = training.initial(1) + np.random.default_rng(1).normal(0, 0.3, training.size)
    found = training.predict(theta, CONTROLS)
    assert found.shape == y.shape
    assert ((found - y) ** 2).mean() == pytest.approx(training.loss(theta), rel=1e-12)
    # More steps of a control that is linear between rows change Euler's method only.
    finer = Training.controlled(CONTROLS, y, CONTROLLED, at=[4, -1], precision="f64", dt=0.125, solver={"steps": 8})
    difference = np.abs(finer.predict(theta, CONTROLS) - found).max()
    assert 0 < difference < 0.3


def test_a_controlled_equation_is_trained(tmp_path):
    settings = {"training": {"epochs": 60, "schedule": 1e-2, "seed": 1}, "validation": 0.2, "precision": "f64"}
    trained = train_controlled(CONTROLS, SLOPES, CONTROLLED, **settings, folder=tmp_path / "run")
    assert trained.training.samples == 48 and trained.training.validation_samples == 12
    assert trained.best_validation < 0.05 * trained.validation[0]
    assert np.abs(trained.predict(CONTROLS)[:, 0] - SLOPES).mean() < 0.1
    again = Training.controlled(CONTROLS, SLOPES, CONTROLLED, **settings)
    assert np.array_equal(again.run(threads=1).parameters, trained.parameters)
    trained.save(tmp_path / "parameters")
    loaded = again.load(tmp_path / "parameters")
    assert np.array_equal(loaded.predict(CONTROLS), trained.predict(CONTROLS))
    pickled = pickle.loads(pickle.dumps(trained))
    assert np.array_equal(pickled.predict(CONTROLS), trained.predict(CONTROLS))
    assert "controlled equation with" in repr(trained.training)
    with pytest.raises(InputError, match="controlled equation has no forecast"):
        trained.forecast()
    holes = CONTROLS.copy()
    holes[:, 3, 1] = np.nan
    assert np.abs(trained.predict(holes) - trained.predict(CONTROLS)).max() < 1e-9


def test_classes_of_controls():
    classes = (SLOPES > 0).astype(int)
    training = {"epochs": 80, "schedule": 2e-2}
    trained = train_controlled(CONTROLS, classes, CONTROLLED, loss="cross-entropy", training=training)
    assert (trained.predict(CONTROLS).argmax(axis=1) == classes).mean() > 0.95


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"y": SLOPES[:-1]}, "expected 60 samples as x"),
        ({"y": np.full(60, np.nan)}, "sample 0 has no observed value"),
        ({"x": np.ones((60, 1))}, "expected at least 1 sample of 2 rows"),
        ({"x": np.ones((60, 2, 2, 2))}, "x has 4 axes"),
        ({"x": np.full((60, 9, 2), np.inf)}, "a control is inf"),
        ({"at": [9]}, "at is \\[9\\], expected rows of x from 0 to 8"),
        ({"at": [1, 2]}, "at has 2 rows, expected 1"),
        ({"model": {"components": 3}}, "model: missing field `field`"),
        ({"model": ControlledEquation(0, [3])}, "model: "),
        ({"model": ControlledEquation(3, hpfracc.Network.perceptron([3, 4]))}, "outputs of the field are 4 rows, expected 6"),
        ({"model": 3}, "model is 3, expected a ControlledEquation"),
        ({"dt": -1.0}, "dt is -1"),
        ({"validation": 1.5}, "validation"),
        ({"loss": "cross"}, "loss: unknown variant `cross`"),
    ],
)
def test_bad_controls_are_refused(changes, message):
    arguments = {"x": CONTROLS, "y": SLOPES, "model": CONTROLLED, **changes}
    with pytest.raises(InputError, match=message):
        Training.controlled(**arguments)


def test_predictions_refuse_other_controls():
    training = Training.controlled(CONTROLS, SLOPES, CONTROLLED)
    theta = training.initial()
    with pytest.raises(InputError, match="x has 8 rows, expected 9"):
        training.predict(theta, CONTROLS[:, :-1])
    with pytest.raises(InputError, match="x has 1 channels, expected 2"):
        training.predict(theta, CONTROLS[:, :, :1])
    with pytest.raises(InputError, match="only a latent equation"):
        training.sample(theta)
    with pytest.raises(InputError, match="rows is 3"):
        training.predict(theta, CONTROLS, rows=3)


@pytest.mark.parametrize("orders", ["one", 0.8, "learned"])
def test_gradients_of_latent_equations(orders):
    model = LatentEquation(2, [8], [6], [6], {"diagonal": {"of": [4], "floor": 0.1}}, context=1, mask=True, orders=orders)
    data = SEQUENCES.copy()
    data[3, 2, 1] = np.nan
    loss = {"paths": 2, "kl_weight": 0.5}
    training = Training.latent(data, model, loss=loss, solver={"steps": 2}, dt=0.5, precision="f64")
    checked_gradient(training, [0, 3, 7], seed=5)
    if orders == "learned":
        assert training.orders(training.initial()) == pytest.approx(np.full(2, 0.8))


def test_a_latent_equation_is_trained(tmp_path):
    settings = {"training": {"epochs": 100, "schedule": 1e-2, "seed": 1}, "validation": 0.25, "loss": {"kl_weight": 0.05}, "precision": "f64"}
    trained = train(SEQUENCES, model=LATENT, names=["a", "b"], **settings)
    assert trained.training.samples == 30 and trained.loss[-1] < trained.loss[0]
    assert trained.training._facts["mean"] == pytest.approx(SEQUENCES.mean(axis=(0, 1)), abs=0.3)
    new = trained.sample(rows=5, paths=2000)
    assert new.paths.shape == (2000, 5, 2) and new.names == ("a", "b") and new.t.tolist() == [0, 1, 2, 3, 4]
    assert np.abs(new.mean[0] - SEQUENCES[:, 0].mean(axis=0)).max() < 1.5
    assert np.array_equal(new.paths, trained.sample(rows=5, paths=2000).paths)
    trained.save(tmp_path / "parameters")
    again = Training.latent(SEQUENCES, LATENT, names=["a", "b"], **settings).load(tmp_path / "parameters")
    assert np.array_equal(again.predict(SEQUENCES[:3]), trained.predict(SEQUENCES[:3]))
    pickled = pickle.loads(pickle.dumps(trained))
    assert np.array_equal(pickled.sample(paths=3).paths, trained.sample(paths=3).paths)
    assert "latent equation with" in repr(trained.training)


def test_posteriors_reconstruct_sequences():
    training = {"epochs": 2000, "schedule": 1e-2, "seed": 1}
    trained = train(SEQUENCES, model=LATENT, loss={"kl_weight": 0.05}, training=training, precision="f64")
    found = trained.predict(SEQUENCES, paths=20, seed=2)
    assert found.shape == (40, 20, 7, 2)
    assert (found.mean(axis=1) - SEQUENCES).std() < 0.2 * SEQUENCES.std()


def test_windows_of_a_series_are_sequences():
    series = np.sin(0.3 * np.arange(120))
    model = LatentEquation(1, [4], [4], [4])
    training = Training.latent(series, model, windows={"length": 9, "stride": 2, "validation": 0.25})
    assert training.samples == len(range(0, 90 - 9, 2)) and training.validation_samples == len(range(0, 30 - 9, 2))
    assert training._facts["mean"] == pytest.approx(series[:90].mean(), abs=0.1)
    assert np.isfinite(training.loss(training.initial(), validation=True))
    assert train(series, model=model, windows=9, training={"epochs": 1}).steps > 0
    for loss in ("mean-square", {"observation": {"huber": {"delta": 1.0}}}, "gaussian-likelihood"):
        other = Training.latent(series, model, windows=9, loss=loss)
        assert np.isfinite(other.loss(other.initial()))
        assert other.sample(other.initial(), paths=3).paths.shape == (3, 10, 1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"data": SEQUENCES[0]}, "a time series needs windows"),
        ({"windows": 3}, "sequences are not cut"),
        ({"data": SEQUENCES[0], "windows": 30}, "a window has 31"),
        ({"data": SEQUENCES[0], "windows": {"lengths": 3}}, "unknown field `lengths`"),
        ({"model": LatentEquation(2, [8], [6], [6], "none")}, "the least diffusion is 0"),
        ({"model": LatentEquation(2, [8], [6], [6], orders=0.4)}, "an order is 0.4"),
        ({"loss": "cross-entropy"}, "not standardised"),
        ({"loss": {"kl_weight": -1.0}}, "the weight of the divergence is -1"),
        ({"loss": {"paths": 0}}, "the number of paths of each sample is 0"),
        ({"names": ["a"]}, "names has 1 names, expected 2"),
        ({"data": np.ones((4, 3, 1))}, "same value"),
        ({"model": {"components": 2}}, "missing field `encoder`"),
    ],
)
def test_bad_sequences_are_refused(changes, message):
    with pytest.raises(InputError, match=message):
        Training.latent(**{"data": SEQUENCES, "model": LATENT, **changes})


def test_latent_predictions_refuse():
    training = Training.latent(SEQUENCES, LATENT)
    theta = training.initial()
    with pytest.raises(InputError, match=r"x has the shape \(40, 6, 2\), expected \(40, 7, 2\)"):
        training.predict(theta, SEQUENCES[:, :6])
    with pytest.raises(InputError, match="paths is 0"):
        training.sample(theta, paths=0)
    with pytest.raises(InputError, match="rows is 1"):
        training.sample(theta, rows=1)
    with pytest.raises(InputError, match="parameters"):
        training.sample(theta[:-1])

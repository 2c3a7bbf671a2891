"""Tests of `hpfracc.training`."""

from __future__ import annotations

import json
import pickle
import threading

import numpy as np
import pytest

import hpfracc
from hpfracc.errors import InputError, SolverError
from hpfracc.training import Network, NeuralEquation, Trained, Training, read_parameters, train, train_network

DT = 0.1


def relaxation(rows=80):
    return np.exp(-0.3 * DT * np.arange(rows))


def noisy(rows=120, seed=0):
    rng = np.random.default_rng(seed)
    x = np.zeros((rows, 2))
    for k in range(1, rows):
        x[k] = x[k - 1] + DT * np.array([x[k - 1, 1], -x[k - 1, 0]]) + 0.1 * rng.standard_normal(2)
    return x


def deterministic(**changes):
    settings = {
        "dt": DT,
        "model": {"drift": [8]},
        "windows": {"length": 6, "validation": 0.2},
        "training": {"epochs": 6, "schedule": 1e-2, "seed": 3, "batch": 16},
        "precision": "f64",
    }
    return {**settings, **changes}


def stochastic(**changes):
    settings = {
        "dt": DT,
        "model": NeuralEquation([8], {"diagonal": {"of": {"perceptron": {"hidden": [4]}}, "floor": 0.01}}),
        "windows": {"length": 5, "stride": 2, "validation": 0.2},
        "loss": {"path_loss": "energy-score", "paths": 4},
        "training": {"epochs": 4, "schedule": 1e-2, "seed": 3, "batch": 16},
    }
    return {**settings, **changes}


def same(a: Trained, b: Trained) -> bool:
    return a.parameters.tobytes() == b.parameters.tobytes() and a.last_parameters.tobytes() == b.last_parameters.tobytes()


def test_a_training_learns_a_relaxation():
    trained = train(relaxation(), **deterministic(training={"epochs": 150, "schedule": 1e-2, "seed": 1}))
    assert trained.loss[-1] < 1e-2 * trained.loss[0]
    assert trained.end == "epochs" and trained.epochs == 150 and trained.steps == len(trained.step_loss)
    assert trained.best_validation == np.nanmin(trained.validation)
    assert trained.best_epoch == int(np.nanargmin(trained.validation))
    forecast = trained.forecast(rows=6, paths=1, start="validation")
    assert forecast.paths.shape == (1, 6, 1) and forecast.t[0] == pytest.approx(65 * DT)
    assert np.abs(forecast.mean - forecast.observed).max() < 0.02
    assert trained.orders.tolist() == [1.0]


@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize("settings", [deterministic, stochastic])
def test_the_gradient_is_that_of_the_loss(settings, precision):
    data = relaxation() if settings is deterministic else noisy()
    training = Training(data, **settings(precision=precision))
    theta = training.initial(seed=5)
    assert theta.dtype == training.dtype == np.dtype("float32" if precision == "f32" else "float64")
    loss, gradient = training.gradient(theta, [0, 3, 4], seed=9)
    assert loss == training.loss(theta, [0, 3, 4], seed=9)
    if precision == "f32":
        return
    for i in range(0, training.size, 7):
        step = np.zeros(training.size)
        step[i] = 1e-6
        difference = training.loss(theta + step, [0, 3, 4], seed=9) - training.loss(theta - step, [0, 3, 4], seed=9)
        assert gradient[i] == pytest.approx(difference / 2e-6, rel=1e-4, abs=1e-8)


def test_another_optimiser_uses_the_gradient():
    from scipy.optimize import minimize

    training = Training(relaxation(), **deterministic())
    start = training.initial()
    found = minimize(training.gradient, start, jac=True, method="L-BFGS-B", options={"maxiter": 50})
    assert found.fun < 1e-3 * training.loss(start)


def test_seed_and_threads():
    first = train(noisy(), **stochastic())
    assert same(first, train(noisy(), **stochastic()))
    assert same(first, train(noisy(), threads=1, **stochastic()))
    assert same(first, train(noisy(), threads=3, **stochastic()))
    other = {"epochs": 4, "schedule": 1e-2, "seed": 4, "batch": 16}
    assert not same(first, train(noisy(), **stochastic(training=other)))


def test_an_interrupted_training_resumes_to_the_same_bits(tmp_path):
    whole = train(noisy(), folder=tmp_path / "whole", **stochastic())
    training = Training(noisy(), **stochastic())
    stopped = training.run(folder=tmp_path / "parts", callback=lambda epoch: epoch.epoch < 1)
    assert stopped.end == "cancelled" and stopped.epochs == 2
    rest = training.run(folder=tmp_path / "parts", resume=True)
    assert rest.end == "epochs" and rest.epochs == 4 and same(rest, whole)
    read = [(tmp_path / name / "metrics.jsonl").read_bytes() for name in ("whole", "parts")]
    assert read[0] == read[1]
    with pytest.raises(FileExistsError):
        training.run(folder=tmp_path / "parts")
    other = Training(noisy(seed=1), **stochastic())
    with pytest.raises(InputError, match="is of another training: the checksum of the data was"):
        other.run(folder=tmp_path / "parts", resume=True)


def test_callbacks_are_told_each_epoch_and_end_the_training():
    told, threads = [], set()

    def callback(report):
        told.append(report)
        threads.add(threading.get_ident())
        return report.epoch != 2

    trained = train(relaxation(), callback=callback, **deterministic())
    assert [report.epoch for report in told] == [0, 1, 2] and trained.end == "cancelled"
    assert [report.loss for report in told] == trained.loss.tolist()
    assert [report.validation for report in told] == trained.validation.tolist()
    assert threads == {threading.get_ident()}


def test_exceptions_of_a_callback_come_through():
    class Own(Exception):
        pass

    def callback(report):
        raise Own("from the callback")

    with pytest.raises(Own, match="from the callback"):
        train(relaxation(), callback=callback, **deterministic())


def test_early_stopping():
    settings = {"epochs": 500, "schedule": 0.3, "seed": 1, "patience": 3}
    trained = train(relaxation(), **deterministic(training=settings))
    assert trained.end == "patience" and trained.epochs < 500
    assert trained.epochs == trained.best_epoch + 4


def test_learned_orders_are_estimated_with_errors():
    # Relaxations of order 0.7 from several starts by the scheme of the training, one after the other: a window each.
    model = {"drift": {"dense": {"inputs": 1, "outputs": 1}}, "orders": 0.7}
    truth = Training(np.arange(4.0), model=model, windows={"length": 1, "validation": 0}, dt=DT, precision="f64")
    starts = np.linspace(-2.0, 5.0, 12)[:, None]
    paths = truth.predict(np.array([-1.0, 0.3]), starts, rows=30)[:, 0]
    series = np.concatenate([starts[:, np.newaxis], paths], axis=1).reshape(-1, 1)
    orders = {"learned": {"lower": 0.3, "upper": 1.0, "start": 0.9, "each": False}}
    training = Training(
        series,
        model={"drift": [8], "orders": orders},
        windows={"length": 30, "stride": 31, "validation": 0},
        training={"epochs": 3, "schedule": 1e-3},
        dt=DT,
        precision="f64",
    )
    assert training.samples == 12
    parameters, (estimate,) = training.estimate_orders()
    assert estimate.identifiable and estimate.order == pytest.approx(0.7, abs=0.02)
    assert estimate.half_step_change is not None
    assert training.orders(parameters) == pytest.approx([estimate.order])
    trained = training.run()
    assert trained.order_estimates == (estimate,) and trained.orders == pytest.approx([0.7], abs=0.02)
    assert training.learns_orders and len(parameters[training.order_parameters]) == 1
    assert "order before" in trained._repr_html_()


def test_predictions_start_anywhere():
    training = Training(noisy(), **stochastic())
    theta = training.initial()
    many = training.predict(theta, [[0.0, 1.0], [1.0, 0.0]], rows=4, paths=3, seed=1)
    assert many.shape == (2, 3, 4, 2)
    assert training.predict(theta, [0.0, 1.0], rows=4, paths=3, seed=1).shape == (3, 4, 2)
    again = training.predict(theta, [[0.0, 1.0], [1.0, 0.0]], rows=4, paths=3, seed=1)
    assert np.array_equal(many, again)
    with pytest.raises(InputError, match="y0 has 1 components, expected 2"):
        training.predict(theta, [0.0])
    with pytest.raises(InputError, match="y0 has the value NaN"):
        training.predict(theta, [0.0, np.nan])


def test_forecasts_have_times_and_data():
    t = 1700.0 + np.arange(80)
    training = Training(relaxation(), **deterministic(t=t, dt=None, names=["level"]))
    forecast = training.forecast(training.initial(), rows=4, paths=2, start=77)
    assert forecast.t.tolist() == [1778.0, 1779.0, 1780.0, 1781.0]
    assert forecast.names == ("level",)
    assert np.isnan(forecast.observed).ravel().tolist() == [False, False, True, True]
    assert forecast.quantile([0.1, 0.9]).shape == (2, 4, 1) and forecast.quantile(0.5).shape == (4, 1)
    assert "2 paths of 4 rows of level" in repr(forecast)
    for wrong in ("begin", 80, -81):
        with pytest.raises(InputError, match="start is"):
            training.forecast(training.initial(), start=wrong)


def test_observation_errors_of_a_likelihood_are_in_forecasts():
    loss = {"path_loss": {"gaussian-likelihood": {"floor": 0.0}}}
    training = Training(relaxation(), **deterministic(loss=loss))
    assert training.blocks[-1] == ("loss.log-deviation", (1,))
    theta = training.initial()
    theta[-1] = np.log(0.5)
    paths = training.forecast(theta, rows=3, paths=4000).paths
    deviation = training._facts["deviation"][0]
    assert paths.std(axis=0).ravel() == pytest.approx(np.full(3, 0.5 * deviation), rel=0.05)


def test_trained_models_are_saved_and_loaded(tmp_path):
    training = Training(relaxation(), **deterministic())
    trained = training.run()
    trained.save(tmp_path / "parameters")
    assert [path.name for path in tmp_path.iterdir()] == ["parameters"]
    read = read_parameters(tmp_path / "parameters")
    assert read.parameters.tobytes() == trained.parameters.tobytes()
    assert read.blocks == training.blocks and read.mean == training._facts["mean"]
    again = training.load(tmp_path / "parameters")
    assert np.array_equal(again.forecast(rows=2, paths=1).paths, trained.forecast(rows=2, paths=1).paths)
    with pytest.raises(InputError, match="is of other data"):
        Training(2 * relaxation(), **deterministic()).load(tmp_path / "parameters")
    with pytest.raises(InputError, match="has the block"):
        Training(relaxation(), **deterministic(model={"drift": [9]})).load(tmp_path / "parameters")
    with pytest.raises(InputError, match="float64, expected float32"):
        Training(relaxation(), **deterministic(precision="f32")).load(tmp_path / "parameters")
    (tmp_path / "damaged").write_bytes((tmp_path / "parameters").read_bytes()[:-1])
    with pytest.raises(InputError, match="damaged"):
        read_parameters(tmp_path / "damaged")


def test_the_drift_is_a_network_of_equations(tmp_path):
    trained = train(relaxation(), **deterministic())
    trained.save_drift(tmp_path / "drift.json")
    saved = json.loads((tmp_path / "drift.json").read_text())
    drift = Network(saved["network"])
    slope = drift(np.array(saved["parameters"]), np.array([[0.5]]))[0, 0]
    step = trained.predict([0.5], rows=1)[0, 0, 0] - 0.5
    assert slope == pytest.approx(step / DT, rel=1e-10)


def test_results_are_pickled_and_shown():
    trained = train(relaxation(), **deterministic())
    again = pickle.loads(pickle.dumps(trained))
    assert same(again, trained) and again.end == trained.end
    a, b = trained.forecast(rows=3, paths=2), again.forecast(rows=3, paths=2)
    assert np.array_equal(a.paths, b.paths) and np.array_equal(a.t, b.t)
    assert "steps" in repr(trained) and "<table>" in trained._repr_html_()
    assert "equation with" in repr(trained.training)
    assert trained.block("drift.0.weight").shape == (8, 1)
    with pytest.raises(InputError, match="no block 'other'"):
        trained.block("other")


def test_a_configuration_of_the_command(tmp_path):
    pytest.importorskip("tomllib")
    rows = "\n".join(f"{DT * k!r},{value!r}" for k, value in enumerate(relaxation().tolist()))
    (tmp_path / "series.csv").write_text(f"time,level\n{rows}\n")
    (tmp_path / "config.toml").write_text(
        """
        precision = "f64"
        [data]
        file = "series.csv"
        dt = 0.1
        [windows]
        length = 6
        [model.drift.perceptron]
        hidden = [8]
        [training]
        epochs = 6
        schedule.constant = 1e-2
        seed = 3
        batch = 16
        [forecast]
        rows = 7
        paths = 2
        """
    )
    trained = train(tmp_path / "config.toml")
    assert same(trained, train(relaxation(), **deterministic()))
    assert trained.training.forecast(trained.parameters).paths.shape == (2, 7, 1)
    (tmp_path / "config.toml").write_text("[data]\nfile = 'series.csv'\nfiles = 2\n")
    with pytest.raises(InputError, match="unknown field 'files'"):
        train(tmp_path / "config.toml")
    (tmp_path / "config.toml").write_text("[data\n")
    with pytest.raises(InputError, match="config.toml"):
        train(tmp_path / "config.toml")


def test_networks_have_layers_by_name():
    net = Network.sequential(
        Network.layer("dense", inputs=3, outputs=4, activation="silu"),
        Network.layer("residual", inner=Network.layer("dense", inputs=4, outputs=4)),
        Network.layer("layer-norm", features=4),
        Network.layer("dense", inputs=4, outputs=2),
    )
    assert (net.inputs, net.outputs) == (3, 2)
    assert net.size == sum(int(np.prod(shape)) for _, shape in net.blocks)
    assert pickle.loads(pickle.dumps(net)) == net
    dense = Network.layer("dense", inputs=2, outputs=1)
    theta = np.array([2.0, 3.0, 0.5])
    assert dense(theta, np.array([[1.0, 1.0], [0.0, 2.0]])).tolist() == [[5.5], [6.5]]
    assert dense(theta, np.ones((100, 2))).shape == (100, 1)
    with pytest.raises(InputError, match="unknown variant `dens`"):
        Network.layer("dens", inputs=1)
    with pytest.raises(InputError, match="unknown field `input`"):
        Network.layer("dense", input=1)
    with pytest.raises(InputError, match="layer 1 has 5 inputs"):
        Network.sequential(dense, Network.layer("dense", inputs=5, outputs=1))
    with pytest.raises(InputError, match="x has 3 features, expected 2"):
        dense(theta, np.ones((1, 3)))
    with pytest.raises(InputError, match="parameters has 2 numbers, expected 3"):
        dense(theta[:2], np.ones((1, 2)))
    with pytest.raises(InputError, match="x is float32"):
        dense(theta, np.ones((1, 2), dtype=np.float32))


def test_a_network_is_trained_on_pairs():
    x = np.linspace(-1, 1, 200)[:, None]
    net = Network.perceptron([1, 16, 1])
    settings = {"training": {"epochs": 400, "schedule": 1e-2}, "validation": 0.25, "precision": "f64"}
    trained = train_network(x, np.sin(3 * x), net, **settings)
    assert trained.training.samples == 150 and trained.training.validation_samples == 50
    assert np.abs(trained.predict(x) - np.sin(3 * x)).max() < 0.2
    assert trained.best_validation == pytest.approx(trained.training.loss(trained.parameters, validation=True), rel=1e-12)
    assert same(pickle.loads(pickle.dumps(trained)), trained)
    with pytest.raises(InputError, match="has no forecast"):
        trained.forecast()


def test_classes_are_learned():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((300, 2))
    y = (x[:, 0] > 0).astype(int) + (x[:, 1] > 0)
    net = Network.perceptron([2, 16, 3], "relu")
    trained = train_network(x, y, net, loss="cross-entropy", training={"epochs": 60, "schedule": 1e-2})
    assert (trained.predict(x).argmax(axis=1) == y).mean() > 0.9
    with pytest.raises(InputError, match="class"):
        train_network(x, y + 1, net, loss="cross-entropy")
    with pytest.raises(InputError, match="y has 299 samples, expected 300"):
        train_network(x, y[:-1], net, loss="cross-entropy")


@pytest.mark.parametrize("optimiser", ["sgd", "adam", "fractional-descent", "fractional-adam", {"adam": {"beta1": 0.8}}])
def test_optimisers_by_name(optimiser):
    training = {"epochs": 3, "schedule": 1e-3, "optimiser": optimiser}
    trained = train(relaxation(), **deterministic(training=training))
    assert np.isfinite(trained.loss).all()


@pytest.mark.parametrize(
    "loss",
    ["mean-absolute", {"path_loss": {"huber": {"delta": 1.0}}}, {"path_loss": "moments", "paths": 3}],
)
def test_losses_by_name(loss):
    assert np.isfinite(Training(relaxation(), **deterministic(loss=loss)).loss(Training(relaxation(), **deterministic()).initial()))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model": {"drift": [8], "orders": 1.5}}, "model: an order is 1.5"),
        ({"model": {"drift": [8], "diffusions": "none"}}, "model: unknown field `diffusions`"),
        ({"model": 3}, "model is 3, expected a NeuralEquation"),
        ({"model": {}}, "model: missing field `drift`"),
        ({"model": {"drift": Network.perceptron([2, 2])}}, "expected 1"),
        ({"windows": {"length": 100}}, "the training part of the data has 64 rows, and a window has 101"),
        ({"windows": {"length": 0}}, "length is 0"),
        ({"windows": {"length": 5, "validation": 1.0}}, "validation is 1, expected 0 to below 1"),
        ({"windows": {"lengths": 5}}, "windows: unknown field `lengths`"),
        ({"solver": {"steps": 0}}, "steps is 0"),
        ({"solver": {"memory": "some"}}, "solver: unknown variant `some`"),
        ({"training": {"optimiser": "adams"}}, "training: "),
        ({"training": {"epochs": 0}}, "epochs is 0"),
        ({"training": {"schedule": float("nan")}}, "a setting is nan"),
        ({"training": {"patience": 0}}, "patience is 0"),
        ({"loss": {"path_loss": "energy-score"}}, "at least 2"),
        ({"precision": "f16"}, "precision is 'f16'"),
        ({"dt": 0.0}, "dt is 0"),
        ({"dt": None, "t": np.cumsum(1.0 + np.arange(80.0))}, "expected equal steps"),
        ({"names": ["a", "b"]}, "names has 2 names, expected 1"),
        ({"delays": [0]}, "delays is"),
    ],
)
def test_bad_settings_are_refused(changes, message):
    with pytest.raises(InputError) as error:
        Training(relaxation(), **deterministic(**changes))
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (np.ones(80), "same value in all rows"),
        (np.full(80, np.inf), "inf"),
        (np.ones(80, dtype=complex), "data has the type complex128"),
        (["a"] * 80, "data has the type"),
        (np.ones((2, 2, 2)), "data has 3 axes"),
        (np.ones(0), "0 rows"),
    ],
)
def test_bad_data_are_refused(data, message):
    with pytest.raises(InputError) as error:
        Training(data, **deterministic())
    assert message in str(error.value) or "shape" in str(error.value)


def test_bad_parameters_are_refused():
    training = Training(relaxation(), **deterministic())
    theta = training.initial()
    for call in (training.loss, training.gradient):
        with pytest.raises(InputError, match=f"parameters has 3 numbers, expected {training.size}"):
            call(theta[:3])
        with pytest.raises(InputError, match="parameters are float32, expected float64"):
            call(theta.astype(np.float32))
        with pytest.raises(InputError, match="samples is empty"):
            call(theta, [])
        with pytest.raises(InputError, match="samples has 1000"):
            call(theta, [1000])
        with pytest.raises(InputError, match="expected indices"):
            call(theta, [-1])
    with pytest.raises(SolverError):
        training.loss(np.full(training.size, 1e300))
    with pytest.raises(InputError, match="no validation"):
        Training(relaxation(), **deterministic(windows={"length": 5, "validation": 0})).loss(theta, validation=True)


def test_a_loss_that_is_not_finite_names_its_place():
    training = {"epochs": 50, "schedule": 1e200, "optimiser": "sgd"}
    with pytest.raises(SolverError, match=r"epoch \d+, batch \d+ \(samples"):
        train(relaxation(), **deterministic(training=training))


def test_missing_values_and_delays():
    x = relaxation()
    x[[10, 40]] = np.nan
    trained = train(x, **deterministic())
    assert np.isfinite(trained.loss).all()
    training = Training(noisy(), **stochastic(delays=[3]))
    assert training._facts["components"] == 4 and training._facts["rows"] == 117


def test_steps_limit_and_delayed_components():
    training = Training(noisy(), **stochastic(model=NeuralEquation([8]), delays=[3], loss="mean-square"))
    trained = training.run(steps=5)
    assert trained.steps == 5 and trained.end == "steps"
    assert trained.forecast(rows=2, paths=1).paths.shape == (1, 2, 2)


@pytest.mark.skipif(not hasattr(__import__("signal"), "SIGINT"), reason="no signals")
def test_ctrl_c_ends_a_training(tmp_path):
    import os
    import signal
    import time

    settings = stochastic(training={"epochs": 10**6, "schedule": 1e-3, "seed": 1})
    training = Training(noisy(400), **settings)
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        training.run(folder=tmp_path / "run")
    timer.join()
    assert time.monotonic() - began < 30
    time.sleep(0.5)
    resumed = training.run(folder=tmp_path / "run", resume=True, callback=lambda epoch: False)
    assert resumed.steps > 0


def test_a_folder_damaged_is_told(tmp_path):
    training = Training(relaxation(), **deterministic())
    whole = training.run(folder=tmp_path / "run")
    files = sorted((tmp_path / "run" / "checkpoints").iterdir())
    files[-1].write_bytes(files[-1].read_bytes()[:-3])
    with pytest.warns(UserWarning, match="renamed and ignored"):
        again = training.run(folder=tmp_path / "run", resume=True)
    assert same(again, whole)


def test_names_of_the_package():
    for name in ("train", "train_network", "Training", "Trained", "Network", "NeuralEquation", "Forecast"):
        assert getattr(hpfracc, name) is getattr(hpfracc.training, name)


def test_plots():
    pytest.importorskip("matplotlib").use("Agg")
    trained = train(relaxation(), **deterministic())
    assert len(trained.plot().lines) == 2
    assert trained.forecast(rows=3, paths=5, start=10).plot().get_ylabel() == "x"


def test_missing_packages_are_named(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    training = Training(relaxation(), **deterministic())
    with pytest.raises(ImportError, match="needs the package tqdm"):
        training.run(progress=True)
    with pytest.raises(ImportError, match="need matplotlib"):
        training.run().plot()

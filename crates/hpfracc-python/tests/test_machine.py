"""Tests of `hpfracc.backends`: machines, explanations, wisdom, devices."""

from __future__ import annotations

import pickle

import pytest

import hpfracc
from hpfracc.backends import Device, Machine, devices, machine
from hpfracc.errors import DeviceError, InputError


def test_the_machine_of_the_process_is_one():
    assert machine() is machine() is hpfracc.machine()
    assert isinstance(machine(), Machine)
    assert repr(machine()) == "hpfracc.machine()"
    assert {"cpu-direct", "cpu-fft", "cpu-gemm", "cpu-recurrence"} <= set(machine().backends)
    assert "cpu-fft" in machine()._repr_html_()


def test_a_machine_of_one_backend_uses_it():
    only = Machine.only("cpu-direct")
    assert only.backends == ("cpu-direct",)
    explained = only.explain("caputo", alpha=0.5, n=300)
    assert explained.chosen == "cpu-direct"
    (workload,) = explained.workloads
    assert (workload.kind, workload.sizes, workload.times) == ("CausalConvolution", {"len": 300, "batch": 1}, 1)
    assert [backend.name for backend in workload.backends] == ["cpu-direct"]


def test_explanations_have_text_and_numbers():
    explained = Machine(learning=False).explain("caputo", alpha=0.5, n=10_000, batch=3, dtype="float32")
    assert explained.operator == "caputo" and explained.scheme in str(explained)
    best = explained.workloads[0].backends[0]
    assert best.name == explained.chosen
    assert 0 < best.low <= best.seconds <= best.high
    assert best.source == "prior" and best.reason and best.place
    assert explained.chosen in explained._repr_html_()
    transposed = Machine().explain("caputo", alpha=0.5, n=100, transpose=True, once=True)
    assert "transposed, once" in str(transposed)


def test_an_operator_of_several_workloads():
    riesz = Machine().explain("riesz", alpha=1.5, n=512)
    assert riesz.workloads[0].kind in ("SpectralMultiplier", "CausalConvolution")
    assert {"kind", "sizes", "times"} <= set(vars(riesz.workloads[0]))


@pytest.mark.parametrize("name", ["cpu-psychic", "", "cpu-fft "])
def test_unknown_backends_are_refused_with_those_known(name):
    with pytest.raises(DeviceError, match="unknown backend.*cpu-direct"):
        Machine(name)
    with pytest.raises(DeviceError, match="unknown backend"):
        Machine(disable=[name])


def test_no_backend_left_is_refused():
    with pytest.raises(DeviceError, match="no backend is left"):
        Machine("cpu-fft", disable="cpu-fft")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"threads": 0}, "threads is 0, expected a whole number from 1 to 4096"),
        ({"threads": "two"}, "threads is 'two'"),
        ({"memory": -1}, "memory is -1, expected a number of bytes"),
        ({"effort": "some"}, "effort is 'some', expected estimate"),
        ({"gpus_from": -1.0}, "gpus_from is -1.0"),
        ({"gpus_from": float("nan")}, "gpus_from is nan"),
        ({"backend": 3}, "backend is 3, expected a text"),
        ({"disable": [1]}, "disable is"),
        ({"learning": "yes"}, "learning is 'yes', expected a bool"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(InputError) as error:
        Machine(**settings)
    assert message in str(error.value)


def test_bad_questions_are_refused():
    with pytest.raises(InputError, match="expected 'float64' or 'float32'"):
        machine().explain("caputo", dtype="float16")
    with pytest.raises(InputError, match="n is 0"):
        machine().explain("caputo", n=0)
    with pytest.raises(InputError, match="caputoo"):
        machine().explain("caputoo")


def test_settings_survive_a_pickle():
    made = Machine(threads=2, disable=["cpu-gemm"], memory=1 << 30, gpus_from=float("inf"), effort="wisdom-only")
    assert made.explain("caputo", alpha=0.5, n=64).chosen
    again = pickle.loads(pickle.dumps(made))
    assert repr(again) == repr(made) and "threads=2" in repr(again)
    assert "cpu-gemm" not in again.backends
    assert pickle.loads(pickle.dumps(machine())) is machine()


def test_wisdom_is_saved_and_loaded(tmp_path):
    file = tmp_path / "wisdom.json"
    learned = Machine()
    learned.explain("caputo", alpha=0.5, n=2000, measure=True)
    learned.save_wisdom(file)
    other = Machine()
    assert other.load_wisdom(file) > 0
    sources = {backend.source for backend in other.explain("caputo", alpha=0.5, n=2000).workloads[0].backends}
    assert "timed" in sources
    assert other.wisdom_refused() is None
    other.reset()
    assert other.summary().workloads == ()
    with_file = Machine(wisdom=file)
    assert with_file.explain("caputo", alpha=0.5, n=2000).workloads[0].backends[0].source == "timed"
    with pytest.raises(FileNotFoundError):
        other.load_wisdom(tmp_path / "none.json")
    file.write_text("no wisdom")
    with pytest.raises(InputError):
        other.load_wisdom(file)
    with pytest.raises(InputError, match="wisdom"):
        Machine(wisdom=file)


def test_a_summary_counts():
    summary = Machine().summary()
    assert summary.workloads == () and summary.works == ()
    assert summary.executed == 0.0 and isinstance(str(summary), str)
    assert Machine().history() == []


def test_devices_are_described():
    for device in devices():
        assert isinstance(device, Device) and device.name and device.index >= 0
    assert isinstance(hpfracc.backends.GPU_SUPPORT, bool)


def test_an_operator_takes_a_machine():
    import numpy as np

    if not hasattr(hpfracc.backends._hpfracc, "Operator"):
        pytest.skip("this build has no operators")
    chosen = Machine("cpu-direct")
    operator = hpfracc.Operator("caputo", 0.5, 64, dt=0.1, machine=chosen)
    x = np.sin(np.arange(64))
    operator(x)
    assert chosen.summary().workloads[0].executions >= 1

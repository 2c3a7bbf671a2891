"""Threads, forks and memory: the same bits from many threads, flat memory over many calls, computations after a fork."""

from __future__ import annotations

import gc
import os
import sys
import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import hpfracc
from hpfracc import _hpfracc
from hpfracc.backends import Machine, machine
from hpfracc.training import Network, Training

FORK = pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks on this system")


def gradient():
    x = np.sin(0.3 * np.arange(60))
    training = Training(
        x,
        model={"drift": [8], "diffusion": {"diagonal": {"of": [4], "floor": 0.1}}},
        windows={"length": 5, "validation": 0},
        loss={"path_loss": "energy-score", "paths": 4},
    )
    theta = training.initial(1)
    return lambda seed: training.gradient(theta, seed=seed)[1].tobytes()


def network():
    net = Network.perceptron([3, 8, 2])
    theta = np.linspace(-1, 1, net.size)
    return lambda seed: net(theta, np.full((5, 3), 0.01 * seed)).tobytes()


def explanation():
    fixed = Machine(learning=False)
    return lambda seed: fixed.explain("caputo", alpha=0.5, n=100 + seed % 3).chosen


def operator():
    bound = hpfracc.Operator("caputo", 0.5, 2000, dt=0.01, machine=Machine("cpu-parallel-fft"))
    x = np.sin(np.arange(2000.0))
    return lambda seed: bound(x + seed).tobytes()


def derivative():
    x = np.sin(np.arange(4 * 500.0)).reshape(4, 500)
    chosen = Machine("cpu-fft")
    return lambda seed: hpfracc.caputo(x + seed, 0.5, dt=0.1, machine=chosen).tobytes()


def mittag_leffler():
    z = -np.linspace(0, 5, 4000)
    return lambda seed: hpfracc.mittag_leffler(z - seed, 0.7).tobytes()


def transform():
    plan = hpfracc.FractionalFourier(256, 0.5)
    x = np.exp(-np.linspace(-3, 3, 256) ** 2)
    return lambda seed: np.asarray(plan(x * (1 + seed))).tobytes()


def equation():
    text = "D^0.8 y = -k y; k = 1; y(0) = 1; t in [0, 1]"
    return lambda seed: hpfracc.solve(text, scheme="l1", steps=100 + seed % 3).y.tobytes()


def field():
    task = {"box": [(0, 1, 20)], "boundary": "dirichlet", "start": "sin(pi x)", "until": 1, "steps": 10, "save": 2}
    return lambda seed: hpfracc.pde.solve(f"D^0.8 u = 0.1 lap(u) - {1 + seed} u^3", **task).u.tobytes()


def function_of_a_graph():
    half = hpfracc.spatial.Graph.ring(40).laplacian().power(0.5)
    return lambda seed: half(np.cos(seed * np.arange(40.0))).tobytes()


def noise():
    return lambda seed: np.asarray(hpfracc.fgn(256, 0.7, paths=4, seed=seed)).tobytes()


#: Functions by the name of the extension that they need.
CASES = {
    "gradient": (gradient, "TrainingCore"),
    "network": (network, "network_outputs"),
    "explanation": (explanation, "MachineCore"),
    "operator": (operator, "Operator"),
    "derivative": (derivative, "definitions"),
    "mittag_leffler": (mittag_leffler, "mittag_leffler"),
    "transform": (transform, "TransformPlan"),
    "equation": (equation, "EquationCore"),
    "field": (field, "solve_fields"),
    "function_of_a_graph": (function_of_a_graph, "OperatorFunctionCore"),
    "noise": (noise, "noise_paths"),
}


def calls(name):
    make, needed = CASES[name]
    if not hasattr(_hpfracc, needed):
        pytest.skip(f"this build has no {needed}")
    return make()


@pytest.mark.parametrize("name", CASES)
def test_eight_threads_give_the_bits_of_one(name):
    call = calls(name)
    seeds = [k % 25 for k in range(1000)]
    expected = {seed: call(seed) for seed in range(25)}
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(call, seeds))
    wrong = [seed for seed, bits in zip(seeds, found) if bits != expected[seed]]
    assert wrong == []


def resident() -> int:
    if sys.platform == "linux":
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def least_growth(work, rounds=4) -> int:
    """Least growth of the resident memory in a round of work: a leak grows in every round, an allocator's arena in one."""
    growth = []
    for _ in range(rounds):
        before = resident()
        work()
        gc.collect()
        growth.append(resident() - before)
        if growth[-1] < 1 << 20:
            break
    return min(growth)


@pytest.mark.parametrize(("name", "count"), [("network", 100_000), ("gradient", 5_000), ("derivative", 20_000)])
def test_memory_is_flat_over_many_calls(name, count):
    call = calls(name)

    def work(count):
        for k in range(count):
            call(k % 25)

    work(count // 10)
    tracemalloc.start()
    work(200)
    first = tracemalloc.get_traced_memory()[0]
    work(2000)
    gc.collect()
    second = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert second - first < 64 << 10
    assert least_growth(lambda: work(count)) < 16 << 20


def test_errors_do_not_leak():
    net = Network.perceptron([3, 8, 2])
    wrong = np.zeros((2, 4))
    theta = np.zeros(net.size)

    def fail():
        with pytest.raises(hpfracc.InputError):
            net(theta, wrong)

    def work(count):
        for _ in range(count):
            fail()

    work(500)
    assert least_growth(lambda: work(5000)) < 8 << 20


def in_child(work, seconds=60.0):
    """Result of a function, bytes or text, in a forked child; fails if it hangs."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(read)
            result = work()
            data = result if isinstance(result, bytes) else str(result).encode()
            with os.fdopen(write, "wb") as file:
                file.write(data)
            status = 0
        except BaseException as error:
            os.write(write, repr(error).encode()[:4000])
        finally:
            os._exit(status)
    os.close(write)
    kill = threading.Timer(seconds, lambda: os.kill(child, 9))
    kill.start()
    with os.fdopen(read, "rb") as file:
        data = file.read()
    _, status = os.waitpid(child, 0)
    kill.cancel()
    assert status == 0, data.decode(errors="replace") or f"the child ended with {status}: it hung"
    return data


def as_bytes(value):
    return value if isinstance(value, bytes) else str(value).encode()


@FORK
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("name", CASES)
def test_a_forked_child_computes_the_same_bits(name):
    call = calls(name)
    expected = as_bytes(call(3))
    assert in_child(lambda: call(3)) == expected
    assert as_bytes(call(3)) == expected


@FORK
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_threads_and_children_of_a_child_compute():
    call = calls("gradient")
    expected = call(3)

    def in_threads():
        with ThreadPoolExecutor(4) as threads:
            found = set(threads.map(call, [3] * 20))
        return found == {expected}

    assert in_child(in_threads) == b"True"
    assert in_child(lambda: in_child(lambda: call(3))) == expected


@FORK
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_child_trains_and_uses_new_machines(tmp_path):
    x = np.exp(-0.1 * np.arange(60))
    settings = {"model": {"drift": [4]}, "windows": 5, "training": {"epochs": 3}}
    training = Training(x, **settings)
    expected = training.run().parameters.tobytes()
    assert in_child(lambda: training.run().parameters.tobytes()) == expected
    assert in_child(lambda: training.run(threads=2).parameters.tobytes()) == expected
    own = Machine("cpu-parallel-fft", threads=2)
    own.explain("caputo", alpha=0.5, n=5000, measure=True)
    assert in_child(lambda: own.explain("caputo", alpha=0.5, n=5000, measure=True).chosen) == b"cpu-parallel-fft"
    work = lambda: machine().explain("caputo", alpha=0.5, n=9000, batch=8, measure=True).chosen is not None  # noqa: E731
    assert work() and in_child(work) == b"True"


@FORK
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_child_does_not_use_the_gpu_of_its_parent():
    """A driver has threads, which a child does not have: waiting for them would never end."""
    if not hpfracc.devices():
        pytest.skip("no adapter")
    gpu = Machine("wgpu-fft")
    x = np.sin(0.01 * np.arange(3000))
    expected = hpfracc.caputo(x, 0.5, dt=0.01, machine=gpu)
    with pytest.raises(AssertionError, match="opened before a fork"):
        in_child(lambda: hpfracc.caputo(x, 0.5, dt=0.01, machine=gpu))
    assert np.array_equal(hpfracc.caputo(x, 0.5, dt=0.01, machine=gpu), expected)


@FORK
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_pool_of_forked_processes():
    import multiprocessing

    calls("network")
    context = multiprocessing.get_context("fork")
    with context.Pool(2) as pool:
        found = pool.map_async(_outputs, range(20)).get(timeout=60)
    assert found == [_outputs(k) for k in range(20)]


def _outputs(seed):
    return network()(seed)

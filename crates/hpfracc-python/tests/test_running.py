"""Computations on other threads: in processes made by a fork, from functions that the package calls, after Ctrl-C."""

import multiprocessing
import signal
import threading
import time

import hpfracc
import numpy as np
import pytest

NOISE = hpfracc.fgn(4000, 0.7, seed=1)[0]
WALKS = np.cumsum(np.random.default_rng(1).normal(size=(50, 2000)), axis=1)
OU = "dX = -X dt + 0.5 dW; X(0) = 1; t in [0, 1]"

#: Work of each part of the package, which uses threads.
WORK = {
    "caputo": lambda: hpfracc.caputo(WALKS, 0.5, dt=0.1)[-1, -1],
    "difference": lambda: hpfracc.difference(WALKS, 0.4)[-1, -1],
    "fbm": lambda: hpfracc.fbm(1000, 0.3, paths=100, seed=2)[-1, -1],
    "hurst": lambda: hpfracc.hurst(NOISE, "noise", method="whittle").hurst,
    "mittag_leffler": lambda: hpfracc.mittag_leffler(np.linspace(-30, 0, 200_000), 0.7)[1000],
    "multilevel": lambda: hpfracc.multilevel(OU, "X", target=0.01, seed=1).value,
    "pde": lambda: hpfracc.pde.solve(
        "D^0.6 u = 0.1 lap(u) + u - u^3", box=[(0, 1, 100)] * 2, boundary="neumann", start="cos(pi x)", until=1, steps=20, save=2
    ).u[-1, 0, 0],
    "pde without steps": lambda: hpfracc.pde.solve(
        "D^0.6 u = 0.1 lap(u)", box=[(0, 1, 200)] * 2, boundary="neumann", start="cos(pi x)", until=1, save=2
    ).u[-1, 0, 0],
    "simulate": lambda: np.asarray(hpfracc.simulate(OU, paths=3000, steps=50, threads=2, seed=3).mean)[-1, 0],
    "spatial": lambda: hpfracc.spatial.Graph.torus([100, 100]).laplacian().power(0.5)(np.eye(1, 10_000))[0, 0],
    "solve": lambda: hpfracc.solve("D^0.7 y = -y; y(0) = 1; t in [0, 5]").y[0, -1],
}


def send(queue, name):
    queue.put(WORK[name]())


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="processes are not forked here")
@pytest.mark.parametrize("name", WORK)
def test_forked_processes(name):
    expected = WORK[name]()
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    child = context.Process(target=send, args=(queue, name))
    child.start()
    child.join(60)
    alive = child.is_alive()
    child.kill()
    assert not alive and child.exitcode == 0
    assert queue.get() == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", WORK)
def test_functions_that_the_package_calls(name):
    expected, results = WORK[name](), []

    def drift(t, x):
        if not results:
            results.append(WORK[name]())
        return -x

    hpfracc.simulate(drift, x0=[1.0], paths=10, steps=2)
    assert results == [pytest.approx(expected, rel=1e-12)]


def test_a_forked_process_ends_at_an_interrupt():
    if "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("processes are not forked here")
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    child = context.Process(target=interrupted, args=(queue,))
    child.start()
    child.join(60)
    alive = child.is_alive()
    child.kill()
    assert not alive and queue.get() == "KeyboardInterrupt"


def interrupted(queue):
    threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT)).start()
    try:
        hpfracc.simulate("rough-heston", paths=10**7, steps=1000, every=1000)
    except KeyboardInterrupt:
        queue.put("KeyboardInterrupt")


def test_work_that_is_left_behind_does_not_disturb():
    long = np.random.default_rng(2).normal(size=30_000)
    threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        while time.monotonic() - begin < 30:
            hpfracc.hurst(long, "noise", method="exact")
    assert WORK["hurst"]() == WORK["hurst"]()

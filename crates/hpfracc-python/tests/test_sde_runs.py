"""Progress, checkpoints and interruption of ensembles, and other threads meanwhile."""

import os
import subprocess
import sys
import textwrap
import threading

import hpfracc
import pytest
from ensembles import OU, assert_same
from hpfracc import InputError


def test_progress():
    shares = []
    slow = lambda t, x: sum(-x / 300 for _ in range(300))
    hpfracc.simulate(slow, x0=[1.0], paths=4000, steps=100, progress=shares.append)
    assert shares[-1] == 1.0 and len(shares) > 1
    assert all(0 <= share <= 1 for share in shares) and shares == sorted(shares)

    def stops(share):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        hpfracc.simulate("rough-heston", paths=100_000, steps=1000, every=1000, progress=stops)


def test_checkpoints(tmp_path):
    file = tmp_path / "ensemble.json"
    options = {"paths": 30_000, "steps": 100, "every": 50, "seed": 5, "quantiles": [0.5], "store": 10}
    for subject in ("cox-ingersoll-ross", OU, "dX = dW; X(0) = 0; t in [0, 1]; show e = exp(X)"):
        expected = hpfracc.simulate(subject, **options)
        calls = []

        def stops(share):
            calls.append(share)
            raise RuntimeError("enough")

        try:
            hpfracc.simulate(subject, checkpoint=file, checkpoint_interval=0.001, progress=stops, threads=1, **options)
        except RuntimeError:
            assert calls
        assert file.exists()
        assert_same(hpfracc.simulate(subject, checkpoint=file, **options), expected)
        # The file of a complete solve gives its result.
        assert_same(hpfracc.simulate(subject, checkpoint=file, threads=2, **options), expected)
        with pytest.raises(InputError, match="checkpoint is of another solve: its fingerprint"):
            hpfracc.simulate(subject, checkpoint=file, **(options | {"seed": 6}))
        with pytest.raises(InputError, match="its scalar type is f64, expected f32"):
            hpfracc.simulate(subject, checkpoint=file, dtype="float32", **options)
        text = file.read_text()
        file.write_text(text[: len(text) // 2])
        with pytest.raises(InputError, match="is no checkpoint of an ensemble"):
            hpfracc.simulate(subject, checkpoint=file, **options)
        file.unlink()
    with pytest.raises(OSError):
        hpfracc.simulate(OU, checkpoint=tmp_path / "missing" / "file", **options)


INTERRUPTED = """
    import hpfracc, os, signal, sys, threading, time
    def interrupt():
        time.sleep(0.4)
        start.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)
    start = []
    subject = eval(sys.argv[1])
    threading.Thread(target=interrupt).start()
    try:
        subject()
    except KeyboardInterrupt:
        print("interrupted after", time.perf_counter() - start[0])
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(
    "subject",
    [
        "lambda: hpfracc.simulate('rough-heston', paths=10**7, steps=1000, every=1000)",
        "lambda: hpfracc.simulate(lambda t, x: -x, lambda t, x: 0.5, x0=[1.0], paths=10**7, steps=1000, every=1000)",
        "lambda: hpfracc.fbm(2**12, 0.3, paths=10**5)",
        "lambda: hpfracc.multilevel('geometric-brownian', 'max(s - 1, 0)', target=1e-7, t_span=1)",
    ],
)
def test_interruption(subject):
    program = textwrap.dedent(INTERRUPTED)
    result = subprocess.run([sys.executable, "-c", program, subject], capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("interrupted after"), result.stderr
    assert float(result.stdout.split()[-1]) < 2.0


def test_other_threads_run_meanwhile():
    counted = []
    done = threading.Event()

    def count():
        while not done.is_set():
            counted.append(1)
            done.wait(0.001)

    worker = threading.Thread(target=count)
    worker.start()
    hpfracc.simulate("rough-heston", paths=2000, steps=500, every=500)
    done.set()
    worker.join()
    assert len(counted) > 3

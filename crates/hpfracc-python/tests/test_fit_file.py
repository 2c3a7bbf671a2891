"""Fits of files: the bits of fits of arrays, flat memory, and what is refused."""

import pickle
import subprocess
import sys
import textwrap

import hpfracc
import numpy as np
import pytest
from hpfracc import InputError

MODEL = "y = a exp(-t/tau) + c; tau = 1 in (0, inf)"
ROWS = 100_000


def data(rows=ROWS):
    rng = np.random.default_rng(4)
    t = np.linspace(0, 5, rows)
    return t, 2 * np.exp(-t / 1.5) + 0.5 + 0.01 * rng.standard_normal(rows), rng.uniform(0.5, 2, rows)


def write(path, columns, header="t,y,s", separator=","):
    rows = (separator.join(map(repr, row)) for row in zip(*(column.tolist() for column in columns)))
    path.write_text("\n".join([header, *rows, ""]))
    return path


def assert_same(a, b):
    assert a.parameters == b.parameters and a.errors == b.errors and a.cost == b.cost and a.passes == b.passes
    np.testing.assert_array_equal(a.covariance, b.covariance)


@pytest.mark.parametrize("memory", [1 << 16, 1 << 28])
def test_files_have_the_bits_of_arrays(tmp_path, memory):
    t, y, s = data()
    path = write(tmp_path / "data.csv", (t, y, s))
    for options in ({}, {"sigma": s}, {"weight": s}, {"loss": "huber", "sigma": s}):
        columns = {key: "s" for key in options if key in ("sigma", "weight")}
        found = hpfracc.fit_file(MODEL, path, memory=memory, **{**options, **columns})
        assert_same(found, hpfracc.fit(MODEL, t, y, **options))
    assert found.predict([0.5]) == hpfracc.fit(MODEL, t, y, loss="huber", sigma=s).predict([0.5])
    assert_same(pickle.loads(pickle.dumps(found)), found)
    with pytest.raises(InputError, match="not in memory"):
        found.residuals()
    with pytest.raises(InputError, match="not in memory"):
        found.plot()


def test_raw_files(tmp_path):
    t, y, s = data()
    np.column_stack([t, s, y]).tofile(tmp_path / "data.f64")
    found = hpfracc.fit_file(MODEL, tmp_path / "data.f64", columns=["t", "s", "y"], raw=True, sigma="s")
    assert_same(found, hpfracc.fit(MODEL, t, y, sigma=s))
    with pytest.raises(InputError, match="a raw file has no header"):
        hpfracc.fit_file(MODEL, tmp_path / "data.f64", raw=True)
    with pytest.raises((InputError, hpfracc.errors.SolverError), match="bytes, expected a multiple of 56"):
        hpfracc.fit_file(MODEL, tmp_path / "data.f64", columns=["t", "y", *"abcde"], raw=True)


def test_forms_of_files(tmp_path):
    t, y, s = data(500)
    expected = hpfracc.fit(MODEL, t, y)
    for separator in (";", "\t", " ", "|"):
        options = {"delimiter": "|"} if separator == "|" else {}
        path = write(tmp_path / "data.csv", (t, y, s), separator.join("tys"), separator)
        assert_same(hpfracc.fit_file(MODEL, path, **options), expected)
    path = write(tmp_path / "quoted.csv", (t, y, s), '"t","the, y","s"')
    assert_same(hpfracc.fit_file(MODEL, path, x="t", y="the, y"), expected)
    path.write_text(path.read_text().split("\n", 1)[1])
    assert_same(hpfracc.fit_file(MODEL, path, columns=["t", "y", "s"]), expected)
    path.write_text("# made by hand\n\nt,y\n" + "\n".join(f"{a!r},{b!r}" for a, b in zip(t.tolist(), y.tolist())))
    assert_same(hpfracc.fit_file(MODEL, path), expected)
    # The only other column is the response.
    assert_same(hpfracc.fit_file("a exp(-t/tau) + c; tau = 1 in (0, inf)", path), expected)


def test_columns_of_catalogue_and_equations(tmp_path):
    t, y, s = data(60)
    path = write(tmp_path / "data.csv", (t, y, s), "time,level,s")
    equation = "D^alpha y = -y/tau; alpha = 0.9 in (0.5, 1]; tau = 1 in (0, inf); y(0) = a; a = 1"
    found = hpfracc.fit_file(equation, path, x="time", y="level")
    assert_same(found, hpfracc.fit(equation, t, y))
    omega = np.logspace(-2, 2, 50)
    spectrum = 2 + 3 / (1 + (1j * omega) ** 0.8)
    path = write(tmp_path / "eps.csv", (omega, spectrum.real, -spectrum.imag), "omega,re,im")
    found = hpfracc.fit_file("cole-cole", path, y=["re", "im"])
    assert_same(found, hpfracc.fit("cole-cole", omega, spectrum))


def test_missing_values(tmp_path):
    t, y, _ = data(300)
    lines = ["t,y", *(f"{a!r},{b!r}" for a, b in zip(t.tolist(), y.tolist()))]
    lines[5] = "0.1,NA"
    path = tmp_path / "data.csv"
    path.write_text("\n".join(lines))
    with pytest.raises(InputError, match="line 6, column 2: the value is missing .*nan_policy='omit'"):
        hpfracc.fit_file(MODEL, path)
    found = hpfracc.fit_file(MODEL, path, nan_policy="omit")
    assert found.skipped == 1
    y[4] = np.nan
    t[4] = 0.1
    assert_same(found, hpfracc.fit(MODEL, t, y, nan_policy="omit"))


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("t,y\n1,2\n", {"y": "z"}, "y: .*data.csv has no column 'z'; it has t, y"),
        ("t,y\n1,2\n", {"sigma": "s"}, "sigma: .*no column 's'"),
        ("t,y\n1,2\n", {"x": ["t", "y"]}, "x has 2 columns, expected 1 of the model"),
        ("t,y\n1,2\n2,a\n", {}, "line 3, column 2: 'a' is no number"),
        ("t,y\n1,2\n2\n", {}, "line 3 has 1 columns, expected 2"),
        ("", {}, "is empty"),
        ("t,y\n", {}, "row|empty|data"),
        ("t,y\n1,2\n", {"memory": -1}, "memory is -1"),
        ("t,y\n1,2\n", {"nan_policy": "drop"}, "nan_policy is 'drop'"),
        ("t,y\n1,2\n", {"sigma": "t", "weight": "t"}, "sigma and weight are given"),
        ("t,y\n1,2\n", {"columns": ["t", "t"]}, "expected different names"),
        ("t,y,z\n1,2,3\n", {"model": "a t; a = 1"}, "y0|response|no column"),
    ],
)
def test_bad_files_are_refused(tmp_path, text, options, message):
    path = tmp_path / "data.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        hpfracc.fit_file(**{"model": MODEL, "path": path, **options})


def test_functions_and_missing_files_are_refused(tmp_path):
    with pytest.raises(InputError, match="sees all rows at once"):
        hpfracc.fit_file(lambda x, a: a * x, tmp_path / "data.csv")
    with pytest.raises(FileNotFoundError):
        hpfracc.fit_file(MODEL, tmp_path / "data.csv")


@pytest.mark.skipif(sys.platform != "linux", reason="resident memory is read as Linux reports it")
def test_memory_is_flat(tmp_path):
    program = textwrap.dedent(
        f"""
        import pathlib, sys
        import hpfracc
        hpfracc.fit_file({MODEL!r}, sys.argv[1], memory=1 << 20, start={{"tau": 1.4}}, max_passes=100)
        # That of getrusage is of the parent process, too.
        status = pathlib.Path("/proc/self/status").read_text().splitlines()
        print(next(line.split()[1] for line in status if line.startswith("VmHWM")))
        """
    )
    # From some blocks of 32768 rows on, all buffers and threads are in use.
    peaks = []
    for rows in (200_000, 1_000_000):
        t, y, s = data(rows)
        path = tmp_path / "data.csv"
        np.savetxt(path, np.column_stack([t, y, s]), delimiter=",", header="t,y,s", comments="")
        ran = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=True)
        peaks.append(int(ran.stdout) * 1024)
    # Two columns of 10^6 rows alone have 16 MB.
    assert peaks[1] - peaks[0] < 8e6, peaks

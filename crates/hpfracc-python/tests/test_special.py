"""Special functions: values against closed forms and SciPy, types, shapes, errors, bits."""

import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest
import scipy.special as sc

import hpfracc
from hpfracc import special
from hpfracc.errors import InputError, MemoryLimitError, SolverError

RNG = np.random.default_rng(20)

#: Function, arguments, reference and relative tolerance.
REFERENCES = [
    (special.gamma, (RNG.uniform(-20, 170, 500),), sc.gamma, 1e-13),
    (special.rgamma, (RNG.uniform(-20, 170, 500),), sc.rgamma, 1e-12),
    (special.gammaln, (RNG.uniform(0.1, 1e4, 500),), sc.gammaln, 1e-13),
    (special.gammasgn, (RNG.uniform(-20, 20, 500),), sc.gammasgn, 0),
    (special.digamma, (RNG.uniform(2, 100, 500),), sc.digamma, 1e-14),
    (special.trigamma, (RNG.uniform(0.1, 100, 500),), lambda x: sc.polygamma(1, x), 1e-13),
    (special.erf, (RNG.uniform(-4, 4, 500),), sc.erf, 1e-15),
    (special.erfc, (RNG.uniform(-4, 20, 500),), sc.erfc, 1e-12),
    (special.erfcx, (RNG.uniform(-4, 1e3, 500),), sc.erfcx, 1e-13),
    (special.beta, (RNG.uniform(0.1, 30, 500), RNG.uniform(0.1, 30, 500)), sc.beta, 1e-12),
    (special.poch, (RNG.uniform(0.1, 30, 500), RNG.uniform(0, 9, 500)), sc.poch, 1e-12),
    (
        special.gamma_ratio,
        (RNG.uniform(1, 90, 500), RNG.uniform(1, 90, 500)),
        lambda a, b: sc.gamma(a) / sc.gamma(b),
        1e-12,
    ),
    (special.binom, (RNG.uniform(0.1, 9, 500), RNG.integers(0, 30, 500)), sc.binom, 1e-9),
    (special.gammainc, (RNG.uniform(0.1, 30, 500), RNG.uniform(0, 40, 500)), sc.gammainc, 1e-12),
    (special.gammaincc, (RNG.uniform(0.1, 30, 500), RNG.uniform(0, 40, 500)), sc.gammaincc, 1e-11),
    (special.hurwitz_zeta, (RNG.uniform(1.1, 30, 500), RNG.uniform(0.1, 30, 500)), sc.zeta, 1e-13),
    (
        special.wright,
        (RNG.uniform(0, 9, 50), RNG.uniform(0.1, 2, 50), RNG.uniform(0.1, 2, 50)),
        lambda z, a, b: sc.wright_bessel(a, b, z),
        1e-12,
    ),
]
IDS = [row[0].__name__ for row in REFERENCES]


@pytest.mark.parametrize(("function", "arguments", "reference", "rtol"), REFERENCES, ids=IDS)
class TestRealFunctions:
    def test_values(self, function, arguments, reference, rtol):
        found = function(*arguments)
        assert found.dtype == np.float64
        np.testing.assert_allclose(found, reference(*arguments), rtol=max(rtol, 1e-15), atol=1e-300)

    def test_numbers_have_the_bits_of_arrays(self, function, arguments, reference, rtol):
        found = function(*arguments)
        for i in range(20):
            value = function(*(a[i].item() for a in arguments))
            assert type(value) is float
            assert value == found[i]
            assert function(*(a[i] for a in arguments)) == value  # scalars of NumPy
            assert function(*(np.array(a[i]) for a in arguments)) == value

    def test_single_precision(self, function, arguments, reference, rtol):
        narrow = [a.astype(np.float32) for a in arguments]
        found = function(*narrow)
        assert found.dtype == np.float32
        wide = function(*(a.astype(np.float64) for a in narrow))
        with np.errstate(over="ignore", under="ignore"):
            np.testing.assert_array_equal(found, wide.astype(np.float32))

    def test_layouts(self, function, arguments, reference, rtol):
        expected = function(*arguments)
        n = len(expected) // 2 * 2
        reversed_ = function(*(a[::-1] for a in arguments))
        np.testing.assert_array_equal(reversed_[::-1], expected)
        columns = function(*(np.asfortranarray(a[:n].reshape(2, -1)) for a in arguments))
        np.testing.assert_array_equal(columns.ravel(), expected[:n])
        np.testing.assert_array_equal(function(*(a[::3] for a in arguments)), expected[::3])
        assert function(*(a[:0] for a in arguments)).shape == (0,)

    def test_out(self, function, arguments, reference, rtol):
        expected = function(*arguments)
        out = np.full(expected.shape, np.nan)
        assert function(*arguments, out=out) is out
        np.testing.assert_array_equal(out, expected)
        strided = np.zeros((len(expected), 2))
        function(*arguments, out=strided[:, 1])
        np.testing.assert_array_equal(strided[:, 1], expected)
        assert not strided[:, 0].any()
        copies = [a.astype(np.float64) for a in arguments]
        assert function(*copies, out=copies[0]) is copies[0]  # in place
        np.testing.assert_array_equal(copies[0], expected)
        with pytest.raises(InputError, match="out has the shape"):
            function(*arguments, out=np.zeros(3))
        with pytest.raises(InputError, match="out has the type float32, expected an array of float64"):
            function(*arguments, out=np.zeros(len(expected), np.float32))
        with pytest.raises(InputError, match="out has the type list"):
            function(*arguments, out=[0.0])
        out.flags.writeable = False
        with pytest.raises(InputError, match="out is read-only"):
            function(*arguments, out=out)

    def test_refused_types(self, function, arguments, reference, rtol):
        rest = [a[:1] for a in arguments[1:]]
        for bad in ("x", ["a"], None, 1j, np.ones(1, complex), np.ones(1, np.longdouble), [[1], [1, 2]], object()):
            with pytest.raises(InputError):
                function(bad, *rest)
        with pytest.raises(InputError, match="9007199254740993"):
            function(2**53 + 1, *rest)
        with pytest.raises(InputError, match="9007199254740993"):
            function(np.array([2**53 + 1]), *rest)


class TestBroadcasting:
    def test_shapes(self):
        a, b = np.linspace(1, 2, 3)[:, None], np.linspace(1, 3, 4)
        found = special.beta(a, b)
        assert found.shape == (3, 4)
        for i in range(3):
            for j in range(4):
                assert found[i, j] == special.beta(a[i, 0], b[j])
        assert special.beta(2.0, b).shape == (4,)
        assert special.beta([2, 3], 1).tolist() == [0.5, 1 / 3]

    def test_mismatch_names_the_shapes(self):
        with pytest.raises(InputError, match=r"the shape of b does not broadcast .*a \[3\], b \[4\]"):
            special.beta(np.ones(3), np.ones(4))
        with pytest.raises(InputError, match="does not broadcast"):
            special.mittag_leffler(np.ones(3), np.ones(4))

    def test_results_that_do_not_fit_into_memory(self):
        with pytest.raises(MemoryLimitError):
            special.beta(np.broadcast_to(1.0, (2**31, 1)), np.broadcast_to(1.0, (1, 2**31)))
        with pytest.raises(MemoryLimitError):
            special.binomial_weights(0.5, 2**60)

    def test_precision_of_python_numbers_is_weak(self):
        x = np.ones(3, np.float32)
        assert special.beta(x, 2.0).dtype == np.float32
        assert special.beta(x, 2).dtype == np.float32
        assert special.beta(x, np.float32(2)).dtype == np.float32
        assert special.beta(x, np.float64(2)).dtype == np.float64
        assert special.beta(x, np.ones(3)).dtype == np.float64
        assert special.gamma(np.ones(3, np.int32)).dtype == np.float64
        assert special.gamma(np.ones(3, bool)).dtype == np.float64
        assert special.gamma(np.ones(3, np.float16)).dtype == np.float64
        out = np.zeros(3)
        assert special.gamma(x, out=out) is out

    def test_fields_and_byte_orders(self):
        table = np.zeros(3, dtype=[("a", "i1"), ("x", "f8"), ("y", "f4")])
        table["x"], table["y"] = [1, 2, 3], [3, 4, 5]
        assert special.gamma(table["x"]).tolist() == [1, 1, 2]
        found = special.gamma(table["y"])
        assert found.tolist() == [2, 6, 24]
        assert found.dtype == np.float32
        assert special.gamma(np.array([3, 4], ">f8")).tolist() == [2, 6]
        assert special.mittag_leffler(np.array([0j, 0j], ">c16"), 0.5).tolist() == [1, 1]
        with pytest.raises(InputError, match="not aligned"):
            special.gamma(np.ones(3), out=table["x"])
        if np.lib.NumpyVersion(np.__version__) >= "2.0.0":  # Before, no array has more than 32 axes.
            with pytest.raises(InputError, match="axes"):
                special.gamma(np.ones((1,) * 40))

    def test_errors_name_value_and_index(self):
        x = np.ones((400, 500))
        x[311, 7] = x[399, 0] = -2.5
        with pytest.raises(InputError, match=r"`x` is -2.5.*at index \(311, 7\)"):
            special.gammainc(1.5, x)
        with pytest.raises(InputError, match=r"`k` is 0.5, expected a whole number"):
            special.binom(1.0, 0.5)
        with pytest.raises(InputError, match="`k` is -1"):
            special.binom(1.0, -1)
        with pytest.raises(InputError, match="`s` is 1, expected"):
            special.hurwitz_zeta(1.0)
        with pytest.raises(InputError, match="`lambda_` is -1, expected lambda_ > -1"):
            special.wright(1.0, -1.0, 1.0)
        with pytest.raises(InputError, match="`nu` is 1, expected 0 < nu < 1"):
            special.m_wright(1.0, 1.0)
        with pytest.raises(SolverError, match="did not converge"):
            special.wright(1e5, -0.9, 1.0)
        with pytest.raises(SolverError, match=r"overflows, at index \(1\)"):
            special.wright(-5.0, [1.0, -0.999], 1.0)

    def test_nan_passes(self):
        assert np.isnan(special.gamma(np.nan))
        assert np.isnan(special.mittag_leffler([np.nan], 0.5)).all()


class TestMittagLeffler:
    z = RNG.uniform(-30, 5, 300)

    def test_closed_forms(self):
        z = self.z
        np.testing.assert_allclose(special.mittag_leffler(z, 1.0), np.exp(z), rtol=1e-14)
        np.testing.assert_allclose(special.mittag_leffler(z, 0.5), sc.erfcx(-z), rtol=1e-12)
        np.testing.assert_allclose(special.mittag_leffler(-(z**2), 2.0), np.cos(z), atol=1e-13)
        np.testing.assert_allclose(special.mittag_leffler(-(z**2), 2.0, 2.0), np.sinc(z / np.pi), atol=1e-14)
        np.testing.assert_allclose(special.mittag_leffler(z, 1.0, 1.0, 2.0), (1 + z) * np.exp(z), atol=1e-10)

    def test_complex(self):
        z = self.z[:50] + 1j * self.z[50:100]
        found = special.mittag_leffler(z, 1.0)
        assert found.dtype == np.complex128
        np.testing.assert_allclose(found, np.exp(z), rtol=1e-13)
        value = special.mittag_leffler(z[0], 1.0)
        assert type(value) is complex
        assert value == found[0]
        narrow = z.astype(np.complex64)
        single = special.mittag_leffler(narrow, 0.7)
        assert single.dtype == np.complex64
        wide = special.mittag_leffler(narrow.astype(complex), 0.7)
        np.testing.assert_array_equal(single, wide.astype(np.complex64))
        np.testing.assert_allclose(special.mittag_leffler(z, 0.5), sc.wofz(-1j * z), rtol=1e-10)
        three = special.mittag_leffler(z[:5], 1.0, 1.0, 2.0)
        np.testing.assert_allclose(three, (1 + z[:5]) * np.exp(z[:5]), rtol=1e-8, atol=1e-10)
        np.testing.assert_array_equal(special.mittag_leffler(z[::2], 0.7), special.mittag_leffler(z, 0.7)[::2])
        assert special.mittag_leffler([1j, 2j], 0.7).dtype == np.complex128

    def test_series(self):
        k = np.arange(60)
        for alpha, beta, gamma, z in [(0.8, 1.3, 1.0, 0.4), (0.6, 0.9, 0.5, -0.3), (1.7, 2.0, -1.5, 0.5)]:
            terms = sc.poch(gamma, k) * z**k / sc.factorial(k) * sc.rgamma(alpha * k + beta)
            found = special.mittag_leffler(z, alpha, beta, gamma)
            assert found == pytest.approx(terms.sum(), rel=1e-13)

    def test_arrays_of_parameters(self):
        z, alpha, beta = self.z[:60], np.array([0.3, 0.9, 1.4])[:, None], np.array([1.0, 0.5])[:, None, None]
        found = special.mittag_leffler(z, alpha, beta)
        assert found.shape == (2, 3, 60)
        for i in range(2):
            for j in range(3):
                row = special.mittag_leffler(z, alpha[j, 0], beta[i, 0, 0])
                np.testing.assert_array_equal(found[i, j], row)
        swapped = special.mittag_leffler(z[:, None], alpha[:, 0], 1.0)
        np.testing.assert_array_equal(swapped.T, found[0])
        assert special.mittag_leffler(-1.0, [0.5, 0.7]).shape == (2,)
        gammas = special.mittag_leffler(z[:4], 0.7, 1.0, np.array([[1.0], [0.5]]))
        np.testing.assert_array_equal(gammas[0], special.mittag_leffler(z[:4], 0.7))
        np.testing.assert_array_equal(gammas[1], special.mittag_leffler(z[:4], 0.7, 1.0, 0.5))
        assert special.mittag_leffler(np.ones(3, np.float32), [0.5, 0.6, 0.7]).dtype == np.float64
        narrow = special.mittag_leffler(np.ones(3, np.float32), np.array([0.5, 0.6, 0.7], np.float32))
        assert narrow.dtype == np.float32

    def test_long_arrays_have_the_bits_of_short_ones(self):
        z = RNG.uniform(-50, 3, 300_000)
        found = special.mittag_leffler(z, 0.7)
        for begin in (0, 1000, 131_000, 262_100):
            part = special.mittag_leffler(z[begin : begin + 100], 0.7)
            np.testing.assert_array_equal(part, found[begin : begin + 100])
        out = np.empty((300_000, 2))
        special.mittag_leffler(z, 0.7, out=out[:, 0])
        np.testing.assert_array_equal(out[:, 0], found)
        assert special.mittag_leffler(z, 0.7, out=z) is z
        np.testing.assert_array_equal(z, found)

    def test_numbers(self):
        value = special.mittag_leffler(-1, 0.5)
        assert type(value) is float
        assert value == pytest.approx(sc.erfcx(1), rel=1e-15)
        assert special.mittag_leffler(np.float32(-1), 0.5) == value
        assert special.mittag_leffler(-1.0, alpha=0.5, beta=1, gamma=1) == value
        out = np.zeros(())
        assert special.mittag_leffler(-1.0, 0.5, out=out) is out
        assert out == pytest.approx(value, rel=1e-14)

    def test_errors(self):
        for alpha, message in [(0.0, "`alpha` is 0"), (-1.0, "`alpha` is -1"), (21.0, "alpha <= 20"), (np.nan, "NaN")]:
            for z in (1.0, 1j, np.ones(3), np.ones(0)):
                with pytest.raises(InputError, match=message):
                    special.mittag_leffler(z, alpha)
        with pytest.raises(InputError, match="`beta` is -101"):
            special.mittag_leffler(1.0, 0.5, -101.0)
        with pytest.raises(InputError, match="`gamma` is 6"):
            special.mittag_leffler(np.ones(40), 0.5, 1.0, 6.0)
        with pytest.raises(InputError, match=r"`alpha` is -1.*at index \(1, 0\)"):
            special.mittag_leffler(np.ones((1, 4)), [[0.5], [-1.0], [-2.0]])
        with pytest.raises(InputError, match="alpha has the type complex128"):
            special.mittag_leffler(1.0, 0.5j)
        with pytest.raises(InputError, match="float32 or float64|float64"):
            special.mittag_leffler(np.ones(3), 0.5, out=np.zeros(3, np.float32))
        with pytest.raises(InputError, match="complex128"):
            special.mittag_leffler(np.ones(3, complex), 0.5, out=np.zeros(3))
        with pytest.raises(InputError, match="clongdouble|complex256"):
            special.mittag_leffler(np.ones(3, np.clongdouble), 0.5)

    def test_threads(self):
        z = RNG.uniform(-50, 3, 20_000)
        expected = special.mittag_leffler(z, 0.7)
        results = [None] * 8

        def work(i):
            results[i] = [special.mittag_leffler(z, 0.7 if i % 2 else 0.71 + 0.001 * k) for k in range(5)]

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for i in range(1, 8, 2):
            for found in results[i]:
                np.testing.assert_array_equal(found, expected)


class TestDerivatives:
    z = RNG.uniform(-8, 2, 40)

    def test_of_z(self):
        for k in (0, 1, 2, 3):
            np.testing.assert_allclose(special.mittag_leffler_derivative(self.z, 1.0, k=k), np.exp(self.z), atol=1e-12)
        value = special.mittag_leffler_derivative(9.0, 2.0)
        assert type(value) is float
        assert value == pytest.approx(np.sinh(3) / 6, rel=1e-14)
        complex_ = special.mittag_leffler_derivative(self.z + 1j, 1.0, k=2)
        np.testing.assert_allclose(complex_, np.exp(self.z + 1j), atol=1e-12)
        rows = special.mittag_leffler_derivative(self.z, np.array([[0.5], [1.5]]), k=2)
        np.testing.assert_array_equal(rows[1], special.mittag_leffler_derivative(self.z, 1.5, k=2))
        out = np.zeros(40)
        assert special.mittag_leffler_derivative(self.z, 0.5, out=out) is out
        with pytest.raises(InputError, match="k is -1"):
            special.mittag_leffler_derivative(1.0, 0.5, k=-1)
        with pytest.raises(InputError, match="k is 65"):
            special.mittag_leffler_derivative(1.0, 0.5, k=65)
        with pytest.raises(TypeError):
            special.mittag_leffler_derivative(1.0, 0.5, k=1.5)

    def test_gradient(self):
        e = special.mittag_leffler_gradient(self.z, 0.7, 1.2)
        assert isinstance(e, special.MittagLefflerGradient)
        h = 1e-5
        scale = np.maximum(1, np.abs(e.value))
        for found, step in ((e.dz, (h, 0, 0)), (e.dalpha, (0, h, 0)), (e.dbeta, (0, 0, h))):
            ahead = special.mittag_leffler(self.z + step[0], 0.7 + step[1], 1.2 + step[2])
            back = special.mittag_leffler(self.z - step[0], 0.7 - step[1], 1.2 - step[2])
            np.testing.assert_allclose(found / scale, (ahead - back) / (2 * h) / scale, atol=2e-8)
        np.testing.assert_allclose(e.value / scale, special.mittag_leffler(self.z, 0.7, 1.2) / scale, atol=1e-13)
        beta = special.mittag_leffler_beta_derivative(self.z, 0.7, 1.2)
        np.testing.assert_allclose(beta / scale, e.dbeta / scale, atol=1e-11)

    def test_gradient_of_numbers_and_arrays(self):
        e = special.mittag_leffler_gradient(self.z, 0.7)
        one = special.mittag_leffler_gradient(self.z[3].item(), 0.7)
        assert [type(x) for x in one] == [float] * 4
        assert list(one) == [x[3] for x in e]
        rows = special.mittag_leffler_gradient(self.z, np.array([[0.7], [1.4]]))
        for row, found in zip(rows, e, strict=True):
            assert row.shape == (2, 40)
            np.testing.assert_array_equal(row[0], found)
        narrow = special.mittag_leffler_gradient(self.z.astype(np.float32), 0.7)
        assert all(x.dtype == np.float32 for x in narrow)
        again = pickle.loads(pickle.dumps(e))
        np.testing.assert_array_equal(again.dalpha, e.dalpha)
        with pytest.raises(InputError, match="z has the type complex128"):
            special.mittag_leffler_gradient(1j, 0.7)
        with pytest.raises(InputError, match="`alpha` is 2"):
            special.mittag_leffler_gradient(1.0, 2.0)

    def test_only_the_requested_columns(self):
        from hpfracc import _hpfracc

        e = special.mittag_leffler_gradient(self.z, 0.7)
        found = _hpfracc.mittag_leffler_gradient(self.z, 0.7, 1.0, (False, True, False, True))
        assert found[0] is None
        assert found[2] is None
        np.testing.assert_array_equal(found[1], e.dz)
        np.testing.assert_array_equal(found[3], e.dbeta)


class TestMatrix:
    def test_values(self):
        import scipy.linalg

        a = RNG.normal(size=(2, 3, 6, 6))
        found = special.mittag_leffler_matrix(a, 1.0)
        np.testing.assert_allclose(found, scipy.linalg.expm(a), rtol=1e-9, atol=1e-10)
        symmetric = a[0, 0] + a[0, 0].T
        values, vectors = np.linalg.eigh(symmetric)
        expected = vectors * special.mittag_leffler(values, 0.7) @ vectors.T
        found = special.mittag_leffler_matrix(symmetric, 0.7)
        np.testing.assert_allclose(found, expected, atol=1e-11 * np.abs(expected).max())
        complex_ = special.mittag_leffler_matrix(1j * a[0], 1.0)
        np.testing.assert_allclose(complex_, scipy.linalg.expm(1j * a[0]), rtol=1e-9, atol=1e-10)
        assert special.mittag_leffler_matrix(a.astype(np.float32), 0.7).dtype == np.float32
        nilpotent = special.mittag_leffler_matrix([[0, 3], [0, 0]], 0.5, 2.0)
        np.testing.assert_allclose(nilpotent, [[1, 3 / sc.gamma(2.5)], [0, 1]], rtol=1e-14)
        assert special.mittag_leffler_matrix(np.zeros((0, 0)), 0.5).shape == (0, 0)
        assert special.mittag_leffler_matrix(np.zeros((0, 2, 2)), 0.5).shape == (0, 2, 2)

    def test_errors(self):
        for bad in (1.0, np.ones(3)):
            with pytest.raises(InputError, match=r"expected \(\.\.\., n, n\)"):
                special.mittag_leffler_matrix(bad, 0.5)
        with pytest.raises(InputError, match="square"):
            special.mittag_leffler_matrix(np.ones((2, 3)), 0.5)
        a = np.ones((3, 2, 2))
        a[2, 0, 1] = np.nan
        with pytest.raises(InputError, match=r"entry \(0, 1\) is NaN.*at index \(2\)"):
            special.mittag_leffler_matrix(a, 0.5)
        with pytest.raises(InputError, match="`alpha` is 0"):
            special.mittag_leffler_matrix(np.eye(2), 0.0)


class TestSequences:
    def test_values(self):
        k = np.arange(50.0)
        np.testing.assert_allclose(special.binomial_weights(0.3, 50), (-1) ** k * sc.binom(0.3, k), rtol=1e-10)
        np.testing.assert_allclose(special.powers(0.7, 50), k**0.7, rtol=1e-15)
        first = special.forward_differences_of_powers(0.7, 50)
        np.testing.assert_allclose(first, np.diff(np.arange(51.0) ** 0.7), rtol=1e-12)
        second = special.second_differences_of_powers(0.7, 50)
        assert second[0] == 1
        np.testing.assert_allclose(second[1:], np.diff(np.arange(51.0) ** 0.7, 2), rtol=1e-10)

    @pytest.mark.parametrize(
        "name", ["binomial_weights", "powers", "forward_differences_of_powers", "second_differences_of_powers"]
    )
    def test_derivatives_and_errors(self, name):
        function = getattr(special, name)
        h = 1e-6
        slope = (function(0.6 + h, 30) - function(0.6 - h, 30)) / (2 * h)
        np.testing.assert_allclose(function(0.6, 30, derivative=True), slope, atol=1e-7)
        assert function(0.6, 0).shape == (0,)
        with pytest.raises(InputError, match="n is -1"):
            function(0.6, -1)
        with pytest.raises(InputError, match="finite"):
            function(np.inf, 3)
        with pytest.raises(TypeError):
            function(0.6, 1.5)


class TestInterrupts:
    @pytest.mark.parametrize(
        "compute",
        [
            lambda: special.mittag_leffler(np.full(10_000_000, -1.0), 0.7, 1.0, 0.5),
            lambda: special.m_wright(np.full(10_000_000, 2.0), 0.3),
            lambda: special.mittag_leffler(np.full(300_000, -2.0), np.linspace(0.1, 0.9, 300_000)),
        ],
        ids=["prabhakar", "wright", "groups"],
    )
    def test_keyboard_interrupt(self, compute):
        timer = threading.Timer(0.5, signal.raise_signal, (signal.SIGINT,))
        timer.start()
        try:
            with pytest.raises(KeyboardInterrupt):
                compute()
                time.sleep(5)
        finally:
            timer.cancel()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("n", [20_000, 200_000])
def test_long_arrays_after_a_fork(n):
    z = np.linspace(-50, 3, n)
    expected = special.mittag_leffler(z, 0.7)  # starts the threads of this process
    child = os.fork()
    if child == 0:
        same = np.array_equal(special.mittag_leffler(z, 0.7), expected)
        os._exit(0 if same else 1)
    deadline = time.monotonic() + 20
    while (found := os.waitpid(child, os.WNOHANG))[0] == 0 and time.monotonic() < deadline:
        time.sleep(0.01)
    if found[0] == 0:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert found == (child, 0)


def test_names_of_the_package():
    assert hpfracc.mittag_leffler is special.mittag_leffler
    for name in special.__all__:
        assert getattr(special, name).__doc__

"""Fractional Fourier transforms and the fractional DFT: closed forms, adjoints, gradients, types, errors."""

import pickle
import signal
import threading
import time

import numpy as np
import pytest

import hpfracc
from hpfracc import transforms
from hpfracc.errors import InputError

RNG = np.random.default_rng(21)
ORDERS = [-1.3, 0.0, 0.25, 1.0, 1.5, 2.0, 3.7]


def noise(*shape):
    return RNG.normal(size=shape) + 1j * RNG.normal(size=shape)


def dot(x, y):
    """Real inner product, that of gradients."""
    return float((x * np.conj(y)).real.sum())


def centred_dft(x):
    return np.fft.fftshift(np.fft.fft(np.fft.ifftshift(x), norm="ortho"))


def plans():
    for order in ORDERS:
        yield hpfracc.FractionalFourier(24, order)
        yield hpfracc.DiscreteFractionalFourier(24, order)
    yield hpfracc.FractionalDft(24, 0.01, 17, first=0.2)


@pytest.mark.parametrize("plan", list(plans()), ids=repr)
class TestPlans:
    def test_adjoint(self, plan):
        x = noise(3, 24)
        y = plan(x)
        ybar = noise(*y.shape)
        assert dot(y, ybar) == pytest.approx(dot(x, plan.adjoint(ybar)), rel=1e-12)
        np.testing.assert_array_equal(plan.vjp(ybar), plan.adjoint(ybar))
        np.testing.assert_array_equal(plan.apply(x), y)

    def test_axes_and_layouts(self, plan):
        x = noise(4, 24, 3)
        cls = type(plan)
        if cls is hpfracc.FractionalDft:
            along = hpfracc.FractionalDft(24, plan.step, plan.m, first=plan.first, axis=1)
        else:
            along = cls(24, plan.order, axis=1)
        y = along(x)
        for i in range(4):
            for j in range(3):
                np.testing.assert_array_equal(y[i, :, j], plan(x[i, :, j]))
        np.testing.assert_array_equal(along(np.asfortranarray(x)), y)
        np.testing.assert_array_equal(along(x[::-1])[::-1], y)
        assert along(x[:0]).shape == (0, *y.shape[1:])

    def test_types(self, plan):
        x = noise(24)
        single = plan(x.astype(np.complex64))
        assert single.dtype == np.complex64
        np.testing.assert_allclose(single, plan(x), atol=2e-4)
        real = plan(x.real)
        assert real.dtype == np.complex128
        np.testing.assert_array_equal(real, plan(x.real + 0j))
        assert plan(x.real.astype(np.float32)).dtype == np.complex64
        np.testing.assert_array_equal(plan(list(range(24))), plan(np.arange(24.0)))
        for bad in ("x", [None] * 24, np.ones(24, np.clongdouble), np.ones(24, np.longdouble)):
            with pytest.raises(InputError):
                plan(bad)

    def test_out(self, plan):
        x = noise(2, 24)
        y = plan(x)
        out = np.zeros_like(y)
        assert plan(x, out=out) is out
        np.testing.assert_array_equal(out, y)
        with pytest.raises(InputError, match="out has the shape"):
            plan(x, out=np.zeros((3, 24), complex))
        with pytest.raises(InputError, match="out has the type float64, expected an array of complex128"):
            plan(x, out=np.zeros_like(y.real))
        out.flags.writeable = False
        with pytest.raises(InputError, match="read-only"):
            plan(x, out=out)
        if y.shape == x.shape:
            assert plan(x, out=x) is x
            np.testing.assert_array_equal(x, y)

    def test_lengths(self, plan):
        with pytest.raises(InputError, match="axis -1 has the length 23, the transform has 24"):
            plan(noise(23))
        with pytest.raises(InputError, match="axis -1 of an array with 0 dimensions"):
            plan(1.0)

    def test_pickle_and_repr(self, plan):
        x = noise(24)
        again = pickle.loads(pickle.dumps(plan))
        np.testing.assert_array_equal(again(x), plan(x))
        assert repr(again) == repr(plan)
        same = eval(repr(plan), vars(transforms))
        np.testing.assert_array_equal(same(x), plan(x))


class TestFractionalFourier:
    @pytest.mark.parametrize("cls", [hpfracc.FractionalFourier, hpfracc.DiscreteFractionalFourier])
    def test_whole_orders(self, cls):
        x = noise(32)
        np.testing.assert_allclose(cls(32, 1.0)(x), centred_dft(x), atol=1e-13)
        np.testing.assert_allclose(cls(32, 4.0)(x), x, atol=1e-13)
        np.testing.assert_allclose(cls(32, 2.0)(x), np.roll(x[::-1], 1), atol=1e-13)

    def test_shifted_gaussian(self):
        n, x0, order = 256, 1.0, 0.6
        plan = hpfracc.FractionalFourier(n, order)
        u, phi = plan.coordinates, order * np.pi / 2
        np.testing.assert_array_equal(u, (np.arange(n) - n // 2) / np.sqrt(n))
        expected = np.exp(
            -np.pi * (u - x0 * np.cos(phi)) ** 2
            - 1j * np.pi * (2 * u * x0 * np.sin(phi) - x0**2 * np.sin(phi) * np.cos(phi))
        )
        np.testing.assert_allclose(plan(np.exp(-np.pi * (u - x0) ** 2)), expected, atol=1e-13)

    @pytest.mark.parametrize("cls", [hpfracc.FractionalFourier, hpfracc.DiscreteFractionalFourier])
    def test_order_gradient(self, cls):
        plan = cls(32, 0.3)
        window = np.exp(-np.pi * plan.coordinates**2)
        x, ybar = noise(5, 32) * window, noise(5, 32)
        h = 1e-5
        slope = (dot(plan.at(0.3 + h)(x), ybar) - dot(plan.at(0.3 - h)(x), ybar)) / (2 * h)
        found = plan.vjp_order(x, ybar)
        assert type(found) is float
        assert found == pytest.approx(slope, rel=1e-7)
        columns = cls(32, 0.3, axis=0)
        assert columns.vjp_order(x.T, ybar.T) == found
        single = plan.vjp_order(x.astype(np.complex64), ybar.astype(np.complex64))
        assert single == pytest.approx(found, rel=1e-3)
        assert plan.vjp_order(x.astype(np.complex64), ybar) == pytest.approx(found, rel=1e-5)
        with pytest.raises(InputError, match="gradient has the shape"):
            plan.vjp_order(x, ybar[:3])

    @pytest.mark.parametrize("cls", [hpfracc.FractionalFourier, hpfracc.DiscreteFractionalFourier])
    def test_parameters(self, cls):
        plan = cls(16, 0.5, axis=1)
        assert (plan.n, plan.order, plan.axis) == (16, 0.5, 1)
        other = plan.at(-0.5)
        assert (other.n, other.order, other.axis) == (16, -0.5, 1)
        x = noise(2, 16)
        np.testing.assert_array_equal(other(x), cls(16, -0.5)(x))
        assert repr(plan) == f"{cls.__name__}(16, 0.5, axis=1)"
        smooth = np.exp(-np.pi * plan.coordinates**2) * np.ones((2, 1), np.complex64)
        single = plan(smooth.astype(np.complex64))
        back = plan.at(-0.5)(single)  # shares what was made in single precision
        assert back.dtype == np.complex64
        np.testing.assert_allclose(back, smooth, atol=1e-5)
        for n in (1, 0, -1, 10**30, 2.5, "n", None):
            with pytest.raises(InputError):
                cls(n, 0.5)
        with pytest.raises(InputError, match="axis is 0.5"):
            cls(16, 0.5, axis=0.5)
        for order in (np.nan, np.inf):
            with pytest.raises(InputError, match="order is"):
                cls(16, order)
            with pytest.raises(InputError, match="order is"):
                plan.at(order)

    def test_unitary_and_additive(self):
        x = noise(30)
        plan = hpfracc.DiscreteFractionalFourier(30, 0.4)
        y = plan(x)
        assert np.linalg.norm(y) == pytest.approx(np.linalg.norm(x), rel=1e-13)
        np.testing.assert_allclose(plan.at(0.6)(y), centred_dft(x), atol=1e-13)
        with pytest.raises(InputError, match="number of samples is 2049"):
            hpfracc.DiscreteFractionalFourier(2049, 0.5)


class TestFractionalDft:
    def test_dft_and_sums(self):
        x = noise(20)
        np.testing.assert_allclose(hpfracc.FractionalDft(20, 1 / 20)(x), np.fft.fft(x), atol=1e-13)
        plan = hpfracc.FractionalDft(20, 0.013, 7, first=-0.1)
        assert (plan.n, plan.m, plan.step, plan.first) == (20, 7, 0.013, -0.1)
        np.testing.assert_array_equal(plan.frequencies, -0.1 + 0.013 * np.arange(7))
        expected = np.exp(-2j * np.pi * np.outer(plan.frequencies, np.arange(20))) @ x
        np.testing.assert_allclose(plan(x), expected, atol=1e-13)
        assert plan.adjoint(noise(7)).shape == (20,)

    def test_errors(self):
        for arguments in ((0, 0.1), (3, np.nan), (3, 0.1, 0), (3, 0.1, -1), (3, 0.1, 1.5)):
            with pytest.raises(InputError):
                hpfracc.FractionalDft(*arguments)
        with pytest.raises(InputError, match="first frequency"):
            hpfracc.FractionalDft(3, 0.1, first=np.inf)


class TestFunctions:
    def test_are_the_planned_transforms(self):
        x = noise(3, 24)
        for _ in range(2):
            np.testing.assert_array_equal(hpfracc.frft(x, 0.3), hpfracc.FractionalFourier(24, 0.3)(x))
            np.testing.assert_array_equal(hpfracc.dfrft(x, 0.3), hpfracc.DiscreteFractionalFourier(24, 0.3)(x))
            found = hpfracc.fractional_dft(x, 0.01, 9, first=0.1)
            np.testing.assert_array_equal(found, hpfracc.FractionalDft(24, 0.01, 9, first=0.1)(x))
        np.testing.assert_array_equal(hpfracc.frft(x.T, 0.3, axis=0).T, hpfracc.frft(x, 0.3))
        out = np.zeros_like(x)
        assert hpfracc.dfrft(x, 0.3, out=out) is out
        assert hpfracc.fractional_dft(x, 0.1).shape == (3, 24)

    def test_errors(self):
        for function in (hpfracc.frft, hpfracc.dfrft, hpfracc.fractional_dft):
            with pytest.raises(InputError, match="axis 2 of an array with 2 dimensions"):
                function(noise(3, 24), 0.1, axis=2)
            with pytest.raises(InputError):
                function(noise(3, 24), np.nan)
            with pytest.raises(InputError):
                function(np.ones((3, 0)), 0.1)

    def test_batches_have_the_bits_of_single_signals(self):
        x = noise(5, 70, 300)
        y = hpfracc.frft(x, 0.7)
        for i, j in ((0, 0), (2, 33), (4, 69)):
            np.testing.assert_array_equal(y[i, j], hpfracc.frft(x[i, j], 0.7))
        plan = hpfracc.FractionalFourier(300, 0.7)
        total = 0.0
        for i in range(5):
            for j in range(70):
                total += plan.vjp_order(x[i, j], y[i, j])
        assert plan.vjp_order(x, y) == total

    def test_keyboard_interrupt(self):
        x = np.broadcast_to(noise(512), (100_000, 512))
        plan = hpfracc.DiscreteFractionalFourier(512, 0.7)
        timer = threading.Timer(0.5, signal.raise_signal, (signal.SIGINT,))
        timer.start()
        try:
            with pytest.raises(KeyboardInterrupt):
                plan.vjp_order(x, x)
                time.sleep(5)
        finally:
            timer.cancel()

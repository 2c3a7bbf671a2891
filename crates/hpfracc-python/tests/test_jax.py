"""hpfracc.jax: derivatives against differences, forward against reverse mode, and the transformations."""

import math

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed")
jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp  # noqa: E402

import hpfracc  # noqa: E402
import hpfracc.jax as hj  # noqa: E402
from hpfracc import InputError  # noqa: E402
from hpfracc._hpfracc import definitions, noise_increments  # noqa: E402

RNG = np.random.default_rng(1)
X = jnp.asarray(RNG.normal(size=(3, 16)))


def python_name(name):
    return name.replace("-", "_")


def case(definition):
    """Order and parameters of the example of a definition."""
    parameters = {"lambda_" if p["name"] == "lambda" else python_name(p["name"]): p["example"] for p in definition["parameters"]}
    return definition["schemes"][0]["example"], parameters


@pytest.mark.parametrize("definition", definitions(), ids=lambda d: d["name"])
def test_every_operator_has_values_and_both_gradients(definition):
    name = python_name(definition["name"])
    alpha, parameters = case(definition)
    f = lambda x, alpha: getattr(hj, name)(x, alpha, dt=0.1, **parameters)  # noqa: E731
    expected = getattr(hpfracc, name)(np.asarray(X), alpha, dt=0.1, **parameters)
    np.testing.assert_allclose(f(X, alpha), expected, rtol=1e-11, atol=1e-11 * np.abs(expected).max())
    g, dx = jnp.asarray(RNG.normal(size=X.shape)), jnp.asarray(RNG.normal(size=X.shape))
    # Forward and reverse mode agree: <g, A dx> = <A' g, dx>, with respect to the order too.
    (y, dy), (z, pull) = jax.jvp(f, (X, alpha), (dx, 1.0)), jax.vjp(f, X, alpha)
    xbar, abar = pull(g)
    scale = float(jnp.abs(g).sum() * jnp.abs(dy).max())
    assert abs(jnp.vdot(g, dy) - jnp.vdot(xbar, dx) - abar) <= 1e-12 * scale
    e = 1e-5
    difference = (f(X, alpha + e) - f(X, alpha - e)) / (2 * e)
    change = jax.jvp(lambda alpha: f(X, alpha), (alpha,), (1.0,))[1]
    np.testing.assert_allclose(change, difference, rtol=1e-5, atol=1e-6 * float(jnp.abs(difference).max()) + 1e-12)


def test_transformations_agree():
    f = lambda x, alpha: hj.caputo(x, alpha, dt=0.1)  # noqa: E731
    x = jnp.asarray(RNG.normal(size=(4, 2, 16)))
    loop = jnp.stack([f(one, 0.6) for one in x])
    for axis in (0, 1, 2):
        np.testing.assert_allclose(jax.vmap(f, (axis, None))(jnp.moveaxis(x, 0, axis), 0.6), loop, atol=1e-12)
    np.testing.assert_allclose(jax.jit(jax.vmap(f, (0, None)))(x, 0.6), loop, atol=1e-12)
    orders = jnp.asarray([0.2, 0.5, 0.6, 0.9])
    each = jnp.stack([f(one, a) for one, a in zip(x, orders)])
    np.testing.assert_allclose(jax.vmap(f)(x, orders), each, atol=1e-12)
    np.testing.assert_allclose(jax.vmap(f, (None, 0))(x[0], orders), jnp.stack([f(x[0], a) for a in orders]), atol=1e-12)
    loss = lambda x, alpha: jnp.sum(f(x, alpha) ** 2)  # noqa: E731
    per_sample = jax.jit(jax.vmap(jax.grad(loss, (0, 1))))(x, orders)
    for k in range(4):
        gx, ga = jax.grad(loss, (0, 1))(x[k], orders[k])
        np.testing.assert_allclose(per_sample[0][k], gx, atol=1e-10)
        np.testing.assert_allclose(per_sample[1][k], ga, rtol=1e-10)
    # Axes from the front and from the end.
    np.testing.assert_allclose(hj.caputo(x, 0.6, dt=0.1, axis=2), loop, atol=1e-12)
    np.testing.assert_allclose(hj.caputo(jnp.moveaxis(x, 2, 0), 0.6, dt=0.1, axis=0), jnp.moveaxis(loop, 2, 0), atol=1e-12)
    scanned = jax.lax.map(lambda one: f(one, 0.6), x)
    np.testing.assert_allclose(scanned, loop, atol=1e-12)


def test_second_derivatives():
    x = X[0]
    f = lambda x: hj.riemann_liouville(x, 0.4, dt=0.2)  # noqa: E731
    assert np.abs(jax.jacfwd(jax.jacfwd(f))(x)).max() == 0.0
    matrix = jax.jacrev(f)(x)
    np.testing.assert_allclose(jax.jacfwd(f)(x), matrix, atol=1e-13)
    np.testing.assert_allclose(jax.hessian(lambda x: jnp.sum(f(x) ** 2))(x), 2 * matrix.T @ matrix, atol=1e-10)
    mixed = jax.jacfwd(jax.grad(lambda x, a: jnp.sum(hj.caputo(x, a, dt=0.2))), argnums=1)(x, 0.5)
    e = 1e-5
    sums = lambda a: jax.grad(lambda x: jnp.sum(hj.caputo(x, a, dt=0.2)))(x)  # noqa: E731
    np.testing.assert_allclose(mixed, (sums(0.5 + e) - sums(0.5 - e)) / (2 * e), rtol=1e-6, atol=1e-8)
    with pytest.raises(NotImplementedError, match="second derivative with respect to its order"):
        jax.grad(jax.grad(lambda a: jnp.sum(hj.caputo(x, a))))(0.5)


def test_types_and_meshes():
    x = X.astype(jnp.float32)
    y = jax.jit(lambda x: hj.caputo(x, 0.5, dt=0.1))(x)
    assert y.dtype == jnp.float32
    np.testing.assert_allclose(y, hj.caputo(X, 0.5, dt=0.1), rtol=2e-4, atol=1e-4)
    gx, ga = jax.grad(lambda x, a: jnp.sum(hj.caputo(x, a, dt=0.1)), (0, 1))(x, jnp.float32(0.5))
    assert (gx.dtype, ga.dtype) == (jnp.float32, jnp.float32)
    t = np.cumsum(RNG.uniform(0.05, 0.2, size=16))
    f = lambda x, a: hj.caputo(x, a, t=t)  # noqa: E731
    np.testing.assert_allclose(f(X, 0.5), hpfracc.caputo(np.asarray(X), 0.5, t=t), rtol=1e-11, atol=1e-11)
    e = 1e-6
    difference = jnp.sum(f(X, 0.5 + e) - f(X, 0.5 - e)) / (2 * e)
    np.testing.assert_allclose(jax.grad(lambda a: jnp.sum(f(X, a)))(0.5), difference, rtol=1e-5)
    t = 0.1 * np.arange(200)
    np.testing.assert_allclose(hj.caputo(t**2, 0.5, dt=0.1)[-1], 2 * t[-1] ** 1.5 / math.gamma(2.5), rtol=1e-3)


def test_bad_input():
    for call, message in (
        (lambda: hj.caputo(1.0, 0.5), "single number"),
        (lambda: hj.caputo(X, jnp.ones(2)), r"alpha has the shape \(2,\)"),
        (lambda: hj.caputo(X, 0.5, axis=2), "axis 2"),
        (lambda: hj.caputo(X, 0.5, weight=1.0), "no parameter weight"),
        (lambda: hj.caputo(X.astype(complex), 0.5), "complex128"),
        (lambda: hj.caputo(X, -0.5), "-0.5"),
        (lambda: hj.fgn(1, 10, 1.5), "hurst is 1.5"),
        (lambda: hj.fgn(1.0, 10, 0.5), "whole number"),
    ):
        with pytest.raises(InputError, match=message):
            call()


def test_mittag_leffler():
    z = jnp.asarray([-3.0, -0.7, 0.2, 1.5])
    np.testing.assert_allclose(hj.mittag_leffler(z, 1.0), jnp.exp(z), rtol=1e-13)
    f = lambda z, a, b: hj.mittag_leffler(z, a, b)  # noqa: E731
    (y, dy), (w, pull) = jax.jvp(f, (z, 0.7, 1.2), (jnp.ones(4), 0.3, -0.2)), jax.vjp(f, z, 0.7, 1.2)
    zbar, abar, bbar = pull(jnp.ones(4))
    np.testing.assert_allclose(dy.sum(), zbar.sum() + 0.3 * abar - 0.2 * bbar, rtol=1e-12)
    e = 1e-5
    for k, point in enumerate(((0.7, 1.2),)):
        a, b = point
        np.testing.assert_allclose(abar, (f(z, a + e, b) - f(z, a - e, b)).sum() / (2 * e), rtol=1e-7)
        np.testing.assert_allclose(bbar, (f(z, a, b + e) - f(z, a, b - e)).sum() / (2 * e), rtol=1e-7)
        np.testing.assert_allclose(zbar, (f(z + e, a, b) - f(z - e, a, b)) / (2 * e), rtol=1e-7)
    third = jax.grad(jax.grad(jax.grad(hj.mittag_leffler)))
    np.testing.assert_allclose(third(0.5, 1.0), math.exp(0.5), rtol=1e-10)
    orders = jnp.asarray([0.3, 0.6, 1.4])
    batched = jax.jit(jax.vmap(f, (None, 0, None)))(z, orders, 1.0)
    np.testing.assert_allclose(batched, jnp.stack([f(z, a, 1.0) for a in orders]), rtol=1e-14)
    matrix = RNG.normal(size=(5, 4))
    np.testing.assert_allclose(jax.vmap(f, (0, None, None))(matrix, 0.6, 1.0), f(matrix, 0.6, 1.0), rtol=1e-14)
    with pytest.raises(NotImplementedError, match="second and higher order"):
        jax.grad(jax.grad(lambda a: hj.mittag_leffler(-1.0, a)))(0.5)
    assert hj.mittag_leffler(z.astype(jnp.float32), 0.5).dtype == jnp.float32


def test_noise():
    noise = hj.fgn(7, 50, 0.7, paths=3, dt=0.01)
    assert noise.shape == (3, 50)
    own = noise_increments(7, [0.7], 50, 0.01, 3)
    np.testing.assert_allclose(noise, own[:, :, 0].T, rtol=1e-12)
    assert hj.fgn(7, 50, (0.3, 0.5), paths=3).shape == (3, 2, 50)
    seeds = jnp.arange(4)
    batched = jax.jit(jax.vmap(lambda seed: hj.fgn(seed, 20, 0.3)))(seeds)
    np.testing.assert_array_equal(batched, jnp.stack([hj.fgn(k, 20, 0.3) for k in range(4)]))
    # Increments are proportional to dt^H.
    by_dt = jax.jacfwd(lambda dt: hj.fgn(7, 50, 0.7, dt=dt))(0.01)
    np.testing.assert_allclose(by_dt, 0.7 / 0.01 * hj.fgn(7, 50, 0.7, dt=0.01), rtol=1e-12)
    path = hj.fbm(7, 50, 0.7, paths=3, dt=0.01)
    np.testing.assert_allclose(jnp.diff(path), noise, atol=1e-13)
    assert hj.fgn(1, 5, dtype="float32").dtype == jnp.float32

"""Operators on fields and functions of them against dense matrices and closed forms."""

import pickle
import signal
import threading
import time

import numpy as np
import pytest
from hpfracc import EquationError, InputError, SolverError, mittag_leffler, spatial
from scipy.linalg import expm, fractional_matrix_power

RNG = np.random.default_rng(3)


def operators():
    """An operator of each kind with 12 to 30 values."""
    plane = spatial.Box([(0, 1, 6), (0, 2, 5)], ["periodic", ("dirichlet", spatial.robin(0.5))])
    line = spatial.Box([(0, 1, 12)], ("dirichlet", "neumann"))
    graph = spatial.Graph([0, 1, 2, 3, 0, 4], [1, 2, 3, 4, 2, 5], [1.0, 2.0, 0.5, 1.0, 1.5, 1.0], nodes=7)
    laplacian = spatial.Laplacian(plane, [1.0, 0.5])
    return {
        "laplacian": laplacian,
        "fourth": spatial.Laplacian([(0, 1, 12)], boundary="neumann", points="fourth"),
        "legendre": spatial.Laplacian([(0, 1, 12)], boundary="dirichlet", points="legendre"),
        "diffusion": spatial.Diffusion(plane, np.exp(RNG.normal(size=(6, 5))), reaction=1.0),
        "advection": spatial.AdvectionDiffusion(line, 0.5, 1.0),
        "interval": spatial.IntegralLaplacian((-1, 1, 15), 1.3, boundary_correction=True),
        "domain": spatial.IntegralLaplacian([(-1, 1, 7), (-1, 1, 7)], 0.8, domain="x^2 + y^2 < 1"),
        "box": spatial.IntegralLaplacian([(-1, 1, 4), (-1, 1, 5)], 0.8),
        "riesz-feller": spatial.SkewedLaplacian((0, 1, 15), 1.5, theta=0.3),
        "one-sided": spatial.SkewedLaplacian((0, 1, 15), 1.5, weights=(1, 0)),
        "combinatorial": graph.laplacian(),
        "normalised": graph.laplacian("normalised"),
        "random-walk": graph.laplacian("random-walk"),
        "power": spatial.Power(laplacian, 0.7),
        "sum": graph.laplacian() + 0.3,
    }


OPERATORS = operators()
SELF_ADJOINT = [name for name, operator in OPERATORS.items() if operator.is_self_adjoint]


@pytest.mark.parametrize("name", OPERATORS)
def test_products_and_solves(name):
    operator = OPERATORS[name]
    matrix, n = operator.matrix(), operator.size
    u = RNG.normal(size=(2, 3, *operator.shape))
    flat = u.reshape(6, n)
    np.testing.assert_allclose((operator @ u).reshape(6, n), flat @ matrix.T, rtol=1e-9, atol=1e-9 * np.abs(matrix).max())
    np.testing.assert_allclose(
        operator.apply_transpose(u).reshape(6, n), flat @ matrix, rtol=1e-9, atol=1e-9 * np.abs(matrix).max()
    )
    for shift in (0.7, 2.0 + 3.0j):
        x = operator.solve(u, shift)
        assert x.dtype == (np.float64 if shift == 0.7 else np.complex128)
        exact = np.linalg.solve(matrix + shift * np.eye(n), flat.T).T
        np.testing.assert_allclose(x.reshape(6, n), exact, atol=1e-8)
    x = operator.solve(u + 1j * u, 0.7)
    np.testing.assert_allclose(x, (1 + 1j) * operator.solve(u, 0.7), rtol=1e-12)
    low, high = operator.bounds
    values = np.linalg.eigvals(matrix)
    assert np.abs(values).max() <= high * (1 + 1e-10)
    assert np.sum(np.abs(values) < 1e-10 * high) == operator.nullity
    assert low <= values.real[np.abs(values) > 1e-10 * high].min() * (1 + 1e-9)
    assert operator.shape == operator.apply(np.zeros(operator.shape)).shape
    assert name in ("power", "sum") or type(operator).__name__ in repr(operator)


def dense(operator, f):
    """Function of the matrix by its eigenvectors."""
    values, vectors = np.linalg.eig(operator.matrix())
    values = np.where(np.abs(values) < 1e-12 * np.abs(values).max(), 0.0, values.real)
    return np.real(vectors @ np.diag(f(values)) @ np.linalg.inv(vectors))


@pytest.mark.parametrize("name", SELF_ADJOINT)
def test_functions(name):
    operator = OPERATORS[name]
    u, n = RNG.normal(size=(2, *operator.shape)), operator.size
    flat = u.reshape(2, n)
    cases = [
        (operator.power(0.4), lambda x: x**0.4),
        (operator.power(2), lambda x: x**2),
        (operator.exponential(0.05), lambda x: np.exp(-0.05 * x)),
        (operator.mittag_leffler(0.7, 0.1), lambda x: mittag_leffler(-x * 0.1**0.7, 0.7)),
    ]
    for function, f in cases:
        matrix = dense(operator, f)
        size = np.abs(matrix).max()
        np.testing.assert_allclose(function(u).reshape(2, n), flat @ matrix.T, atol=1e-7 * size)
        np.testing.assert_allclose(function.apply_transpose(u).reshape(2, n), flat @ matrix, atol=1e-6 * size)
        assert function.shape == operator.shape and f"of {n} values" in function.explain()
        assert function.way in ("modes", "dense") and function.error_bound < 1e-9 and repr(function)
    # Negative powers.
    v = operator.remove_null_space(u) if operator.nullity else u
    inverse = operator.power(-0.5)
    np.testing.assert_allclose(operator.power(0.5)(inverse(v)), v, atol=1e-8)
    # By the exponent.
    change = (operator.power(0.4 + 1e-6)(u) - operator.power(0.4 - 1e-6)(u)) / 2e-6
    np.testing.assert_allclose(operator.power(0.4).exponent_derivative(u), change, atol=1e-4 * np.abs(change).max())


def test_matrices_of_scipy():
    laplacian = OPERATORS["combinatorial"] + 1.0
    matrix, u = laplacian.matrix(), RNG.normal(size=7)
    np.testing.assert_allclose(laplacian.exponential(0.3)(u), expm(-0.3 * matrix) @ u, rtol=1e-12)
    np.testing.assert_allclose(laplacian.power(-0.3)(u), fractional_matrix_power(matrix, -0.3) @ u, rtol=1e-11)


@pytest.mark.parametrize("way", ["auto", "dense", "chebyshev", "lanczos", "rational", "sinc"])
def test_ways_of_powers(way):
    operator, u = OPERATORS["diffusion"], RNG.normal(size=(6, 5))
    function = operator.power(-0.5, way=way, tolerance=1e-9)
    np.testing.assert_allclose(function(u).ravel(), dense(operator, lambda x: x**-0.5) @ u.ravel(), atol=1e-8)
    assert way == "auto" or function.way == way


def test_ways_of_large_operators():
    graph = spatial.Graph.small_world(3000, 3, 0.1, seed=1)
    laplacian, u = graph.laplacian(), RNG.normal(size=3000)
    half = laplacian.power(0.5, tolerance=1e-10)
    assert half.way == "lanczos"
    np.testing.assert_allclose(half(half(u)), laplacian @ u, atol=1e-6)
    relaxed = laplacian.mittag_leffler(0.6, 0.5, way="contour", tolerance=1e-8)(u)
    np.testing.assert_allclose(relaxed, laplacian.relaxation(u, 0.6, [0.5])[0], atol=1e-5)


@pytest.mark.parametrize("alpha", [0.6, 1.0, 1.4])
def test_relaxation_at_many_times(alpha):
    times = [0.0, 0.01, 0.3, 5.0]
    for name in ("laplacian", "diffusion", "random-walk", "power"):
        operator = OPERATORS[name]
        u = RNG.normal(size=operator.shape)
        found = operator.relaxation(u, alpha, times)
        assert found.shape == (4, *operator.shape)
        for t, field in zip(times, found):
            exact = dense(operator, lambda x, t=t: mittag_leffler(-x * t**alpha, alpha)) @ u.ravel()
            np.testing.assert_allclose(field.ravel(), exact, atol=1e-6)


def test_eigenvalues_and_weights():
    for name in ("laplacian", "legendre", "power"):
        operator = OPERATORS[name]
        expected = np.sort(np.linalg.eigvals(operator.matrix()).real)
        np.testing.assert_allclose(np.sort(operator.eigenvalues().ravel()), expected, atol=1e-8 * expected[-1])
    with pytest.raises(InputError, match="no fast transform"):
        OPERATORS["domain"].eigenvalues()
    walk = OPERATORS["random-walk"]
    balanced = walk.weights[:, None] * walk.matrix()
    np.testing.assert_allclose(balanced, balanced.T, atol=1e-12)
    assert OPERATORS["laplacian"].weights is None


def test_accuracy_of_points():
    for points, n, tolerance in (("cells", 64, 1e-2), ("fourth", 64, 1e-4), ("legendre", 20, 1e-9)):
        laplacian = spatial.Laplacian([(0, 1, n)], boundary="dirichlet", points=points)
        x = laplacian.box.axes[0]
        error = laplacian @ np.sin(np.pi * x) - np.pi**2 * np.sin(np.pi * x)
        assert np.abs(error).max() < tolerance
        assert abs(float(laplacian.box.integral(np.sin(np.pi * x))) - 2 / np.pi) < 1e-3


def test_boundary_values():
    box = spatial.Box([(0, 1, 20), (0, 2, 30)], [("dirichlet", "neumann"), ("dirichlet", "dirichlet")])
    x, y = box.mesh()
    exact = x + 2 * y  # harmonic
    for operator in (spatial.Laplacian(box), spatial.Diffusion(box, np.ones(box.shape))):
        b = operator.boundary_part("x", "lower", 2 * box.axes[1]) + operator.boundary_part("x", "upper", 1)
        b += operator.boundary_part("y", "lower", box.axes[0]) + operator.boundary_part(1, "upper", box.axes[0] + 4)
        np.testing.assert_allclose(operator.solve(b), exact, atol=1e-9)
    stream = OPERATORS["advection"]
    part = stream.boundary_part("x", "lower", 1.0)
    assert part.shape == (12,) and part[0] > 0
    with pytest.raises(InputError, match="axis is 'z', expected one of x, y"):
        operator.boundary_part("z", "lower", 1)
    with pytest.raises(InputError, match="end is 'left', expected"):
        operator.boundary_part("x", "left", 1)
    with pytest.raises(InputError, match=r"values has the shape \(3,\), expected a number or the shape \(30,\)"):
        operator.boundary_part("x", "lower", np.ones(3))
    with pytest.raises(InputError, match="a power or a sum has no boundary values"):
        (spatial.Laplacian(box) + 1.0)._core.boundary_part(0, False, 1.0)
    with pytest.raises(InputError, match="periodic"):
        spatial.Laplacian((0, 1, 5), boundary="periodic").boundary_part("x", "lower", 1)
    with pytest.raises(InputError, match=r"boundary of x has the value 2: .* boundary_part"):
        spatial.Laplacian((0, 1, 5), boundary=spatial.dirichlet(2))


def test_layers():
    # A slab of two media between 0 and 1 with a flux that is constant.
    box = spatial.Box((0, 1, 40), "dirichlet")
    kappa = np.where(box.axes[0] < 0.5, 1.0, 4.0)
    slab = spatial.Diffusion(box, kappa)
    u = slab.solve(slab.boundary_part("x", "upper", 1.0))
    flux = 1 / (0.5 / 1.0 + 0.5 / 4.0)
    np.testing.assert_allclose(u[:20], flux * box.axes[0][:20], rtol=1e-10)
    faces = spatial.Diffusion(box, [np.ones(41)])
    np.testing.assert_allclose(faces.matrix(), spatial.Laplacian(box).matrix(), atol=1e-9)
    with pytest.raises(InputError, match=r"kappa on the faces across x has the shape \(3,\), expected \(41,\)"):
        spatial.Diffusion(box, [np.ones(3)])
    with pytest.raises(InputError, match="kappa is -1 at index 2"):
        spatial.Diffusion(box, np.where(np.arange(40) == 2, -1.0, 1.0))
    with pytest.raises(InputError, match="reaction is -1"):
        spatial.Diffusion(box, 1.0, reaction=-1)


def test_streams():
    box = spatial.Box((0, 1, 300), "dirichlet")
    stream = spatial.AdvectionDiffusion(box, 0.1, 1.0)
    u = stream.solve(stream.boundary_part("x", "upper", 1.0))
    np.testing.assert_allclose(u, np.expm1(10 * box.axes[0]) / np.expm1(10), atol=1e-3)
    assert not stream.is_self_adjoint
    with pytest.raises(InputError, match="not self-adjoint: .*use the method `solve` of the operator"):
        stream.power(0.5)
    with pytest.raises(InputError, match="scheme is \"upward\""):
        spatial.AdvectionDiffusion(box, 0.1, 1.0, scheme="upward")
    with pytest.raises(InputError, match="has 2 axes|axis"):
        spatial.AdvectionDiffusion(spatial.Box([(0, 1, 4)] * 2), 1.0, np.ones(5))


def test_integral_laplacians():
    interval = OPERATORS["interval"]
    x = interval.nodes[:, 0]
    from scipy.special import gamma

    np.testing.assert_allclose(interval.solve(np.full(15, gamma(2.3))), (1 - x**2) ** 0.65, atol=1e-9)
    domain = OPERATORS["domain"]
    assert domain.nodes.shape == (domain.size, 2) and (np.sum(domain.nodes**2, axis=1) < 1).all()
    on_box = domain.on_box(np.ones(domain.size), outside=0.0)
    assert on_box.shape == (7, 7) and on_box.sum() == domain.size
    ball = spatial.IntegralLaplacian([(-1, 1, 15)] * 2, 1.0, domain="x^2 + y^2 < 0.999", ball=((0, 0), 1))
    exact = 2 / np.pi * np.sqrt(1 - np.sum(ball.nodes**2, axis=1))
    np.testing.assert_allclose(ball.solve(np.ones(ball.size)), exact, atol=1e-5)
    for kind, change in ((lambda a: spatial.IntegralLaplacian((-1, 1, 9), a), 1e-5),
                         (lambda a: spatial.SkewedLaplacian((-1, 1, 9), a, theta=0.2), 1e-5)):
        u = RNG.normal(size=(2, 9))
        slope = (kind(1.2 + change) @ u - kind(1.2 - change) @ u) / (2 * change)
        np.testing.assert_allclose(kind(1.2).order_derivative(u), slope, rtol=1e-5, atol=1e-5)


def test_definitions_of_the_fractional_laplacian():
    spectral = spatial.fractional_laplacian([(-1, 1, 201)], 0.5, "spectral", boundary="dirichlet")
    integral = spatial.fractional_laplacian([(-1, 1, 201)], 0.5, "integral")
    assert abs(spectral.solve(np.ones(201))[100] - 0.7425) < 1e-3
    assert abs(integral.solve(np.ones(201))[100] - 1) < 1e-2
    periodic = spatial.fractional_laplacian([(0, 2 * np.pi, 64)], 0.5, "periodic")
    x = periodic.box.axes[0]
    np.testing.assert_allclose(periodic @ np.cos(3 * x), 3 * np.cos(3 * x), atol=0.02)
    same = spatial.fractional_laplacian(periodic.box, 0.5, "periodic")
    np.testing.assert_array_equal(same @ x, periodic @ x)
    for arguments, match in (
        (([(0, 1, 9)], 0.5, "both"), "definition is 'both'"),
        (([(0, 1, 9)], 1.5, "integral"), "s is 1.5, expected above 0 and below 1"),
        (([(0, 1, 9)], 0.0, "periodic"), "exponent s of an operator is 0"),
        ((spatial.Box((0, 1, 9), "neumann"), 0.5, "periodic"), "expected periodic boundaries"),
        ((spatial.Box((0, 1, 9), "neumann"), 0.5, "integral"), "box is a Box"),
    ):
        with pytest.raises(InputError, match=match):
            spatial.fractional_laplacian(*arguments)
    with pytest.raises(InputError, match="boundary and definition='integral'"):
        spatial.fractional_laplacian([(0, 1, 9)], 0.5, "integral", boundary="neumann")


def test_graphs():
    start, end, weight = [0, 1, 2, 1, 3], [1, 2, 0, 0, 3], [1.0, 2.0, 0.5, 1.0, 5.0]
    graph = spatial.Graph(start, end, weight, nodes=6)
    assert graph.nodes == 6 and not graph.directed
    assert graph.report == {"duplicates": 1, "loops": 1, "zero_weights": 0, "isolated": 3}
    edges = graph.edges
    assert [edges[0].tolist(), edges[1].tolist(), edges[2].tolist()] == [[0, 0, 1], [1, 2, 2], [2.0, 0.5, 2.0]]
    assert graph.degrees.tolist() == [2.5, 4.0, 2.5, 5.0, 0.0, 0.0]
    assert graph.components[1] == 4 and graph.components[0].tolist() == [0, 0, 0, 1, 2, 3]
    weights = np.zeros((6, 6))
    for i, j, w in zip(*edges):
        weights[i, j] = weights[j, i] = w
    laplacian = graph.laplacian()
    np.testing.assert_allclose(laplacian.matrix(), np.diag(weights.sum(1)) - weights, atol=1e-14)
    assert laplacian.nullity == 4
    assert repr(graph) == "Graph(6 nodes, 3 edges)"
    for other, nodes in (
        (spatial.Graph.path(4), 4), (spatial.Graph.ring(5), 5), (spatial.Graph.torus([3, 4]), 12),
        (spatial.Graph.preferential_attachment(50, 2, seed=1), 50), (spatial.Graph.small_world(40, 2, 0.2, seed=1), 40),
    ):
        assert other.nodes == nodes and other.components[1] == 1


def test_eigenvalues_of_a_ring():
    values = np.linalg.eigvalsh(spatial.Graph.ring(9).laplacian().matrix())
    exact = np.sort(2 - 2 * np.cos(2 * np.pi * np.arange(9) / 9))
    np.testing.assert_allclose(values, exact, atol=1e-12)


def test_columns_of_graphs():
    laplacian = OPERATORS["combinatorial"]
    x = RNG.normal(size=(7, 20))
    np.testing.assert_allclose(laplacian.apply_columns(x), laplacian.matrix() @ x, atol=1e-12)
    single = laplacian.apply_columns(x.astype(np.float32))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, laplacian.matrix() @ x, atol=1e-4)
    np.testing.assert_allclose(laplacian.apply_columns(x[:, ::2]), laplacian.matrix() @ x[:, ::2], atol=1e-12)
    with pytest.raises(InputError, match=r"x has the shape \(3, 2\), expected \(7, columns\)"):
        laplacian.apply_columns(np.ones((3, 2)))


def test_walks():
    laplacian = spatial.Graph.ring(8).laplacian()
    power = fractional_matrix_power(laplacian.matrix(), 0.5).real
    expected = -power[2] / power[2, 2]
    expected[2] = 0
    np.testing.assert_allclose(laplacian.walk(0.5, 2), expected, atol=1e-7)
    np.testing.assert_allclose(laplacian.walk(0.5, 2).sum(), 1, rtol=1e-9)
    with pytest.raises(InputError, match="gamma"):
        laplacian.walk(1.5, 0)
    with pytest.raises(InputError, match="node"):
        laplacian.walk(0.5, 8)


def test_gradients_by_the_weights_of_edges():
    start, end, weight = [0, 1, 2, 0], [1, 2, 3, 3], np.array([1.0, 2.0, 0.5, 1.5])
    x, bar = RNG.normal(size=(2, 4))

    def function(weight):
        return spatial.Graph(start, end, weight).laplacian().exponential(0.4)

    laplacian = spatial.Graph(start, end, weight).laplacian()
    gradient = laplacian.weight_gradient(laplacian.exponential(0.4), x, bar, tolerance=1e-12)
    order = {pair: k for k, pair in enumerate(zip(*(each.tolist() for each in laplacian.graph.edges[:2])))}
    for k, (i, j) in enumerate(zip(start, end)):
        step = 1e-6 * (np.arange(4) == k)
        slope = bar @ (function(weight + step)(x) - function(weight - step)(x)) / 2e-6
        assert abs(gradient[order[i, j]] - slope) < 1e-8
    with pytest.raises(InputError, match="function is one of another operator"):
        laplacian.weight_gradient(function(weight), x, bar)


def test_matern_fields():
    laplacian = spatial.Laplacian([(0, 1, 32), (0, 1, 32)], boundary="periodic")
    noise = np.random.default_rng(7).normal(size=(400, 32, 32))
    fields = spatial.matern_field(laplacian, 2.0, 8.0, noise)
    # The variance at a point: the mean of (kappa^2 + lambda)^-nu over the volume.
    exact = np.sum((64 + laplacian.eigenvalues()) ** -2.0)
    assert abs(fields.var() / exact - 1) < 0.1
    graph = OPERATORS["combinatorial"]
    w = RNG.normal(size=7)
    np.testing.assert_allclose(
        spatial.matern_field(graph, 3.0, 0.5, w), dense(graph, lambda x: (0.25 + x) ** -1.5) @ w, rtol=1e-8
    )
    with pytest.raises(InputError, match="nu is -1.0, expected a positive number"):
        graph.matern(-1, 1)
    with pytest.raises(InputError, match="constant added to an operator is 0"):
        graph.matern(1, 0)


def test_errors_name_value_and_place():
    graph = OPERATORS["combinatorial"]
    cases = [
        (lambda: graph.apply(np.ones(3)), r"u has the shape \(3,\), expected \(7,\) or \(\.\.\., 7\)"),
        (lambda: graph.apply(np.ones(7) + 0j), "u has the type complex128"),
        (lambda: graph.power(0.5)(np.full(7, np.inf)), "x is inf at index 0"),
        (lambda: graph.solve(np.full(7, np.nan), 1.0), "b is NaN at index 0"),
        (lambda: graph.solve(np.ones(7), "1"), "shift is '1', expected a number"),
        (lambda: graph.solve(np.ones(7), float("nan")), "shift is nan, expected a finite number"),
        (lambda: graph.solve(np.ones(7)), "shift z of a singular operator is 0"),
        (lambda: graph.power(-0.5)(np.ones(7)), "negative power of a singular operator"),
        (lambda: graph.power(0.5, way="denze"), r"way is \"denze\" \(did you mean \"dense\"\?\)"),
        (lambda: graph.power(0.5, way="modes"), "the operator has none; use way=\"auto\""),
        (lambda: graph.power(0.5, tolerance=2), "tolerance is 2"),
        (lambda: graph.exponential(-1), "time t is -1, expected finite, at least 0"),
        (lambda: graph.mittag_leffler(2.5, 1), "2.5"),
        (lambda: graph.relaxation(np.ones((2, 7)), 0.5, [1]), "u has 2 fields, expected one"),
        (lambda: graph.relaxation(np.ones(7), 0.5, [-1]), "a time is -1"),
        (lambda: (graph + 1.0).relaxation(np.ones(7), 0.5, [1]), "sum A"),
        (lambda: graph + -1.0, "constant added to an operator is -1"),
        (lambda: spatial.Power(graph, -1), "exponent s of an operator is -1"),
        (lambda: spatial.Power("graph", 1), "operator is str"),
        (lambda: spatial.matern_field(3, 1, 1, 1), "operator is int"),
        (lambda: spatial.Laplacian([(0, 1, 9)], [1, 2], boundary="neumann"), r"kappa has the shape \(2,\)"),
        (lambda: spatial.Laplacian([(0, 1, 9)], -1, boundary="neumann"), "-1"),
        (lambda: spatial.Laplacian([(0, 1, 9)]), "boundary is missing"),
        (lambda: spatial.Laplacian(spatial.Box([(0, 1, 9)]), boundary="neumann"), "boundary and a Box"),
        (lambda: spatial.IntegralLaplacian((-1, 1, 9), 2.5), "2.5"),
        (lambda: spatial.IntegralLaplacian((-1, 1, 9), 1.5, domain="x > 5"), "is 0, expected"),
        (lambda: spatial.IntegralLaplacian([(-1, 1, 9)] * 2, 1.5, boundary_correction=True), "boundary_correction is for whole"),
        (lambda: spatial.SkewedLaplacian((0, 1, 9), 1.5), "give theta, the skewness, or weights"),
        (lambda: spatial.SkewedLaplacian((0, 1, 9), 1.5, theta=0.9), "0.9"),
        (lambda: spatial.SkewedLaplacian([(0, 1, 9)] * 2, 1.5, theta=0), "axis has 2 axes"),
        (lambda: spatial.Graph([0, 1], [1]), "start has 2 nodes and end 1"),
        (lambda: spatial.Graph([0, -1], [1, 1]), "start has the node -1 at edge 1"),
        (lambda: spatial.Graph([0.5], [1]), "start is an array of float64"),
        (lambda: spatial.Graph([0], [5], nodes=3), r"edge 0 is \(0, 5\), expected nodes below 3"),
        (lambda: spatial.Graph([0], [1], [-2.0]), "weight -2"),
        (lambda: spatial.Graph([0], [1], [1.0, 2.0]), r"weight has the shape \(2,\)"),
        (lambda: spatial.Graph([], []), "nodes"),
        (lambda: spatial.Graph([0], [1], directed=True).laplacian(), "undirected graph"),
        (lambda: spatial.Graph([0], [1]).laplacian("symmetric"), "normalisation is \"symmetric\", expected"),
    ]
    for call, match in cases:
        with pytest.raises(InputError, match=match):
            call()
    with pytest.raises(EquationError, match="domain: unknown name `q`"):
        spatial.IntegralLaplacian((-1, 1, 9), 1.5, domain="q < 1")
    with pytest.raises(SolverError, match="tolerance"):
        graph.power(0.5, way="chebyshev", tolerance=1e-15)


def test_boxes():
    box = spatial.Box([(0, 1, 4), (0, 2, 8)], ["periodic", ("dirichlet", spatial.robin(0.5))], "cells")
    assert box.shape == (4, 8) and box.names == ("x", "y") and box.ndim == 2
    assert pickle.loads(pickle.dumps(box)) == box and box != spatial.Box((0, 1, 4))
    assert abs(box.weights.sum() - 2) < 1e-14 and box.integral(np.ones((3, 4, 8))).tolist() == [2, 2, 2]
    assert "neumann('t')" in repr(spatial.Box((0, 1, 4), ("neumann", spatial.neumann("t"))))
    with pytest.raises(InputError, match=r"u has the shape \(2,\), expected \(4, 8\)"):
        box.integral(np.ones(2))


def test_ctrl_c():
    laplacian = spatial.Graph.torus([300, 300]).laplacian()
    u = RNG.normal(size=(20, 90_000))
    threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        while time.monotonic() - begin < 60:
            laplacian.power(0.5, tolerance=1e-6)(u)
    assert time.monotonic() - begin < 5

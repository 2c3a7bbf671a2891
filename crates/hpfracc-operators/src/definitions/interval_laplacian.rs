use crate::definitions::entry::Range;
use crate::error::demand;
use crate::schemes::gauss::Orthonormal;
use crate::{Bound, Dual, Result, Weights};
use hpfracc_backend::Backend;
use hpfracc_special::{digamma, gamma};
use hpfracc_types::{Order, Real};
use ndarray::{Array1, Array2, Axis};
use std::sync::Arc;

/// The integral (restricted) fractional Laplacian on an interval, of functions that are zero
/// outside, by their expansion in Gegenbauer polynomials.
///
#[doc = formula!("interval_laplacian", r"(-\Delta)^s f(x) = C \, \mathrm{p.v.} \! \int_{-\infty}^\infty \frac{f(x) - f(y)}{|x-y|^{1+2s}} \, dy, \quad s = \alpha/2, \quad f = 0 \text{ outside } (a, b)
    (-\Delta)^s [(1-x^2)^s G_k(x)] = \frac{\Gamma(2s+k+1)}{k!} G_k(x) \quad \text{on } (-1, 1), \quad G_k = C_k^{(s+1/2)}")]
///
/// Solutions of `(-Lap)^s u = f` with smooth f are (1-x^2)^s times a smooth function, on which
/// every scheme on a uniform grid loses its order at the ends. Here both sides are exact: samples
/// of u and of the result lie at the n Gauss-Gegenbauer nodes ([`nodes`](Self::nodes), inside the
/// interval and in increasing order), and the map is exact for u = (1-x^2)^s times any polynomial
/// of degree below n. Spectral accuracy for smooth u/(1-x^2)^s; rounding near the ends grows as
/// 1e-16 n^(2 alpha), as that of every derivative by polynomials does, and does not in
/// [`poisson_on`](Self::poisson_on).
///
/// It is **not** [`SpectralLaplacian`](crate::SpectralLaplacian), the power of -d2/dx2 with a
/// boundary condition, except at alpha = 2.
///
/// 0 < alpha <= 2. A dense matrix: n up to some hundreds; n^3 operations to make one, n^2 to apply
/// it. Not in the catalogue, whose operators take samples at equal steps. The gradient with respect
/// to the order ([`Bound::vjp_order`]) holds the nodes fixed.
///
/// Sources: Acosta, Borthagaray, Bruno and Maas, Math. Comp. 87 (2018) 1821, DOI 10.1090/mcom/3276;
/// Dyda, Kuznetsov and Kwasnicki, Constr. Approx. 45 (2017) 427, DOI 10.1007/s00365-016-9336-4.
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_operators::IntervalLaplacian;
/// use hpfracc_types::Order;
/// use ndarray::Array1;
///
/// // The mean time in which a Cauchy process leaves (-1, 1): (-Lap)^(1/2) u = 1, u = sqrt(1-x^2).
/// let laplacian = IntervalLaplacian::new(16, (-1.0, 1.0), Order::new(1.0)?)?;
/// let u = laplacian.poisson_on(&Reference)?.apply(Array1::<f64>::ones(16).view())?;
/// for (x, u) in laplacian.nodes().iter().zip(&u) {
///     assert!((u - (1.0 - x * x).sqrt()).abs() < 1e-14);
/// }
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct IntervalLaplacian {
    order: Order,
    half_length: f64,
    nodes: Array1<f64>,
    /// On (-1, 1).
    reference: Vec<f64>,
    weights: Vec<f64>,
}

/// Which of the two maps.
#[derive(Clone, Copy, PartialEq)]
enum Direction {
    /// u to (-Lap)^s u.
    Laplacian,
    /// (-Lap)^s u to u.
    Poisson,
}

impl IntervalLaplacian {
    /// With n nodes on the interval (a, b).
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha <= 2,
    /// [`OperatorError::Parameter`](crate::OperatorError::Parameter) unless n >= 1 and a < b are
    /// finite.
    pub fn new(n: usize, (a, b): (f64, f64), order: Order) -> Result<Self> {
        let alpha = order.value();
        let name = ("interval-laplacian", "gegenbauer");
        Range::TO_TWO.check(name, order)?;
        let length = b - a;
        let demands = [
            ("the number of nodes", n as f64, n >= 1, "at least 1"),
            ("the length of the interval", length, length > 0.0 && length.is_finite(), "positive"),
        ];
        demands.into_iter().try_for_each(demand)?;
        let (reference, weights): (Vec<f64>, Vec<f64>) =
            Orthonormal::new(0.5 * alpha).quadrature(n).into_iter().unzip();
        let (half_length, middle) = (0.5 * length, a + 0.5 * length);
        let nodes = reference.iter().map(|x| middle + half_length * x).collect();
        Ok(Self { order, half_length, nodes, reference, weights })
    }

    /// The order alpha.
    pub fn order(&self) -> Order {
        self.order
    }

    /// Where samples lie, from a to b.
    pub fn nodes(&self) -> &Array1<f64> {
        &self.nodes
    }

    /// `u -> (-Lap)^(alpha/2) u` at the nodes.
    ///
    /// # Errors
    /// [`OperatorError::Backend`](crate::OperatorError::Backend) if the backend cannot plan an n by
    /// n matrix.
    pub fn on<T, B>(&self, backend: &B) -> Result<Bound<T>>
    where
        T: Real,
        B: Backend<T> + Clone + 'static,
    {
        self.bound(Direction::Laplacian, backend)
    }

    /// `f -> u` at the nodes: the solution of `(-Lap)^(alpha/2) u = f` on (a, b), u = 0 outside.
    ///
    /// # Errors
    /// As [`Self::on`].
    pub fn poisson_on<T, B>(&self, backend: &B) -> Result<Bound<T>>
    where
        T: Real,
        B: Backend<T> + Clone + 'static,
    {
        self.bound(Direction::Poisson, backend)
    }

    fn bound<T, B>(&self, direction: Direction, backend: &B) -> Result<Bound<T>>
    where
        T: Real,
        B: Backend<T> + Clone + 'static,
    {
        let matrix = Weights::Matrix(self.matrix(direction).0);
        let own = self.clone();
        let derivative = move || Ok(Weights::Matrix(own.derivative(direction)));
        Bound::new(matrix, Box::new(derivative), Arc::new(backend.clone()))
    }

    /// The matrix with its factors: `V`, polynomials by node and degree, and the eigenvalues.
    fn matrix(&self, direction: Direction) -> (Array2<f64>, Array2<f64>, Array1<f64>) {
        let (n, alpha) = (self.nodes.len(), self.order.value());
        let polynomials = Orthonormal::new(0.5 * alpha);
        let v = by_node(&self.reference, |x| polynomials.values(x, n));
        let scale = self.half_length.powf(-alpha) * gamma(alpha + 1.0);
        let mut eigenvalue = scale;
        let eigenvalues: Array1<f64> = (0..n)
            .map(|k| {
                if k > 0 {
                    eigenvalue *= (alpha + k as f64) / k as f64;
                }
                eigenvalue
            })
            .collect();
        let (inverse, edges) = (self.inverse(&v), self.edges());
        let matrix = match direction {
            Direction::Laplacian => (&v * &eigenvalues).dot(&inverse) * &edges.recip(),
            Direction::Poisson => {
                (&v * &eigenvalues.recip()).dot(&inverse) * &edges.insert_axis(Axis(1))
            }
        };
        (matrix, v, eigenvalues)
    }

    /// The inverse of V: V' W, with one step of Newton's method, since nodes and weights near the
    /// ends are rounded to n^2 1e-16.
    fn inverse(&self, v: &Array2<f64>) -> Array2<f64> {
        let mut inverse = v.t().to_owned();
        for (mut column, w) in inverse.axis_iter_mut(Axis(1)).zip(&self.weights) {
            column *= *w;
        }
        2.0 * &inverse - inverse.dot(&v.dot(&inverse))
    }

    /// (1-x^2)^s by node.
    fn edges(&self) -> Array1<f64> {
        self.edge_bases().powf(0.5 * self.order.value())
    }

    fn edge_bases(&self) -> Array1<f64> {
        self.reference.iter().map(|x| (1.0 - x) * (1.0 + x)).collect()
    }

    /// In alpha, at these nodes. With A = V D V^-1 S^-1 and E = V' V^-1 (a prime for d/dalpha),
    ///
    /// ```text
    /// A' = E A - V D V^-1 E S^-1 + V D' V^-1 S^-1 - A (ln S)'
    /// ```
    ///
    /// and the inverse has -A^-1 A' A^-1.
    fn derivative(&self, direction: Direction) -> Array2<f64> {
        let (n, alpha) = (self.nodes.len(), self.order.value());
        let (a, v, eigenvalues) = self.matrix(Direction::Laplacian);
        let inverse = self.inverse(&v);
        let polynomials = Orthonormal::new(Dual { value: 0.5 * alpha, derivative: 0.5 });
        let v_derivative = by_node(&self.reference, |x| {
            polynomials.values(x, n).into_iter().map(|p| p.derivative).collect()
        });
        let e = v_derivative.dot(&inverse);
        let slope = |k: usize| digamma(alpha + k as f64 + 1.0) - self.half_length.ln();
        let slopes: Array1<f64> = (0..n).map(|k| eigenvalues[k] * slope(k)).collect();
        let edges = self.edges();
        let mut change = ((&v * &slopes).dot(&inverse) - (&a * &edges).dot(&e)) / &edges;
        change += &e.dot(&a);
        change -= &(&a * &(0.5 * self.edge_bases().ln()));
        match direction {
            Direction::Laplacian => change,
            Direction::Poisson => {
                let (inverse, _, _) = self.matrix(Direction::Poisson);
                -inverse.dot(&change).dot(&inverse)
            }
        }
    }
}

fn by_node(nodes: &[f64], row: impl Fn(f64) -> Vec<f64>) -> Array2<f64> {
    let n = nodes.len();
    let mut matrix = Array2::zeros((n, n));
    for (mut target, x) in matrix.rows_mut().into_iter().zip(nodes) {
        target.assign(&Array1::from(row(*x)));
    }
    matrix
}

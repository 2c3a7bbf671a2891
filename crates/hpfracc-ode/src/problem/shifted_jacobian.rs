use hpfracc_special::Complex64;

/// Jacobian `J = f_y(t, y)` of a right-hand side that is no dense matrix: it solves the linear
/// systems of implicit steps itself, for thousands or millions of components.
///
/// [`System::shifted_jacobian`](crate::System::shifted_jacobian) makes one for a solve, which calls
/// [`linearise`](Self::linearise) at few states, and [`shift`](Self::shift) as the steps change.
/// Solves need not be exact: Newton's iteration converges by the factor of their error.
///
/// ```
/// use hpfracc_ode::{Options, Problem, ProductTrapezoid, ShiftedJacobian, Steps, System, solve};
///
/// /// dy_i/dt = -(i + 1) y_i.
/// struct Decays;
///
/// impl System for Decays {
///     fn rhs(&self, _: f64, y: &[f64], dydt: &mut [f64]) {
///         for (i, (dydt, y)) in dydt.iter_mut().zip(y).enumerate() {
///             *dydt = -(i as f64 + 1.0) * y;
///         }
///     }
///
///     fn shifted_jacobian(&self) -> Option<Box<dyn ShiftedJacobian + '_>> {
///         Some(Box::new(Diagonal { shift: Vec::new() }))
///     }
/// }
///
/// struct Diagonal {
///     shift: Vec<f64>,
/// }
///
/// impl ShiftedJacobian for Diagonal {
///     fn linearise(&mut self, _: f64, _: &[f64]) {}
///
///     fn shift(&mut self, c: &[f64]) -> bool {
///         self.shift = c.to_vec();
///         true
///     }
///
///     fn solve(&mut self, x: &mut [f64]) -> bool {
///         for (i, (x, c)) in x.iter_mut().zip(&self.shift).enumerate() {
///             *x /= 1.0 + c * (i as f64 + 1.0);
///         }
///         true
///     }
///
///     fn solve_transposed(&mut self, x: &mut [f64]) -> bool {
///         self.solve(x)
///     }
/// }
///
/// // E_1/2(-1000) is 5.6e-4: a stiff component.
/// let problem = Problem::of(Decays, &[0.5], (0.0, 1.0), &[&[1.0; 1000]])?;
/// let steps = Steps::Graded { n: 200, exponent: 4.0 };
/// let solution = solve(&problem, &ProductTrapezoid, &steps, Options::default())?;
/// assert!((solution.last()[999] - 5.641_893_013e-4).abs() < 1e-7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ShiftedJacobian {
    /// Takes J at this time and state.
    fn linearise(&mut self, t: f64, y: &[f64]);

    /// Prepares solves with `I - diag(c) J`, c a number for each component. Returns false if that
    /// is singular.
    fn shift(&mut self, c: &[f64]) -> bool;

    /// Overwrites r with the solution x of `(I - diag(c) J) x = r`. Returns false if there is none.
    fn solve(&mut self, x: &mut [f64]) -> bool;

    /// Overwrites r with the solution x of the transposed equation, `(I - J' diag(c)) x = r`: the
    /// step of an adjoint. Returns false if there is none.
    fn solve_transposed(&mut self, x: &mut [f64]) -> bool;

    /// Whether f is affine in y with this J, and solves are direct: the first correction of Newton's
    /// iteration is the last. Default: false.
    fn is_affine(&self) -> bool {
        false
    }

    /// Dissipativity of J in the max norm: minus its logarithmic norm
    /// `max_i (J_ii + sum_j |J_ij|)`, at least 0, which lets adaptive steps of stiff equations grow.
    /// Default: 0, the same as unknown.
    fn dissipativity(&self) -> f64 {
        0.0
    }

    /// Solver for complex shifts, with which schemes solve coupled states: multistep methods with
    /// starting weights, and [`Collocation`](crate::Collocation), if all components have one order.
    /// Default: None; they then factor dense matrices.
    fn complex(&mut self) -> Option<&mut dyn ComplexShifts> {
        None
    }
}

/// Solves with `I - c J` for complex numbers c, the same for all components, at the last
/// [`linearise`](ShiftedJacobian::linearise). See [`ShiftedJacobian::complex`].
pub trait ComplexShifts {
    /// Overwrites r with the solution x of `(I - c J) x = r`. Returns false if there is none.
    fn solve(&mut self, c: Complex64, x: &mut [Complex64]) -> bool;

    /// Overwrites r with the solution x of `(I - c J') x = r`, with the transposed J. Returns false
    /// if there is none.
    fn solve_transposed(&mut self, c: Complex64, x: &mut [Complex64]) -> bool;
}

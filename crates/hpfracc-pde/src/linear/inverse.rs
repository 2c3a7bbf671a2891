//! Approximate inverses of one field's part of an implicit step.

use hpfracc_spatial::reductions::update;
use hpfracc_spatial::{
    Complex64, Modes, ShiftedSolver, SpatialError, SpatialOperator, Tridiagonal, TridiagonalFactors,
};

/// Inverse of `diag(d) + c A + sum s_B B` of a field: exact for tridiagonal operators, else with
/// the mean of d.
pub(crate) enum FieldInverse<'a> {
    Tridiagonal {
        /// Matrix with fluxes; None without fluxes, for the matrix of the [`Base`].
        with_fluxes: Option<Tridiagonal>,
        factors: Box<TridiagonalFactors>,
        transposed: Option<Box<TridiagonalFactors>>,
    },
    Modes {
        modes: &'a dyn Modes,
        divisors: Vec<f64>,
        weights: Option<&'a [f64]>,
    },
    Shifted {
        solver: Box<dyn ShiftedSolver + 'a>,
        /// Whether the solver multiplies modes, and does not iterate.
        by_modes: bool,
        scale: f64,
        weights: Option<&'a [f64]>,
    },
    Diagonal(f64),
}

/// Tridiagonal matrix `diag(d) + c A`, updated in place from step to step.
pub(crate) struct Base {
    matrix: Tridiagonal,
    /// Diagonal of c A.
    diagonal: Vec<f64>,
}

impl Base {
    /// From A and c; None if A is not tridiagonal.
    pub(crate) fn new(operator: &dyn SpatialOperator, c: f64) -> Option<Self> {
        let mut matrix = operator.tridiagonal()?;
        let entries = [&mut matrix.lower, &mut matrix.diagonal, &mut matrix.upper];
        entries.into_iter().flatten().for_each(|entry| *entry *= c);
        let diagonal = matrix.diagonal.clone();
        Some(Self { matrix, diagonal })
    }

    /// `-a_ii + sum_j |a_ij|` of row i of c A, j other than i.
    pub(crate) fn row_norm(&self, i: usize) -> f64 {
        self.matrix.lower[i].abs() + self.matrix.upper[i].abs() - self.diagonal[i]
    }

    /// `diag(d) + c A`.
    fn matrix(&mut self, d: impl Fn(usize) -> f64) -> &Tridiagonal {
        let entries = self.matrix.diagonal.iter_mut().zip(&self.diagonal).enumerate();
        entries.for_each(|(i, (entry, own))| *entry = own + d(i));
        &self.matrix
    }
}

/// Operators of fluxes with their mean slopes.
pub(crate) type Fluxes<'a> = Vec<(&'a dyn SpatialOperator, f64)>;

impl<'a> FieldInverse<'a> {
    /// `base` is the matrix of c A if that is tridiagonal; `mean` the mean of d.
    pub(crate) fn new(
        (operator, c): (&'a dyn SpatialOperator, f64),
        base: Option<&mut Base>,
        d: impl Fn(usize) -> f64,
        mean: f64,
        fluxes: &Fluxes<'_>,
    ) -> Result<Self, SpatialError> {
        let parts: Option<Vec<_>> =
            fluxes.iter().map(|(b, s)| Some((b.tridiagonal()?, *s))).collect();
        if let (Some(base), Some(parts)) = (base, parts) {
            let matrix = base.matrix(d);
            let with_fluxes = (!parts.is_empty()).then(|| with_fluxes(matrix, &parts));
            let factors = Box::new(with_fluxes.as_ref().unwrap_or(matrix).factors()?);
            return Ok(Self::Tridiagonal { with_fluxes, factors, transposed: None });
        }
        let weights = operator.weights();
        let all_have_modes = fluxes.iter().all(|(b, _)| b.modes().is_some());
        match operator.modes() {
            Some(modes) if !fluxes.is_empty() && all_have_modes => {
                let divisors = divisors(mean, c, modes, fluxes);
                Ok(Self::Modes { modes, divisors, weights })
            }
            _ if c == 0.0 => Ok(Self::Diagonal(mean)),
            modes => {
                let by_modes = modes.is_some();
                let solver = operator.shifted(Complex64::from(mean / c))?;
                Ok(Self::Shifted { solver, by_modes, scale: c, weights })
            }
        }
    }

    /// Whether the inverse is exact for variable d.
    pub(crate) fn takes_variable_diagonals(&self) -> bool {
        matches!(self, Self::Tridiagonal { .. })
    }

    /// Whether products are direct, not iterations that may end at a tolerance.
    pub(crate) fn is_direct(&self) -> bool {
        !matches!(self, Self::Shifted { by_modes: false, .. })
    }

    /// Overwrites x with the product with the inverse, or its transpose. False if it failed.
    pub(crate) fn apply(&mut self, base: Option<&Base>, x: &mut [f64], transpose: bool) -> bool {
        match self {
            Self::Tridiagonal { factors, .. } if !transpose => factors.solve(x),
            Self::Tridiagonal { with_fluxes, transposed, .. } => {
                if transposed.is_none() {
                    let matrix = with_fluxes.as_ref().or(base.map(|base| &base.matrix));
                    let factors = matrix.and_then(|matrix| transpose_of(matrix).factors().ok());
                    *transposed = factors.map(Box::new);
                }
                let Some(factors) = transposed else { return false };
                factors.solve(x);
            }
            Self::Diagonal(d) => update(x, |_, x| *x /= *d),
            Self::Modes { modes, divisors, weights } => {
                weighted(x, *weights, transpose, |x| {
                    modes.to_modes(x);
                    update(x, |k, x| *x /= divisors[k]);
                    modes.to_values(x);
                    true
                });
            }
            Self::Shifted { solver, scale, weights, .. } => {
                let scale = 1.0 / *scale;
                let solved = weighted(x, *weights, transpose, |x| solver.solve_real(x).is_ok());
                update(x, |_, x| *x *= scale);
                return solved;
            }
        }
        true
    }
}

/// Calls `solve` for a self-adjoint matrix with weights W, or its transpose `W A W^-1`.
fn weighted(
    x: &mut [f64],
    weights: Option<&[f64]>,
    transpose: bool,
    solve: impl FnOnce(&mut [f64]) -> bool,
) -> bool {
    let weights = weights.filter(|_| transpose);
    if let Some(w) = weights {
        x.iter_mut().zip(w).for_each(|(x, w)| *x /= w);
    }
    let solved = solve(x);
    if let Some(w) = weights {
        x.iter_mut().zip(w).for_each(|(x, w)| *x *= w);
    }
    solved
}

/// `matrix + sum s_B B`.
fn with_fluxes(matrix: &Tridiagonal, fluxes: &[(Tridiagonal, f64)]) -> Tridiagonal {
    let mut matrix = matrix.clone();
    for (b, s) in fluxes {
        let add = |to: &mut Vec<f64>, from: &[f64]| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += s * from);
        };
        add(&mut matrix.lower, &b.lower);
        add(&mut matrix.diagonal, &b.diagonal);
        add(&mut matrix.upper, &b.upper);
    }
    matrix
}

/// Divisor of each mode, kept away from 0: fluxes may be antidiffusive.
fn divisors(mean: f64, c: f64, modes: &dyn Modes, fluxes: &Fluxes<'_>) -> Vec<f64> {
    let mut divisors: Vec<f64> = modes.eigenvalues().iter().map(|l| mean + c * l).collect();
    for (b, s) in fluxes {
        let eigenvalues = b.modes().map_or(&[][..], |modes| modes.eigenvalues());
        divisors.iter_mut().zip(eigenvalues).for_each(|(d, l)| *d += s * l);
    }
    let least = 0.1 * mean;
    divisors.iter_mut().for_each(|d| *d = d.max(least));
    divisors
}

fn transpose_of(a: &Tridiagonal) -> Tridiagonal {
    let (mut lower, mut upper) = (a.upper.clone(), a.lower.clone());
    lower.rotate_right(1);
    upper.rotate_left(1);
    Tridiagonal { lower, diagonal: a.diagonal.clone(), upper }
}

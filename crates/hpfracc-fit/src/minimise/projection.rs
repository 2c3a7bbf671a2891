//! Variable projection: linear unknowns at their minimum, as functions of the others, out of one factor.

use crate::FitError;
use crate::factor::{Factor, Part};
use crate::parameters::Separated;
use crate::pass::Objective;

/// Norm of a column of a linear unknown after the earlier ones, relative to its own, below which it depends on them.
const DEPENDENT: f64 = 1e-12;

/// Factor of [J r] with respect to the other unknowns, J the Jacobian matrix of the residuals where the linear unknowns have
/// their minimum, and the linear unknowns there.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Projected {
    pub(crate) part: Part,
    pub(crate) linear: Vec<f64>,
}

impl Projected {
    /// At values of the other unknowns, by one pass. None where the model is not finite, or does not determine the linear
    /// unknowns.
    pub(crate) fn at(
        objective: &Objective<'_>,
        separated: &Separated,
        others: &[f64],
    ) -> Result<Option<Self>, FitError> {
        let part = objective.separated_part(separated, others)?;
        Ok(part.and_then(|part| project(&part.factor, separated)))
    }
}

/// Projects the linear unknowns out of the factor of the columns [Phi, J_0, B, r] of [`Separated`], where J_0 and r belong to
/// linear unknowns of 0 and B has the derivatives of columns of Phi.
///
/// With blocks R11, R1k of its first rows and R2k of the others: `c = -R11^-1 r_1`, the projected residual is (0, r_2), and
/// column k of its Jacobian matrix is
/// `(-R11^-T v, J_2 + sum of c_j B_2jk)` with `v_j = B_2jk . r_2`.
/// Exact, with the term of Golub and Pereyra that Kaufman leaves out.
///
/// Source: Golub and Pereyra, SIAM J. Numer. Anal. 10 (1973) 413, DOI 10.1137/0710036; Kaufman, BIT 15 (1975) 49, DOI
/// 10.1007/BF01932995.
fn project(factor: &Factor, separated: &Separated) -> Option<Projected> {
    let (count, last) = (separated.linear.len(), factor.columns() - 1);
    if (0..count).any(|k| factor.entry(k, k).abs() <= DEPENDENT * factor.norm(k)) {
        return None;
    }
    let mut linear = vec![0.0; count];
    for row in (0..count).rev() {
        let later: f64 = (row + 1..count).map(|k| factor.entry(row, k) * linear[k]).sum();
        linear[row] = (-factor.entry(row, last) - later) / factor.entry(row, row);
    }
    let columns = separated.others.len() + 1;
    let mut rows = vec![0.0; factor.columns() * columns];
    for (k, other) in separated.others.iter().enumerate() {
        let mut add = |column: usize, share: f64| {
            for row in count..=column {
                rows[row * columns + k] += share * factor.entry(row, column);
            }
        };
        if let Some(column) = separated.column(*other) {
            add(column, 1.0);
        }
        let mut products = vec![0.0; count];
        for (j, unknown) in separated.linear.iter().enumerate() {
            let Some(column) = separated.mixed_column((*unknown, *other)) else { continue };
            add(column, linear[j]);
            products[j] = (count..=column)
                .map(|row| factor.entry(row, column) * factor.entry(row, last))
                .sum();
        }
        // R11^T w = v from the first row on.
        for row in 0..count {
            let earlier: f64 =
                (0..row).map(|j| factor.entry(j, row) * -rows[j * columns + k]).sum();
            rows[row * columns + k] = -(products[row] - earlier) / factor.entry(row, row);
        }
    }
    for row in count..=last {
        rows[row * columns + columns - 1] = factor.entry(row, last);
    }
    let cost = (count..=last).map(|row| factor.entry(row, last).powi(2)).sum();
    let projected = Projected { part: Part { factor: Factor::of(&rows, columns), cost }, linear };
    let finite = projected.linear.iter().all(|x| x.is_finite()) && projected.part.is_finite();
    finite.then_some(projected)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::{Layout, Parameters};
    use crate::{FormulaModel, Set};
    use hpfracc_equation::Formula;
    use nalgebra::{DMatrix, DVector};

    const ROWS: usize = 700;
    /// a, b linear; p, q others; an offset that depends on q.
    const TEXT: &str = "a exp(-p x) + b exp(-q x) x + cos(q x); a = 1; b = 1; p = 0.7; q = 2.3";

    fn dense(
        p: f64,
        q: f64,
        x: &[f64],
        y: &[f64],
    ) -> (DMatrix<f64>, [DMatrix<f64>; 2], DVector<f64>, DMatrix<f64>) {
        let n = x.len();
        let phi = DMatrix::from_fn(n, 2, |i, j| match j {
            0 => (-p * x[i]).exp(),
            _ => (-q * x[i]).exp() * x[i],
        });
        let by_p = DMatrix::from_fn(n, 2, |i, j| if j == 0 { -x[i] * phi[(i, 0)] } else { 0.0 });
        let by_q = DMatrix::from_fn(n, 2, |i, j| if j == 1 { -x[i] * phi[(i, 1)] } else { 0.0 });
        let offset = DVector::from_fn(n, |i, _| (q * x[i]).cos() - y[i]);
        let by = DMatrix::from_fn(n, 2, |i, k| if k == 1 { -x[i] * (q * x[i]).sin() } else { 0.0 });
        (phi, [by_p, by_q], offset, by)
    }

    /// The Jacobian matrix of Golub and Pereyra, from dense matrices.
    #[test]
    fn the_projection_is_that_of_dense_matrices() {
        let x: Vec<f64> = (0..ROWS).map(|i| 0.05 + 0.007 * i as f64).collect();
        let noise = |i: usize| ((i as f64 * 12.9898).sin() * 43758.5453).fract() / 10.0;
        let y: Vec<f64> = x
            .iter()
            .enumerate()
            .map(|(i, x)| {
                2.0 * (-0.8 * x).exp() + 0.5 * (-2.0 * x).exp() * x + (2.0 * x).cos() + noise(i)
            })
            .collect();
        let model = FormulaModel::new(&[Formula::parse(TEXT, &["x"]).unwrap()]).unwrap();
        let sets = [Set::new("data", &model).input(&x).response(&y)];
        let layout =
            Layout::new(Parameters::new(sets.iter().map(|set| set.model.parameters()))).unwrap();
        let separated = layout.separated(&sets.each_ref().map(|set| set.model)).unwrap();
        assert_eq!((&separated.linear[..], &separated.offset[..]), (&[0, 1][..], &[3][..]));
        let objective = Objective::new(&sets, &layout, 1.0);
        let (p, q) = (0.7, 2.3);
        let found = Projected::at(&objective, &separated, &[p, q]).unwrap().unwrap();
        let (phi, by, w, by_w) = dense(p, q, &x, &y);
        let qr = phi.clone().qr();
        let (basis, triangle) = (qr.q(), qr.r());
        let c = -triangle.solve_upper_triangular(&(basis.transpose() * &w)).unwrap();
        let residual = &w + &phi * &c;
        for (found, expected) in found.linear.iter().zip(c.iter()) {
            assert!((found - expected).abs() < 1e-13 * expected.abs(), "{found} {expected}");
        }
        let mut jacobian = DMatrix::zeros(ROWS, 3);
        for (k, by) in by.iter().enumerate() {
            let moved = by * &c + by_w.column(k);
            let outside = &moved - &basis * (basis.transpose() * &moved);
            let inside =
                triangle.transpose().solve_lower_triangular(&(by.transpose() * &residual)).unwrap();
            jacobian.set_column(k, &(outside - &basis * inside));
        }
        jacobian.set_column(2, &residual);
        let expected = jacobian.transpose() * &jacobian;
        let factor = &found.part.factor;
        for i in 0..3 {
            for k in 0..3 {
                let size = (expected[(i, i)] * expected[(k, k)]).sqrt();
                let error = (factor.product(i, k) - expected[(i, k)]).abs();
                assert!(error < 1e-13 * size, "{i} {k}: {error}, {size}");
            }
        }
        let cost = found.part.cost;
        assert!((cost - expected[(2, 2)]).abs() < 1e-13 * cost);
    }
}

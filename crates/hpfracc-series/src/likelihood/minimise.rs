//! Minimiser of smooth functions of a few variables (BFGS) and their second derivatives, from
//! values alone. Functions are negative log-likelihoods: a change of 1/2 is one standard error.

/// Minimum of a function.
#[derive(Debug, Clone)]
pub(crate) struct Minimum {
    pub(crate) at: Vec<f64>,
    pub(crate) value: f64,
    /// Whether the expected decrease of another step is below [`DECREASE`].
    pub(crate) converged: bool,
}

/// Expected decrease at which the minimum is reached: 1e-5 standard errors.
const DECREASE: f64 = 1e-10;

const MAX_STEPS: usize = 100;

/// Distance of the central differences of gradients.
const GRADIENT_STEP: f64 = 1e-5;

/// Longest step of a variable.
const LONGEST_STEP: f64 = 1.5;

/// Minimum near `start`, by BFGS with backtracking (Nocedal and Wright, Numerical Optimization,
/// 2006, chapter 6). Points where the function is not finite are not entered.
pub(crate) fn minimise(f: &mut impl FnMut(&[f64]) -> f64, start: &[f64]) -> Minimum {
    let n = start.len();
    let (mut at, mut value) = (start.to_vec(), f(start));
    if n == 0 || !value.is_finite() {
        return Minimum { at, value, converged: n == 0 };
    }
    let mut inverse = first_inverse(f, &at, value);
    let mut slope = gradient(f, &at, value);
    for _ in 0..MAX_STEPS {
        let mut step = product(&inverse, &slope);
        let expected: f64 = step.iter().zip(&slope).map(|(s, g)| s * g).sum();
        if expected.abs() < DECREASE {
            return Minimum { at, value, converged: true };
        }
        if expected < 0.0 {
            inverse = first_inverse(f, &at, value);
            step = product(&inverse, &slope);
        }
        let longest = step.iter().fold(LONGEST_STEP, |longest, s| longest.max(s.abs()));
        step.iter_mut().for_each(|s| *s *= -LONGEST_STEP / longest);
        let Some((next, lower)) = backtrack(f, &at, value, &slope, &step) else {
            // Rounding of the function hides any further decrease.
            return Minimum { at, value, converged: expected.abs() < 1e-6 };
        };
        let next_slope = gradient(f, &next, lower);
        let moved: Vec<f64> = next.iter().zip(&at).map(|(next, at)| next - at).collect();
        let change: Vec<f64> = next_slope.iter().zip(&slope).map(|(next, g)| next - g).collect();
        update(&mut inverse, &moved, &change);
        (at, value, slope) = (next, lower, next_slope);
    }
    Minimum { at, value, converged: false }
}

/// The first point along a step that is low enough, and its value.
fn backtrack(
    f: &mut impl FnMut(&[f64]) -> f64,
    at: &[f64],
    value: f64,
    slope: &[f64],
    step: &[f64],
) -> Option<(Vec<f64>, f64)> {
    let along: f64 = slope.iter().zip(step).map(|(g, s)| g * s).sum();
    let mut length = 1.0;
    for _ in 0..30 {
        let next: Vec<f64> = at.iter().zip(step).map(|(x, s)| x + length * s).collect();
        let lower = f(&next);
        if lower <= value + 1e-4 * length * along && lower < value {
            return Some((next, lower));
        }
        // Minimum of the parabola through both values and the slope.
        let parabola = -0.5 * along * length * length / (lower - value - along * length);
        length = if parabola.is_finite() {
            parabola.clamp(0.1 * length, 0.5 * length)
        } else {
            0.1 * length
        };
    }
    None
}

/// Diagonal of inverse second derivatives.
fn first_inverse(f: &mut impl FnMut(&[f64]) -> f64, at: &[f64], value: f64) -> Vec<f64> {
    let n = at.len();
    let mut inverse = vec![0.0; n * n];
    for i in 0..n {
        let h = 1e-2;
        let second =
            (shifted(f, at, &[(i, h)]) + shifted(f, at, &[(i, -h)]) - 2.0 * value) / (h * h);
        inverse[i * n + i] = if second > 1e-3 && second.is_finite() { 1.0 / second } else { 1.0 };
    }
    inverse
}

/// Central differences, one-sided where one value is not finite.
fn gradient(f: &mut impl FnMut(&[f64]) -> f64, at: &[f64], value: f64) -> Vec<f64> {
    let h = GRADIENT_STEP;
    let component = |i| {
        let (above, below) = (shifted(f, at, &[(i, h)]), shifted(f, at, &[(i, -h)]));
        match (above.is_finite(), below.is_finite()) {
            (true, true) => 0.5 * (above - below) / h,
            (true, false) => (above - value) / h,
            (false, true) => (value - below) / h,
            (false, false) => 0.0,
        }
    };
    (0..at.len()).map(component).collect()
}

/// Value of the function with some variables moved.
fn shifted(f: &mut impl FnMut(&[f64]) -> f64, at: &[f64], moves: &[(usize, f64)]) -> f64 {
    let mut point = at.to_vec();
    for (i, h) in moves {
        point[*i] += h;
    }
    f(&point)
}

/// BFGS update of an inverse matrix of second derivatives, left out where the curvature along the
/// step is not positive.
fn update(inverse: &mut [f64], moved: &[f64], change: &[f64]) {
    let n = moved.len();
    let curvature: f64 = moved.iter().zip(change).map(|(s, y)| s * y).sum();
    if curvature <= 1e-14 {
        return;
    }
    let turned = product(inverse, change);
    let size: f64 = turned.iter().zip(change).map(|(h, y)| h * y).sum();
    let factor = (1.0 + size / curvature) / curvature;
    for i in 0..n {
        for j in 0..n {
            inverse[i * n + j] += factor * moved[i] * moved[j]
                - (turned[i] * moved[j] + moved[i] * turned[j]) / curvature;
        }
    }
}

fn product(matrix: &[f64], vector: &[f64]) -> Vec<f64> {
    let row = |row: &[f64]| row.iter().zip(vector).map(|(a, x)| a * x).sum();
    matrix.chunks_exact(vector.len()).map(row).collect()
}

/// Second derivatives with respect to the variables `free`, row by row, by central differences over
/// a fiftieth of a standard error for the others fixed.
pub(crate) fn hessian(
    f: &mut impl FnMut(&[f64]) -> f64,
    at: &[f64],
    value: f64,
    free: &[usize],
) -> Vec<f64> {
    let n = free.len();
    let mut diagonal = |i: usize, h: f64| {
        (shifted(f, at, &[(i, h)]) + shifted(f, at, &[(i, -h)]) - 2.0 * value) / (h * h)
    };
    let step =
        |second: f64| if second > 0.0 { (0.02 / second.sqrt()).clamp(1e-4, 0.1) } else { 0.1 };
    let steps: Vec<f64> = free.iter().map(|i| step(diagonal(*i, 1e-2))).collect();
    let mut matrix = vec![0.0; n * n];
    for i in 0..n {
        matrix[i * n + i] = diagonal(free[i], steps[i]);
    }
    for i in 0..n {
        for j in 0..i {
            let mut corner = |a: f64, b: f64| {
                shifted(f, at, &[(free[i], a * steps[i]), (free[j], b * steps[j])])
            };
            let sum = corner(1.0, 1.0) + corner(-1.0, -1.0) - corner(1.0, -1.0) - corner(-1.0, 1.0);
            let mixed = sum / (4.0 * steps[i] * steps[j]);
            (matrix[i * n + j], matrix[j * n + i]) = (mixed, mixed);
        }
    }
    matrix
}

/// Inverse of a symmetric matrix by Cholesky's factor; `None` if it is not positive definite.
pub(crate) fn inverse_of_positive(matrix: &[f64], n: usize) -> Option<Vec<f64>> {
    let mut factor = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| factor[i * n + k] * factor[j * n + k]).sum();
            let rest = matrix[i * n + j] - sum;
            if i > j {
                factor[i * n + j] = rest / factor[j * n + j];
            } else if rest > 1e-12 * matrix[i * n + i].abs() && rest.is_finite() {
                factor[i * n + i] = rest.sqrt();
            } else {
                return None;
            }
        }
    }
    let mut inverse = vec![0.0; n * n];
    for column in 0..n {
        let mut x = vec![0.0; n];
        for i in 0..n {
            let sum: f64 = (0..i).map(|k| factor[i * n + k] * x[k]).sum();
            x[i] = (f64::from(u8::from(i == column)) - sum) / factor[i * n + i];
        }
        for i in (0..n).rev() {
            let sum: f64 = (i + 1..n).map(|k| factor[k * n + i] * x[k]).sum();
            x[i] = (x[i] - sum) / factor[i * n + i];
        }
        for i in 0..n {
            inverse[i * n + column] = x[i];
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curved_valley_is_followed_to_its_end() {
        let mut valley = |x: &[f64]| 100.0 * (x[1] - x[0] * x[0]).powi(2) + (1.0 - x[0]).powi(2);
        let found = minimise(&mut valley, &[-1.2, 1.0]);
        assert!(found.converged && found.value < 1e-9, "{found:?}");
        let exact = [802.0, -400.0, -400.0, 200.0];
        let matrix = hessian(&mut valley, &[1.0, 1.0], 0.0, &[0, 1]);
        for (found, exact) in matrix.iter().zip(exact) {
            assert!((found / exact - 1.0).abs() < 1e-3, "{matrix:?}");
        }
    }

    #[test]
    fn points_without_a_value_are_not_entered() {
        let mut f = |x: &[f64]| if x[0] > 0.0 { x[0] - x[0].ln() } else { f64::INFINITY };
        let found = minimise(&mut f, &[5.0]);
        assert!(found.converged && (found.at[0] - 1.0).abs() < 1e-4, "{found:?}");
        assert!(!minimise(&mut |_| f64::NAN, &[0.0]).converged);
    }

    #[test]
    fn inverses_of_positive_matrices() {
        let inverse = inverse_of_positive(&[4.0, 2.0, 2.0, 3.0], 2).unwrap();
        for (found, exact) in inverse.iter().zip([0.375, -0.25, -0.25, 0.5]) {
            assert!((found - exact).abs() < 1e-15);
        }
        assert_eq!(inverse_of_positive(&[1.0, 2.0, 2.0, 1.0], 2), None);
    }
}

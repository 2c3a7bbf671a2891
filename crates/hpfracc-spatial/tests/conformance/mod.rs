//! What every `SpatialOperator` satisfies, checked for a given one.

use hpfracc_spatial::{Complex64, NullSpace, SpatialError, SpatialOperator};

/// How an operator is checked.
#[derive(Clone, Copy)]
pub(crate) struct Conformance {
    /// Whether the operator is self-adjoint in its weights.
    pub(crate) self_adjoint: bool,
    /// Bound of the backward error of shifted solves.
    pub(crate) solve_tolerance: f64,
}

impl Default for Conformance {
    fn default() -> Self {
        Self { self_adjoint: true, solve_tolerance: 1e-12 }
    }
}

/// Numbers between -1 and 1 from a linear congruential generator.
pub(crate) fn random(n: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    (0..n).map(|_| next()).collect()
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(crate) fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

pub(crate) fn apply(a: &dyn SpatialOperator, x: &[f64]) -> Vec<f64> {
    let mut y = vec![f64::NAN; x.len()];
    a.apply(x, &mut y);
    y
}

impl Conformance {
    /// Panics at the first property that does not hold.
    pub(crate) fn check(&self, a: &dyn SpatialOperator) {
        self.check_adjoint(a);
        self.check_solves(a);
        check_null_space(a);
        if self.self_adjoint {
            check_modes(a);
            check_spectrum(a);
        }
    }

    fn check_adjoint(&self, a: &dyn SpatialOperator) {
        let n = a.len();
        let (x, y) = (random(n, 1), random(n, 2));
        let (ax, ay) = (apply(a, &x), apply(a, &y));
        let mut transposed = vec![f64::NAN; n];
        a.apply_transpose(&y, &mut transposed);
        let size = norm(&ax) * norm(&y) + norm(&x) * norm(&transposed);
        assert!((dot(&ax, &y) - dot(&x, &transposed)).abs() <= 1e-12 * size, "dot test");
        if self.self_adjoint {
            let w = a.weights().map_or(vec![1.0; n], <[f64]>::to_vec);
            assert!(w.iter().all(|w| *w > 0.0), "weights are positive");
            let weighted =
                |v: &[f64]| -> Vec<f64> { v.iter().zip(&w).map(|(v, w)| v * w).collect() };
            let (wx, wy) = (weighted(&x), weighted(&y));
            let size = norm(&ax) * norm(&wy) + norm(&wx) * norm(&ay);
            assert!((dot(&ax, &wy) - dot(&wx, &ay)).abs() <= 1e-12 * size, "symmetry in weights");
        }
    }

    fn check_solves(&self, a: &dyn SpatialOperator) {
        let n = a.len();
        let spectrum = a.spectrum();
        let middle = (spectrum.lowest.max(1e-3 * spectrum.highest) * spectrum.highest).sqrt();
        let mut shifts = vec![0.01 * middle, middle, 100.0 * spectrum.highest];
        if spectrum.null_space == NullSpace::Zero {
            shifts.push(0.0);
        } else {
            let refused = a.shifted(Complex64::ZERO).err();
            assert!(matches!(refused, Some(SpatialError::OutOfRange { .. })), "{refused:?}");
        }
        for z in shifts {
            let b = random(n, 3);
            let mut x = b.clone();
            a.shifted(z.into()).unwrap().solve_real(&mut x).unwrap();
            let mut residual = apply(a, &x);
            (0..n).for_each(|i| residual[i] += z * x[i] - b[i]);
            let size = (z + spectrum.highest) * norm(&x) + norm(&b);
            let error = norm(&residual) / size;
            assert!(error <= self.solve_tolerance, "z = {z}: {error:e}");
            for turn in [0.0, 0.8, -1.5, 1.9, 2.7] {
                // Complex numbers of the right and of the left half plane.
                let z = Complex64::from_polar(z, turn);
                if turn == 0.0 || z.im != 0.0 {
                    self.check_complex_solve(a, z, spectrum.highest);
                }
            }
        }
        let solver = a.shifted(Complex64::new(1.0, 1.0)).unwrap();
        assert!(solver.solve_real(&mut vec![1.0; n]).is_err(), "a real solve of a complex shift");
        assert!(a.shifted(Complex64::new(f64::NAN, 0.0)).is_err(), "a shift that is not a number");
    }

    fn check_complex_solve(&self, a: &dyn SpatialOperator, z: Complex64, highest: f64) {
        let n = a.len();
        let (re, im) = (random(n, 4), random(n, 5));
        let b: Vec<Complex64> = re.iter().zip(&im).map(|(a, b)| Complex64::new(*a, *b)).collect();
        let mut x = b.clone();
        a.shifted(z).unwrap().solve(&mut x).unwrap();
        let re = apply(a, &x.iter().map(|x| x.re).collect::<Vec<_>>());
        let im = apply(a, &x.iter().map(|x| x.im).collect::<Vec<_>>());
        let residual: Vec<f64> =
            (0..n).map(|i| (Complex64::new(re[i], im[i]) + z * x[i] - b[i]).norm()).collect();
        let norm_of = |v: &[Complex64]| v.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt();
        let error = norm(&residual) / ((z.norm() + highest) * norm_of(&x) + norm_of(&b));
        assert!(error <= self.solve_tolerance, "z = {z}: {error:e}");
    }
}

fn check_modes(a: &dyn SpatialOperator) {
    let Some(modes) = a.modes() else { return };
    let x = random(a.len(), 6);
    let mut y = x.clone();
    modes.to_modes(&mut y);
    let mut back = y.clone();
    modes.to_values(&mut back);
    let difference: Vec<f64> = x.iter().zip(&back).map(|(x, y)| x - y).collect();
    assert!(norm(&difference) <= 1e-12 * norm(&x), "modes and back: {:e}", norm(&difference));
    y.iter_mut().zip(modes.eigenvalues()).for_each(|(y, value)| *y *= value);
    modes.to_values(&mut y);
    let expected = apply(a, &x);
    let difference: Vec<f64> = expected.iter().zip(&y).map(|(x, y)| x - y).collect();
    let size = a.spectrum().highest * norm(&x);
    assert!(
        norm(&difference) <= 1e-12 * size,
        "modes against apply: {:e}",
        norm(&difference) / size
    );
}

/// The null vectors, one for each component.
pub(crate) fn null_vectors(a: &dyn SpatialOperator) -> Vec<Vec<f64>> {
    let NullSpace::Components { component, vector } = a.spectrum().null_space else {
        return Vec::new();
    };
    let count = component.iter().max().map_or(0, |c| c + 1);
    let of =
        |c| component.iter().zip(&vector).map(|(d, v)| if c == *d { *v } else { 0.0 }).collect();
    (0..count).map(of).collect()
}

fn check_null_space(a: &dyn SpatialOperator) {
    for vector in null_vectors(a) {
        let size = a.spectrum().highest * norm(&vector);
        assert!(size > 0.0, "a null vector is not 0");
        assert!(norm(&apply(a, &vector)) <= 1e-12 * size, "null vector");
    }
}

/// Rayleigh quotient, after removal of the null space, which is orthogonal in the weights.
fn quotient(a: &dyn SpatialOperator, x: &mut [f64], null: &[Vec<f64>]) -> f64 {
    let w = a.weights().map_or(vec![1.0; x.len()], <[f64]>::to_vec);
    let inner = |x: &[f64], y: &[f64]| (0..w.len()).map(|i| w[i] * x[i] * y[i]).sum::<f64>();
    for vector in null {
        let factor = inner(x, vector) / inner(vector, vector);
        x.iter_mut().zip(vector).for_each(|(x, v)| *x -= factor * v);
    }
    let size = norm(x);
    x.iter_mut().for_each(|x| *x /= size);
    inner(&apply(a, x), x) / inner(x, x)
}

fn check_spectrum(a: &dyn SpatialOperator) {
    let (spectrum, null) = (a.spectrum(), null_vectors(a));
    let bounds = spectrum.lowest * (1.0 - 1e-9)..=spectrum.highest * (1.0 + 1e-12);
    for seed in 7..12 {
        let value = quotient(a, &mut random(a.len(), seed), &null);
        assert!(bounds.contains(&value), "Rayleigh quotient {value} outside {bounds:?}");
    }
    let mut x = random(a.len(), 12);
    let mut y = random(a.len(), 13);
    let solver = a.shifted((1e-3 * spectrum.highest).into()).unwrap();
    for _ in 0..60 {
        let value = quotient(a, &mut x, &null);
        assert!(bounds.contains(&value), "power iteration: {value} outside {bounds:?}");
        x = apply(a, &x);
        let value = quotient(a, &mut y, &null);
        assert!(bounds.contains(&value), "inverse iteration: {value} outside {bounds:?}");
        solver.solve_real(&mut y).unwrap();
    }
}

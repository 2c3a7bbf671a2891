//! The weights of the exponential integrators: integrals of `e_a(t) = t^(a-1) E_{a,a}(lambda t^a)`
//! over cells, and times linear functions.

use crate::history::Rule;
use crate::{OdeError, UniformGrid};
use hpfracc_special::{MittagLeffler, powers};

/// The weights of one order and one lambda.
pub(super) struct Mode {
    /// `e_{j+1}(n h)` for j below the order.
    pub(super) homogeneous: Vec<Vec<f64>>,
    /// The integrals of the kernel e_a from (m-1) h to m h; 0 for m = 0.
    pub(super) cells: Vec<f64>,
    /// Integrals of the kernel times the hat around m h; for m = 0 the half after 0.
    pub(super) trapezoids: Vec<f64>,
    /// Correction of the trapezoidal rule for F at t0, whose hat has one half.
    pub(super) starts: Vec<f64>,
}

impl Mode {
    pub(super) fn new(
        alpha: f64,
        lambda: f64,
        grid: UniformGrid,
        rule: Rule,
    ) -> Result<Self, OdeError> {
        let (h, n) = (grid.h(), grid.n());
        let derivatives = 0..alpha.ceil() as usize;
        let kernel = Scaled { alpha, z: lambda * h.powf(alpha), n };
        let homogeneous = derivatives
            .map(|j| Ok(scaled(kernel.at_nodes(j as f64 + 1.0)?, h.powi(j as i32))))
            .collect::<Result<_, OdeError>>()?;
        let mut mode =
            Self { homogeneous, cells: Vec::new(), trapezoids: Vec::new(), starts: Vec::new() };
        let scale = h.powf(alpha);
        match rule {
            Rule::Rectangle => {
                let once = kernel.at_nodes(alpha + 1.0)?;
                mode.cells = scaled(differences(&once, 1), scale);
            }
            Rule::Trapezoid => {
                let (rising, falling) = kernel.moments()?;
                let sums = rising.iter().zip(&falling).map(|(r, f)| r + f);
                mode.cells = scaled(sums.take(n + 1).collect(), scale);
                let (hats, starts) = hats_and_starts(&rising, &falling, 1);
                mode.trapezoids = scaled(hats, scale);
                mode.starts = scaled(starts, scale);
            }
        }
        Ok(mode)
    }
}

pub(super) fn scaled(mut v: Vec<f64>, factor: f64) -> Vec<f64> {
    v.iter_mut().for_each(|x| *x *= factor);
    v
}

/// `v[m] - v[m-1]`, 0 for m = 0, of values of `size` numbers.
pub(super) fn differences(v: &[f64], size: usize) -> Vec<f64> {
    let mut differences = vec![0.0; size];
    differences.extend(v[size..].iter().zip(v).map(|(now, before)| now - before));
    differences
}

/// From e_{a+1} and e_{a+2} at the nodes, the integrals of the kernel over the cell before each node
/// times a function that rises from 0 to 1 there, by parts, and times one that falls from 1 to 0.
pub(super) fn rising_and_falling(
    once: &[f64],
    twice: &[f64],
    h: f64,
    size: usize,
) -> (Vec<f64>, Vec<f64>) {
    let (cells, slopes) = (differences(once, size), differences(twice, size));
    let mut rising: Vec<f64> = once.iter().zip(&slopes).map(|(v, d)| v - d / h).collect();
    rising[..size].fill(0.0);
    let falling = cells.iter().zip(&rising).map(|(cell, r)| cell - r).collect();
    (rising, falling)
}

/// Integrals times the hat around each node, which rises in the cell before it and falls in the cell
/// after it, and the corrections for F at t0, whose hat has one half.
pub(super) fn hats_and_starts(
    rising: &[f64],
    falling: &[f64],
    size: usize,
) -> (Vec<f64>, Vec<f64>) {
    let after = &falling[size..];
    let hats = rising.iter().zip(after).map(|(r, f)| r + f).collect();
    (hats, after.iter().map(|f| -f).collect())
}

/// The functions e_b in units of a step: `s^(b-1) E_{a,b}(z s^a)`.
struct Scaled {
    alpha: f64,
    z: f64,
    n: usize,
}

/// From this cell on the kernel is a polynomial within each, where it does not oscillate or grow
/// faster: its singularity at 0 is as far as 2 * 8 half widths, and `34^-10 = 5e-16`.
pub(super) const SMOOTH: usize = 9;

/// Whether the kernel, z being lambda in units of a step, neither oscillates nor grows within a few
/// steps.
pub(super) fn is_slow(alpha: f64, z: f64) -> bool {
    let completely_monotone = alpha <= 1.0 && z <= 0.0;
    completely_monotone || z.abs().powf(1.0 / alpha) <= 0.5
}

/// Nodes and weights of Gauss and Legendre on [0, 1].
pub(super) const GAUSS: [(f64, f64); 5] = [
    (0.046_910_077_030_668, 0.118_463_442_528_094_54),
    (0.230_765_344_947_158_45, 0.239_314_335_249_683_23),
    (0.5, 0.284_444_444_444_444_44),
    (0.769_234_655_052_841_5, 0.239_314_335_249_683_23),
    (0.953_089_922_969_332, 0.118_463_442_528_094_54),
];

impl Scaled {
    /// The values for s = 0 .. N + 1.
    fn at_nodes(&self, b: f64) -> Result<Vec<f64>, OdeError> {
        let mut argument = vec![0.0; self.n + 2];
        powers(self.alpha, &mut argument);
        argument.iter_mut().for_each(|s| *s *= self.z);
        let mut values = vec![0.0; self.n + 2];
        MittagLeffler::new(self.alpha, b)?.eval_slice(&argument, &mut values)?;
        powers(b - 1.0, &mut argument);
        values.iter_mut().zip(&argument).for_each(|(value, power)| *value *= power);
        Ok(values)
    }

    /// The integrals of the kernel times a function that rises from 0 to 1 in the cell from m - 1
    /// to m, and times one that falls from 1 to 0; m = 0 .. N + 1.
    ///
    /// Differences of e_{a+2} near 0, where nothing cancels. Later they would lose as many digits
    /// as the second difference is smaller than the function; there, quadrature.
    fn moments(&self) -> Result<(Vec<f64>, Vec<f64>), OdeError> {
        let near = if is_slow(self.alpha, self.z) { SMOOTH.min(self.n + 2) } else { self.n + 2 };
        let here = Self { n: near - 2.min(near), ..*self };
        let (once, twice) = (here.at_nodes(self.alpha + 1.0)?, here.at_nodes(self.alpha + 2.0)?);
        let (mut rising, mut falling) = rising_and_falling(&once, &twice, 1.0, 1);
        rising.resize(self.n + 2, 0.0);
        falling.resize(self.n + 2, 0.0);
        if near < self.n + 2 {
            self.quadrature(near, &mut rising, &mut falling)?;
        }
        Ok((rising, falling))
    }

    /// The moments from a cell on.
    fn quadrature(
        &self,
        from: usize,
        rising: &mut [f64],
        falling: &mut [f64],
    ) -> Result<(), OdeError> {
        let function = MittagLeffler::new(self.alpha, self.alpha)?;
        let mut powers = vec![0.0; rising.len() - from];
        let (mut arguments, mut values) = (powers.clone(), powers.clone());
        for (x, weight) in GAUSS {
            for (m, (power, argument)) in (from..).zip(powers.iter_mut().zip(&mut arguments)) {
                let s = (m - 1) as f64 + x;
                let to_alpha = s.powf(self.alpha);
                (*power, *argument) = (to_alpha / s, self.z * to_alpha);
            }
            function.eval_slice(&arguments, &mut values)?;
            for (i, value) in values.iter().zip(&powers).map(|(e, power)| e * power).enumerate() {
                rising[from + i] += weight * x * value;
                falling[from + i] += weight * (1.0 - x) * value;
            }
        }
        Ok(())
    }
}

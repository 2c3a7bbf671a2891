use super::one_step_scheme::{OneStep, OneStepScheme, StepStart};
use crate::noise::Gaussian;
use crate::rows::{add_scaled, write_sum};
use crate::schemes::scheme::{Equation, PathwiseScheme, taken_if};
use crate::system::diffusion;
use crate::{Calculus, NoiseKind, SdeError, StochasticSystem};
use hpfracc_lanes::{Rows, RowsMut};

/// Rößler's Runge-Kutta scheme SRI1W1 for one noise, or one for each component:
///
#[doc = formula!("sriw1", r"H_i = X_n + \sum_j a_{ij} f(t, X_n) h + \sum_j b_{ij} g(H_j) \sqrt{h}, \quad i = 1, \ldots, 4
    K = X_n + \tfrac{3}{4} f(t, X_n) h + \tfrac{3}{2} g(t, X_n) \frac{I_{(1,0)}}{h}
    X_{n+1} = X_n + \left( \tfrac{1}{3} f(t, X_n) + \tfrac{2}{3} f(t + \tfrac{3}{4} h, K) \right) h + \sum_i \left( \beta^1_i I_1 + \beta^2_i \frac{I_{11}}{\sqrt{h}} + \beta^3_i \frac{I_{(1,0)}}{h} + \beta^4_i \frac{I_{111}}{h} \right) g(H_i)
    I_1 = dW, \quad I_{11} = \frac{dW^2 - h}{2}, \quad I_{111} = \frac{dW^3 - 3 h \, dW}{6}, \quad I_{(1,0)} = \int_t^{t+h} (t+h-s) \, dW(s)")]
///
/// Calculus: Ito's. Noise: Brownian motion, diagonal where g_i depends on no other component, or
/// scalar.
///
/// Strong order 3/2, and order 2 without noise. Costs two f and four g a step, and a second normal
/// for each noise.
///
/// Source: Rößler, SIAM J. Numer. Anal. 48 (2010) 922, DOI 10.1137/09076636X, section 5.
///
/// ```
/// use hpfracc_sde::noise::BrownianTree;
/// use hpfracc_sde::models::{GeometricBrownian, Model};
/// use hpfracc_sde::{Ensemble, Paths, Sriw1};
///
/// // dS = 0.05 S dt + 0.2 S dW, on 256 steps of a path whose end W(1) is known
/// let tree = BrownianTree::new(3, 1)?;
/// let problem = GeometricBrownian::default().problem::<f64>((0.0, 1.0))?;
/// let ends = Ensemble::new(1, 256)?.solve(&problem, &Sriw1, &tree, &Paths)?;
/// let w: f64 = tree.at((0, 0), 1.0, (0, 1))?;
/// assert!((ends[[0, 0, 0]] - (0.03 + 0.2 * w).exp()).abs() < 1e-5);
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Sriw1;

/// The coefficients, named as in the source. All stages of g take f at the start alone, and only
/// the second one of f is another.
pub(crate) mod tableau {
    pub(crate) const ALPHA: [f64; 2] = [1.0 / 3.0, 2.0 / 3.0];
    pub(crate) const A_0: f64 = 0.75;
    pub(crate) const B_0: f64 = 1.5;
    /// Of f for the stages of g, and their times.
    pub(crate) const A_1: [f64; 4] = [0.0, 0.25, 1.0, 0.25];
    pub(crate) const B_1: [[f64; 3]; 4] =
        [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [-1.0, 0.0, 0.0], [-5.0, 3.0, 0.5]];
    pub(crate) const BETA_1: [f64; 4] = [-1.0, 4.0 / 3.0, 2.0 / 3.0, 0.0];
    pub(crate) const BETA_2: [f64; 4] = [-1.0, 4.0 / 3.0, -1.0 / 3.0, 0.0];
    pub(crate) const BETA_3: [f64; 4] = [2.0, -4.0 / 3.0, -2.0 / 3.0, 0.0];
    pub(crate) const BETA_4: [f64; 4] = [-2.0, 5.0 / 3.0, -2.0 / 3.0, 1.0];
}

impl<T: Gaussian> PathwiseScheme<T> for Sriw1 {
    const SHARE: f64 = 1.0;
}

/// The stage K, from f and g at x and I_(1,0).
#[inline(always)]
pub(crate) fn write_stage_of_drift<T: Gaussian>(
    of: &OneStep,
    stage: &mut [T],
    (x, f): (Rows<'_, T>, &[T]),
    (g, i10): (&[T], Rows<'_, T>),
) {
    let (a, b) = (T::narrow(tableau::A_0 * of.h), T::narrow(tableau::B_0 / of.h));
    for i in 0..of.dim {
        for (noise, row) in of.noise_kind.acting(i) {
            let row = row * x.lanes()..(row + 1) * x.lanes();
            let coefficients = f[row.clone()].iter().zip(&g[row.clone()]);
            let known = x[i].iter().zip(coefficients).zip(&i10[noise]);
            for (stage, ((x, (f, g)), i10)) in stage[row].iter_mut().zip(known) {
                *stage = *x + a * *f + b * (*g * *i10);
            }
        }
    }
}

/// The stage H of this number, counted from 0, from f at x and from g at the stages before it.
#[inline(always)]
pub(crate) fn write_stage<'a, T: Gaussian>(
    number: usize,
    h: f64,
    stage: &mut [T],
    (x, f): (Rows<'_, T>, &[T]),
    before: impl Iterator<Item = &'a [T]>,
) {
    write_sum(stage, x.as_slice(), T::narrow(tableau::A_1[number] * h), f);
    for (b, g) in tableau::B_1[number].iter().zip(before) {
        add_scaled(stage, T::narrow(b * h.sqrt()), g);
    }
}

/// The factor of g at the stage of this number in X_{n+1}, as a polynomial in dW and with a factor
/// of I_(1,0).
#[inline(always)]
pub(crate) fn weight<T: Gaussian>(number: usize, h: f64) -> impl Fn(T, T) -> T {
    let beta_1 = T::narrow(tableau::BETA_1[number]);
    let beta_2 = T::narrow(tableau::BETA_2[number] / (2.0 * h.sqrt()));
    let beta_3 = T::narrow(tableau::BETA_3[number] / h);
    let beta_4 = T::narrow(tableau::BETA_4[number] / (6.0 * h));
    let (h, three_h) = (T::narrow(h), T::narrow(3.0 * h));
    #[inline(always)]
    move |dw, i10| {
        let square = dw * dw;
        beta_1 * dw + beta_2 * (square - h) + beta_3 * i10 + beta_4 * dw * (square - three_h)
    }
}

impl OneStepScheme for Sriw1 {
    const NAME: &'static str = "sriw1";
    const CALCULUS: Calculus = Calculus::Ito;
    const TIME_INTEGRALS: bool = true;

    fn admit(equation: &Equation<'_>) -> Result<(), SdeError> {
        let scheme = "the scheme SRIW1";
        equation.of_brownian_noise(scheme)?;
        equation.of_commuting_noise(scheme)?;
        let reason = "it takes one noise, or one for each component; SRA1 takes others if they \
                      are additive, SRIC2 a matrix if its columns commute";
        let taken = matches!(equation.noise_kind, NoiseKind::Diagonal | NoiseKind::Scalar);
        taken_if(taken, scheme, reason)
    }

    /// Drift at its stage, a stage, and diffusion at three stages.
    fn rows(of: &OneStep) -> usize {
        5 * of.dim
    }

    #[inline(always)]
    fn step<T: Gaussian, S: StochasticSystem<T>>(of: &OneStep, system: &S, at: StepStart<'_, T>) {
        let StepStart { t, mut x, dz, f, g, scratch } = at;
        let (dim, lanes, h) = (of.dim, x.lanes(), of.h);
        let size = dim * lanes;
        let (f_stage, rest) = scratch.split_at_mut(size);
        let (stage, g_stages) = rest.split_at_mut(size);
        let (dw, i10) = dz.as_slice().split_at(of.noises() * lanes);
        let (dw, i10) = (Rows::new(dw, lanes), Rows::new(i10, lanes));
        write_stage_of_drift(of, stage, (x.as_rows(), f), (g, i10));
        let time = t + tableau::A_0 * h;
        system.drift(time, Rows::new(stage, lanes), RowsMut::new(f_stage, lanes));
        for number in 1..4 {
            let (before, after) = g_stages.split_at_mut((number - 1) * size);
            let before = std::iter::once(&*g).chain(before.chunks_exact(size));
            write_stage(number, h, stage, (x.as_rows(), f), before);
            let time = t + tableau::A_1[number] * h;
            diffusion(
                system,
                time,
                Rows::new(stage, lanes),
                RowsMut::new(&mut after[..size], lanes),
            );
        }

        let [first, second] = tableau::ALPHA.map(|factor| T::narrow(factor * h));
        for ((x, f), f_stage) in x.as_mut_slice().iter_mut().zip(&*f).zip(&*f_stage) {
            *x += first * *f + second * *f_stage;
        }
        let stages = std::iter::once(&*g).chain(g_stages.chunks_exact(size));
        for (number, g) in stages.enumerate() {
            let weight = weight(number, h);
            for i in 0..dim {
                for (noise, row) in of.noise_kind.acting(i) {
                    let noises = dw[noise].iter().zip(&i10[noise]);
                    let each = x[i].iter_mut().zip(&g[row * lanes..][..lanes]).zip(noises);
                    each.for_each(|((x, g), (dw, i10))| *x += weight(*dw, *i10) * *g);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::tableau::*;

    /// Theorem 5.1 of the source: strong order 3/2.
    #[test]
    fn conditions_of_order() {
        let dot = |a: &[f64; 4], b: &[f64; 4]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let ones = [1.0; 4];
        let b = B_1.map(|row| row.iter().sum::<f64>());
        let squares = b.map(|b| b * b);
        let nested = B_1.map(|row| row.iter().zip(&b).map(|(x, b)| x * b).sum::<f64>());
        let betas = [BETA_1, BETA_2, BETA_3, BETA_4];
        let all = |with: &[f64; 4]| betas.map(|beta| dot(&beta, with));
        // The stages of g see I_(1,0) through no drift: the last condition of the theorem is empty.
        let found = [
            [ALPHA[0] + ALPHA[1], ALPHA[1] * A_0, ALPHA[1] * B_0, ALPHA[1] * B_0 * B_0],
            all(&ones),
            all(&b),
            all(&A_1),
            all(&squares),
            all(&nested),
        ];
        let expected = [
            [1.0, 0.5, 1.0, 1.5],
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [1.0, 0.0, -1.0, 0.0],
            [1.0, 0.0, -1.0, 2.0],
            [0.0, 0.0, 0.0, 1.0],
        ];
        for (group, (found, expected)) in found.iter().zip(&expected).enumerate() {
            for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
                assert!((found - expected).abs() < 1e-14, "condition {group}, {k}: {found}");
            }
        }
    }
}

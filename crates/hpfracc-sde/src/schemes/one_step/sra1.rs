use super::one_step_scheme::{OneStep, OneStepScheme, StepStart};
use crate::noise::Gaussian;
use crate::rows::write_sum;
use crate::schemes::scheme::{Equation, PathwiseScheme, taken_if};
use crate::system::diffusion;
use crate::{Calculus, SdeError, StochasticSystem};
use hpfracc_lanes::{Rows, RowsMut};

/// Rößler's Runge-Kutta scheme SRA1, for additive noise:
///
#[doc = formula!("sra1", r"H = X_n + \tfrac{3}{4} f(t, X_n) h + \tfrac{3}{2} g(t+h) \frac{I_{(1,0)}}{h}
    X_{n+1} = X_n + \left( \tfrac{1}{3} f(t, X_n) + \tfrac{2}{3} f(t + \tfrac{3}{4} h, H) \right) h + g(t+h) \, dW - \left( g(t+h) - g(t) \right) \frac{I_{(1,0)}}{h}")]
///
/// with `I_(1,0) = int_t^{t+h} (t+h-s) dW(s)`, which is drawn together with dW.
///
/// Calculus: either, they agree. Noise: Brownian motion of any kind, where g depends on t alone.
///
/// Strong order 3/2, and order 2 without noise. Costs two f and two g a step, and a second normal
/// for each noise.
///
/// Source: Rößler, SIAM J. Numer. Anal. 48 (2010) 922, DOI 10.1137/09076636X, section 6.
///
/// ```
/// use hpfracc_sde::noise::BrownianTree;
/// use hpfracc_sde::models::{Model, OrnsteinUhlenbeck};
/// use hpfracc_sde::{Ensemble, Paths, Sra1};
///
/// // The same path on 64 and on 1024 steps
/// let problem = OrnsteinUhlenbeck::default().problem::<f64>((0.0, 1.0))?;
/// let tree = BrownianTree::new(3, 1)?;
/// let end = |steps| Ensemble::new(1, steps)?.solve(&problem, &Sra1, &tree, &Paths);
/// assert!((end(64)?[[0, 0, 0]] - end(1024)?[[0, 0, 0]]).abs() < 1e-4);
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Sra1;

/// The coefficients, named as in the source.
pub(crate) mod tableau {
    pub(crate) const ALPHA: [f64; 2] = [1.0 / 3.0, 2.0 / 3.0];
    pub(crate) const A: f64 = 0.75;
    pub(crate) const B: f64 = 1.5;
    /// Of g(t + h) and g(t).
    pub(crate) const BETA_2: [f64; 2] = [-1.0, 1.0];
}

impl<T: Gaussian> PathwiseScheme<T> for Sra1 {
    const SHARE: f64 = 1.0;
}

/// The stage H, from f and x and from g(t + h) and I_(1,0).
#[inline(always)]
pub(crate) fn write_stage<T: Gaussian>(
    of: &OneStep,
    stage: &mut [T],
    (x, f): (Rows<'_, T>, &[T]),
    (g_end, i10): (Rows<'_, T>, Rows<'_, T>),
) {
    write_sum(stage, x.as_slice(), T::narrow(tableau::A * of.h), f);
    let (mut stage, b) = (RowsMut::new(stage, x.lanes()), T::narrow(tableau::B / of.h));
    of.noise_kind.each((of.dim, g_end, i10), |i, g, i10| {
        stage[i].iter_mut().zip(g).zip(i10).for_each(|((x, g), i10)| *x += b * (*g * *i10));
    });
}

impl OneStepScheme for Sra1 {
    const NAME: &'static str = "sra1";
    const CALCULUS: Calculus = Calculus::Ito;
    const TIME_INTEGRALS: bool = true;

    fn admit(equation: &Equation<'_>) -> Result<(), SdeError> {
        let scheme = "the scheme SRA1";
        equation.of_brownian_noise(scheme)?;
        let reason = "its noise must be additive; SRIW1 takes g that depend on x";
        taken_if(equation.additive, scheme, reason)
    }

    /// Drift at x and at the stage, the stage, and diffusion at the end and at the start.
    fn rows(of: &OneStep) -> usize {
        2 * of.dim + of.noise_rows()
    }

    #[inline(always)]
    fn step<T: Gaussian, S: StochasticSystem<T>>(of: &OneStep, system: &S, at: StepStart<'_, T>) {
        let StepStart { t, mut x, dz, f, g, scratch } = at;
        let (dim, lanes) = (of.dim, x.lanes());
        let (f_stage, rest) = scratch.split_at_mut(dim * lanes);
        let (stage, g_end) = rest.split_at_mut(dim * lanes);
        diffusion(system, t + of.h, x.as_rows(), RowsMut::new(g_end, lanes));
        let (dw, i10) = dz.as_slice().split_at(of.noises() * lanes);
        let (dw, i10) = (Rows::new(dw, lanes), Rows::new(i10, lanes));
        let scaled = |factor: f64| T::narrow(factor * of.h);
        let per_h = |factor: f64| T::narrow(factor / of.h);
        write_stage(of, stage, (x.as_rows(), f), (Rows::new(g_end, lanes), i10));
        let time = t + tableau::A * of.h;
        system.drift(time, Rows::new(stage, lanes), RowsMut::new(f_stage, lanes));
        for ((x, f), f_stage) in x.as_mut_slice().iter_mut().zip(&*f).zip(&*f_stage) {
            *x += scaled(tableau::ALPHA[0]) * *f + scaled(tableau::ALPHA[1]) * *f_stage;
        }
        // What g changes within the step, where it was.
        let [end, start] = tableau::BETA_2.map(per_h);
        g.iter_mut().zip(&*g_end).for_each(|(g, g_end)| *g = end * *g_end + start * *g);
        for (g, noise) in [(&*g_end, dw), (&*g, i10)] {
            of.add_noise(g, noise, &mut x);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::tableau::*;

    /// Theorem 6.2 of the source: strong order 3/2.
    #[test]
    fn conditions_of_order() {
        let [first, second] = ALPHA;
        // beta_1 = (1, 0) at the times c_1 = (1, 0).
        let conditions = [
            (first + second, 1.0),
            (second * A, 0.5),
            (second * B, 1.0),
            (second * B * B, 1.5),
            (BETA_2[0] + BETA_2[1], 0.0),
            (BETA_2[0], -1.0),
        ];
        for (number, (found, expected)) in conditions.into_iter().enumerate() {
            assert!((found - expected).abs() < 1e-15, "condition {number}: {found}");
        }
    }
}

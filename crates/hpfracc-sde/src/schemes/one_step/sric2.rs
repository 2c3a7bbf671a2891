use super::one_step_scheme::{OneStep, OneStepScheme, StepStart};
use crate::noise::Gaussian;
use crate::rows::{add_scaled, write_sum};
use crate::schemes::scheme::{Equation, PathwiseScheme};
use crate::system::diffusion;
use crate::{Calculus, NoiseKind, SdeError, StochasticSystem};
use hpfracc_lanes::{Rows, RowsMut};

/// Rößler's Runge-Kutta scheme SRI2 with the integrals of commuting noise (SRIC2), for any kind of
/// noise:
///
#[doc = formula!("sric2", r"P = X_n + f(t, X_n) h, \quad H_k^\pm = P \pm \sum_l g_l(t, X_n) \frac{I_{lk}}{\sqrt{h}}, \quad I_{lk} = \frac{dW_l \, dW_k - [l = k] h}{2}
    X_{n+1} = X_n + \left( f(t, X_n) + f(t+h, P) \right) \frac{h}{2} + \sum_k g_k(t, X_n) \, dW_k + \frac{\sqrt{h}}{2} \sum_k \left( g_k(t+h, H_k^+) - g_k(t+h, H_k^-) \right)")]
///
/// where g_k is the column of the noise k. True integrals I_lk hold Levy areas; where the columns
/// [commute](StochasticSystem::commutative) these cancel, and the symmetric part above is enough.
///
/// Calculus: Ito's. Noise: Brownian motion of any kind that commutes or is additive.
///
/// Strong order 1, and order 2 without noise. Costs two f a step and three g, or 1 + 2m of a matrix
/// for m noises; one g for additive noise.
///
/// Source: Rößler, SIAM J. Numer. Anal. 48 (2010) 922, DOI 10.1137/09076636X, section 6.
///
/// ```
/// use hpfracc_sde::noise::BrownianTree;
/// use hpfracc_sde::models::{GeometricBrownian, Model};
/// use hpfracc_sde::{Ensemble, Paths, Sric2};
///
/// // dS = 0.05 S dt + 0.2 S dW, on 256 steps of a path whose end W(1) is known
/// let tree = BrownianTree::new(3, 1)?;
/// let problem = GeometricBrownian::default().problem::<f64>((0.0, 1.0))?;
/// let ends = Ensemble::new(1, 256)?.solve(&problem, &Sric2, &tree, &Paths)?;
/// let w: f64 = tree.at((0, 0), 1.0, (0, 1))?;
/// assert!((ends[[0, 0, 0]] - (0.03 + 0.2 * w).exp()).abs() < 1e-3);
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Sric2;

impl<T: Gaussian> PathwiseScheme<T> for Sric2 {
    const SHARE: f64 = 0.5;
}

/// Number of columns of g whose stages are apart: one for all components unless noises share them.
#[inline(always)]
pub(crate) fn columns(of: &OneStep) -> usize {
    if let NoiseKind::General { noises } = of.noise_kind { noises } else { 1 }
}

/// The rows of g that move the stages of column k: the component, the row, and the noises l and k.
#[inline(always)]
pub(crate) fn moving(of: &OneStep, k: usize) -> impl Iterator<Item = (usize, usize, [usize; 2])> {
    let noise_kind = of.noise_kind;
    let second = move |l| if matches!(noise_kind, NoiseKind::General { .. }) { k } else { l };
    (0..of.dim)
        .flat_map(move |i| noise_kind.acting(i).map(move |(l, row)| (i, row, [l, second(l)])))
}

/// `I_lk / sqrt(h)` as a function of the increments of both noises.
#[inline(always)]
pub(crate) fn integral<T: Gaussian>(h: f64, [l, k]: [usize; 2]) -> impl Fn(T, T) -> T {
    let scale = T::narrow(0.5 / h.sqrt());
    let variance = T::narrow(if l == k { h } else { 0.0 });
    #[inline(always)]
    move |first, second| scale * (first * second - variance)
}

/// How far the stages of column k lie from P.
#[inline(always)]
pub(crate) fn write_apart<T: Gaussian>(
    of: &OneStep,
    k: usize,
    (g, dz): (Rows<'_, T>, Rows<'_, T>),
    apart: &mut [T],
) {
    let lanes = g.lanes();
    apart.fill(T::zero());
    for (i, row, [first, second]) in moving(of, k) {
        let integral = integral(of.h, [first, second]);
        let noises = dz[first].iter().zip(&dz[second]);
        let each = apart[i * lanes..][..lanes].iter_mut().zip(&g[row]).zip(noises);
        each.for_each(|((apart, g), (first, second))| *apart += integral(*first, *second) * *g);
    }
}

impl OneStepScheme for Sric2 {
    const NAME: &'static str = "sric2";
    const CALCULUS: Calculus = Calculus::Ito;

    fn admit(equation: &Equation<'_>) -> Result<(), SdeError> {
        equation.of_brownian_noise("the scheme SRIC2")?;
        equation.of_commuting_noise("the scheme SRIC2")
    }

    /// Drift at x, the end of Euler's step without noise, drift there, a stage, how far it lies
    /// from there, and diffusion at x and at the stage.
    fn rows(of: &OneStep) -> usize {
        4 * of.dim + of.noise_rows()
    }

    #[inline(always)]
    fn step<T: Gaussian, S: StochasticSystem<T>>(of: &OneStep, system: &S, at: StepStart<'_, T>) {
        let StepStart { t, mut x, dz, f, g, scratch } = at;
        let (h, lanes) = (T::narrow(of.h), x.lanes());
        let size = of.dim * lanes;
        let (end, rest) = scratch.split_at_mut(size);
        let (f_end, rest) = rest.split_at_mut(size);
        let (stage, rest) = rest.split_at_mut(size);
        let (apart, g_stage) = rest.split_at_mut(size);
        write_sum(end, x.as_rows().as_slice(), h, f);
        system.drift(t + of.h, Rows::new(end, lanes), RowsMut::new(f_end, lanes));
        let half_h = T::narrow(0.5 * of.h);
        for ((x, f), f_end) in x.as_mut_slice().iter_mut().zip(&*f).zip(&*f_end) {
            *x += half_h * (*f + *f_end);
        }
        of.add_noise(g, dz, &mut x);
        if of.additive {
            return;
        }
        let columns = columns(of);
        for k in 0..columns {
            write_apart(of, k, (Rows::new(g, lanes), dz), apart);
            for sign in [1.0, -1.0].map(T::narrow) {
                write_sum(stage, end, sign, apart);
                let time = t + of.h;
                diffusion(system, time, Rows::new(stage, lanes), RowsMut::new(g_stage, lanes));
                let weight = sign * T::narrow(0.5 * of.h.sqrt());
                let rows = g_stage.chunks_exact(lanes).skip(k).step_by(columns).enumerate();
                rows.for_each(|(i, g)| add_scaled(&mut x[i], weight, g));
            }
        }
    }
}

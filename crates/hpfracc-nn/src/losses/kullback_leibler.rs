use super::LossError;
use super::tile::{self, Cotangent, TOGETHER, expect, expect_cotangent, expect_tile, some_rows};
use crate::Scalar;
use crate::kernels::{lanes, vectorised, write};
use hpfracc_lanes::Rows;

/// Writes the Kullback-Leibler divergence between two normal distributions for every lane, a sum
/// over components, and its gradients:
///
/// ```text
/// KL(q | p) = sum_i  s_p - s_q + (exp(2 (s_q - s_p)) + (m_q - m_p)^2 exp(-2 s_p) - 1)/2
/// ```
///
/// Both have rows of means m, then of logarithms of standard deviations s; components are
/// independent. Without `p`, p is the standard normal distribution. Allocates nothing.
///
/// Accuracy: a few roundings of the term with `m_q - m_p`, and a few plus `2 |s_q - s_p|` roundings
/// of the term with the deviations, also for nearly equal distributions. Finite where the exact
/// value is, as long as `exp(-s_p)` is.
///
/// # Errors
/// [`LossError::Size`] for tiles whose sizes do not match, an odd number of rows, or none.
pub fn gaussian_kl<T: Scalar>(
    q: Rows<'_, T>,
    p: Option<Rows<'_, T>>,
    losses: &mut [T],
    of_q: Option<Cotangent<'_, T>>,
    of_p: Option<Cotangent<'_, T>>,
) -> Result<(), LossError> {
    let (rows, lanes) = (tile::rows(q), q.lanes());
    let components = rows / 2;
    some_rows("q", rows)?;
    expect_tile("q", q, 2 * components, lanes)?;
    p.map_or(Ok(()), |p| expect_tile("p", p, rows, lanes))?;
    expect("losses", "numbers", losses.len(), lanes)?;
    expect_cotangent("of_q", of_q.as_ref(), rows, lanes)?;
    expect_cotangent("of_p", of_p.as_ref(), rows, lanes)?;
    divergence(q, p, losses, [of_q, of_p]);
    Ok(())
}

/// `(exp(u) - 1 - u)/2`, given `exp(u) - 1`.
#[inline(always)]
fn curved<T: Scalar>(u: T, growth: T) -> T {
    let half = T::narrow(0.5);
    let near = -T::one() < u && u < T::one();
    // Below 1 the difference cancels: use the series, whose next term is 2e-17 of it.
    let series = REST.iter().rev().fold(T::zero(), |sum, c| sum.mul_add(u, T::narrow(*c)));
    if near { half * u * u * series } else { half * (growth - u) }
}

/// `1/(k + 2)!`
const REST: [f64; 17] = {
    let (mut rest, mut k) = ([0.5; 17], 1);
    while k < rest.len() {
        rest[k] = rest[k - 1] / (k + 2) as f64;
        k += 1;
    }
    rest
};

vectorised! {
    fn divergence<'a, T>(
        q: Rows<'a, T>,
        p: Option<Rows<'a, T>>,
        losses: &'a mut [T],
        cotangents: [Option<Cotangent<'a, T>>; 2],
    ) {
        let [mut of_q, mut of_p] = cotangents;
        let (half, components) = (T::narrow(0.5), tile::rows(q) / 2);
        for at in (0..losses.len()).step_by(TOGETHER) {
            let count = TOGETHER.min(losses.len() - at);
            let row = |tile: &Rows<'_, T>, row| lanes::<T, TOGETHER>(&tile[row][at..], count);
            let mut sums = [T::zero(); TOGETHER];
            for i in 0..components {
                let (m_q, s_q) = (row(&q, i), row(&q, components + i));
                let standard = ([T::zero(); TOGETHER], [T::zero(); TOGETHER]);
                let (m_p, s_p) = p.map_or(standard, |p| (row(&p, i), row(&p, components + i)));
                // Gradients with respect to mean and deviation of q, and to the deviation of p.
                let mut bars = [[T::zero(); TOGETHER]; 3];
                for l in 0..TOGETHER {
                    let (e, d) = (m_q[l] - m_p[l], s_q[l] - s_p[l]);
                    // exp(-2 s) and e^2 can overflow where their product does not.
                    let r = (-s_p[l]).exp();
                    let z = e * r;
                    let growth = (d + d).exp_m1();
                    sums[l] += curved(d + d, growth) + half * z * z;
                    (bars[0][l], bars[1][l], bars[2][l]) = (z * r, growth, -growth - z * z);
                }
                if let Some(Cotangent { scale, rows }) = &mut of_q {
                    write(&mut rows[i][at..], count, &bars[0].map(|b| *scale * b));
                    write(&mut rows[components + i][at..], count, &bars[1].map(|b| *scale * b));
                }
                if let Some(Cotangent { scale, rows }) = &mut of_p {
                    write(&mut rows[i][at..], count, &bars[0].map(|b| -*scale * b));
                    write(&mut rows[components + i][at..], count, &bars[2].map(|b| *scale * b));
                }
            }
            write(&mut losses[at..], count, &sums);
        }
    }
}

/// Writes the growth rate of the Kullback-Leibler divergence between the paths of two equations,
/// for every lane, and its gradients (Girsanov):
///
/// ```text
/// |u|^2/2,   u_i = (a_i - b_i)/sigma_i
/// ```
///
/// with the drift a of the equation that paths are drawn from, the drift b of the other, and their
/// common diagonal diffusion sigma. The mean over paths of its time integral is KL(a | b).
/// Gradients are with respect to a and sigma; the gradient with respect to b is minus that with
/// respect to a. Where sigma is zero they are infinite or NaN: without noise there is no density.
/// Allocates nothing.
///
/// # Errors
/// [`LossError::Size`] for tiles whose sizes do not match, or without rows.
///
/// Source: Li, Wong, Chen and Duvenaud, AISTATS (2020), arXiv:2001.01328, section 5.
pub fn path_kl<T: Scalar>(
    a: Rows<'_, T>,
    b: Rows<'_, T>,
    sigma: Rows<'_, T>,
    losses: &mut [T],
    of_a: Option<Cotangent<'_, T>>,
    of_sigma: Option<Cotangent<'_, T>>,
) -> Result<(), LossError> {
    let (rows, lanes) = (tile::rows(a), a.lanes());
    some_rows("a", rows)?;
    expect_tile("a", a, rows, lanes)?;
    expect_tile("b", b, rows, lanes)?;
    expect_tile("sigma", sigma, rows, lanes)?;
    expect("losses", "numbers", losses.len(), lanes)?;
    expect_cotangent("of_a", of_a.as_ref(), rows, lanes)?;
    expect_cotangent("of_sigma", of_sigma.as_ref(), rows, lanes)?;
    growth([a, b, sigma], losses, [of_a, of_sigma]);
    Ok(())
}

vectorised! {
    fn growth<'a, T>(
        equations: [Rows<'a, T>; 3],
        losses: &'a mut [T],
        cotangents: [Option<Cotangent<'a, T>>; 2],
    ) {
        let ([a, b, sigma], [of_a, of_sigma]) = (equations, cotangents);
        let half = T::narrow(0.5);
        let (of_a, mut abars) = of_a.map_or((half, None), |bar| (bar.scale, Some(bar.rows)));
        let (of_sigma, mut sigmabars) =
            of_sigma.map_or((half, None), |bar| (bar.scale, Some(bar.rows)));
        for at in (0..losses.len()).step_by(TOGETHER) {
            let count = TOGETHER.min(losses.len() - at);
            let mut sums = [T::zero(); TOGETHER];
            for i in 0..tile::rows(a) {
                let row = |tile: &Rows<'_, T>| lanes::<T, TOGETHER>(&tile[i][at..], count);
                let (a, b, sigma) = (row(&a), row(&b), row(&sigma));
                let (mut abar, mut sigmabar) = (a, a);
                for l in 0..TOGETHER {
                    let u = (a[l] - b[l]) / sigma[l];
                    let slope = u / sigma[l];
                    sums[l] += half * u * u;
                    abar[l] = of_a * slope;
                    sigmabar[l] = -of_sigma * (u * slope);
                }
                if let Some(abars) = &mut abars {
                    write(&mut abars[i][at..], count, &abar);
                }
                if let Some(sigmabars) = &mut sigmabars {
                    write(&mut sigmabars[i][at..], count, &sigmabar);
                }
            }
            write(&mut losses[at..], count, &sums);
        }
    }
}

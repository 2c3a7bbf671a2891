use super::direct::add_cells;
use super::memory::{CellMemory, OrderGroup};
use crate::OdeError;
use crate::error::require;
use hpfracc_operators::SumOfExponentials;
use hpfracc_special::recip_gamma;

/// Kernel compression on a mesh: the kernel as a sum of exponentials (SOE), in constant memory; the
/// last cell is exact.
///
/// ```text
/// Y_k = int_t0^t_(n-1) exp(-p_k (t_(n-1) - s)) f(s) ds,   orders up to 1, kernel sum_k w_k exp(-p_k t)
/// ```
///
/// Between orders 1 and 2 the kernel is t times a sum of exponentials, and there are states with
/// the factor t_(n-1) - s too. The states lag one cell: every requested time is at least a step
/// after them, and the same states give the dense output.
///
/// Cost: K exponentials per distinct order and request, and the same for a new node; memory: K
/// numbers for each component, twice for orders above 1.
#[derive(Debug)]
pub(crate) struct SumOfExponentialsMemory {
    groups: Vec<OrderGroup>,
    /// By group.
    states: Vec<States>,
    /// Shortest step.
    shortest: f64,
    nodes: usize,
    /// The last cell: its ends, and f there.
    times: [f64; 2],
    slopes: Vec<f64>,
}

/// The states of the components of one order.
#[derive(Debug)]
struct States {
    /// p_k, decreasing, and w_k/Gamma(alpha).
    exponentials: Vec<(f64, f64)>,
    /// Exponential by exponential, the components; `sloped` is empty for orders up to 1.
    plain: Vec<f64>,
    sloped: Vec<f64>,
}

/// Largest ratio of the interval to a step for which sums of exponentials exist.
pub(super) const LARGEST_RATIO: f64 = 1e15;

/// exp(-60) is far below rounding.
const VANISHED: f64 = 60.0;

impl SumOfExponentialsMemory {
    /// For steps of at least `shortest` in an interval of length `span`.
    ///
    /// # Errors
    /// [`OdeError::NoExponentials`] for orders above 2, [`OdeError::OutOfRange`] for a step shorter
    /// than 1e-15 of the interval, those of [`SumOfExponentials::of_power`].
    pub(crate) fn new(
        groups: &[OrderGroup],
        dim: usize,
        (shortest, span): (f64, f64),
        tolerance: f64,
    ) -> Result<Self, OdeError> {
        let expected = "at least 1e-15 of the interval, as far as sums of exponentials reach";
        require(span / shortest <= LARGEST_RATIO, "the length of a step", shortest, expected)?;
        let states = groups.iter().map(|(moments, components)| {
            let alpha = moments.alpha;
            if alpha > 2.0 {
                let kernel = format!("t^{}", alpha - 1.0);
                return Err(OdeError::NoExponentials { kernel });
            }
            let b = if alpha <= 1.0 { 1.0 - alpha } else { 2.0 - alpha };
            let interval = (shortest.min(0.5 * span), span);
            let power = SumOfExponentials::of_power(b, interval, tolerance)?;
            let scale = recip_gamma(alpha);
            let scaled = power.weights().iter().map(|w| scale * w);
            let exponentials: Vec<_> = power.rates().iter().copied().zip(scaled).collect();
            let plain = vec![0.0; exponentials.len() * components.len()];
            let sloped = if alpha <= 1.0 { Vec::new() } else { plain.clone() };
            Ok(States { exponentials, plain, sloped })
        });
        Ok(Self {
            states: states.collect::<Result<_, _>>()?,
            groups: groups.to_vec(),
            shortest,
            nodes: 0,
            times: [0.0; 2],
            slopes: vec![0.0; 2 * dim],
        })
    }
}

impl CellMemory for SumOfExponentialsMemory {
    fn push(&mut self, t: f64, f: &[f64]) {
        let dim = f.len();
        if self.nodes >= 2 {
            let h = self.times[1] - self.times[0];
            for (states, (_, components)) in self.states.iter_mut().zip(&self.groups) {
                states.absorb(h, self.slopes.split_at(dim), components);
            }
        }
        self.nodes += 1;
        self.times = [self.times[1], t];
        self.slopes.copy_within(dim.., 0);
        self.slopes[dim..].copy_from_slice(f);
    }

    fn shortest(&self) -> f64 {
        self.shortest
    }

    fn add_into(&self, t: f64, out: &mut [f64]) {
        if self.nodes < 2 {
            return;
        }
        for (states, (_, components)) in self.states.iter().zip(&self.groups) {
            states.add_into(t - self.times[0], components, out);
        }
        add_cells(&self.groups, (&self.times, &self.slopes), t, out);
    }
}

impl States {
    /// Adds the contribution at the time `later` after the states.
    fn add_into(&self, later: f64, components: &[usize], out: &mut [f64]) {
        let width = components.len();
        let gone = self.exponentials.partition_point(|(p, _)| p * later > VANISHED);
        for (k, (p, w)) in self.exponentials.iter().enumerate().skip(gone) {
            let left = w * (-p * later).exp();
            let plain = &self.plain[k * width..][..width];
            match self.sloped.get(k * width..(k + 1) * width) {
                None => {
                    for (&component, plain) in components.iter().zip(plain) {
                        out[component] += left * plain;
                    }
                }
                Some(sloped) => {
                    for ((&component, plain), sloped) in components.iter().zip(plain).zip(sloped) {
                        out[component] += left * (sloped + later * plain);
                    }
                }
            }
        }
    }

    /// Advances the states over a cell of length h with f at its ends.
    fn absorb(&mut self, h: f64, (f0, f1): (&[f64], &[f64]), components: &[usize]) {
        let width = components.len();
        let has_slopes = !self.sloped.is_empty();
        for (k, (p, _)) in self.exponentials.iter().enumerate() {
            let decay = (-p * h).exp();
            let [m0, m1, m2] = moments(p * h, decay);
            for (i, &component) in components.iter().enumerate() {
                let (f0, f1) = (f0[component], f1[component]);
                let plain = &mut self.plain[k * width + i];
                if has_slopes {
                    let sloped = &mut self.sloped[k * width + i];
                    *sloped = decay * (*sloped + h * *plain) + h * h * (m2 * f0 + (m1 - m2) * f1);
                }
                *plain = decay * *plain + h * (m1 * f0 + (m0 - m1) * f1);
            }
        }
    }
}

/// `int_0^1 u^j exp(-x u) du` for j = 0, 1, 2; `decay` is exp(-x).
fn moments(x: f64, decay: f64) -> [f64; 3] {
    if x > 1.0 {
        let m0 = (1.0 - decay) / x;
        let m1 = (m0 - decay) / x;
        return [m0, m1, (2.0 * m1 - decay) / x];
    }
    // exp(-x) sum_i x^i / (3 ... (3+i)), and from it the others, all without a difference.
    let (mut sum, mut term, mut next) = (0.0, 1.0 / 3.0, 4.0);
    while term > 1e-17 {
        sum += term;
        term *= x / next;
        next += 1.0;
    }
    let m2 = decay * sum;
    let m1 = 0.5 * (x * m2 + decay);
    [x * m1 + decay, m1, m2]
}

#[cfg(test)]
mod tests {
    use super::moments;

    #[test]
    fn moments_are_integrals() {
        for x in [0.0, 1e-12, 1e-3, 0.5, 0.999, 1.001, 3.0, 50.0, 1e5] {
            let found = moments(x, f64::exp(-x));
            for (j, found) in (0..).zip(found) {
                // Midpoints after u = v^4, which follows the layer at 0.
                let n = 400_000;
                let cell = |i: i32| {
                    let v = (f64::from(i) + 0.5) / f64::from(n);
                    let u = v.powi(4);
                    u.powi(j) * (-x * u).exp() * 4.0 * v.powi(3)
                };
                let expected = (0..n).map(cell).sum::<f64>() / f64::from(n);
                assert!((found - expected).abs() < 1e-7 * expected, "{x} {j}: {found} {expected}");
            }
        }
    }

    #[test]
    fn moments_agree_where_the_forms_meet() {
        let (below, above) = (moments(1.0, (-1.0f64).exp()), moments(1.0 + 1e-15, (-1.0f64).exp()));
        for (below, above) in below.into_iter().zip(above) {
            assert!((below - above).abs() < 5e-14 * below, "{below} {above}");
        }
    }
}

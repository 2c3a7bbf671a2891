use super::exponentials::{Factors, order, row};
use super::tiles::{BLOCK, Coefficients, Sum, Tiles};
use super::{Extent, History, Kernel, Row};
use crate::OdeError;
use crate::error::{require, same_length};
use hpfracc_lanes::Lanes;
use hpfracc_operators::SumOfExponentials;

/// [`Exponentials`](super::Exponentials) of many components: the same weights, with states in tiles
/// that are read and written once in 16 samples, and in `f64` or `f32`.
///
/// ```text
/// s[n] = sum_{m <= n-b} w[m] f[n-m] + sum_k L_k^(n-b) (B_k + (n-b) A_k) Y_k + A_k L_k^(n-b) Z_k
/// Y_k = sum_{j < b} L_k^(b-1-j) f[j],   Z_k = sum_{j < b} (b-1-j) L_k^(b-1-j) f[j]
/// ```
///
/// Samples from b on are summed directly with exact weights, at most 17.
#[derive(Debug)]
pub(super) struct FieldExponentials<T> {
    extent: Extent,
    groups: Vec<Group<T>>,
    pushed: usize,
    /// Samples that are not absorbed.
    stored: usize,
}

/// Components with the same rows of weights.
#[derive(Debug)]
struct Group<T> {
    tiles: Tiles<T>,
    coefficients: Coefficients<T>,
    /// By kernel, the weights of the lags BLOCK + 1 down to 1.
    near: Vec<Vec<T>>,
}

impl<T: Lanes> FieldExponentials<T> {
    /// Whether the rows of each component have one order.
    pub(super) fn fits(kernels: &[Kernel], dim: usize) -> bool {
        (0..dim).all(|component| {
            let mut orders = kernels.iter().map(|kernel| order(row(kernel, component)).ok());
            let first = orders.next();
            first.is_some_and(|first| orders.all(|other| other == first))
        })
    }

    /// See [`Exponentials::new`](super::Exponentials::new).
    pub(super) fn new(
        kernels: &[Kernel],
        dim: usize,
        capacity: usize,
        tolerance: f64,
    ) -> Result<Self, OdeError> {
        let extent = Extent::checked(kernels, dim, capacity)?;
        let same = |one: usize, other: usize| {
            kernels.iter().all(|kernel| kernel.row_of(one) == kernel.row_of(other))
        };
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for component in 0..dim {
            match groups.iter_mut().find(|group| same(group[0], component)) {
                Some(group) => group.push(component),
                None => groups.push(vec![component]),
            }
        }
        let group = |components: &Vec<usize>| Group::new(kernels, components, capacity, tolerance);
        let groups = groups.iter().map(group).collect::<Result<_, _>>()?;
        Ok(Self { extent, groups, pushed: 0, stored: 0 })
    }
}

impl<T: Lanes> Group<T> {
    fn new(
        kernels: &[Kernel],
        components: &[usize],
        capacity: usize,
        tolerance: f64,
    ) -> Result<Self, OdeError> {
        let rows: Vec<&Row> = kernels.iter().map(|kernel| row(kernel, components[0])).collect();
        let alpha = order(rows[0])?;
        for row in &rows[1..] {
            let other = order(row)?;
            if other != alpha {
                let kernel = format!("t^{} and t^{} over one component", alpha - 1.0, other - 1.0);
                return Err(OdeError::NoExponentials { kernel });
            }
        }
        let is_sloped = alpha > 1.0;
        let b = if is_sloped { 2.0 - alpha } else { 1.0 - alpha };
        let times = (1.0, (capacity + 1).max(2) as f64);
        let power = SumOfExponentials::of_power(b, times, tolerance)?;
        let decays = power.decays(1.0);
        let count = decays.len();
        let states = if is_sloped { 2 * count } else { count };
        let sums = kernels.len() * BLOCK;
        let mut coefficients = Coefficients::new([states, BLOCK, sums]);
        coefficients.plan(sums);
        if is_sloped {
            coefficients.set_slope(BLOCK as f64);
        }
        for (k, decay) in decays.iter().enumerate() {
            let powers: Vec<f64> = (0..=BLOCK as i32).map(|lag| decay.powi(lag)).collect();
            let lags = (0..BLOCK).rev();
            let plain: Vec<f64> = lags.clone().map(|lag| powers[lag]).collect();
            coefficients.set_state(k, powers[BLOCK], &plain);
            if is_sloped {
                let sloped: Vec<f64> = lags.map(|lag| lag as f64 * powers[lag]).collect();
                coefficients.set_state(count + k, powers[BLOCK], &sloped);
            }
        }
        let mut near = Vec::new();
        for (kernel, row) in rows.iter().enumerate() {
            let Factors { plain, sloped, .. } = Factors::new(row, alpha, &power)?;
            for (k, decay) in decays.iter().enumerate() {
                for later in 1..=BLOCK {
                    let left = decay.powi(later as i32);
                    let sum = kernel * BLOCK + later - 1;
                    let slope = sloped.get(k).copied().unwrap_or(0.0);
                    coefficients.set_weight(sum, k, left * (plain[k] + later as f64 * slope));
                    if is_sloped {
                        coefficients.set_weight(sum, count + k, left * slope);
                    }
                }
            }
            let weights = row.weights(BLOCK + 1)?;
            near.push(weights[1..].iter().rev().map(|w| T::narrow(*w)).collect());
        }
        let tiles = Tiles::new(components, [states, BLOCK + 1, sums]);
        Ok(Self { tiles, coefficients, near })
    }
}

impl<T: Lanes> History for FieldExponentials<T> {
    fn extent(&self) -> Extent {
        self.extent
    }

    fn pushed(&self) -> usize {
        self.pushed
    }

    fn push(&mut self, f: &[f64]) -> Result<(), OdeError> {
        let Extent { dim, capacity, .. } = self.extent;
        same_length("a sample", f.len(), dim)?;
        if self.pushed == capacity {
            return Err(OdeError::HistoryFull { capacity });
        }
        let absorbs = self.stored == BLOCK;
        for group in &mut self.groups {
            group.tiles.store(self.stored, f);
            if absorbs {
                group.tiles.absorb(&group.coefficients, (BLOCK, BLOCK + 1));
            }
        }
        self.pushed += 1;
        self.stored = if absorbs { 1 } else { self.stored + 1 };
        Ok(())
    }

    fn sum_into(&self, kernel: usize, out: &mut [f64]) -> Result<(), OdeError> {
        same_length("a sum", out.len(), self.extent.dim)?;
        let (inside, expected) =
            (kernel < self.extent.kernels, "below the number of kernels of the history");
        require(inside, "the index of a kernel", kernel as f64, expected)?;
        out.fill(0.0);
        if self.pushed == 0 {
            return Ok(());
        }
        for group in &self.groups {
            let near = &group.near[kernel][BLOCK + 1 - self.stored..];
            let planned = Some(kernel * BLOCK + self.stored - 1);
            group.tiles.add_into(Sum { planned, states: &[], first: 0, near }, out);
        }
        Ok(())
    }
}

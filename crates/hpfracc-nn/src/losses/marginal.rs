use super::LossError;
use super::energy::{Pairs, check};
use super::tile::Cotangent;
use crate::Scalar;
use hpfracc_lanes::Rows;

/// Mean over rows of the [energy distance](crate::EnergyDistance) of each row, that is of each
/// component at each time separately:
///
/// ```text
/// D = mean_r ( E|X_r - Y_r| - E|X_r - X_r'|/2 - E|Y_r - Y_r'|/2 )
/// ```
///
/// which is the integral of the squared difference of the two distribution functions. It depends on
/// marginal distributions only, not on the dependence between times; its cost is `(n + m) ln(n +
/// m)` for each row, by sorting, instead of quadratic. With one path y it is the continuous ranked
/// probability score (CRPS).
///
/// The value owns its work memory: nothing is allocated after the first call with this number of
/// paths.
///
/// Source: Szekely and Rizzo, J. Stat. Plan. Inference 143, 1249-1272 (2013), DOI
/// 10.1016/j.jspi.2013.03.018; Gneiting and Raftery, J. Am. Stat. Assoc. 102, 359-378 (2007),
/// DOI 10.1198/016214506000001437, section 4.2.
#[derive(Debug, Clone, Default)]
pub struct MarginalEnergy<T> {
    pairs: Pairs,
    /// Lanes of x, sorted by value.
    order: Vec<usize>,
    /// Sorted values of y.
    sorted: Vec<T>,
}

impl<T: Scalar> MarginalEnergy<T> {
    /// A distance with these pairs within each sample. A single path y requires [`Pairs::All`].
    pub fn new(pairs: Pairs) -> Self {
        Self { pairs, order: Vec::new(), sorted: Vec::new() }
    }

    /// The distance between the paths in the lanes of `x` and of `y`, and its gradient with respect
    /// to `x`. At ties the gradient is the mean of both sides.
    ///
    /// NaN or infinity in a row of either makes the distance and the gradient in that row NaN.
    ///
    /// # Errors
    /// As [`EnergyDistance::evaluate`](crate::EnergyDistance::evaluate).
    pub fn evaluate(
        &mut self,
        x: Rows<'_, T>,
        y: Rows<'_, T>,
        mut cotangent: Option<Cotangent<'_, T>>,
    ) -> Result<T, LossError> {
        check(self.pairs, x, y, cotangent.as_ref())?;
        let share = 1.0 / x.rows() as f64;
        let mut distance = 0.0;
        for row in 0..x.rows() {
            let out = cotangent
                .as_mut()
                .map(|Cotangent { scale, rows }| (scale.widen() * share, &mut rows[row]));
            distance += share * self.row(&x[row], &y[row], out);
        }
        Ok(T::narrow(distance))
    }

    /// The distance between two samples of numbers; writes the gradient times a factor to `out`.
    fn row(&mut self, x: &[T], y: &[T], out: Option<(f64, &mut [T])>) -> f64 {
        let Self { pairs, order, sorted } = self;
        let (scale, out) = out.unwrap_or((0.0, &mut []));
        if !x.iter().chain(y).all(|number| number.widen().is_finite()) {
            out.fill(T::NAN);
            return f64::NAN;
        }
        sorted.clear();
        sorted.extend_from_slice(y);
        sorted.sort_unstable_by(|a, b| a.widen().total_cmp(&b.widen()));
        order.clear();
        order.extend(0..x.len());
        order.sort_unstable_by(|a, b| x[*a].widen().total_cmp(&x[*b].widen()));
        let (n, m) = (x.len() as f64, y.len() as f64);
        let (cross, of_x, of_y) =
            (1.0 / (n * m), 1.0 / pairs.count(x.len()), 1.0 / pairs.count(y.len()));
        let (mut i, mut j) = (0, 0);
        let (mut between, mut within_x, mut within_y) = (0.0, 0.0, 0.0);
        let mut before = 0.0;
        while i < x.len() || j < y.len() {
            let (next_x, next_y) =
                (order.get(i).map(|l| x[*l].widen()), sorted.get(j).map(|y| y.widen()));
            let value = next_x.unwrap_or(f64::INFINITY).min(next_y.unwrap_or(f64::INFINITY));
            // A gap between neighbouring numbers contributes to the distance of every pair around
            // it.
            let (below_x, below_y) = (i as f64, j as f64);
            let gap = value - before;
            between += gap * (below_x * (m - below_y) + below_y * (n - below_x));
            within_x += gap * (below_x * (n - below_x));
            within_y += gap * (below_y * (m - below_y));
            before = value;
            let first = i;
            i += order[i..].iter().take_while(|l| x[**l].widen() == value).count();
            j += sorted[j..].iter().take_while(|y| y.widen() == value).count();
            if !out.is_empty() {
                let slope_of_y = below_y - (m - j as f64);
                let slope_of_x = below_x - (n - i as f64);
                let slope = scale * (cross * slope_of_y - of_x * slope_of_x);
                order[first..i].iter().for_each(|l| out[*l] = T::narrow(slope));
            }
        }
        cross * between - of_x * within_x - of_y * within_y
    }
}

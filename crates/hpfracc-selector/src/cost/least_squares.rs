//! Non-negative least squares on relative errors, regularised towards a prior.

use super::features::{Counts, TERMS};
use super::prior::seconds;

/// Weight of the prior relative to one timing, per term.
const REGULARISATION: f64 = 0.05;

/// Costs `c_j >= 0` that minimise
/// `sum_i (sum_j c_j n_ij / t_i - 1)^2 + REGULARISATION sum_j (c_j / (s p_j) - 1)^2`, where p is
/// the prior and s the mean factor by which this machine differs from it.
///
/// Errors are relative because times span eight decades. Terms that are zero in the prior stay
/// zero. The sum of squares is strictly convex, so that coordinate descent, projected to
/// non-negative values, converges to its minimum.
pub(super) fn fit<'a>(
    prior: &[f64; TERMS],
    rows: impl Iterator<Item = (&'a Counts, f64)> + Clone,
) -> [f64; TERMS] {
    let (n, logs) = rows.clone().fold((0.0, 0.0), |(n, sum), (counts, log)| {
        (n + 1.0, sum + log - seconds(prior, counts).ln())
    });
    // Half a timing in favour of the scale of the prior.
    let scale = (logs / (n + 0.5_f64)).exp();
    let scaled = prior.map(|p| p * scale);
    // The unknowns are c_j / (s p_j), all near one.
    let mut gram = [[0.0; TERMS]; TERMS];
    let mut right = [0.0; TERMS];
    for (counts, log) in rows {
        let time = log.exp();
        let row: [f64; TERMS] = std::array::from_fn(|j| scaled[j] * counts[j] / time);
        for i in 0..TERMS {
            right[i] += row[i];
            for j in 0..TERMS {
                gram[i][j] += row[i] * row[j];
            }
        }
    }
    for j in 0..TERMS {
        gram[j][j] += REGULARISATION;
        right[j] += REGULARISATION;
    }
    let mut x = [1.0; TERMS];
    for _ in 0..500 {
        let mut moved: f64 = 0.0;
        for j in 0..TERMS {
            let rest: f64 = (0..TERMS).filter(|&k| k != j).map(|k| gram[j][k] * x[k]).sum();
            let next = ((right[j] - rest) / gram[j][j]).max(0.0);
            moved = moved.max((next - x[j]).abs());
            x[j] = next;
        }
        if moved < 1e-6 {
            break;
        }
    }
    std::array::from_fn(|j| scaled[j] * x[j])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recovers_costs_and_keeps_absent_terms_at_zero() {
        let truth = [3e-6, 0.0, 2e-9, 0.0, 5e-10, 0.0];
        let prior = [1e-6, 0.0, 1e-9, 0.0, 1e-9, 0.0];
        let rows: Vec<(Counts, f64)> = (4..22)
            .flat_map(|k| [1.0, 16.0].map(|batch| (f64::from(1 << k), batch)))
            .map(|(n, batch)| {
                let counts = [1.0, batch, 2.0 * n * batch, n, n * batch * n.log2(), n * n * batch];
                (counts, seconds(&truth, &counts).ln())
            })
            .collect();
        let fitted = fit(&prior, rows.iter().map(|(counts, log)| (counts, *log)));
        for (counts, log) in &rows {
            let error = (seconds(&fitted, counts).ln() - log).abs();
            assert!(error < 0.1, "{error} at {counts:?}: {fitted:?}");
        }
        for j in [1, 3, 5] {
            assert_eq!(fitted[j], 0.0);
        }
    }

    #[test]
    fn costs_are_never_negative() {
        // Times that fall with the size: no sum of such terms does that.
        let rows: Vec<(Counts, f64)> =
            (1..10).map(|k| ([1.0, 1.0, f64::from(k), 0.0, 0.0, 0.0], -f64::from(k))).collect();
        let fitted = fit(&[1e-3; TERMS], rows.iter().map(|(counts, log)| (counts, *log)));
        assert!(fitted.iter().all(|&c| c >= 0.0), "{fitted:?}");
    }
}

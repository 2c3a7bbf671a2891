//! A sum of exponentials carries the memory: one row for each of them.

use hpfracc_types::Real;

/// `w_m = sum_k factor_k (1 - loss_k)^(m-1)`
#[derive(Debug, Clone)]
pub(crate) struct Exponentials<T> {
    losses: Vec<T>,
    factors: Vec<T>,
}

impl<T: Real> Exponentials<T> {
    pub(crate) fn new(
        losses: impl Iterator<Item = f64>,
        factors: impl Iterator<Item = f64>,
    ) -> Self {
        Self { losses: losses.map(T::narrow).collect(), factors: factors.map(T::narrow).collect() }
    }

    /// Rows that a tile holds.
    pub(super) fn rows(&self) -> usize {
        self.losses.len()
    }

    /// All lanes: most of them many at a time, so that the sums of the exponentials stay in
    /// registers.
    #[inline(always)]
    pub(super) fn step(&self, rows: &mut [T], u: &[T], sum: &mut [T]) {
        let mut at = 0;
        while at + 64 <= u.len() {
            self.some_lanes::<64>(rows, at, u, sum);
            at += 64;
        }
        while at + 16 <= u.len() {
            self.some_lanes::<16>(rows, at, u, sum);
            at += 16;
        }
        for at in at..u.len() {
            self.some_lanes::<1>(rows, at, u, sum);
        }
    }

    /// The lanes `at` to `at + W`: z <- z + (u - loss z), which loses nothing where the loss is
    /// tiny.
    #[inline(always)]
    fn some_lanes<const W: usize>(&self, rows: &mut [T], at: usize, u: &[T], sum: &mut [T]) {
        let lanes = u.len();
        let (mut now, mut total) = ([T::zero(); W], [T::zero(); W]);
        now.copy_from_slice(&u[at..at + W]);
        for (k, (loss, factor)) in self.losses.iter().zip(&self.factors).enumerate() {
            let row = &mut rows[k * lanes + at..][..W];
            for ((z, u), total) in row.iter_mut().zip(&now).zip(&mut total) {
                *total += *factor * *z;
                *z += *u - *loss * *z;
            }
        }
        sum[at..at + W].copy_from_slice(&total);
    }
}

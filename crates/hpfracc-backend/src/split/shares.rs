//! Cuts a batch into shares that end at the same time.

use super::speed::Law;

/// The parts that a batch is cut into at most: shares are whole numbers of them, so that they do not
/// follow every breath of the clock.
const PARTS: usize = 64;

/// Shares of `batch` signals for members with these laws, `None` for one that is left out.
///
/// Each part goes to the member that would finish it first, itself included in what that member has
/// got already. For equal parts this gives the least time in which all are finished: throughput
/// decides on a large batch; on a small one a member whose overhead does not pay gets nothing.
/// Fewer signals than members stay together.
pub(super) fn shares(laws: &[Option<Law>], batch: usize) -> Vec<usize> {
    let mut shares = vec![0; laws.len()];
    let members = laws.iter().flatten().count();
    if members == 0 {
        return shares;
    }
    // Small enough that equal members all get one.
    let part = if batch < members { batch } else { batch.div_ceil(PARTS).min(batch / members) };
    let mut left = batch;
    while left > 0 {
        let part = part.min(left);
        let Some(first) = first_to_finish(laws, &shares, part) else { return shares };
        shares[first] += part;
        left -= part;
    }
    shares
}

fn first_to_finish(laws: &[Option<Law>], shares: &[usize], part: usize) -> Option<usize> {
    let times = laws.iter().zip(shares).enumerate();
    times
        .filter_map(|(member, (law, share))| Some((member, law.as_ref()?.time(share + part))))
        .min_by(|(_, a), (_, b)| a.total_cmp(b))
        .map(|(member, _)| member)
}

/// When the last share is finished; infinity if one is with a member that is left out.
pub(super) fn time(laws: &[Option<Law>], shares: &[usize]) -> f64 {
    let times = laws.iter().zip(shares).map(|(law, &share)| match law {
        Some(law) => law.time(share),
        None if share == 0 => 0.0,
        None => f64::INFINITY,
    });
    times.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(overhead: f64, per_signal: f64) -> Option<Law> {
        Some(Law { overhead, per_signal })
    }

    #[test]
    fn throughput_decides_on_a_large_batch() {
        assert_eq!(shares(&[law(0.0, 1.0), law(0.0, 1.0)], 640), [320, 320]);
        assert_eq!(shares(&[law(0.0, 3.0), law(0.0, 1.0)], 640), [160, 480]);
        assert_eq!(shares(&[law(0.0, 1.0), None, law(0.0, 1.0)], 640), [320, 0, 320]);
        assert_eq!(shares(&[law(0.0, 1.0); 3], 7), [3, 2, 2]);
        assert!(shares(&[law(0.0, 1.0); 40], 65).iter().all(|&share| share > 0));
        // The last part is smaller.
        assert_eq!(shares(&[law(0.0, 1.0), law(0.0, 1.0)], 129).iter().sum::<usize>(), 129);
    }

    #[test]
    fn an_overhead_that_does_not_pay_is_not_spent() {
        let laws = [law(1.0, 1.0), law(100.0, 0.1)];
        assert_eq!(shares(&laws, 60), [60, 0]);
        assert_eq!(shares(&laws, 6400), [600, 5800]);
        assert_eq!(shares(&[law(50.0, 1.0), law(50.0, 1.0)], 4), [2, 2]);
    }

    #[test]
    fn fewer_signals_than_members_stay_together() {
        assert_eq!(shares(&[law(0.0, 2.0), law(0.0, 1.0), law(0.0, 3.0)], 2), [0, 2, 0]);
    }

    #[test]
    fn no_member_no_share() {
        assert_eq!(shares(&[None, None], 5), [0, 0]);
        assert_eq!(time(&[None, law(1.0, 2.0)], &[1, 0]), f64::INFINITY);
        assert_eq!(time(&[None, law(1.0, 2.0)], &[0, 3]), 7.0);
    }

    /// No other cut of the batch ends sooner.
    #[test]
    fn no_other_cut_ends_sooner() {
        for (o, p) in [(0.0, 1.0), (3.0, 0.5), (7.0, 0.25), (40.0, 0.1)] {
            let laws = [law(2.0, 1.0), law(o, p)];
            for batch in 2..40 {
                let found = time(&laws, &shares(&laws, batch));
                let least = (0..=batch).map(|n| time(&laws, &[n, batch - n]));
                assert_eq!(found, least.fold(f64::INFINITY, f64::min), "{batch}, {o}, {p}");
            }
        }
    }
}

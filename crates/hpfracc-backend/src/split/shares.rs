//! Cuts a batch into shares that end at the same time.

use super::speed_estimate::AffineTime;

/// Largest number of parts of a batch. Shares are whole numbers of parts, so that they do not
/// follow the noise of the clock.
const PARTS: usize = 64;

/// Shares of `batch` signals for members with these times; `None` for a member that is left out.
///
/// Each part goes to the member that would finish it first after the parts that it has already.
/// With equal parts this minimises the time until all are finished: throughput decides on a large
/// batch; on a small one a member whose overhead exceeds its gain has no share. Fewer signals than
/// members stay together.
pub(super) fn shares(members: &[Option<AffineTime>], batch: usize) -> Vec<usize> {
    let mut shares = vec![0; members.len()];
    let count = members.iter().flatten().count();
    if count == 0 {
        return shares;
    }
    // Small enough that equal members all get one.
    let part = if batch < count { batch } else { batch.div_ceil(PARTS).min(batch / count) };
    let mut left = batch;
    while left > 0 {
        let part = part.min(left);
        let Some(first) = first_to_finish(members, &shares, part) else { return shares };
        shares[first] += part;
        left -= part;
    }
    shares
}

fn first_to_finish(members: &[Option<AffineTime>], shares: &[usize], part: usize) -> Option<usize> {
    let times = members.iter().zip(shares).enumerate();
    times
        .filter_map(|(member, (cost, share))| Some((member, cost.as_ref()?.time(share + part))))
        .min_by(|(_, a), (_, b)| a.total_cmp(b))
        .map(|(member, _)| member)
}

/// Time until the last share is finished; infinity if a member that is left out has a share.
pub(super) fn time(members: &[Option<AffineTime>], shares: &[usize]) -> f64 {
    let times = members.iter().zip(shares).map(|(cost, &share)| match cost {
        Some(cost) => cost.time(share),
        None if share == 0 => 0.0,
        None => f64::INFINITY,
    });
    times.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(overhead: f64, per_signal: f64) -> Option<AffineTime> {
        Some(AffineTime { overhead, per_signal })
    }

    #[test]
    fn throughput_decides_on_a_large_batch() {
        assert_eq!(shares(&[cost(0.0, 1.0), cost(0.0, 1.0)], 640), [320, 320]);
        assert_eq!(shares(&[cost(0.0, 3.0), cost(0.0, 1.0)], 640), [160, 480]);
        assert_eq!(shares(&[cost(0.0, 1.0), None, cost(0.0, 1.0)], 640), [320, 0, 320]);
        assert_eq!(shares(&[cost(0.0, 1.0); 3], 7), [3, 2, 2]);
        assert!(shares(&[cost(0.0, 1.0); 40], 65).iter().all(|&share| share > 0));
        // The last part is smaller.
        assert_eq!(shares(&[cost(0.0, 1.0), cost(0.0, 1.0)], 129).iter().sum::<usize>(), 129);
    }

    #[test]
    fn an_overhead_that_does_not_pay_is_not_spent() {
        let members = [cost(1.0, 1.0), cost(100.0, 0.1)];
        assert_eq!(shares(&members, 60), [60, 0]);
        assert_eq!(shares(&members, 6400), [600, 5800]);
        assert_eq!(shares(&[cost(50.0, 1.0), cost(50.0, 1.0)], 4), [2, 2]);
    }

    #[test]
    fn fewer_signals_than_members_stay_together() {
        assert_eq!(shares(&[cost(0.0, 2.0), cost(0.0, 1.0), cost(0.0, 3.0)], 2), [0, 2, 0]);
    }

    #[test]
    fn no_member_no_share() {
        assert_eq!(shares(&[None, None], 5), [0, 0]);
        assert_eq!(time(&[None, cost(1.0, 2.0)], &[1, 0]), f64::INFINITY);
        assert_eq!(time(&[None, cost(1.0, 2.0)], &[0, 3]), 7.0);
    }

    /// No other cut of the batch ends sooner.
    #[test]
    fn no_other_cut_ends_sooner() {
        for (o, p) in [(0.0, 1.0), (3.0, 0.5), (7.0, 0.25), (40.0, 0.1)] {
            let members = [cost(2.0, 1.0), cost(o, p)];
            for batch in 2..40 {
                let found = time(&members, &shares(&members, batch));
                let least = (0..=batch).map(|n| time(&members, &[n, batch - n]));
                assert_eq!(found, least.fold(f64::INFINITY, f64::min), "{batch}, {o}, {p}");
            }
        }
    }
}

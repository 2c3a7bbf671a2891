use hpfracc_sde::noise::Philox;

/// Last words of the counters; those of noise are at least 2^24.
const ORDER: u32 = 1;
const DRAW: u32 = 2;

/// The indices 0 to n - 1 in the order of an epoch, by a Fisher-Yates shuffle.
///
/// A function of the seed and the epoch, available for any epoch without those before it. The
/// probabilities of orders differ relatively by less than n/2^64, for n up to 2^32.
///
/// Source: Knuth, The Art of Computer Programming 2, algorithm 3.4.2 P, with random bits of
/// [`Philox`].
///
/// ```
/// use hpfracc_nn::trainer::order_of_epoch;
///
/// let mut order = order_of_epoch(7, 3, 100);
/// assert_ne!(order, order_of_epoch(7, 4, 100));
/// order.sort_unstable();
/// assert_eq!(order, (0..100).collect::<Vec<_>>());
/// ```
pub fn order_of_epoch(seed: u64, epoch: u64, n: usize) -> Vec<usize> {
    let philox = Philox::new(seed);
    let mut order: Vec<usize> = (0..n).collect();
    for last in (1..n).rev() {
        let [a, b, ..] = philox.block([last as u32, epoch as u32, (epoch >> 32) as u32, ORDER]);
        let bits = u64::from(a) << 32 | u64::from(b);
        let chosen = (u128::from(bits) * (last as u128 + 1)) >> 64;
        order.swap(last, chosen as usize);
    }
    order
}

/// Seed of the random numbers of a step: different for each step and seed.
pub(super) fn draw_of_step(seed: u64, step: u64) -> u64 {
    let [a, b, ..] = Philox::new(seed).block([step as u32, (step >> 32) as u32, 0, DRAW]);
    u64::from(a) << 32 | u64::from(b)
}

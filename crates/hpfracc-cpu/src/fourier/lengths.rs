//! Transform lengths at which the FFT is fast.

/// The length of at least `n` whose transform takes the least time, by a measured rule.
///
/// rustfft 6.4 was timed at every length 2^a 3^b 5^c from 64 to 8192 (f64, AVX2). Per `m log2 m`
/// the powers of two take 0.11 ns, other multiples of 16 with at most one factor 5 about 0.13 ns,
/// the rest 0.14 to 0.25 ns. Choosing the least `m log2 m`, with 15 % added for anything but a
/// power of two, among multiples of 16 with at most one 5 costs on average 0.6 % more than the best
/// length, 15 % at worst; the next 5-smooth number costs 18 % more on average and 150 % at worst.
pub(crate) fn fastest(n: usize) -> usize {
    let mut best = n.next_power_of_two();
    for fives in [1, 5] {
        let mut odd = fives;
        while 16 * odd < best {
            let mut candidate = 16 * odd;
            while candidate < n {
                candidate *= 2;
            }
            if cost(candidate) < cost(best) {
                best = candidate;
            }
            odd *= 3;
        }
    }
    best
}

/// Time of a transform, in arbitrary units.
fn cost(m: usize) -> f64 {
    let weight = if m.is_power_of_two() { 1.0 } else { 1.15 };
    weight * m as f64 * (m as f64).log2()
}

/// Rows and columns of the four-step transform for a series of `n` samples; none for a short
/// series.
///
/// Time for a causal convolution relative to that of one real transform pair of the padded length
/// (f64, AVX-512, 48 KiB + 1 MiB of cache), for one transform and for 16, 64, 256 or 1024 rows:
///
/// | n      | one  | 16   | 64   | 256  | 1024 |
/// |--------|------|------|------|------|------|
/// | 2^12   | 0.90 | 0.94 | 0.95 | 1.10 | 6.2  |
/// | 2^14   | 0.96 | 0.96 | 0.85 | 0.90 | 1.29 |
/// | 2^16   | 1.00 | 0.90 | 0.87 | 0.74 | 1.05 |
/// | 2^18   | 1.13 | 0.94 | 0.93 | 0.75 | 0.82 |
/// | 2^20   | 1.25 | 0.95 | 0.92 | 0.85 | 0.89 |
pub(crate) fn four_step(n: usize) -> Option<(usize, usize)> {
    let rows = match n {
        0..=4096 => return None,
        4097..0x8000 => 64,
        0x8000..0x20_0001 => 256,
        _ => 1024,
    };
    Some((rows, fastest(n.div_ceil(rows))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_long_enough_with_small_factors() {
        for n in 1..5000 {
            let m = fastest(n);
            assert!((n..=n.next_power_of_two()).contains(&m), "{n}");
            let odd = m >> m.trailing_zeros();
            let threes = if odd.is_multiple_of(5) { odd / 5 } else { odd };
            assert!((0..8).any(|b| 3usize.pow(b) == threes), "{n}: {m}");
            assert!(odd == 1 || m.is_multiple_of(16), "{n}: {m}");
        }
        assert_eq!([5, 1000, 1025, 2000, 97].map(fastest), [8, 1024, 1152, 2048, 128]);
    }

    #[test]
    fn rows_times_columns_are_at_least_the_length() {
        for n in [4097, 5000, 0x7fff, 0x8000, 100_003, 0x20_0000, 0x20_0001, 10_000_019] {
            let (rows, columns) = four_step(n).unwrap();
            assert!(rows * columns >= n && columns.is_multiple_of(16), "{n}: {rows} x {columns}");
        }
        assert_eq!(four_step(4096), None);
    }
}

//! Lengths at which the Fourier transform is cheap.

/// The smallest length of at least `n` without a prime factor above 5.
pub(crate) fn cheap(n: usize) -> usize {
    let mut best = n.next_power_of_two();
    let mut fives = 1;
    while fives < best {
        let mut odd = fives;
        while odd < best {
            let mut candidate = odd;
            while candidate < n {
                candidate *= 2;
            }
            best = best.min(candidate);
            odd *= 3;
        }
        fives *= 5;
    }
    best
}

/// Rows and columns of the four-step transform for a series of `n`, if it is long enough.
pub(crate) fn four_step(n: usize) -> Option<(usize, usize)> {
    let rows = std::env::var("ROWS").map(|v| v.parse().unwrap()).unwrap_or(0);
    if rows == 0 {
        return None;
    }
    Some((rows, 16 * cheap(n.div_ceil(16 * rows))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_the_next_smooth_number() {
        let smooth = |mut n: usize| {
            for p in [2, 3, 5] {
                while n % p == 0 {
                    n /= p;
                }
            }
            n == 1
        };
        for n in 1..5000 {
            assert_eq!(cheap(n), (n..).find(|&m| smooth(m)).unwrap(), "{n}");
        }
    }
}

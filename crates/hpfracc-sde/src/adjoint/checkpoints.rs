//! Binomial checkpointing (revolve): the states to store, from which the others are recomputed.

/// Distance from a stored state to the next one to store, for a backward pass over `steps` steps
/// from it on with `places` stored states, this one among them; `None` if no further state is
/// stored.
///
/// With `beta(c, r)` the binomial coefficient c + r over c, the most steps that c places allow if
/// none is taken more than r times again, the walk to the next state, the steps beyond it with a
/// place less and those before it are together as few as can be wherever
///
/// ```text
/// beta(c, r-2) <= next <= beta(c, r-1)   and   beta(c-1, r-1) <= steps - next <= beta(c-1, r)
/// ```
///
/// and r is the least with `steps <= beta(c, r)`: `r steps - beta(c+1, r-1)` steps in all.
///
/// Source: Griewank and Walther, ACM Trans. Math. Softw. 26 (2000) 19, DOI 10.1145/347837.347846.
pub(super) fn next(steps: usize, places: usize) -> Option<usize> {
    // Of two steps the second starts where a walk from the first ends.
    if places < 2 || steps < 3 {
        return None;
    }
    let mut r = 1;
    while beta(places, r) < steps {
        r += 1;
    }
    let least = if r < 2 { 1 } else { beta(places, r - 2) };
    Some(least.max(steps.saturating_sub(beta(places - 1, r))))
}

/// `c + r` over `c`, or the largest number.
fn beta(c: usize, r: usize) -> usize {
    let (few, many) = (c.min(r) as u128, c.max(r) as u128);
    let mut product = 1u128;
    for k in 1..=few {
        // Whole each time: a binomial coefficient.
        product = product * (many + k) / k;
        if product > usize::MAX as u128 {
            return usize::MAX;
        }
    }
    product as usize
}

#[cfg(test)]
mod tests {
    use super::{beta, next};

    /// Steps taken to have all states of `steps` steps, from the last to the first.
    fn taken(steps: usize, places: usize) -> usize {
        match next(steps, places) {
            None => steps * (steps - 1) / 2,
            Some(next) => next + taken(steps - next, places - 1) + taken(next, places),
        }
    }

    /// Against the least over all places to keep a state at, and the closed form.
    #[test]
    fn no_schedule_takes_fewer_steps() {
        let mut least = vec![vec![0; 61]; 7];
        for steps in 1..=60 {
            least[1][steps] = steps * (steps - 1) / 2;
            for places in 2..7 {
                let best = (1..steps)
                    .map(|next| next + least[places - 1][steps - next] + least[places][next]);
                least[places][steps] = best.min().unwrap_or(0);
            }
            for places in 1..7 {
                assert_eq!(taken(steps, places), least[places][steps], "{steps}, {places}");
            }
        }
        for (steps, places, r) in [(1000, 10, 4), (100_000, 20, 6), (10_000, 8, 8)] {
            assert!(beta(places, r - 1) < steps && steps <= beta(places, r));
            assert_eq!(taken(steps, places), r * steps - beta(places + 1, r - 1));
        }
    }
}

use std::ops::Range;

/// Visible keys of a query: those within a window of times around its own, as far as they are
/// present.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mask<'a, T> {
    /// Visible times before the query.
    pub past: usize,
    /// Visible times after the query; 0 is causal.
    pub future: usize,
    /// A number for each time, positive where there is a key.
    pub present: Option<&'a [T]>,
}

impl<T> Mask<'_, T> {
    /// All keys.
    pub fn none() -> Self {
        Self { past: usize::MAX, future: usize::MAX, present: None }
    }

    /// The keys up to a query's own time.
    pub fn causal() -> Self {
        Self { future: 0, ..Self::none() }
    }
}

/// Visible part of a tile of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Visibility {
    None,
    Part,
    All,
}

impl<T: crate::Scalar> Mask<'_, T> {
    pub(super) fn visibility(&self, queries: &Range<usize>, keys: &Range<usize>) -> Visibility {
        let (last_query, last_key) = (queries.end - 1, keys.end - 1);
        let too_old = last_key.saturating_add(self.past) < queries.start;
        let too_new = keys.start > last_query.saturating_add(self.future);
        let within = keys.start.saturating_add(self.past) >= last_query
            && last_key <= queries.start.saturating_add(self.future);
        let present = keys.clone().filter(|&key| self.has(key)).count();
        if too_old || too_new || present == 0 {
            Visibility::None
        } else if within && present == keys.len() {
            Visibility::All
        } else {
            Visibility::Part
        }
    }

    fn has(&self, key: usize) -> bool {
        self.present.is_none_or(|present| present[key] > T::zero())
    }

    /// Writes minus infinity for hidden keys into a tile of scores with a line for each key.
    pub(super) fn hide_by_keys(
        &self,
        queries: &Range<usize>,
        keys: &Range<usize>,
        width: usize,
        scores: &mut [T],
    ) {
        let hidden = -T::one() / T::zero();
        for (key, line) in keys.clone().zip(scores.chunks_exact_mut(width)) {
            // Queries from key - future to key + past.
            let from = key.saturating_sub(self.future).max(queries.start) - queries.start;
            let end = key.saturating_add(self.past).saturating_add(1).min(queries.end);
            let end = end.max(queries.start) - queries.start;
            if self.has(key) && from < end {
                line[..from].fill(hidden);
                line[end..].fill(hidden);
            } else {
                line.fill(hidden);
            }
        }
    }

    /// The same for a tile with a line for each query.
    pub(super) fn hide_by_queries(
        &self,
        queries: &Range<usize>,
        keys: &Range<usize>,
        width: usize,
        scores: &mut [T],
    ) {
        let turned = Mask { past: self.future, future: self.past, present: None };
        turned.hide_by_keys(keys, queries, width, scores);
        let hidden = -T::one() / T::zero();
        for (at, _) in keys.clone().enumerate().filter(|&(_, key)| !self.has(key)) {
            scores.iter_mut().skip(at).step_by(width).for_each(|score| *score = hidden);
        }
    }
}

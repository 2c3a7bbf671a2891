//! Data of shards, merged in their order.

/// Shards that are merged: the shards of a group in pairs, as the digits of a binary counter are
/// carried, and the groups one after the other. The order of additions depends on the number of shards alone.
#[derive(Debug)]
pub(crate) struct Merged<S> {
    /// Number of shards.
    pub(crate) shards: usize,
    /// Complete groups.
    pub(crate) total: Option<S>,
    /// Parts of the group that is not complete, of 2^level shards each; levels fall.
    pub(crate) parts: Vec<Part<S>>,
}

/// Consecutive shards of a group.
#[derive(Debug)]
pub(crate) struct Part<S> {
    /// Logarithm of their number.
    pub(crate) level: u32,
    /// `None` if nothing was recorded.
    pub(crate) data: Option<S>,
}

impl<S> Default for Merged<S> {
    fn default() -> Self {
        Self { shards: 0, total: None, parts: vec![] }
    }
}

impl<S> Merged<S> {
    /// Appends the next part of the groups, of 2^depth shards each.
    pub(crate) fn push(&mut self, mut part: Part<S>, depth: u32, merge: impl Fn(&mut S, S)) {
        self.shards += 1 << part.level;
        while part.level < depth
            && let Some(earlier) = self.parts.pop_if(|earlier| earlier.level == part.level)
        {
            part = earlier.followed_by(part, &merge);
        }
        if part.level < depth {
            self.parts.push(part);
        } else {
            self.total = both(self.total.take(), part.data, &merge);
        }
    }
}

impl<S> Part<S> {
    /// This part and the next one of the same level.
    pub(crate) fn followed_by(self, next: Self, merge: impl Fn(&mut S, S)) -> Self {
        Self { level: self.level + 1, data: both(self.data, next.data, merge) }
    }
}

/// Data of shards, and of those after them.
fn both<S>(data: Option<S>, next: Option<S>, merge: impl Fn(&mut S, S)) -> Option<S> {
    match (data, next) {
        (Some(mut data), Some(next)) => {
            merge(&mut data, next);
            Some(data)
        }
        (data, next) => data.or(next),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merge(a: &mut String, b: String) {
        *a = format!("({a}{b})");
    }

    /// Parts that are merged before have the order of single shards.
    #[test]
    fn the_order_depends_on_the_number_of_shards_alone() {
        let one = |k: u32| Part { level: 0, data: Some(k.to_string()) };
        let mut single = Merged::default();
        (0..8).for_each(|k| single.push(one(k), 2, merge));
        assert_eq!(single.total.as_deref(), Some("(((01)(23))((45)(67)))"));
        assert!(single.parts.is_empty() && single.shards == 8);
        let mut parts = Merged::default();
        let pair = |k| one(k).followed_by(one(k + 1), merge);
        parts.push(one(0), 2, merge);
        parts.push(one(1), 2, merge);
        parts.push(pair(2), 2, merge);
        parts.push(pair(4).followed_by(pair(6), merge), 2, merge);
        assert_eq!(parts.total, single.total);
        let mut groups = Merged::default();
        (0..4).for_each(|k| groups.push(one(k), 0, merge));
        assert_eq!(groups.total.as_deref(), Some("(((01)2)3)"));
        groups.push(Part { level: 0, data: None }, 0, merge);
        assert_eq!((groups.shards, groups.total.as_deref()), (5, Some("(((01)2)3)")));
    }
}

/// Name of those known that is closest to an unknown one, if at most a third of its characters differ.
///
/// ```
/// let names = ["cole-cole", "springpot"];
/// assert_eq!(hpfracc_equation::nearest("cole-kole", names.into_iter()), Some("cole-cole"));
/// ```
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 40;
    let length = name.chars().count();
    if length > LONGEST {
        return None;
    }
    let limit = (length / 3).max(1);
    known
        .filter(|other| other.len().abs_diff(name.len()) <= limit)
        .map(|other| (distance(name, other), other))
        .filter(|(distance, other)| {
            *distance <= limit && (length > 1 || name.eq_ignore_ascii_case(other))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
}

/// Fewest insertions, deletions and replacements of characters, the Levenshtein distance.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.chars().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, expected) in
            [("", "abc", 3), ("sigma", "sigma", 0), ("kitten", "sitting", 3), ("abc", "acb", 2)]
        {
            assert_eq!((distance(a, b), distance(b, a)), (expected, expected), "{a} {b}");
        }
    }

    #[test]
    fn only_close_names() {
        let known = ["sigma", "rho", "x"];
        let find = |name| nearest(name, known.iter().copied());
        assert_eq!(find("sigm"), Some("sigma"));
        assert_eq!(find("X"), Some("x"));
        assert_eq!(find("y"), None);
        assert_eq!(find("omega"), None);
    }
}

//! Limits of the vertical axis, and curves cut at them.

use super::curve::Mark;
use super::ticks;
use std::ops::Range;

/// Fraction of the values of a fan at either end that may lie outside.
const OUTLIERS: f64 = 0.01;

/// Smallest and largest value of curves, given their marks and values.
///
/// With bands, a spike does not set the scale: values beyond the 1 % and 99 % quantiles by more
/// than the distance of these are outside.
pub(super) fn vertical(curves: &[(Mark, &[f64])]) -> (f64, f64) {
    let fan = curves.iter().any(|(mark, _)| *mark == Mark::Band);
    let all = curves.iter().flat_map(|(_, values)| *values).copied();
    let mut values: Vec<f64> = all.filter(|v| v.is_finite()).collect();
    let (low, high) = ticks::extremes(&values);
    if !fan || values.is_empty() {
        return (low, high);
    }
    values.sort_unstable_by(f64::total_cmp);
    let few = (OUTLIERS * values.len() as f64) as usize;
    let (bottom, top) = (values[few], values[values.len() - 1 - few]);
    let apart = top - bottom;
    (
        if low < bottom - apart { bottom - 0.5 * apart } else { low },
        if high > top + apart { top + 0.5 * apart } else { high },
    )
}

/// Parts of a line between two heights.
pub(super) fn cut(points: &[(f64, f64)], limits: &Range<f64>) -> Vec<Vec<(f64, f64)>> {
    let mut parts: Vec<Vec<(f64, f64)>> = Vec::new();
    let inside = |y: f64| (limits.start..=limits.end).contains(&y);
    if let [(x, y)] = points {
        return if inside(*y) { vec![vec![(*x, *y)]] } else { parts };
    }
    for pair in points.windows(2) {
        let Some((from, to)) = between(pair[0], pair[1], limits) else { continue };
        match parts.last_mut() {
            Some(part) if part.last() == Some(&from) => part.push(to),
            _ => parts.push(vec![from, to]),
        }
    }
    parts
}

/// Part of a segment between two heights.
fn between(a: (f64, f64), b: (f64, f64), limits: &Range<f64>) -> Option<((f64, f64), (f64, f64))> {
    let (low, high) = (a.1.min(b.1), a.1.max(b.1));
    if low > limits.end || high < limits.start {
        return None;
    }
    let at = |p: (f64, f64)| {
        let y = p.1.clamp(limits.start, limits.end);
        // Unchanged inside, to the last bit.
        if y == p.1 { p } else { (a.0 + (b.0 - a.0) * ((y - a.1) / (b.1 - a.1)), y) }
    };
    Some((at(a), at(b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spike_does_not_scale_a_fan() {
        let mut band: Vec<f64> = (0..400).map(|k| f64::from(k % 200) / 200.0).collect();
        band[77] = 1e6;
        let path = [0.5, -40.0, 0.5];
        let (low, high) = vertical(&[(Mark::Band, &band), (Mark::Hair, &path)]);
        assert!((-1.0..0.0).contains(&low) && (1.0..2.0).contains(&high), "{low} {high}");
        // Without a spike the range is that of the bands; without bands, that of all curves.
        band[77] = 0.5;
        assert_eq!(vertical(&[(Mark::Band, &band), (Mark::Hair, &path[2..])]), (0.0, 0.995));
        assert_eq!(vertical(&[(Mark::Hair, &path)]), (-40.0, 0.5));
        assert_eq!(vertical(&[(Mark::Band, &[])]), (f64::INFINITY, f64::NEG_INFINITY));
    }

    #[test]
    fn lines_are_cut_at_the_limits() {
        let points = [(0.0, 0.0), (1.0, 2.0), (2.0, 0.0), (3.0, 0.5), (4.0, 9.0), (5.0, 9.0)];
        let parts = cut(&points, &(-1.0..1.0));
        assert_eq!(parts[0], [(0.0, 0.0), (0.5, 1.0)]);
        assert_eq!(parts[1][..3], [(1.5, 1.0), (2.0, 0.0), (3.0, 0.5)]);
        assert_eq!((parts.len(), parts[1].len(), parts[1][3].1), (2, 4, 1.0));
        assert_eq!(cut(&points, &(-1.0..10.0)), [points.to_vec()]);
        assert!(cut(&[(0.0, 3.0)], &(0.0..1.0)).is_empty());
        assert_eq!(cut(&[(0.0, 3.0)], &(0.0..4.0)), [[(0.0, 3.0)]]);
    }
}

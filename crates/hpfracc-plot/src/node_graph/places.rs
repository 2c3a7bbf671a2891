//! Horizontal positions of nodes and bends.

use super::layers::Layers;

/// Positions of the middles of all items, from 0 to a width.
pub(super) struct Places {
    pub(super) x: Vec<i32>,
    pub(super) width: i32,
}

/// Number of sweeps.
const SWEEPS: usize = 16;

impl Places {
    /// Positions in the order of the layers, near the mean of the neighbours, without overlaps: `between`
    /// is the least space between two items. Widths are those of the nodes; bends have none.
    pub(super) fn new(layers: &Layers, widths: &[i32], between: i32) -> Self {
        let width = |item: usize| f64::from(widths.get(item).copied().unwrap_or(0));
        let apart = |a: usize, b: usize| 0.5 * (width(a) + width(b)) + f64::from(between);
        let mut x = vec![0.0; layers.layer.len()];
        for row in &layers.rows {
            let start: Vec<f64> = row.iter().map(|_| 0.0).collect();
            settle(row, &start, apart, &mut x);
        }
        for sweep in 0..SWEEPS {
            let depth = layers.rows.len();
            for k in 0..depth {
                let row = &layers.rows[if sweep % 2 == 0 { k } else { depth - 1 - k }];
                let wanted: Vec<f64> = row.iter().map(|item| centre(layers, *item, &x)).collect();
                settle(row, &wanted, apart, &mut x);
            }
        }
        let items = || x.iter().enumerate();
        let left = items().map(|(k, x)| x - 0.5 * width(k)).fold(f64::INFINITY, f64::min);
        let right = items().map(|(k, x)| x + 0.5 * width(k)).fold(f64::NEG_INFINITY, f64::max);
        let x = x.iter().map(|x| (x - left).round() as i32).collect();
        Self { x, width: if left < right { (right - left).ceil() as i32 } else { 0 } }
    }
}

/// Mean position of all neighbours.
fn centre(layers: &Layers, item: usize, x: &[f64]) -> f64 {
    let neighbours = || layers.below[item].iter().chain(&layers.above[item]);
    match neighbours().count() {
        0 => x[item],
        count => neighbours().map(|other| x[*other]).sum::<f64>() / count as f64,
    }
}

/// Positions near the wanted ones in this order: the mean of those pushed to the right and those pushed
/// to the left, which both keep the distances.
fn settle(row: &[usize], wanted: &[f64], apart: impl Fn(usize, usize) -> f64, x: &mut [f64]) {
    let (mut right, mut left) = (wanted.to_vec(), wanted.to_vec());
    for k in 1..row.len() {
        right[k] = right[k].max(right[k - 1] + apart(row[k - 1], row[k]));
    }
    for k in (1..row.len()).rev() {
        left[k - 1] = left[k - 1].min(left[k] - apart(row[k - 1], row[k]));
    }
    for (k, item) in row.iter().enumerate() {
        x[*item] = 0.5 * (right[k] + left[k]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_overlaps() {
        let edges: Vec<(usize, usize)> =
            (0..40).map(|k| (k, 40 + (7 * k) % 20)).chain([(40, 60), (59, 60), (3, 60)]).collect();
        let layers = Layers::new(61, &edges, 1000).unwrap();
        let widths: Vec<i32> = (0..61).map(|k| 20 + 3 * (k % 11)).collect();
        let places = Places::new(&layers, &widths, 10);
        for row in &layers.rows {
            for pair in row.windows(2) {
                let width = |item: usize| widths.get(item).copied().unwrap_or(0);
                let least = (width(pair[0]) + width(pair[1])) / 2 + 10;
                let found = places.x[pair[1]] - places.x[pair[0]];
                assert!(found >= least - 1, "{found} {least}");
            }
        }
        let left = (0..61).map(|k| places.x[k] - widths[k] / 2).min();
        assert!(left >= Some(-1) && places.x.iter().all(|x| *x <= places.width));
        let none = Places::new(&Layers::new(0, &[], 1).unwrap(), &[], 10);
        assert_eq!((none.x.len(), none.width), (0, 0));
    }
}

//! Order of the items in their layers.

use super::layers::Layers;

/// Number of sweeps up and down.
const SWEEPS: usize = 12;

/// Sorts each layer by the mean positions of the neighbours below, and above, in turns.
pub(super) fn improve(layers: &mut Layers) {
    let mut position = vec![0.0; layers.layer.len()];
    let mut rows = std::mem::take(&mut layers.rows);
    rows.iter().for_each(|row| number(row, &mut position));
    for sweep in 0..SWEEPS {
        let (upward, depth) = (sweep % 2 == 0, rows.len());
        let neighbours = if upward { &layers.below } else { &layers.above };
        for k in 0..depth {
            let row = &mut rows[if upward { k } else { depth - 1 - k }];
            let key: Vec<f64> =
                row.iter().map(|item| mean(&neighbours[*item], *item, &position)).collect();
            let mut order: Vec<usize> = (0..row.len()).collect();
            order.sort_by(|a, b| key[*a].total_cmp(&key[*b]));
            *row = order.iter().map(|place| row[*place]).collect();
            number(row, &mut position);
        }
    }
    layers.rows = rows;
}

/// Positions of a layer's items, spread from 0 to 1, so that wide and narrow layers compare.
fn number(row: &[usize], position: &mut [f64]) {
    for (place, item) in row.iter().enumerate() {
        position[*item] = (place as f64 + 0.5) / row.len() as f64;
    }
}

/// Mean position of the neighbours; an item without any stays.
fn mean(neighbours: &[usize], item: usize, position: &[f64]) -> f64 {
    if neighbours.is_empty() {
        return position[item];
    }
    neighbours.iter().map(|other| position[*other]).sum::<f64>() / neighbours.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Crossed edges between two layers are uncrossed.
    #[test]
    fn crossings_disappear() {
        let edges = [(0, 5), (1, 4), (2, 3)];
        let mut layers = Layers::new(6, &edges, 100).unwrap();
        improve(&mut layers);
        let place =
            |item: usize| layers.rows.iter().find_map(|row| row.iter().position(|k| *k == item));
        let mut pairs: Vec<_> = edges.iter().map(|(from, to)| (place(*from), place(*to))).collect();
        pairs.sort();
        assert!(pairs.windows(2).all(|pair| pair[0].1 < pair[1].1), "{pairs:?}");
    }
}

//! Layers of a graph, with bends where edges pass a layer.

/// Items of a picture: the nodes, then bends. Each has a layer, and each layer its items in order.
pub(super) struct Layers {
    /// Layer of each item, 0 the lowest.
    pub(super) layer: Vec<usize>,
    /// Items of each layer, from left to right.
    pub(super) rows: Vec<Vec<usize>>,
    /// Neighbours of each item in the layer below, and above.
    pub(super) below: Vec<Vec<usize>>,
    pub(super) above: Vec<Vec<usize>>,
    /// Bends of the edges of each node, from its layer upwards.
    bends: Vec<Vec<usize>>,
}

impl Layers {
    /// Layers of `count` nodes; `None` for more than `most` items. Edges go to later nodes.
    pub(super) fn new(count: usize, edges: &[(usize, usize)], most: usize) -> Option<Self> {
        let mut layer = longest_paths(count, edges);
        let mut highest = layer.clone();
        for &(from, to) in edges {
            highest[from] = highest[from].max(layer[to]);
        }
        let bends: Vec<usize> = (highest.iter().zip(&layer))
            .map(|(highest, own)| (highest - own).saturating_sub(1))
            .collect();
        if count + bends.iter().sum::<usize>() > most {
            return None;
        }
        let depth = layer.iter().max().map_or(0, |deepest| deepest + 1);
        let mut all = vec![Vec::new(); count];
        for node in 0..count {
            for above in 1..=bends[node] {
                all[node].push(layer.len());
                layer.push(layer[node] + above);
            }
        }
        let mut rows = vec![Vec::new(); depth];
        layer.iter().enumerate().for_each(|(item, layer)| rows[*layer].push(item));
        let (below, above) = (vec![Vec::new(); layer.len()], vec![Vec::new(); layer.len()]);
        let mut layers = Self { layer, rows, below, above, bends: all };
        for node in 0..count {
            let chain: Vec<usize> =
                std::iter::once(node).chain(layers.bends[node].iter().copied()).collect();
            chain.windows(2).for_each(|pair| layers.connect(pair[0], pair[1]));
        }
        for &(from, to) in edges {
            let last = layers.way(from, to).rev().nth(1).unwrap_or(from);
            layers.connect(last, to);
        }
        Some(layers)
    }

    fn connect(&mut self, below: usize, above: usize) {
        self.below[above].push(below);
        self.above[below].push(above);
    }

    /// Items of an edge: its node, bends, and the node at its end.
    pub(super) fn way(
        &self,
        from: usize,
        to: usize,
    ) -> impl DoubleEndedIterator<Item = usize> + use<'_> {
        let bends = self.layer[to] - self.layer[from] - 1;
        let bends = self.bends[from][..bends].iter().copied();
        std::iter::once(from).chain(bends).chain(std::iter::once(to))
    }
}

/// Length of the longest path to each node; sources stand one below the first node that needs them.
fn longest_paths(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut outgoing = vec![Vec::new(); count];
    let mut source = vec![true; count];
    for &(from, to) in edges {
        outgoing[from].push(to);
        source[to] = false;
    }
    let mut layer = vec![0; count];
    for from in 0..count {
        for &to in &outgoing[from] {
            layer[to] = layer[to].max(layer[from] + 1);
        }
    }
    for node in (0..count).filter(|node| source[*node]) {
        let first = outgoing[node].iter().map(|to| layer[*to]).min();
        layer[node] = first.map_or(0, |first| first - 1);
    }
    layer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_go_up() {
        let edges = [(0, 2), (1, 2), (2, 3), (0, 4), (3, 4), (5, 4)];
        let layers = Layers::new(6, &edges, 100).unwrap();
        assert_eq!(&layers.layer[..6], [0, 0, 1, 2, 3, 2]);
        // The edge from 0 to 4 bends in the layers 1 and 2.
        assert_eq!(layers.way(0, 4).collect::<Vec<_>>(), [0, 6, 7, 4]);
        assert_eq!((layers.layer[6], layers.layer[7]), (1, 2));
        for (item, below) in layers.below.iter().enumerate() {
            assert!(below.iter().all(|other| layers.layer[*other] + 1 == layers.layer[item]));
        }
        assert_eq!(layers.rows.iter().map(Vec::len).sum::<usize>(), 8);
        assert!(Layers::new(6, &edges, 7).is_none());
    }
}

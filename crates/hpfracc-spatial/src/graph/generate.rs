//! Graphs of tests and examples. All weights are 1.

use crate::Result;
use crate::error::{require, require_memory};
use crate::graph::Graph;
use crate::graph::random::SplitMix;
use std::collections::HashSet;

/// Refuses numbers of nodes beyond 2^32 - 1, and lists of edges that do not fit into memory.
fn check_size(nodes: usize, edges: f64) -> Result<()> {
    require(nodes <= u32::MAX as usize, "number of nodes", nodes as f64, "below 2^32")?;
    require_memory("the edges of a graph", 2.0 * edges)
}

impl Graph {
    /// Cycle of n >= 3 nodes. Eigenvalues of the combinatorial Laplacian: `2 - 2 cos(2 pi k / n)`.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::SpatialError::OutOfRange) for n < 3;
    /// those of [`undirected`](Self::undirected).
    pub fn ring(n: usize) -> Result<Self> {
        Self::torus(&[n])
    }

    /// Path of n >= 2 nodes. Eigenvalues of the combinatorial Laplacian: `2 - 2 cos(pi k / n)`.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::SpatialError::OutOfRange) for n < 2;
    /// those of [`undirected`](Self::undirected).
    pub fn path(n: usize) -> Result<Self> {
        require(n >= 2, "number of nodes of a path", n as f64, "at least 2")?;
        check_size(n, n as f64)?;
        let edges: Vec<_> = (1..n as u32).map(|i| (i - 1, i, 1.0)).collect();
        Self::undirected(n, &edges)
    }

    /// Periodic lattice with sides of at least 3 nodes, the last axis fastest. Eigenvalues of the
    /// combinatorial Laplacian: sums of those of rings.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::SpatialError::OutOfRange) for a side below 3, no or more than 3 sides;
    /// those of [`undirected`](Self::undirected).
    pub fn torus(sides: &[usize]) -> Result<Self> {
        let axes = sides.len();
        require((1..=3).contains(&axes), "number of axes of a torus", axes as f64, "1 to 3")?;
        for &side in sides {
            require(side >= 3, "side of a torus", side as f64, "at least 3")?;
        }
        let nodes = sides.iter().try_fold(1usize, |product, &side| product.checked_mul(side));
        let nodes = nodes.unwrap_or(usize::MAX);
        check_size(nodes, nodes as f64 * axes as f64)?;
        let mut edges = Vec::with_capacity(nodes * axes);
        let mut stride = nodes;
        for &side in sides {
            stride /= side;
            for node in 0..nodes {
                let along = node / stride % side;
                let next = node - along * stride + (along + 1) % side * stride;
                edges.push((node as u32, next as u32, 1.0));
            }
        }
        Self::undirected(nodes, &edges)
    }

    /// Preferential attachment: starts from a complete graph of `attached + 1` nodes; each further
    /// node is joined to `attached` different nodes, drawn in proportion to their degrees.
    ///
    /// The seed gives the same graph on every machine. Source: A.-L. Barabasi, R. Albert, Science
    /// 286 (1999) 509, doi:10.1126/science.286.5439.509.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::SpatialError::OutOfRange) unless `1 <= attached < n`;
    /// those of [`undirected`](Self::undirected).
    pub fn preferential_attachment(n: usize, attached: usize, seed: u64) -> Result<Self> {
        let fits = attached >= 1 && attached < n;
        require(fits, "number of nodes to attach to", attached as f64, "1 to n - 1")?;
        check_size(n, n as f64 * attached as f64)?;
        let mut random = SplitMix::new(seed);
        let mut edges = Vec::with_capacity(n * attached);
        let mut ends: Vec<u32> = Vec::with_capacity(2 * n * attached);
        for i in 0..=attached as u32 {
            for j in 0..i {
                edges.push((i, j, 1.0));
                ends.extend([i, j]);
            }
        }
        let mut targets: Vec<u32> = Vec::with_capacity(attached);
        for i in attached as u32 + 1..n as u32 {
            targets.clear();
            while targets.len() < attached {
                let target = ends[random.below(ends.len())];
                if !targets.contains(&target) {
                    targets.push(target);
                }
            }
            for &target in &targets {
                edges.push((i, target, 1.0));
                ends.extend([i, target]);
            }
        }
        Self::undirected(n, &edges)
    }

    /// Small world: a ring in which each node is joined to the `reach` next ones on either side, and
    /// each edge is moved with the probability `rewired` to a random end that is free.
    ///
    /// The seed gives the same graph on every machine. Source: D. J. Watts, S. H. Strogatz, Nature
    /// 393 (1998) 440, doi:10.1038/30918.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::SpatialError::OutOfRange) unless `1 <= reach` and `2 reach < n - 1`, or
    /// for a probability outside [0, 1]; those of [`undirected`](Self::undirected).
    pub fn small_world(n: usize, reach: usize, rewired: f64, seed: u64) -> Result<Self> {
        let fits = reach >= 1 && reach.saturating_mul(2) < n.saturating_sub(1);
        require(fits, "number of neighbours on a side", reach as f64, "1 to (n - 2) / 2")?;
        require((0.0..=1.0).contains(&rewired), "probability of rewiring", rewired, "0 to 1")?;
        check_size(n, n as f64 * reach as f64)?;
        let mut random = SplitMix::new(seed);
        let pair = |i: usize, j: usize| (i.min(j) as u32, i.max(j) as u32);
        let ring = |step: usize| (0..n).map(move |i| (i, (i + step) % n));
        let mut present: HashSet<_> = (1..=reach).flat_map(ring).map(|(i, j)| pair(i, j)).collect();
        let mut edges = Vec::with_capacity(n * reach);
        for (i, j) in (1..=reach).flat_map(ring) {
            let (mut from, mut to) = pair(i, j);
            if random.uniform() < rewired {
                let end = random.below(n);
                let moved = pair(i, end);
                if end != i && present.insert(moved) {
                    present.remove(&(from, to));
                    (from, to) = moved;
                }
            }
            edges.push((from, to, 1.0));
        }
        Self::undirected(n, &edges)
    }
}

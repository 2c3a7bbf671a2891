use crate::graph::csr::Csr;

/// Connected components by union of trees with path halving.
pub(super) fn components(adjacency: &Csr) -> (Vec<u32>, usize) {
    let n = adjacency.rows();
    let mut parent: Vec<u32> = (0..n as u32).collect();
    for i in 0..n {
        for &j in adjacency.row(i).0 {
            let (a, b) = (root(&mut parent, i as u32), root(&mut parent, j));
            parent[a.max(b) as usize] = a.min(b);
        }
    }
    let mut number = vec![0u32; n];
    let mut count = 0;
    for i in 0..n {
        let root = root(&mut parent, i as u32) as usize;
        // The root of a component is its first node.
        if root == i {
            number[i] = count;
            count += 1;
        } else {
            number[i] = number[root];
        }
    }
    (number, count as usize)
}

fn root(parent: &mut [u32], mut node: u32) -> u32 {
    while parent[node as usize] != node {
        let above = parent[parent[node as usize] as usize];
        parent[node as usize] = above;
        node = above;
    }
    node
}

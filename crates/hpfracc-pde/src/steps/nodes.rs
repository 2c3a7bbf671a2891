/// Nodes of steps with one at each of some increasing times inside the interval: the nearest node
/// moves there, unless it is an end or another of the times; else there is one more.
pub(crate) fn with_nodes_at(times: &[f64], nodes: &[f64]) -> Vec<f64> {
    let mut nodes = nodes.to_vec();
    let is_time = |t: f64| times.binary_search_by(|time| time.total_cmp(&t)).is_ok();
    for &t in times {
        let after = nodes.partition_point(|node| *node < t);
        if after == 0 || nodes.get(after).is_none_or(|node| *node == t) {
            continue;
        }
        let nearest = if t - nodes[after - 1] < nodes[after] - t { after - 1 } else { after };
        let is_end = nearest == 0 || nearest == nodes.len() - 1;
        if is_end || is_time(nodes[nearest]) {
            nodes.insert(after, t);
        } else {
            nodes[nearest] = t;
        }
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_time_is_a_node() {
        let nodes = [0.0, 1.0, 2.0, 3.0];
        let at = |times: &[f64]| with_nodes_at(times, &nodes);
        assert_eq!(at(&[0.0, 1.0, 3.0]), nodes);
        assert_eq!(at(&[0.4, 1.75, 2.9]), [0.0, 0.4, 1.0, 1.75, 2.9, 3.0]);
        assert_eq!(at(&[1.75, 1.8]), [0.0, 1.0, 1.75, 1.8, 3.0]);
        assert_eq!(at(&[1.2, 1.9, 2.0]), [0.0, 1.2, 1.9, 2.0, 3.0]);
        // Times outside of the interval are left to the observer.
        assert_eq!(at(&[-1.0, 4.0]), nodes);
        let many: Vec<f64> = (1..1000).map(|k| 3e-3 * f64::from(k)).collect();
        let found = at(&many);
        assert!(found.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(many.iter().all(|t| found.contains(t)));
    }
}

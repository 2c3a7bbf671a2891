use super::cell_moments::CellMoments;

/// Fractional integral of the piecewise linear interpolant of f, at times after the last node.
///
/// ```text
/// 1/Gamma(alpha) int_t0^t_n (t-s)^(alpha-1) f(s) ds,   t >= t_n, f linear in each cell up to t_n
/// ```
///
/// [`add_into`](Self::add_into) changes nothing, so a rejected step leaves no trace.
pub(crate) trait CellMemory: Send + Sync {
    /// Appends a node t with its f.
    fn push(&mut self, t: f64, f: &[f64]);

    /// Adds the integral at t to the components of `out`.
    fn add_into(&self, t: f64, out: &mut [f64]);
}

/// Cell moments of the distinct orders, each with its components.
pub(crate) fn moments_by_order(orders: &[f64], dim: usize) -> Vec<(CellMoments, Vec<usize>)> {
    let groups = by_order(orders, dim).into_iter();
    groups.map(|(alpha, components)| (CellMoments::new(alpha), components)).collect()
}

/// Distinct orders, each with its components.
pub(super) fn by_order(orders: &[f64], dim: usize) -> Vec<(f64, Vec<usize>)> {
    let mut groups: Vec<(f64, Vec<usize>)> = Vec::new();
    for component in 0..dim {
        let alpha = orders[component.min(orders.len() - 1)];
        match groups.iter_mut().find(|(order, _)| *order == alpha) {
            Some((_, components)) => components.push(component),
            None => groups.push((alpha, vec![component])),
        }
    }
    groups
}

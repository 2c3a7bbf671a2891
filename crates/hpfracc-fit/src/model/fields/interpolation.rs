//! Interpolation between the points of a box, cubic along each axis.

use hpfracc_spatial::{Axis, BoxGrid};

/// Points of an interpolation along an axis.
const POINTS: usize = 4;

/// Value of a field at a point as a sum over points of the grid.
#[derive(Debug, Clone, Default)]
pub(super) struct Stencil {
    /// Position in the field, and weight.
    terms: Vec<(usize, f64)>,
}

impl Stencil {
    /// The stencil of a point, by Lagrange's polynomials through the four nearest points along each
    /// axis; None for a point outside of the box. The error is of order h^4 for smooth fields.
    pub(super) fn new(grid: &BoxGrid, point: &[f64]) -> Option<Self> {
        let mut terms = vec![(0, 1.0)];
        for (axis, &x) in grid.axes().iter().zip(point) {
            let weights = along(axis, x)?;
            let of = |&(index, weight): &(usize, f64)| {
                let first = index * axis.len();
                weights.iter().map(move |(k, w)| (first + k, weight * w)).collect::<Vec<_>>()
            };
            terms = terms.iter().flat_map(of).collect();
        }
        Some(Self { terms })
    }

    /// The value of a field.
    pub(super) fn value(&self, field: &[f64]) -> f64 {
        self.terms.iter().map(|(index, weight)| weight * field[*index]).sum()
    }
}

/// Points along an axis with their weights.
fn along(axis: &Axis, x: f64) -> Option<Vec<(usize, f64)>> {
    let [from, to] = axis.ends();
    if !(from..=to).contains(&x) {
        return None;
    }
    let (points, n) = (axis.points(), axis.len());
    let count = POINTS.min(n);
    let after = points.partition_point(|point| *point <= x) as isize;
    let first = after - (count / 2) as isize;
    let first = if axis.is_periodic() { first } else { first.clamp(0, (n - count) as isize) };
    let places: Vec<(usize, f64)> = (first..first + count as isize)
        .map(|place| {
            let (k, turns) = (place.rem_euclid(n as isize), place.div_euclid(n as isize));
            (k as usize, points[k as usize] + turns as f64 * (to - from))
        })
        .collect();
    let weight = |i: usize| {
        let others = places.iter().enumerate().filter(|(k, _)| *k != i);
        others.map(|(_, (_, other))| (x - other) / (places[i].1 - other)).product()
    };
    Some(
        (0..count).map(|i| (places[i].0, weight(i))).filter(|(_, weight)| *weight != 0.0).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc_spatial::{Boundary, Discretisation};

    fn axis(n: usize) -> Axis {
        Axis::new(-1.0, 2.0, n, [Boundary::Neumann, Boundary::Dirichlet]).unwrap()
    }

    #[test]
    fn cubics_are_exact() {
        let legendre = axis(9).with(Discretisation::Legendre).unwrap();
        let grid = BoxGrid::new(vec![axis(7), legendre]).unwrap();
        let f = |p: &[f64]| 1.0 + p[0].powi(3) - 2.0 * p[0] * p[1].powi(2) + p[1].powi(3);
        let field = grid.sample(f);
        for x in [-1.0, -0.93, 0.1, 1.2, 1.99, 2.0] {
            for y in [-1.0, -0.5, 0.77, 2.0] {
                let value = Stencil::new(&grid, &[x, y]).unwrap().value(&field);
                assert!((value - f(&[x, y])).abs() < 1e-12, "{x} {y}");
            }
        }
        // Points of the grid are met.
        let point = grid.coordinates(23);
        assert_eq!(Stencil::new(&grid, &point).unwrap().value(&field), field[23]);
        for point in [[-1.001, 0.0], [0.0, 2.1], [f64::NAN, 0.0]] {
            assert!(Stencil::new(&grid, &point).is_none(), "{point:?}");
        }
    }

    #[test]
    fn errors_are_of_fourth_order_on_periodic_axes() {
        let error = |n: usize| {
            let axis = Axis::periodic(0.0, 1.0, n).unwrap();
            let grid = BoxGrid::new(vec![axis]).unwrap();
            let f = |p: &[f64]| (std::f64::consts::TAU * p[0]).sin();
            let field = grid.sample(f);
            let at = |k: usize| {
                let x = k as f64 / 1000.0;
                (Stencil::new(&grid, &[x]).unwrap().value(&field) - f(&[x])).abs()
            };
            (0..=1000).map(at).fold(0.0, f64::max)
        };
        let order = (error(20) / error(40)).log2();
        assert!((order - 4.0).abs() < 0.2, "{order}");
        // Fewer points than a cubic takes.
        let three = BoxGrid::new(vec![axis(3)]).unwrap();
        let field = three.sample(|p| p[0] * p[0]);
        let value = Stencil::new(&three, &[0.3]).unwrap().value(&field);
        assert!((value - 0.09).abs() < 1e-14);
    }
}

use super::box_axes::node;
use crate::Result;
use crate::error::require;

/// Nodes within this fraction of the radius of a ball belong to its domain; those beyond are at
/// rounding distance from the sphere, and optional.
const INSIDE: f64 = 1.0 - 1e-8;

/// Distance of each node of a domain from the centre of a ball; refuses domains that are not the nodes
/// inside it. `domain` has the indices of its nodes in the box, ascending.
pub(crate) fn distances_in_ball(
    axes: &[(f64, f64, usize)],
    domain: &[usize],
    centre: &[f64],
    radius: f64,
) -> Result<Vec<f64>> {
    let distance = |i: usize| -> f64 {
        let x = node(axes, i);
        x.iter().zip(centre).map(|(x, c)| (x - c).powi(2)).sum::<f64>().sqrt()
    };
    let distances: Vec<f64> = domain.iter().map(|i| distance(*i)).collect();
    for &distance in &distances {
        let what = "distance of a node from the centre";
        require(distance < radius, what, distance, "less than the radius")?;
    }
    for ((a, b, _), c) in axes.iter().zip(centre) {
        let (room, what) = ((c - a).min(b - c), "distance of the centre from an end of an axis");
        require(room >= radius * INSIDE, what, room, "at least the radius")?;
    }
    let mut domain = domain.iter().copied().peekable();
    for i in 0..axes.iter().map(|(_, _, n)| n).product() {
        if domain.next_if_eq(&i).is_none() {
            let (what, distance) = ("distance of a node outside the domain", distance(i));
            require(distance > radius * INSIDE, what, distance, "at least the radius")?;
        }
    }
    Ok(distances)
}

//! Diffusion on the streets of a town: `cargo run --release --example graph_diffusion`.
//!
//! `u' = -L^gamma u` with the Laplacian L of a graph, from one crossing. The ordinary Laplacian moves
//! u along streets and over two bridges, a power below 1 also by jumps to distant crossings.

use hpfracc::pde::{Equation, solve_linear};
use hpfracc::spatial::{Graph, GraphLaplacian, Power, Way};
use hpfracc_plot::{Axis, HeatMaps, MapFrame};
use pictures::{Outcome, publish_as};
use std::sync::Arc;

const EXPONENTS: [f64; 2] = [1.0, 0.5];
const TIMES: [f64; 3] = [1.0, 5.0, 25.0];
/// Crossings along each side of the town, 100 m apart.
const SIDE: usize = 22;
const SOURCE: usize = 6 * SIDE + 6;
/// Lowest logarithm of the colours.
const LOWEST: f64 = -5.0;

pub(crate) fn main() -> Outcome<()> {
    let town = Town::new()?;
    let far = town.farthest();
    println!("{} crossings, {} streets", town.places.len(), town.graph.edges().count());
    let (mut captions, mut maps) = (Vec::new(), Vec::new());
    for gamma in EXPONENTS {
        for (t, u) in TIMES.into_iter().zip(town.spread(gamma, &TIMES)?) {
            println!(
                "gamma = {gamma:<4} t = {t:<3} at the source {:.2e}, farthest away {:.2e}",
                u[SOURCE], u[far]
            );
            captions.push(format!("gamma = {gamma}, t = {t}"));
            maps.push(town.drawn(&u));
        }
    }
    let frames: Vec<MapFrame<'_>> = (captions.iter().zip(&maps))
        .map(|(caption, values)| MapFrame { caption, values })
        .collect();
    let pixels = pixels();
    let picture = HeatMaps {
        title: "Diffusion on a graph, ordinary (gamma = 1) and with long jumps (gamma = 1/2)",
        x: Axis::linear("x in km"),
        y: Axis::linear("y in km"),
        name: "log10 u",
        xs: &pixels,
        ys: &pixels,
        frames: &frames,
    };
    publish_as("graph_diffusion", |format| picture.draw_in_columns(3, format))
}

/// Streets on both sides of a river.
struct Town {
    /// Positions of the crossings in km.
    places: Vec<[f64; 2]>,
    graph: Graph,
    laplacian: GraphLaplacian,
}

impl Town {
    fn new() -> Outcome<Self> {
        let mut random = Random(6);
        let mut places = Vec::new();
        for row in 0..SIDE {
            for column in 0..SIDE {
                let shifted = |k: usize, by: f64| 0.1 * (k as f64 + 0.5 + 0.5 * (by - 0.5));
                places.push([shifted(column, random.next()), shifted(row, random.next())]);
            }
        }
        let mut edges = Vec::new();
        for row in 0..SIDE {
            for column in 0..SIDE {
                let node = row * SIDE + column;
                let right = (column + 1 < SIDE).then_some(node + 1);
                let up = (row + 1 < SIDE).then_some(node + SIDE);
                for next in [right, up].into_iter().flatten() {
                    let over = across(places[node]) != across(places[next]);
                    let bridge = over && [4, 17].contains(&column) && next == node + SIDE;
                    if bridge || (!over && random.next() < 0.88) {
                        edges.push((node as u32, next as u32, 1.0));
                    }
                }
            }
        }
        let graph = Graph::undirected(places.len(), &edges)?;
        let laplacian = GraphLaplacian::combinatorial(&graph)?;
        Ok(Self { places, graph, laplacian })
    }

    /// `exp(-t L^gamma)` of 1 at the source, at some times.
    fn spread(&self, gamma: f64, times: &[f64]) -> Outcome<Vec<Vec<f64>>> {
        let mut start = vec![0.0; self.places.len()];
        start[SOURCE] = 1.0;
        let power = Power::new(&self.laplacian, gamma, Way::Auto, 1e-10)?;
        Ok(solve_linear(&Equation::new(Arc::new(power)).start(&start)?, times, 1e-10)?)
    }

    fn farthest(&self) -> usize {
        let far = |k: &usize| distance(self.places[*k], self.places[SOURCE]);
        (0..self.places.len()).max_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(0)
    }

    /// Pixels of the map: crossings as disks, streets with interpolated logarithms, none elsewhere.
    fn drawn(&self, u: &[f64]) -> Vec<f64> {
        let pixels = pixels();
        let mut map = vec![f64::NAN; pixels.len() * pixels.len()];
        let log = |u: f64| u.max(0.0).log10().clamp(LOWEST, 0.0);
        for (from, to, _) in self.graph.edges() {
            paint(&mut map, &pixels, 0.008, [self.places[from], self.places[to]], |part| {
                log(u[from]) + part * (log(u[to]) - log(u[from]))
            });
        }
        for (place, u) in self.places.iter().zip(u) {
            paint(&mut map, &pixels, 0.026, [*place; 2], |_| log(*u));
        }
        map
    }
}

/// Side of the river.
fn across([x, y]: [f64; 2]) -> bool {
    y > 1.15 + 0.25 * (3.0 * x).sin()
}

fn distance([x, y]: [f64; 2], [p, q]: [f64; 2]) -> f64 {
    (x - p).hypot(y - q)
}

/// Centres of the pixels of the town along an axis.
fn pixels() -> Vec<f64> {
    (0..500).map(|k| 0.1 * SIDE as f64 * (f64::from(k) + 0.5) / 500.0).collect()
}

/// Paints the pixels closer than `radius` to a segment with `color(part of the way)`.
fn paint(
    map: &mut [f64],
    pixels: &[f64],
    radius: f64,
    [a, b]: [[f64; 2]; 2],
    color: impl Fn(f64) -> f64,
) {
    let near = |axis: usize| {
        let (low, high) = (a[axis].min(b[axis]) - radius, a[axis].max(b[axis]) + radius);
        pixels.partition_point(|p| *p < low)..pixels.partition_point(|p| *p < high)
    };
    let along = [b[0] - a[0], b[1] - a[1]];
    let square = along[0].powi(2) + along[1].powi(2);
    for row in near(1) {
        for column in near(0) {
            let point = [pixels[column], pixels[row]];
            let dot = (point[0] - a[0]) * along[0] + (point[1] - a[1]) * along[1];
            let part = if square > 0.0 { (dot / square).clamp(0.0, 1.0) } else { 0.0 };
            let nearest = [a[0] + part * along[0], a[1] + part * along[1]];
            if distance(point, nearest) < radius {
                map[row * pixels.len() + column] = color(part);
            }
        }
    }
}

/// Numbers from 0 to 1, the same in every run (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z >> 11) as f64 / 2f64.powi(53)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_reach_far_crossings_and_conserve_the_sum() {
        let town = Town::new().unwrap();
        assert_eq!(town.graph.components().1, 1);
        let [ordinary, jumps] =
            EXPONENTS.map(|gamma| town.spread(gamma, &[1.0]).unwrap().remove(0));
        for u in [&ordinary, &jumps] {
            assert!((u.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(u.iter().all(|u| *u > -1e-9));
        }
        let far = town.farthest();
        assert!(jumps[far] > 1e-5 && ordinary[far] < 1e-8);
    }
}

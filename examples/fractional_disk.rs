//! Fractional Poisson problem on a disk: `cargo run --release --example fractional_disk`.
//!
//! `(-Lap)^s u = 1` inside, u = 0 outside, in the integral definition: u is the mean time in which a
//! stable process leaves the disk. The solution `(1 - r^2)^s / (4^s Gamma(1 + s)^2)` is singular at
//! the boundary, distance^s.

use hpfracc::spatial::IntegralLaplacian;
use hpfracc::special::gamma;
use hpfracc_plot::{Axis, Chart, Curve, HeatMaps, MapFrame, Mark, Sheet};
use pictures::{Outcome, every, publish, publish_as};

const EXPONENTS: [f64; 3] = [0.25, 0.5, 0.75];
/// Nodes along a diameter.
const NODES: usize = 255;
const SIZES: [usize; 5] = [15, 31, 63, 127, 255];

pub(crate) fn main() -> Outcome<()> {
    let disks = EXPONENTS.map(|s| Disk::new(s, NODES));
    let [first, second, third] = disks;
    let disks = [first?, second?, third?];
    let captions = EXPONENTS.map(|s| format!("s = {s}"));
    let maps = disks.each_ref().map(|disk| disk.laplacian.on_box(&disk.u, f64::NAN));
    let frames = [0, 1, 2].map(|k| MapFrame { caption: &captions[k], values: &maps[k] });
    let positions = nodes_of(NODES);
    let picture = HeatMaps {
        title: "(-Lap)^s u = 1 on the unit disk, u = 0 outside",
        x: Axis::linear("x"),
        y: Axis::linear("y"),
        name: "u",
        xs: &positions,
        ys: &positions,
        frames: &frames,
    };
    publish_as("fractional_disk", |format| picture.draw_in_columns(3, format))?;
    profiles(&disks)
}

/// Profiles along a diameter, and errors.
fn profiles(disks: &[Disk; 3]) -> Outcome<()> {
    let fine: Vec<f64> = (0..=2000).map(|k| f64::from(k) / 1000.0 - 1.0).collect();
    let exact = EXPONENTS.map(|s| fine.iter().map(|x| solution(s, x * x)).collect::<Vec<_>>());
    let marks = every(8, &nodes_of(NODES)[7..]);
    let found = disks.each_ref().map(|disk| every(8, &disk.diameter()[7..]));
    let names = EXPONENTS.map(|s| format!("s = {s}"));
    let mut along = Vec::new();
    for k in 0..3 {
        along.push(Curve::line(&names[k], &fine, &exact[k], k));
    }
    for k in 0..3 {
        let name = if k == 0 { "computed" } else { "" };
        along.push(Curve::line(name, &marks, &found[k], k).marked(Mark::Rings));
    }

    let sizes: Vec<f64> = SIZES.iter().map(|n| *n as f64).collect();
    let mut errors = Vec::new();
    for s in EXPONENTS {
        let disks = SIZES.map(|n| Disk::new(s, n).map(|disk| disk.errors()));
        let (mut whole, mut inside) = (Vec::new(), Vec::new());
        for disk in disks {
            let [all, middle] = disk?;
            whole.push(all);
            inside.push(middle);
        }
        let order = |errors: &[f64]| (errors[1] / errors[4]).log2() / 3.0;
        println!(
            "s = {s:<6} rms error {:.1e}, for r < 1/2 {:.1e}, orders {:.2}, {:.2}",
            whole[4],
            inside[4],
            order(&whole),
            order(&inside)
        );
        errors.push((whole, inside));
    }
    let mut curves = Vec::new();
    for (k, (whole, inside)) in errors.iter().enumerate() {
        let (one, two) = if k == 0 { ("on the disk", "for r < 1/2") } else { ("", "") };
        curves.push(Curve::line(one, &sizes, whole, k));
        curves.push(Curve::line(two, &sizes, inside, k).marked(Mark::Dashes));
    }
    let chart = |title, x, y, curves| Chart { title, x, y, curves, equal: false };
    let left = [chart("", Axis::linear("x along a diameter"), Axis::linear("u"), &along)];
    let right = [chart(
        "root mean square error",
        Axis::log("nodes along a diameter"),
        Axis::log("error"),
        &curves,
    )];
    let title = "Fractional Poisson problem on the unit disk";
    publish("fractional_disk_profile", &Sheet { title, columns: &[&left, &right] })
}

/// `(R^2 - r^2)^s / (4^s Gamma(1 + s)^2)` in the plane, R = 1.
fn solution(s: f64, square: f64) -> f64 {
    (1.0 - square).max(0.0).powf(s) / (4f64.powf(s) * gamma(1.0 + s).powi(2))
}

/// Nodes of a diameter.
fn nodes_of(n: usize) -> Vec<f64> {
    (1..=n).map(|k| 2.0 * k as f64 / (n + 1) as f64 - 1.0).collect()
}

struct Disk {
    s: f64,
    n: usize,
    laplacian: IntegralLaplacian,
    u: Vec<f64>,
}

impl Disk {
    fn new(s: f64, n: usize) -> Outcome<Self> {
        let axis = (-1.0, 1.0, n);
        let inside = |x: &[f64]| x[0] * x[0] + x[1] * x[1] < 1.0;
        let laplacian = IntegralLaplacian::inside(2.0 * s, &[axis, axis], inside)?;
        let u = laplacian.poisson(&vec![1.0; laplacian.nodes().len()])?.values;
        Ok(Self { s, n, laplacian, u })
    }

    fn diameter(&self) -> Vec<f64> {
        let values = self.laplacian.on_box(&self.u, 0.0);
        values[self.n * (self.n / 2)..][..self.n].to_vec()
    }

    /// Root mean square errors on the disk and for r < 1/2.
    fn errors(&self) -> [f64; 2] {
        let mut sums = [(0.0, 0.0); 2];
        for (x, u) in self.laplacian.nodes().iter().zip(&self.u) {
            let square = x[0] * x[0] + x[1] * x[1];
            let error = (u - solution(self.s, square)).powi(2);
            let parts = if square < 0.25 { &mut sums[..] } else { &mut sums[..1] };
            for (sum, count) in parts {
                *sum += error;
                *count += 1.0;
            }
        }
        sums.map(|(sum, count): (f64, f64)| (sum / count).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_is_that_of_the_disk() {
        for s in EXPONENTS {
            let [coarse, fine] = [15, 127].map(|n| Disk::new(s, n).unwrap().errors());
            assert!(fine[0] < 0.5 * coarse[0] && fine[0] < 0.03, "{coarse:?} {fine:?}");
            assert!(fine[1] < 0.7 * coarse[1] && fine[1] < 0.006, "{coarse:?} {fine:?}");
        }
    }
}

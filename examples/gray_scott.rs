//! Gray-Scott patterns with long jumps: `cargo run --release --example gray_scott`.
//!
//! Two substances that react and spread by `-d (-Lap)^s`, s = 1 for diffusion and below 1 for jumps
//! whose lengths have power-law tails. Coefficients are such that waves of one length spread alike.

use hpfracc::pde::models::GrayScott;
use hpfracc::pde::{Settings, TimeScheme, solve};
use hpfracc::prelude::{HistoryChoice, Steps};
use hpfracc::spatial::{Axis as Points, BoxGrid};
use hpfracc_plot::{Axis, HeatMaps, MapFrame};
use pictures::{Outcome, publish_as};
use std::f64::consts::TAU;

const EXPONENTS: [f64; 2] = [1.0, 0.6];
const TIMES: [f64; 3] = [500.0, 1500.0, 3000.0];
/// Length of the waves that spread alike for all exponents.
const WAVE: f64 = 0.12;

pub(crate) fn main() -> Outcome<()> {
    let grid = square(128)?;
    let (mut captions, mut fields) = (Vec::new(), Vec::new());
    for s in EXPONENTS {
        let catalysts = patterns(&grid, s, &TIMES, 2.5)?;
        for (t, v) in TIMES.iter().zip(catalysts) {
            let mean = grid.integral(&v)?;
            println!("s = {s:<6} t = {t:<6} mean of v {mean:.4}, largest {:.4}", highest(&v));
            captions.push(format!("s = {s}, t = {t}"));
            fields.push(v);
        }
    }
    let frames: Vec<MapFrame<'_>> = (captions.iter().zip(&fields))
        .map(|(caption, values)| MapFrame { caption, values })
        .collect();
    let maps = HeatMaps {
        title: "Gray-Scott patterns, diffusion (s = 1) and long jumps (s = 0.6)",
        x: Axis::linear("x"),
        y: Axis::linear("y"),
        name: "catalyst v",
        xs: grid.axes()[1].points(),
        ys: grid.axes()[0].points(),
        frames: &frames,
    };
    publish_as("gray_scott", |format| maps.draw_in_columns(3, format))
}

/// Periodic square of length 1.
fn square(n: usize) -> Outcome<BoxGrid> {
    Ok(BoxGrid::new(vec![Points::periodic(0.0, 1.0, n)?, Points::periodic(0.0, 1.0, n)?])?)
}

/// Catalyst at these times, from some drops of it in the fuel.
fn patterns(grid: &BoxGrid, s: f64, times: &[f64], step: f64) -> Outcome<Vec<Vec<f64>>> {
    // (2 pi / WAVE)^2 d = (2 pi / WAVE)^(2 s) d_s
    let scale = (TAU / WAVE).powf(2.0 - 2.0 * s);
    let diffusion = [2e-5 * scale, 1e-5 * scale];
    let model = GrayScott { alpha: 1.0, s, diffusion, feed: 0.037, kill: 0.06 };
    let drops = [[0.5, 0.5], [0.22, 0.3], [0.7, 0.82], [0.84, 0.24], [0.3, 0.74]];
    let amount = |x: &[f64]| -> f64 {
        let drop = |c: &[f64; 2]| {
            let square = (x[0] - c[0]).powi(2) + (x[1] - c[1]).powi(2);
            (-(square / 0.0016).powi(2)).exp()
        };
        drops.iter().map(drop).sum()
    };
    let mut start = grid.sample(|x| 1.0 - 0.5 * amount(x));
    start.extend(grid.sample(|x| 0.25 * amount(x)));
    let end = times[times.len() - 1];
    let settings = Settings {
        scheme: TimeScheme::ImplicitExplicit,
        steps: Some(Steps::Uniform((end / step).ceil() as usize)),
        history: HistoryChoice::SingleExponentials { tolerance: 1e-6 },
        save: times.to_vec(),
        ..Settings::default()
    };
    let solution = solve(&model.equation(grid.clone())?.start(&start)?, end, settings)?;
    Ok((0..times.len()).map(|k| solution.field(k, 1).to_vec()).collect())
}

fn highest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drops_grow_to_patterns() {
        let grid = square(64).unwrap();
        for s in EXPONENTS {
            let v = patterns(&grid, s, &[10.0, 400.0], 2.0).unwrap();
            let [before, after] = [0, 1].map(|k| grid.integral(&v[k]).unwrap());
            assert!(after > 1.5 * before, "{s}: {before} {after}");
            assert!(v[1].iter().all(|v| (-0.01..0.6).contains(v)));
        }
    }
}

//! Subdiffusion beside diffusion: `cargo run --release --example subdiffusion`.
//!
//! `D^alpha u = kappa u_xx` from one point. With memory the density keeps a cusp at the source, is
//! wider at first and narrower later: the mean square displacement grows as t^alpha.

use hpfracc::pde::models::Diffusion;
use hpfracc::pde::solve_linear;
use hpfracc::spatial::{Axis as Points, Boundary, BoxGrid};
use hpfracc::special::{gamma, m_wright};
use hpfracc_plot::{Axis, Chart, Curve, HeatMaps, MapFrame, Mark, Sheet};
use pictures::{Outcome, differences, every, largest, publish, publish_as};
use std::f64::consts::PI;

/// Cells of the line, an odd number: the source is the one in the middle.
const CELLS: usize = 3001;
/// Times of the profiles.
const TIMES: [f64; 3] = [0.1, 1.0, 10.0];

pub(crate) fn main() -> Outcome<()> {
    let [ordinary, half] = [Spread::new(1.0, CELLS)?, Spread::new(0.5, CELLS)?];
    for spread in [&ordinary, &half] {
        let [exact, found] = [spread.exact_squares(), spread.squares()];
        println!("order {}", spread.alpha);
        println!("  error of the profile at t = 1      {:.1e}", spread.profile_error()?);
        println!(
            "  relative error of the mean square  {:.1e}",
            exact.iter().zip(&found).map(|(e, f)| (f / e - 1.0).abs()).fold(0.0, f64::max)
        );
    }

    let chart = |title, x, y, curves| Chart { title, x, y, curves, equal: false };
    let (hidden, density) = (Axis::linear(""), Axis::linear("density u"));
    let (names, nameless) = (TIMES.map(|t| format!("t = {t}")), [const { String::new() }; 3]);
    let (one, two) = (ordinary.near_the_source(&names), half.near_the_source(&nameless));
    let left = [
        chart("order 1: Gaussian", hidden, density, &one),
        chart("order 1/2: a cusp at the source", Axis::linear("position x"), density, &two),
    ];

    let times = &ordinary.times;
    let marks = every(3, times);
    let exact = [ordinary.exact_squares(), half.exact_squares()];
    let found = [every(3, &ordinary.squares()), every(3, &half.squares())];
    let squares = [
        Curve::line("order 1", times, &exact[0], 0),
        Curve::line("order 1/2", times, &exact[1], 1),
        Curve::line("computed", &marks, &found[0], 0).marked(Mark::Rings),
        Curve::line("", &marks, &found[1], 1).marked(Mark::Rings),
    ];
    let middle = [ordinary.at_the_source(), half.at_the_source()];
    let decays = [Curve::line("", times, &middle[0], 0), Curve::line("", times, &middle[1], 1)];
    let right = [
        chart("", Axis::log(""), Axis::log("mean square of x"), &squares),
        chart("", Axis::log("time t"), Axis::log("u at the source"), &decays),
    ];
    let title = "Diffusion and subdiffusion from one point";
    publish("subdiffusion", &Sheet { title, columns: &[&left, &right] })?;
    maps()
}

/// Density that starts in one cell of a line of length 60, which it does not fill.
struct Spread {
    alpha: f64,
    grid: BoxGrid,
    /// At the times of the profiles.
    profiles: Vec<Vec<f64>>,
    /// From 0.01 to 10.
    times: Vec<f64>,
    fields: Vec<Vec<f64>>,
}

impl Spread {
    fn new(alpha: f64, cells: usize) -> Outcome<Self> {
        let grid = BoxGrid::new(vec![Points::new(-30.0, 30.0, cells, [Boundary::Neumann; 2])?])?;
        let mut start = vec![0.0; cells];
        start[cells / 2] = cells as f64 / 60.0;
        let equation = Diffusion { alpha, kappa: 1.0 }.equation(grid.clone())?.start(&start)?;
        let times: Vec<f64> = (0..=30).map(|k| 10f64.powf(f64::from(k) / 10.0 - 2.0)).collect();
        let profiles = solve_linear(&equation, &TIMES, 1e-10)?;
        let fields = solve_linear(&equation, &times, 1e-10)?;
        Ok(Self { alpha, grid, profiles, times, fields })
    }

    fn x(&self) -> &[f64] {
        self.grid.axes()[0].points()
    }

    /// Curves for |x| <= 5.
    fn near_the_source<'a>(&'a self, names: &'a [String; 3]) -> [Curve<'a>; 3] {
        let x = self.x();
        let near = x.partition_point(|x| *x < -5.0)..x.partition_point(|x| *x <= 5.0);
        [0, 1, 2]
            .map(|k| Curve::line(&names[k], &x[near.clone()], &self.profiles[k][near.clone()], k))
    }

    fn squares(&self) -> Vec<f64> {
        let width = 60.0 / self.x().len() as f64;
        let square =
            |u: &Vec<f64>| -> f64 { self.x().iter().zip(u).map(|(x, u)| width * x * x * u).sum() };
        self.fields.iter().map(square).collect()
    }

    /// `2 kappa t^alpha / Gamma(1 + alpha)`.
    fn exact_squares(&self) -> Vec<f64> {
        let square = |t: &f64| 2.0 * t.powf(self.alpha) / gamma(1.0 + self.alpha);
        self.times.iter().map(square).collect()
    }

    fn at_the_source(&self) -> Vec<f64> {
        self.fields.iter().map(|u| u[u.len() / 2]).collect()
    }

    /// Largest error of the profile at t = 1, against the solution on an infinite line:
    /// `M(|x| / t^(alpha/2)) / (2 t^(alpha/2))` with the M-Wright function of index alpha/2.
    fn profile_error(&self) -> Outcome<f64> {
        let exact = |x: &f64| -> Outcome<f64> {
            Ok(match self.alpha {
                1.0 => (-0.25 * x * x).exp() / (4.0 * PI).sqrt(),
                alpha => 0.5 * m_wright(0.5 * alpha, x.abs())?,
            })
        };
        let exact = self.x().iter().map(exact).collect::<Outcome<Vec<f64>>>()?;
        Ok(largest(&differences(&self.profiles[1], &exact)))
    }
}

/// Time over space for both orders.
fn maps() -> Outcome<()> {
    let grid = BoxGrid::new(vec![Points::new(-2.0, 2.0, 400, [Boundary::Neumann; 2])?])?;
    let times: Vec<f64> = (0..=400).map(|k| f64::from(k) / 100.0).collect();
    let over_time = |alpha: f64| -> Outcome<Vec<f64>> {
        let equation = Diffusion { alpha, kappa: 0.1 }.equation(grid.clone())?;
        let equation = equation.start_from(|x| (-(x[0] / 0.3).powi(2)).exp())?;
        Ok(solve_linear(&equation, &times, 1e-10)?.concat())
    };
    let (ordinary, half) = (over_time(1.0)?, over_time(0.5)?);
    let maps = HeatMaps {
        title: "Diffusion and subdiffusion of a pulse",
        x: Axis::linear("position x"),
        y: Axis::linear("time t"),
        name: "density u",
        xs: grid.axes()[0].points(),
        ys: &times,
        frames: &[
            MapFrame { caption: "order 1", values: &ordinary },
            MapFrame { caption: "order 1/2", values: &half },
        ],
    };
    publish_as("subdiffusion_map", |format| maps.draw(format))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_and_mean_squares_are_those_of_the_line() {
        for alpha in [1.0, 0.5] {
            let spread = Spread::new(alpha, 601).unwrap();
            assert!(spread.profile_error().unwrap() < 0.02);
            let pairs = spread.squares().into_iter().zip(spread.exact_squares());
            assert!(pairs.map(|(found, exact)| found / exact - 1.0).all(|e| e.abs() < 1e-6));
        }
    }
}

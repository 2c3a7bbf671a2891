//! Front of a population with memory: `cargo run --release --example fisher_kpp`.
//!
//! `D^alpha u = kappa u_xx + r u (1 - u)`: a population that spreads and grows to its capacity 1. At
//! the leading edge u is small and `exp(s t - k x)` solves the linear equation if
//! `s^alpha = kappa k^2 + r`; the front takes the smallest speed s/k. For r = 0.2 it is the slower
//! the lower the order; where r > 1, in the unit of time of the equation, memory speeds fronts up.

use hpfracc::pde::models::FisherKpp;
use hpfracc::pde::{Settings, Solution, TimeScheme, solve};
use hpfracc::prelude::Steps;
use hpfracc::spatial::{Axis as Points, Boundary, BoxGrid};
use hpfracc_plot::{Axis, Chart, Curve, Mark, Sheet};
use pictures::{Outcome, publish};

const ORDERS: [f64; 3] = [1.0, 0.8, 0.6];
const RATE: f64 = 0.2;
const END: f64 = 240.0;
/// Intervals in which speeds are measured.
const SPEEDS: usize = 12;
/// Times of the profiles.
const TIMES: [f64; 4] = [60.0, 120.0, 180.0, 240.0];

pub(crate) fn main() -> Outcome<()> {
    let fronts = ORDERS.map(|alpha| Front::new(alpha, 2400, 1200));
    let [first, second, third] = fronts;
    let fronts = [first?, second?, third?];
    println!("order   speed from t = 220 to 240   of the leading edge");
    for front in &fronts {
        let (found, limit) = (front.speeds()[SPEEDS - 1], speed(front.alpha));
        println!("{:<8}{found:<28.3}{limit:.3}", front.alpha);
    }

    let chart = |title, x, y, curves| Chart { title, x, y, curves, equal: false };
    let (hidden, density) = (Axis::linear(""), Axis::linear("population u"));
    let (names, nameless) = (TIMES.map(|t| format!("t = {t}")), [const { String::new() }; 4]);
    let [first, second, third] = &fronts;
    let one = first.profiles(&names);
    let (two, three) = (second.profiles(&nameless), third.profiles(&nameless));
    let left = [
        chart("order 1", hidden, density, &one),
        chart("order 0.8", hidden, density, &two),
        chart("order 0.6", Axis::linear("position x"), density, &three),
    ];
    let names = ORDERS.map(|alpha| format!("order {alpha}"));
    let mut positions = Vec::new();
    for (k, front) in fronts.iter().enumerate() {
        positions.push(Curve::line(&names[k], &front.times, &front.positions, k));
    }
    let speeds = fronts.each_ref().map(Front::speeds);
    let limits = ORDERS.map(|alpha| [speed(alpha); 2]);
    let middles: Vec<f64> = (0..SPEEDS).map(|k| 20.0 * k as f64 + 10.0).collect();
    let mut rates = Vec::new();
    for k in 0..3 {
        let name = if k == 0 { "of the leading edge" } else { "" };
        rates.push(Curve::line("", &middles, &speeds[k], k));
        rates.push(Curve::line(name, &[0.0, END], &limits[k], k).marked(Mark::Dashes));
    }
    let right = [
        chart("front, u = 1/2", hidden, Axis::linear("position x"), &positions),
        chart("speed", Axis::linear("time t"), Axis::linear("speed of the front"), &rates),
    ];
    let title = "Fisher-KPP fronts with memory, kappa = 1, r = 0.2";
    publish("fisher_kpp", &Sheet { title, columns: &[&left, &right] })
}

/// Smallest speed s/k with `s^alpha = kappa k^2 + r`, kappa = 1.
fn speed(alpha: f64) -> f64 {
    let k = (alpha * RATE / (2.0 - alpha)).sqrt();
    (k * k + RATE).powf(1.0 / alpha) / k
}

/// Front from the left end of a line of length 240.
struct Front {
    alpha: f64,
    x: Vec<f64>,
    /// Every whole time.
    times: Vec<f64>,
    positions: Vec<f64>,
    solution: Solution,
}

impl Front {
    fn new(alpha: f64, cells: usize, steps: usize) -> Outcome<Self> {
        let axis = Points::new(0.0, 240.0, cells, [Boundary::Neumann; 2])?;
        let x = axis.points().to_vec();
        let model = FisherKpp { alpha, kappa: 1.0, rate: RATE };
        let equation = model.equation(BoxGrid::new(vec![axis])?)?;
        let equation = equation.start_from(|x| if x[0] < 2.0 { 1.0 } else { 0.0 })?;
        let times: Vec<f64> = (0..=240).map(f64::from).collect();
        let settings = Settings {
            scheme: TimeScheme::ImplicitExplicit,
            // Short first steps for the jump of the start.
            steps: Some(Steps::Graded { n: steps, exponent: 2.0 }),
            save: times.clone(),
            ..Settings::default()
        };
        let solution = solve(&equation, END, settings)?;
        let positions = solution.saved().iter().map(|u| crossing(&x, u)).collect();
        Ok(Self { alpha, x, times, positions, solution })
    }

    /// Mean speeds of intervals of length 20.
    fn speeds(&self) -> Vec<f64> {
        let speed = |k: usize| (self.positions[20 * k + 20] - self.positions[20 * k]) / 20.0;
        (0..SPEEDS).map(speed).collect()
    }

    fn profiles<'a>(&'a self, names: &'a [String; 4]) -> [Curve<'a>; 4] {
        [0, 1, 2, 3].map(|k| {
            let field = self.solution.field(TIMES[k] as usize, 0);
            Curve::line(&names[k], &self.x, field, k)
        })
    }
}

/// Position at which u falls below 1/2, by interpolation; 0 if there is none.
fn crossing(x: &[f64], u: &[f64]) -> f64 {
    let Some(k) = u.windows(2).position(|pair| pair[0] >= 0.5 && pair[1] < 0.5) else { return 0.0 };
    x[k] + (x[k + 1] - x[k]) * (u[k] - 0.5) / (u[k] - u[k + 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fronts_approach_the_speeds_of_their_leading_edges() {
        assert!((speed(1.0) - 2.0 * RATE.sqrt()).abs() < 1e-12);
        for alpha in [1.0, 0.6] {
            let front = Front::new(alpha, 600, 400).unwrap();
            let speeds = front.speeds();
            let ratio = speeds[SPEEDS - 1] / speed(alpha);
            assert!((0.9..1.02).contains(&ratio) && speeds[2] < speeds[11], "{alpha}: {ratio}");
            assert!(front.solution.last().iter().all(|u| (-1e-6..1.0 + 1e-6).contains(u)));
        }
    }
}

//! Implied volatility smile of rough volatility: `cargo run --release --example volatility_smile`.
//!
//! In the rough Bergomi model, options at low strikes cost more than by the Black-Scholes formula
//! with one volatility. Monte Carlo prices as implied volatilities with bars of two standard
//! errors: the shorter the maturity, the steeper the smile.

use hpfracc::prelude::*;
use hpfracc::sde::models::RoughBergomi;
use hpfracc::special::erfc;
use hpfracc_plot::{Axis, Chart, Curve, Mark, Sheet};
use pictures::{Outcome, publish};

const PATHS: usize = 40_000;
/// Maturities in years, and steps of each.
const MATURITIES: [(f64, usize); 3] = [(0.04, 100), (0.25, 150), (1.0, 250)];
/// Log-strikes divided by the square root of the maturity.
const STRIKES: std::ops::RangeInclusive<i32> = -8..=4;
const SPACING: f64 = 0.05;

pub(crate) fn main() -> Outcome<()> {
    let model = RoughBergomi::default();
    println!("Rough Bergomi model, {PATHS} paths: implied volatility at the money, and its skew");
    let mut smiles = Vec::new();
    for (maturity, steps) in MATURITIES {
        let smile = Smile::new(&model, maturity, steps, PATHS)?;
        println!(
            "{maturity:>5} years  {:.4} +- {:.4}   skew {:.3}",
            smile.at_the_money().volatility,
            smile.at_the_money().error,
            smile.skew()
        );
        smiles.push(smile);
    }
    let names = MATURITIES.map(|(maturity, _)| match maturity {
        1.0 => "1 year".to_owned(),
        years => format!("{years} years"),
    });
    let lines: Vec<(Vec<f64>, Vec<f64>)> = smiles.iter().map(Smile::line).collect();
    let bars: Vec<Vec<([f64; 2], [f64; 2])>> = smiles.iter().map(Smile::bars).collect();
    let mut curves = Vec::new();
    for (k, (line, bars)) in lines.iter().zip(&bars).enumerate() {
        curves.push(Curve::line(&names[k], &line.0, &line.1, k));
        curves.extend(bars.iter().map(|(x, y)| Curve::line("", x, y, k)));
        curves.push(Curve::line("", &line.0, &line.1, k).marked(Mark::Dots));
    }
    let chart = Chart {
        title: "",
        x: Axis::linear("ln(strike / price)"),
        y: Axis::linear("implied volatility"),
        curves: &curves,
        equal: false,
    };
    let title = "Smiles of the rough Bergomi model, with two standard errors";
    publish("volatility_smile", &Sheet { title, columns: &[&[chart]] })
}

/// Implied volatilities of one maturity.
struct Smile {
    maturity: f64,
    points: Vec<Point>,
}

#[derive(Clone, Copy)]
struct Point {
    /// Log-strike divided by the square root of the maturity.
    x: f64,
    volatility: f64,
    /// Standard error of the volatility.
    error: f64,
}

impl Smile {
    fn new(model: &RoughBergomi, maturity: f64, steps: usize, paths: usize) -> Outcome<Self> {
        let ensemble = Ensemble::new(paths, steps)?;
        let paths = model.simulate::<f32, _>(&ensemble, (0.0, maturity), 1, &Paths)?;
        let prices: Vec<f64> = paths.outer_iter().map(|path| f64::from(path[[0, 0]])).collect();
        let point = |k: i32| {
            let x = SPACING * f64::from(k);
            let strike = (x * maturity.sqrt()).exp();
            // The out-of-the-money option: a put below the money, a call above.
            let sign = if x < 0.0 { -1.0 } else { 1.0 };
            let payoffs = prices.iter().map(|price| (sign * (price - strike)).max(0.0));
            let (mean, error) = mean_and_error(payoffs);
            let root = maturity.sqrt();
            let deviation = implied(sign, strike, mean).ok_or("no volatility has this price")?;
            let (volatility, error) = (deviation / root, error / vega(strike, deviation) / root);
            Ok(Point { x, volatility, error })
        };
        Ok(Self { maturity, points: STRIKES.map(point).collect::<Outcome<_>>()? })
    }

    fn at_the_money(&self) -> Point {
        self.points[STRIKES.start().unsigned_abs() as usize]
    }

    /// Slope at the money, by the adjacent strikes.
    fn skew(&self) -> f64 {
        let middle = STRIKES.start().unsigned_abs() as usize;
        let (left, right) = (self.points[middle - 1], self.points[middle + 1]);
        (right.volatility - left.volatility) / (right.x - left.x)
    }

    /// Logarithm of a strike.
    fn strike(&self, point: &Point) -> f64 {
        point.x * self.maturity.sqrt()
    }

    fn line(&self) -> (Vec<f64>, Vec<f64>) {
        self.points.iter().map(|point| (self.strike(point), point.volatility)).unzip()
    }

    fn bars(&self) -> Vec<([f64; 2], [f64; 2])> {
        let bar = |p: &Point| {
            let (x, y, error) = (self.strike(p), p.volatility, 2.0 * p.error);
            ([x, x], [y - error, y + error])
        };
        self.points.iter().map(bar).collect()
    }
}

fn mean_and_error(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    let squares: f64 = values.map(|v| (v - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0) / count).sqrt())
}

/// Black-Scholes price of a call (sign 1) or a put (-1) on a price of 1, without interest, for the
/// total standard deviation `volatility sqrt(maturity)`.
fn black_scholes(sign: f64, strike: f64, deviation: f64) -> f64 {
    let below = |x: f64| 0.5 * erfc(-x / std::f64::consts::SQRT_2);
    let d = -strike.ln() / deviation;
    let (first, second) = (d + 0.5 * deviation, d - 0.5 * deviation);
    sign * (below(sign * first) - strike * below(sign * second))
}

/// Derivative of that price with respect to the standard deviation.
fn vega(strike: f64, deviation: f64) -> f64 {
    let first = -strike.ln() / deviation + 0.5 * deviation;
    (-0.5 * first * first).exp() / std::f64::consts::TAU.sqrt()
}

/// Standard deviation of a price; `None` if there is none.
fn implied(sign: f64, strike: f64, price: f64) -> Option<f64> {
    let (mut low, mut high) = (1e-6, 8.0);
    let inside = |price: f64| {
        black_scholes(sign, strike, 1e-6) < price && price < black_scholes(sign, strike, 8.0)
    };
    if !inside(price) {
        return None;
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if black_scholes(sign, strike, middle) < price { low = middle } else { high = middle }
    }
    Some(0.5 * (low + high))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Put-call parity holds, and prices invert to their volatilities.
    #[test]
    fn volatilities_are_those_of_their_prices() {
        for strike in [0.7f64, 1.0, 1.3] {
            for deviation in [0.05, 0.2, 0.9] {
                let (call, put) =
                    (black_scholes(1.0, strike, deviation), black_scholes(-1.0, strike, deviation));
                assert!((call - put - (1.0 - strike)).abs() < 1e-14);
                let sign = if strike < 1.0 { -1.0 } else { 1.0 };
                let price = if sign < 0.0 { put } else { call };
                if let Some(found) = implied(sign, strike, price).filter(|_| price > 1e-8) {
                    assert!((found - deviation).abs() < 1e-7, "{strike} {deviation} {found}");
                }
                let slope = (black_scholes(1.0, strike, deviation + 1e-6) - call) / 1e-6;
                assert!((slope - vega(strike, deviation)).abs() < 1e-4);
            }
        }
        assert_eq!(implied(1.0, 1.0, 2.0), None);
    }

    /// Without volatility of volatility the smile is flat.
    #[test]
    fn constant_variance_is_flat() {
        let model = RoughBergomi::default().eta(0.0).unwrap();
        for point in Smile::new(&model, 0.25, 10, 10_000).unwrap().points {
            let z = (point.volatility - 0.055_225f64.sqrt()) / point.error;
            assert!(z.abs() < 4.9, "{}: {z} standard errors", point.x);
        }
    }

    /// Compares with 400 000 paths on the same steps, drawn independently from the Cholesky factor
    /// of the covariance of the noise.
    #[test]
    fn skews_steepen_as_maturities_shorten() {
        let model = RoughBergomi::default();
        let of = |maturity, volatility: f64, skew: f64| {
            let smile = Smile::new(&model, maturity, 60, 10_000).unwrap();
            let money = smile.at_the_money();
            let z = (money.volatility - volatility) / money.error;
            assert!(z.abs() < 4.9, "{maturity}: {z} standard errors");
            // Errors of adjacent volatilities are correlated, so this bound is generous.
            let error = 2f64.sqrt() * money.error / (2.0 * SPACING);
            assert!((smile.skew() - skew).abs() < 4.9 * error, "{maturity}: {}", smile.skew());
            smile
        };
        let (short, long) = (of(0.04, 0.2131, -0.239), of(1.0, 0.1974, -0.277));
        // In units of the square root of the maturity the skew itself grows with t^H.
        assert!(short.skew() / 0.04f64.sqrt() < 2.0 * long.skew());
    }
}

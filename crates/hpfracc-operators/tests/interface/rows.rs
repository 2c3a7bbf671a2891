//! Every row of the catalogue on a function with a closed form: its value and its order of
//! accuracy.
//!
//! Gradients of every row stand in `gradients.rs`.

use hpfracc_backend::Reference;
use hpfracc_operators::{Entry, Operator, catalogue};
use hpfracc_special::{gamma, mittag_leffler, prabhakar, recip_gamma};
use hpfracc_testkit::{Figure, max_abs, observed_order, record};
use hpfracc_types::{Grid, Order};
use ndarray::Array1;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Results that start at zero do so for any signal, at every order of the examples.
#[test]
fn results_that_start_at_zero() {
    let grid = Grid::uniform(40, 0.05).unwrap();
    let f: Array1<f64> = grid.points().map(|t| 2.0 + (3.0 * t).cos()).collect();
    let mut starting = Vec::new();
    for entry in catalogue() {
        for alpha in entry.range.examples {
            let operator = entry.example(Order::new(*alpha).unwrap()).unwrap();
            let zero = operator.starts_at_zero();
            let Ok(bound) = operator.on(grid, &Reference) else { continue };
            let y = bound.apply(f.view()).unwrap();
            let size = max_abs(&y);
            if zero {
                assert!(y[0].abs() < 1e-12 * size, "{}, {alpha}: {}", entry.name(), y[0]);
                starting.push(entry.definition.name);
            }
        }
    }
    starting.dedup();
    assert_eq!(starting, ["caputo", "tempered-caputo"]);
    // At a whole order it is the derivative, which starts anywhere.
    let first = hpfracc_operators::Caputo::bdf(Order::new(1.0).unwrap(), 2).unwrap();
    assert!(!first.starts_at_zero());
}

/// An operator of the catalogue with the examples of its parameters.
struct Row {
    entry: &'static Entry,
    alpha: f64,
}

impl Row {
    fn name(&self) -> &'static str {
        self.entry.definition.name
    }

    fn parameter(&self, name: &str) -> f64 {
        self.entry.definition.parameters.iter().find(|p| p.name == name).unwrap().example
    }

    fn apply(&self, grid: Grid, f: impl Fn(f64) -> f64) -> Array1<f64> {
        let operator = self.entry.example(Order::new(self.alpha).unwrap()).unwrap();
        let samples: Array1<f64> = grid.points().map(f).collect();
        operator.on(grid, &Reference).unwrap().apply(samples.view()).unwrap()
    }

    /// A function that is flat at the start, in the variable of the definition.
    fn probe(&self, q: f64, t: f64) -> f64 {
        match self.name() {
            name if name.starts_with("tempered") => {
                (-self.parameter("lambda") * t).exp() * t.powf(q)
            }
            name if name.starts_with("hadamard") => {
                (1.0 + t / self.parameter("start")).ln().powf(q)
            }
            _ => t.powf(q),
        }
    }

    /// The exact result for the probe at time t, where the samples end at t = 1.
    fn exact(&self, q: f64, t: f64) -> f64 {
        let alpha = self.alpha;
        // Gamma(q+1)/Gamma(q+1+a) t^(q+a)
        let power = |a: f64, t: f64| gamma(q + 1.0) * recip_gamma(q + 1.0 + a) * t.powf(q + a);
        let normalisation = 1.0 - alpha + alpha * recip_gamma(alpha);
        let rate = alpha / (1.0 - alpha);
        let memory = |a: f64, sign: f64| {
            let [rho, third, omega] = ["rho", "gamma", "omega"].map(|name| self.parameter(name));
            let value = prabhakar(rho, q + 1.0 + a, sign * third, omega * t.powf(rho)).unwrap();
            gamma(q + 1.0) * t.powf(q + a) * value
        };
        match self.name() {
            "caputo" | "riemann-liouville" | "grunwald-letnikov" | "marchaud" => power(-alpha, t),
            "rl-integral" => power(alpha, t),
            "miller-ross" => power(-2.0 * alpha, t),
            "tempered-integral" => (-self.parameter("lambda") * t).exp() * power(alpha, t),
            "tempered-riemann-liouville" | "tempered-caputo" => {
                (-self.parameter("lambda") * t).exp() * power(-alpha, t)
            }
            "tempered-normalised" => {
                let lambda = self.parameter("lambda");
                let mut value = power(-alpha, t) - lambda.powf(alpha) * t.powf(q);
                if alpha > 1.0 {
                    let slope = q * t.powf(q - 1.0) - lambda * t.powf(q);
                    value -= alpha * lambda.powf(alpha - 1.0) * slope;
                }
                (-lambda * t).exp() * value
            }
            "caputo-fabrizio" => {
                let memory = mittag_leffler(1.0, q + 1.0, -rate * t).unwrap();
                normalisation / (1.0 - alpha) * gamma(q + 1.0) * t.powf(q) * memory
            }
            "caputo-fabrizio-integral" => {
                ((1.0 - alpha) * t.powf(q) + alpha * power(1.0, t)) / normalisation
            }
            "atangana-baleanu-caputo" | "atangana-baleanu-riemann" => {
                let memory = mittag_leffler(alpha, q + 1.0, -rate * t.powf(alpha)).unwrap();
                normalisation / (1.0 - alpha) * gamma(q + 1.0) * t.powf(q) * memory
            }
            "atangana-baleanu-integral" => {
                ((1.0 - alpha) * t.powf(q) + alpha * power(alpha, t)) / normalisation
            }
            "prabhakar-integral" => memory(alpha, 1.0),
            "prabhakar-caputo" | "prabhakar-riemann-liouville" => memory(-alpha, -1.0),
            "hadamard-integral" => power(alpha, (1.0 + t / self.parameter("start")).ln()),
            "hadamard" | "hadamard-caputo" => {
                power(-alpha, (1.0 + t / self.parameter("start")).ln())
            }
            name if name.starts_with("katugampola") => {
                let rho = self.parameter("rho");
                let a = if name == "katugampola-integral" { alpha } else { -alpha };
                let ratio = gamma(q / rho + 1.0) * recip_gamma(q / rho + 1.0 + a);
                rho.powf(-a) * ratio * t.powf(q + a * rho)
            }
            "erdelyi-kober" => {
                let from = self.parameter("gamma") + 1.0 + q / self.parameter("beta");
                gamma(from) * recip_gamma(from + alpha) * t.powf(q)
            }
            "variable-order-time" => power(-alpha - self.parameter("rise") * t, t),
            "distributed-order" => {
                let width = self.parameter("width");
                mean(|x| power(-alpha + width * x, t))
            }
            // The lag is t z^60: flat at 0, whatever the kernel does there.
            "variable-order-sample" => {
                let order = |s: f64| alpha + self.parameter("rise") * s;
                let kernel = |s: f64, lag: f64| lag.powf(-order(s)) * recip_gamma(1.0 - order(s));
                let along = |z: f64| {
                    let lag = t * z.powi(60);
                    60.0 * lag / z * kernel(t - lag, lag) * q * (t - lag).powf(q - 1.0)
                };
                mean(along)
            }
            "variable-order-lag" => {
                let along = |z: f64| {
                    let lag = t * z.powi(60);
                    let order = alpha + self.parameter("rise") * lag;
                    let kernel = lag.powf(-order) * recip_gamma(1.0 - order);
                    60.0 * lag / z * kernel * q * (t - lag).powf(q - 1.0)
                };
                mean(along)
            }
            name => panic!("{name}: no formula"),
        }
    }

    /// Order of the scheme for a function that is smooth and flat at the start.
    fn accuracy(&self) -> f64 {
        let alpha = self.alpha;
        match (self.name(), self.entry.scheme) {
            ("miller-ross", "caputo") => 3.0 - alpha,
            ("miller-ross", _) => 2.0,
            ("atangana-baleanu-caputo" | "atangana-baleanu-riemann", _) => 2.0,
            ("variable-order-time", "cubic") => 4.0 - alpha - self.parameter("rise"),
            ("variable-order-sample", "cubic") => 3.0,
            // Between 3 and 4.
            ("variable-order-lag", "cubic") => 3.5,
            ("variable-order-time" | "variable-order-sample", _) => {
                2.0 - alpha - self.parameter("rise")
            }
            (_, "standard" | "rectangle" | "grunwald-letnikov") => 1.0,
            (_, "trapezoid" | "recurrence") => 2.0,
            (_, "simpson") => (3.0 + alpha).min(4.0),
            (_, "l1-2" | "l2-1sigma" | "quadratic-zero" | "quadratic-held" | "l2-midpoint") => {
                3.0 - alpha
            }
            (_, "l1" | "linear-zero" | "linear-held" | "l1-gauss" | "exponentials") => 2.0 - alpha,
            (_, bdf) => {
                let bdf = bdf.trim_end_matches("-gauss");
                f64::from(bdf.strip_prefix("bdf").unwrap().parse::<u8>().unwrap())
            }
        }
    }
}

/// The mean over 0 to 1 of a function that is nothing at 0 or smooth, by Simpson's rule.
fn mean(f: impl Fn(f64) -> f64) -> f64 {
    let n = 40_000;
    let weight = |i: i32| if i == 0 || i == n { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
    let value = |i: i32| if i == 0 { f(1e-4) } else { f(f64::from(i) / f64::from(n)) };
    (0..=n).map(|i| weight(i) * value(i)).sum::<f64>() / f64::from(3 * n)
}

fn rows(outside: impl Fn(&str) -> bool) -> Vec<Row> {
    let entries = catalogue().filter(|entry| outside(entry.outside));
    entries
        .flat_map(|entry| entry.range.examples.iter().map(move |&alpha| Row { entry, alpha }))
        .collect()
}

fn past_only(outside: &str) -> bool {
    outside.contains("first sample")
}

#[test]
fn powers_with_a_past_at_the_order_of_the_scheme() {
    let mut wrong = Vec::new();
    let mut recorded = Recorded::default();
    for row in rows(past_only) {
        let theory = row.accuracy();
        // Flat enough for every scheme.
        let q = 7.0;
        let first = match theory {
            o if o > 4.5 => 16,
            o if o > 3.5 => 32,
            _ => 80,
        };
        let errors = [1, 2, 4].map(|factor| {
            let n = first * factor;
            let grid = Grid::uniform(n + 1, 1.0 / n as f64).unwrap();
            let shift = if row.entry.scheme == "l2-1sigma" { 0.5 * row.alpha } else { 0.0 };
            let exact = row.exact(q, 1.0 - shift * grid.dt());
            (grid.dt(), (row.apply(grid, |t| row.probe(q, t))[n] / exact - 1.0).abs())
        });
        let seen = observed_order(&errors);
        let what = format!("{:?} {}: {seen:.2}, {theory:.2}, {errors:?}", row.entry, row.alpha);
        println!("{what}");
        recorded.add(&row, errors[2].1, seen, theory);
        // An error with a logarithm of the step falls a little less; the highest order is reached
        // from above.
        let (below, above) = match (row.name(), row.entry.scheme) {
            // Terms of both signs, with logarithms; longer grids are in `variable_order_cubic`.
            ("variable-order-sample" | "variable-order-lag", "cubic") => (0.7, 0.5),
            (name, _) if name.starts_with("variable-order") => (0.3, 0.2),
            _ => (0.2, if theory > 5.5 { 0.6 } else { 0.2 }),
        };
        if seen < theory - below || seen > theory + above || errors[2].1 > 0.1 {
            wrong.push(what);
        }
    }
    recorded.write();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Errors and orders of each scheme, for the pages.
#[derive(Default)]
struct Recorded(Vec<(&'static str, &'static str, Vec<Figure>)>);

impl Recorded {
    fn add(&mut self, row: &Row, error: f64, seen: f64, theory: f64) {
        let (name, scheme) = (row.entry.definition.name, row.entry.scheme);
        let theory = (theory * 10.0).round() / 10.0;
        let text = format!("{}: {error:.1e}, {seen:.2} ({theory})", row.alpha);
        let figure = Figure::error(error).with_text(text);
        match self.0.iter_mut().find(|(n, s, _)| (*n, *s) == (name, scheme)) {
            Some((_, _, figures)) => figures.push(figure),
            None => self.0.push((name, scheme, vec![figure])),
        }
    }

    fn write(&self) {
        for (name, scheme, figures) in &self.0 {
            let cell = Figure::joined(figures, "; ");
            let labels = [("operator", *name), ("scheme", *scheme)];
            record("accuracy/operators", &labels, &[("alpha: error, order seen (theory)", cell)]);
        }
    }
}

/// exp(-x^2), whose fractional Laplacian at 0 is 2^alpha Gamma((1+alpha)/2)/sqrt(pi).
#[test]
fn a_gaussian_at_its_top() {
    let mut recorded = Recorded::default();
    for row in rows(|outside| outside == "zero on both sides") {
        let laplacian = row.alpha.exp2() * gamma(0.5 * (1.0 + row.alpha)) / PI.sqrt();
        let exact = match row.name() {
            "fractional-laplacian" => laplacian,
            "riesz" => -laplacian,
            "riesz-feller" => -laplacian * (FRAC_PI_2 * row.parameter("theta")).cos(),
            "grunwald-letnikov" => laplacian * (FRAC_PI_2 * row.alpha).cos(),
            name => panic!("{name}: no formula"),
        };
        let theory = match row.entry.scheme {
            "shifted" => 1.0,
            "huang-oberman" => 4.0 - row.alpha,
            _ => 2.0,
        };
        // The second order of huang-oberman is near its first for small alpha.
        let first = if row.entry.scheme == "huang-oberman" { 60 } else { 10 };
        let errors = [1, 2, 4].map(|factor| {
            let per_unit = first * factor;
            let grid = Grid::uniform(16 * per_unit + 1, 1.0 / per_unit as f64).unwrap();
            let y = row.apply(grid, |x| (-(x - 8.0).powi(2)).exp());
            (grid.dt(), (y[8 * per_unit] - exact).abs())
        });
        let seen = observed_order(&errors);
        let what = format!("{:?} {}: {seen:.2}, {theory:.2}, {errors:?}", row.entry, row.alpha);
        println!("{what}");
        recorded.add(&row, errors[2].1, seen, theory);
        assert!((seen - theory).abs() < if first == 60 { 0.3 } else { 0.2 }, "{what}");
    }
    recorded.write();
}

type Record = Box<dyn Fn(f64) -> f64>;

/// Spectral rows have no order: harmonics come out to rounding.
#[test]
fn harmonics_of_a_period_and_of_an_interval() {
    let n = 24;
    for row in rows(|outside| !past_only(outside) && outside != "zero on both sides") {
        let grid = Grid::uniform(n, 0.125).unwrap();
        let (h, alpha) = (grid.dt(), row.alpha);
        let whole = n as f64 * h;
        let w = 3.0 * TAU / whole;
        let (f, exact): (Record, Record) = match row.name() {
            "dirichlet-laplacian" => {
                let w = 3.0 * PI / (whole + h);
                let f = move |x: f64| (w * (x + h)).sin();
                (Box::new(f), Box::new(move |x| w.powf(alpha) * f(x)))
            }
            "neumann-laplacian" => {
                let w = 3.0 * PI / whole;
                let f = move |x: f64| (w * (x + 0.5 * h)).cos();
                (Box::new(f), Box::new(move |x| w.powf(alpha) * f(x)))
            }
            name => {
                let (sign, phase) = match name {
                    "weyl" => (1.0, FRAC_PI_2 * alpha),
                    "riesz" => (-1.0, 0.0),
                    "fractional-laplacian" => (1.0, 0.0),
                    "riesz-feller" => (-1.0, -FRAC_PI_2 * row.parameter("theta")),
                    _ => panic!("{name}: no formula"),
                };
                let exact = move |x: f64| sign * w.powf(alpha) * (w * x + phase).sin();
                (Box::new(move |x| (w * x).sin()), Box::new(exact))
            }
        };
        let y = row.apply(grid, f);
        let exact: Array1<f64> = grid.points().map(exact).collect();
        let error = max_abs(&(&y - &exact)) / max_abs(&exact);
        assert!(error < 1e-12, "{:?} {alpha}: {error:e}", row.entry);
    }
}

//! Coverage: intervals of 95 % contain the true parameter in 95 +- 2 % of 1000 records.

use crate::data::{model, normal};
use hpfracc_fit::bootstrap::{Resampling, Scheme};
use hpfracc_fit::{Fit, FormulaModel, Found, Set};
use rayon::prelude::*;

const RECORDS: u64 = 1000;
const TRUTH: f64 = 0.65;

/// Stretched exponential of unknown height, time and order, at times of equal ratios.
fn relaxation() -> FormulaModel {
    model("y = a exp(-(x/tau)^s); a = 1; tau = 1 in (0, inf); s = 0.7 in (0.05, 2)")
}

fn record(points: usize, seed: u64) -> (Vec<f64>, Vec<f64>) {
    let ratio = 500f64.ln() / (points - 1) as f64;
    let x: Vec<f64> = (0..points).map(|i| 0.02 * (ratio * i as f64).exp()).collect();
    let error = |i: usize| 0.02 * normal(1000 + seed, i);
    let y = x.iter().enumerate().map(|(i, x)| (-x.powf(TRUTH)).exp() + error(i)).collect();
    (x, y)
}

type Ends = (Option<f64>, Option<f64>);

/// Shares of records whose intervals contain the order.
fn coverage<const N: usize>(
    points: usize,
    intervals: impl Fn(&Found<'_>) -> [Ends; N] + Sync,
) -> [f64; N] {
    let model = relaxation();
    let hits = (0..RECORDS).into_par_iter().map(|seed| {
        let (x, y) = record(points, seed);
        let set = Set::new("data", &model).input(&x).response(&y);
        let found = Fit::new(set).unwrap().run().unwrap();
        intervals(&found).map(|(low, high)| {
            // An open end is at the bound of the order.
            let inside =
                low.is_none_or(|low| low <= TRUTH) && high.is_none_or(|high| TRUTH <= high);
            u32::from(inside)
        })
    });
    let all: Vec<[u32; N]> = hits.collect();
    std::array::from_fn(|k| all.iter().map(|hits| f64::from(hits[k])).sum::<f64>() / RECORDS as f64)
}

fn ends(interval: Option<(f64, f64)>) -> Ends {
    let (low, high) = interval.unwrap();
    (Some(low), Some(high))
}

fn check(what: &str, share: f64, (low, high): (f64, f64)) {
    println!("{what}: {share}");
    assert!(low <= share && share <= high, "{what}: {share}, expected {low} to {high}");
}

const RIGHT: (f64, f64) = (0.93, 0.97);

#[test]
fn intervals_of_twelve_points() {
    let settings = Resampling { scheme: Scheme::Residual, replicates: 199, seed: 1 };
    let [wald, profile, studentised, percentile] = coverage(12, |found| {
        let bootstrap = found.bootstrap(&settings).unwrap();
        [
            ends(found.interval("s", 0.95).unwrap()),
            found.profile("s", 0.95).unwrap().interval,
            ends(bootstrap.studentised_interval("s", 0.95).unwrap()),
            ends(bootstrap.percentile_interval("s", 0.95).unwrap()),
        ]
    });
    check("Wald", wald, RIGHT);
    check("profile", profile, RIGHT);
    check("studentised", studentised, RIGHT);
    // Normal quantiles in place of those of 9 degrees of freedom: 1.96 for 2.26, whose level is 92 %.
    check("percentile", percentile, (0.90, 0.94));
}

#[test]
fn percentiles_of_fifty_points() {
    let settings = Resampling { scheme: Scheme::Residual, replicates: 99, seed: 1 };
    let [percentile] = coverage(50, |found| {
        let bootstrap = found.bootstrap(&settings).unwrap();
        [ends(bootstrap.percentile_interval("s", 0.95).unwrap())]
    });
    check("percentile", percentile, RIGHT);
}

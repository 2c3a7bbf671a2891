//! Weights of operators with parameters, and their derivatives in alpha, against 20 digits.

use hpfracc_operators::{Discrete, Toeplitz, Weights, named};
use hpfracc_testkit::{Row, Table, max_abs};
use hpfracc_types::{Grid, Order};
use std::collections::BTreeMap;

/// Of the largest weight; and of each weight itself.
struct Bounds {
    largest: f64,
    each: f64,
}

fn bounds(operator: &str) -> Bounds {
    if operator.starts_with("prabhakar") {
        // What the function itself keeps is relative to 1, and it falls to 1e-4.
        Bounds { largest: 1e-12, each: 1e-9 }
    } else {
        Bounds { largest: 1e-13, each: 1e-12 }
    }
}

/// The convolution, alone or the first of several parts.
fn toeplitz(weights: Weights) -> Toeplitz {
    match weights {
        Weights::Toeplitz(toeplitz) => toeplitz,
        Weights::Sum(parts) => toeplitz(parts.into_iter().next().unwrap()),
        other => panic!("no convolution: {other:?}"),
    }
}

fn part<'a>(name: &str, toeplitz: &'a Toeplitz) -> &'a [f64] {
    match name {
        "causal" => &toeplitz.causal,
        "start0" => &toeplitz.starts[0].column,
        other => panic!("unknown part {other}"),
    }
}

#[test]
fn weights_agree_with_the_table() {
    let table = Table::parse(include_str!("../data/kernels.csv"));
    let mut groups: BTreeMap<[String; 3], Vec<Row<'_>>> = BTreeMap::new();
    for row in table.rows() {
        let key = ["scheme", "parameters", "alpha"].map(|name| row.text(name).to_owned());
        groups.entry(key).or_default().push(row);
    }
    let grid = Grid::uniform(5_000, 0.25).unwrap();
    let mut failures = Vec::new();
    for ([scheme, parameters, alpha], rows) in groups {
        let names: Vec<&str> = scheme.split('/').collect();
        let given: Vec<(&str, f64)> = parameters
            .split(' ')
            .map(|pair| pair.split_once('=').unwrap())
            .map(|(name, value)| (name, value.parse().unwrap()))
            .collect();
        let order = Order::new(alpha.parse().unwrap()).unwrap();
        let operator = named(names[0], Some(names[1]), order, &given).unwrap();
        let weights = toeplitz(operator.weights(grid).unwrap());
        let slopes = toeplitz(operator.order_derivative(&Discrete::Grid(grid)).unwrap());
        let bounds = bounds(names[0]);
        for (found, column) in [(&weights, "weight"), (&slopes, "derivative")] {
            let largest = max_abs(&found.causal).max(max_abs(part(names[2], found)));
            let found = part(names[2], found);
            let (mut worst, mut worst_relative) = (0.0f64, 0.0f64);
            for row in &rows {
                let (k, exact) = (row.number("k") as usize, row.number(column));
                let error = (found[k] - exact).abs();
                worst = worst.max(error / largest);
                // Below, products with an exponential of a large argument have lost digits.
                if exact.abs() > 1e-16 * largest {
                    worst_relative = worst_relative.max(error / exact.abs());
                }
            }
            let what = format!("{scheme} {parameters} {alpha} {column}");
            println!("{what}: {worst:.1e} of max, {worst_relative:.1e} of each");
            // A derivative may pass through zero.
            if worst >= bounds.largest || (column == "weight" && worst_relative >= bounds.each) {
                failures.push(format!("{what}: {worst:e}, {worst_relative:e}"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

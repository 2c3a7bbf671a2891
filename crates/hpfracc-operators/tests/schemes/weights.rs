//! Weights and their derivatives in alpha against 20 digits, up to the millionth lag.

use hpfracc_operators::{Discrete, Toeplitz, Weights, named};
use hpfracc_testkit::{Row, Table, max_abs, record_error};
use hpfracc_types::{Grid, Order};
use std::collections::BTreeMap;

/// Of the largest weight.
const BOUND: f64 = 1e-13;
/// Of each weight itself, in the tail: the first few may pass through zero.
const POINTWISE: f64 = 1e-13;
const TAIL: f64 = 1000.0;

fn toeplitz(weights: Weights) -> Toeplitz {
    match weights {
        Weights::Toeplitz(toeplitz) => toeplitz,
        other => panic!("no convolution: {other:?}"),
    }
}

fn part<'a>(name: &str, toeplitz: &'a Toeplitz) -> &'a [f64] {
    match name.strip_prefix("start") {
        Some(start) => &toeplitz.starts[start.parse::<usize>().unwrap()].column,
        None => &toeplitz.causal,
    }
}

/// `operator/scheme` of `operator/scheme/part`.
fn operator_of(scheme: &str) -> &str {
    scheme.rsplit_once('/').unwrap().0
}

#[test]
fn weights_agree_with_the_table() {
    let table = Table::parse(include_str!("../data/weights.csv"));
    let mut groups: BTreeMap<(String, String), Vec<Row<'_>>> = BTreeMap::new();
    for row in table.rows() {
        let key = (row.text("scheme").to_owned(), row.text("alpha").to_owned());
        groups.entry(key).or_default().push(row);
    }
    let grid = Grid::uniform(1_000_000, 0.25).unwrap();
    // Parts of one operator follow each other but for the order between them.
    let mut made: Option<(String, Toeplitz, Toeplitz)> = None;
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|((scheme, alpha), _)| (operator_of(scheme).to_owned(), alpha.clone()));
    for ((scheme, alpha), rows) in groups {
        let names: Vec<&str> = scheme.split('/').collect();
        let order = Order::new(alpha.parse().unwrap()).unwrap();
        let key = format!("{} {alpha}", operator_of(&scheme));
        let (_, weights, slopes) = match made.take() {
            Some(last) if last.0 == key => made.insert(last),
            _ => {
                let operator = named(names[0], Some(names[1]), order, &[]).unwrap();
                let weights = toeplitz(operator.weights(grid).unwrap());
                let slopes = toeplitz(operator.order_derivative(&Discrete::Grid(grid)).unwrap());
                made.insert((key, weights, slopes))
            }
        };
        for (found, column) in [(&*weights, "weight"), (&*slopes, "derivative")] {
            // Start columns are entries of the same matrix as the causal weights.
            let largest = max_abs(&found.causal).max(max_abs(part(names[2], found)));
            let found = part(names[2], found);
            let (mut worst, mut worst_relative) = (0.0f64, 0.0f64);
            for row in &rows {
                let (k, exact) = (row.number("k") as usize, row.number(column));
                let error = (found[k] - exact).abs();
                worst = worst.max(error);
                if row.number("k") >= TAIL && exact != 0.0 {
                    worst_relative = worst_relative.max(error / exact.abs());
                }
            }
            let worst = worst / largest;
            println!("{scheme} {alpha} {column}:");
            let what = match column {
                "weight" => "weights of schemes to lag 1e6",
                _ => "derivatives of these weights in alpha",
            };
            record_error(&format!("{what}, relative to the largest"), worst, BOUND);
            if column == "weight" {
                record_error(&format!("{what}, each from lag 1000"), worst_relative, POINTWISE);
            }
            assert!(worst < BOUND, "{scheme} at {alpha}, {column}: {worst:e} of the largest");
            if column == "weight" {
                assert!(worst_relative < POINTWISE, "{scheme} at {alpha}: {worst_relative:e}");
            }
        }
    }
}

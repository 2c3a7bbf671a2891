//! Diagnostics against the table of `xtask/references/chain_diagnostics.py`.

use hpfracc_fit::sample::diagnostics;
use hpfracc_testkit::{Row, Table};

/// The chains of a row, from the generator of the script.
fn chains(row: &Row<'_>) -> Vec<Vec<f64>> {
    let (count, draws) = (row.number("chains") as usize, row.number("draws") as usize);
    let mut state: u64 = 12345;
    let mut chains = Vec::new();
    for number in 0..count {
        let (mut x, mut chain) = (0.0, Vec::new());
        for _ in 0..draws {
            let mut total = 0.0;
            for _ in 0..4 {
                state = (1_103_515_245 * state + 12345) % (1 << 31);
                total += state as f64 / (1u64 << 31) as f64;
            }
            x = row.number("coefficient") * x + (total - 2.0);
            let y = match row.text("form") {
                "heavy" => x / (0.01 + (state % 1000) as f64 / 1000.0),
                "ties" => (2.0 * x).floor(),
                _ => x,
            };
            let last = number + 1 == count;
            chain.push(if last { row.number("scale") * y + row.number("shift") } else { y });
        }
        chains.push(chain);
    }
    chains
}

#[test]
fn all_have_their_reference_values() {
    let table = Table::parse(include_str!("data/chain_diagnostics.csv"));
    for row in table.rows() {
        let chains = chains(&row);
        let chains: Vec<&[f64]> = chains.iter().map(Vec::as_slice).collect();
        let (mean, mean_error) = diagnostics::mean(&chains);
        let (deviation, deviation_error) = diagnostics::standard_deviation(&chains);
        for (column, found) in [
            ("r_hat", diagnostics::r_hat(&chains)),
            ("bulk_ess", diagnostics::bulk_ess(&chains)),
            ("tail_ess", diagnostics::tail_ess(&chains)),
            ("mean", mean),
            ("mean_error", mean_error),
            ("deviation", deviation),
            ("deviation_error", deviation_error),
            ("quantile", diagnostics::quantile(&chains, 0.1)),
            ("quantile_error", diagnostics::quantile_error(&chains, 0.1)),
        ] {
            let expected = row.number(column);
            let error = (found - expected).abs();
            let case = row.text("case");
            assert!(error <= 1e-10 * (1.0 + expected.abs()), "{case}, {column}: {found}");
        }
    }
}

#[test]
fn chains_that_do_not_move_are_not_converged() {
    let chain = [1.0; 100];
    assert!(diagnostics::r_hat(&[&chain, &chain]).is_nan());
    assert!(diagnostics::r_hat(&[&chain, &[2.0; 100]]) > 1e6);
    assert_eq!(diagnostics::bulk_ess(&[&chain]), 100.0);
}

/// Energies that are independent from draw to draw have 2, and those of a slow walk nearly 0.
#[test]
fn missing_information() {
    let alternating: Vec<f64> = (0..1000).map(|i| f64::from(i % 2)).collect();
    assert!((diagnostics::bfmi(&alternating) - 4.0).abs() < 1e-12);
    let rising: Vec<f64> = (0..1000).map(f64::from).collect();
    assert!(diagnostics::bfmi(&rising) < 1e-4);
}

#[test]
fn chains_without_diagnostics_give_nan() {
    let (short, long) = ([0.0; 7], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    let mut lost = long;
    lost[3] = f64::NAN;
    let mut far = long;
    far[3] = f64::INFINITY;
    let cases: [&[&[f64]]; 5] = [&[], &[&[]], &[&short], &[&long, &short], &[&long, &lost]];
    for chains in cases {
        assert!(diagnostics::r_hat(chains).is_nan(), "{chains:?}");
        assert!(diagnostics::bulk_ess(chains).is_nan(), "{chains:?}");
        assert!(diagnostics::tail_ess(chains).is_nan(), "{chains:?}");
        assert!(diagnostics::mean(chains).1.is_nan(), "{chains:?}");
        assert!(diagnostics::standard_deviation(chains).1.is_nan(), "{chains:?}");
        assert!(diagnostics::quantile_error(chains, 0.5).is_nan(), "{chains:?}");
    }
    assert!(diagnostics::quantile(&[], 0.5).is_nan());
    assert!(diagnostics::bfmi(&[]).is_nan());
    assert!(diagnostics::mean(&[&long, &far]).1.is_nan());
    assert_eq!(diagnostics::quantile(&[&long], -1.0), 1.0);
    assert_eq!(diagnostics::quantile(&[&long], 2.0), 8.0);
    assert_eq!(diagnostics::quantile(&[&long], 0.5), 4.5);
}

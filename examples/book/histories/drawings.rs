//! Pictures of the chapter "How the histories work".

use hpfracc::ode::history::{Kernel, Rule};
use hpfracc::prelude::*;
use hpfracc_plot::{Axis, Chart, Curve, Mark, Sheet, band};
use pictures::{Outcome, largest, publish};

/// Weights of the history for four orders; at order 1 they are constant.
pub(crate) fn weights() -> Outcome<()> {
    let lags: Vec<f64> = (1..=1000).map(f64::from).collect();
    let row = |alpha: f64| -> Outcome<Vec<f64>> {
        let kernel = Kernel::product(Rule::Rectangle, &[alpha], 1.0);
        Ok(kernel.rows()[0].weights(1000)?[1..].to_vec())
    };
    let orders = [0.3, 0.5, 0.8, 1.0];
    let rows: Vec<Vec<f64>> = orders.into_iter().map(row).collect::<Outcome<_>>()?;
    // The weight of lag m falls as m^(alpha - 1).
    for (alpha, row) in orders.iter().zip(&rows) {
        assert!((row[999] / row[99] / 10f64.powf(alpha - 1.0) - 1.0).abs() < 0.01);
    }
    let names = orders.map(|alpha| format!("α = {alpha}"));
    let curves: Vec<Curve<'_>> =
        (0..4).map(|k| Curve::line(&names[k], &lags, &rows[k], k)).collect();
    let (x, y) = (Axis::log("lag, in steps"), Axis::log("weight"));
    let chart = Chart { title: "", x, y, curves: &curves, equal: false };
    publish(
        "histories_weights",
        &Sheet { title: "Weights of the history by lag", columns: &[&[chart]] },
    )
}

/// Samples drawn, samples of the smallest blocks, and blocks per parent.
const SAMPLES: usize = 128;
const BLOCK: usize = 8;
const RADIX: usize = 4;

/// Products by transforms, as squares below the diagonal, and by direct sums along it.
pub(crate) fn blocks() -> Outcome<()> {
    let mut squares = Vec::new();
    let mut level = 0;
    let mut len = BLOCK;
    while len < SAMPLES {
        let parent = len * RADIX;
        for row in (0..SAMPLES).step_by(len) {
            // Earlier blocks of the same parent.
            for column in (row / parent * parent..row).step_by(len) {
                squares.push((level, row, column, len));
            }
        }
        (len, level) = (parent, level + 1);
    }
    let covered: usize = squares.iter().map(|(_, _, _, len)| len * len).sum();
    let near = SAMPLES / BLOCK * (BLOCK * (BLOCK + 1) / 2);
    assert_eq!(covered + near, SAMPLES * (SAMPLES + 1) / 2);

    let outlines: Vec<(usize, Vec<f64>, Vec<f64>)> = squares
        .iter()
        .map(|&(level, row, column, len)| {
            let [left, right] = [column as f64, (column + len) as f64];
            let [low, high] = [row as f64, (row + len) as f64];
            let (x, y) = band(&[left, right], &[low, low], &[high, high]);
            (level, [&x[..], &x[..1]].concat(), [&y[..], &y[..1]].concat())
        })
        .collect();
    let triangles: Vec<(Vec<f64>, Vec<f64>)> = (0..SAMPLES)
        .step_by(BLOCK)
        .map(|at| {
            let [a, b] = [at as f64, (at + BLOCK) as f64];
            (vec![a, b, a, a], vec![a, b, b, a])
        })
        .collect();
    let filled = outlines.iter().map(|(k, x, y)| Curve::line("", x, y, *k).marked(Mark::Band));
    let edges = outlines.iter().map(|(k, x, y)| Curve::line("", x, y, *k));
    let near = triangles.iter().map(|(x, y)| Curve::line("", x, y, 3));
    let curves: Vec<Curve<'_>> = filled.chain(edges).chain(near).collect();
    let (x, y) = (Axis::linear("earlier step j"), Axis::linear("step n"));
    let chart = Chart { title: "", x, y, curves: &curves, equal: true };
    publish(
        "histories_blocks",
        &Sheet { title: "Squares by transforms, triangles by direct sums", columns: &[&[chart]] },
    )
}

pub(crate) fn exponentials() -> Outcome<()> {
    // ANCHOR: exponentials
    use hpfracc::operators::SumOfExponentials;

    // t^-1/2 from 1 to 10^6 steps, within 1e-4 of each value.
    let sum = SumOfExponentials::of_power(0.5, (1.0, 1e6), 1e-4)?;
    let finer = SumOfExponentials::of_power(0.5, (1.0, 1e6), 1e-10)?;
    let longer = SumOfExponentials::of_power(0.5, (1.0, 1e9), 1e-10)?;
    println!(
        "{} exponentials; {} for 1e-10; {} up to 10^9",
        sum.rates().len(),
        finer.rates().len(),
        longer.rates().len()
    );
    // ANCHOR_END: exponentials
    assert!(sum.rates().len() < finer.rates().len() && finer.rates().len() < longer.rates().len());
    let close = |sum: &SumOfExponentials, count: usize| sum.rates().len().abs_diff(count) < 4;
    assert!(close(&sum, 22) && close(&finer, 54) && close(&longer, 72));

    let times: Vec<f64> = (0..=600).map(|k| 10f64.powf(f64::from(k) / 100.0)).collect();
    let values: Vec<f64> = times.iter().map(|&t| sum.value(t)).collect();
    let errors: Vec<f64> =
        times.iter().zip(&values).map(|(t, v)| (v * t.sqrt() - 1.0).abs()).collect();
    assert!(largest(&errors) < 1e-4);
    let terms: Vec<Vec<f64>> = (sum.rates().iter().zip(sum.weights()))
        .map(|(rate, weight)| {
            let term = times.iter().map(|t| weight * (-rate * t).exp());
            term.map(|v| if v > 1e-4 { v } else { f64::NAN }).collect()
        })
        .collect();
    let hairs = terms.iter().enumerate().map(|(k, term)| {
        let name = if k == 0 { "one exponential" } else { "" };
        Curve::line(name, &times, term, 4).marked(Mark::Hair)
    });
    let whole = Curve::line("their sum", &times, &values, 1);
    let curves: Vec<Curve<'_>> = hairs.chain([whole]).collect();
    let error = [Curve::line("", &times, &errors, 1)];
    let t = Axis::log("t, in steps");
    let charts = [
        Chart { title: "", x: t, y: Axis::log("t^(\u{2212}1/2)"), curves: &curves, equal: false },
        Chart { title: "", x: t, y: Axis::log("relative error"), curves: &error, equal: false },
    ];
    publish(
        "histories_exponentials",
        &Sheet { title: "A power as a sum of exponentials", columns: &[&charts] },
    )
}

/// Elements of collocation.
pub(crate) fn elements() -> Outcome<()> {
    let problem = Problem::new(&[0.5], (0.0, 10.0), &[&[1.0]], |_t, y, dydt| dydt[0] = -y[0])?;
    let steps = Steps::adaptive(1e-12, 1e-12);
    let solution = solve(&problem, &Collocation::default(), &steps, Options::default())?;
    let nodes = &solution.times()[1..];
    let states: Vec<f64> = solution.states().column(0).to_vec()[1..].to_vec();
    let lengths: Vec<f64> = solution.times().windows(2).map(|pair| pair[1] - pair[0]).collect();
    println!("{} elements, {} unknowns", nodes.len(), solution.statistics().unknowns);
    assert!(nodes.len().abs_diff(47) < 5 && solution.statistics().unknowns.abs_diff(523) < 50);
    // Elements grow in proportion to their distance from the start, at most.
    assert!(
        lengths[1..].iter().zip(&nodes[..nodes.len() - 1]).all(|(len, from)| *len < 20.0 * from)
    );
    let smooth: Vec<f64> =
        (0..=600).map(|k| 10f64.powf(f64::from(k) / 600.0 * 15.0 - 14.0)).collect();
    let values = solution.at_many(&smooth)?.column(0).to_vec();
    let above = [
        Curve::line("solution", &smooth, &values, 0),
        Curve::line("ends of elements", nodes, &states, 1).marked(Mark::Dots),
    ];
    let below = [Curve::line("", nodes, &lengths, 1).marked(Mark::Dots)];
    let t = Axis::log("t");
    let charts = [
        Chart { title: "", x: t, y: Axis::linear("y"), curves: &above, equal: false },
        Chart {
            title: "",
            x: t,
            y: Axis::log("length of an element"),
            curves: &below,
            equal: false,
        },
    ];
    publish(
        "histories_elements",
        &Sheet { title: "Elements of a solution to twelve digits", columns: &[&charts] },
    )
}

//! Records in chunks against whole calls.

use hpfracc_backend::Reference;
use hpfracc_operators::{
    Bound, Caputo, Chunked, GrunwaldLetnikov, Operator, OperatorError, Riesz, Weights, Weyl,
    catalogue,
};
use hpfracc_types::{Grid, Order};
use ndarray::{Array1, Array2, Axis, concatenate, s};
use std::sync::Arc;

fn order(alpha: f64) -> Order {
    Order::new(alpha).unwrap()
}

fn signal(n: usize) -> Array1<f64> {
    (0..n).map(|j| j as f64 * 0.01).map(|t| (9.0 * t).cos() + 0.5 * t - 0.2).collect()
}

/// Every causal convolution of the catalogue.
fn operators() -> Vec<Arc<dyn Operator>> {
    let mut all = Vec::new();
    for entry in catalogue() {
        for alpha in entry.range.examples {
            let operator = entry.example(order(*alpha)).unwrap();
            let weights = operator.weights(Grid::uniform(70, 0.01).unwrap()).unwrap();
            let causal =
                matches!(&weights, Weights::Toeplitz(t) if !t.two_sided && t.advance == 0.0);
            match Chunked::<f64>::new(&operator, 0.01, 70, 8, &Reference) {
                Ok(_) => all.push(operator),
                Err(OperatorError::NoChunks { .. }) => assert!(!causal, "{}", entry.name()),
                Err(other) => panic!("{}: {other}", entry.name()),
            }
        }
    }
    assert!(all.len() > 40, "{}", all.len());
    all
}

/// All results of two channels, in chunks.
fn in_chunks(
    operator: &dyn Operator,
    f: &Array2<f64>,
    longest: usize,
    chunk: usize,
) -> Array2<f64> {
    let grid = (longest, 0.01);
    let mut chunked = Chunked::with_channels(operator, grid, chunk, 2, &Reference).unwrap();
    let chunks = f.axis_chunks_iter(Axis(1), chunk);
    let results: Vec<_> = chunks.map(|f| chunked.push_block(f).unwrap()).collect();
    let views: Vec<_> = results.iter().map(|y| y.view()).collect();
    concatenate(Axis(1), &views).unwrap()
}

#[test]
fn chunks_of_any_size_give_the_whole() {
    let n = 331;
    let mut f = Array2::zeros((2, n));
    f.row_mut(0).assign(&signal(n));
    f.row_mut(1).assign(&signal(n).slice(s![..;-1]));
    for operator in operators() {
        // Also a time series shorter than `longest`: the start of one on the longer
        // grid.
        for longest in [n, 2 * n] {
            let whole: Bound<f64> =
                operator.clone().on(Grid::uniform(longest, 0.01).unwrap(), &Reference).unwrap();
            let mut longer = Array2::zeros((2, longest));
            longer.slice_mut(s![.., ..n]).assign(&f);
            let whole = whole.apply(longer.view()).unwrap();
            let whole = whole.slice(s![.., ..n]);
            let size = whole.iter().fold(0.0, |m: f64, y| m.max(y.abs()));
            for chunk in [1, 2, 3, 7, 64, 100, n - 1, n, 1000] {
                let found = in_chunks(&operator, &f, longest, chunk);
                assert_eq!(found.dim(), (2, n), "{:?} {chunk}", operator.name());
                let error = (&found - &whole).iter().fold(0.0, |m: f64, e| m.max(e.abs()));
                let name = operator.name();
                assert!(error <= 1e-12 * size, "{name:?} {chunk} {longest}: {error:e}");
            }
        }
    }
}

#[test]
fn results_of_samples_one_by_one() {
    let f = signal(205);
    for operator in operators().into_iter().step_by(5) {
        let whole: Bound<f64> =
            operator.clone().on(Grid::uniform(205, 0.01).unwrap(), &Reference).unwrap();
        let whole = whole.apply(f.view()).unwrap();
        let size = whole.iter().fold(0.0, |m: f64, y| m.max(y.abs()));
        let chunked = Chunked::new(&operator, 0.01, 205, 20, &Reference).unwrap();
        let found: Result<Array1<f64>, _> = chunked.results(f.iter().copied()).collect();
        let error = (&found.unwrap() - &whole).iter().fold(0.0, |m: f64, e| m.max(e.abs()));
        assert!(error <= 1e-12 * size, "{:?}: {error:e}", operator.name());
    }
    // One sample more than there may be, and fewer than a scheme needs.
    let l1 = Caputo::l1(order(0.5)).unwrap();
    let chunked = Chunked::new(&l1, 0.01, 204, 20, &Reference).unwrap();
    let mut results = chunked.results(f.iter().copied());
    assert_eq!(results.by_ref().take_while(Result::is_ok).count(), 200);
    assert!(results.next().is_none());
    let midpoint = Caputo::l2_midpoint(order(1.5)).unwrap();
    let chunked = Chunked::new(&midpoint, 0.01, 10, 1, &Reference).unwrap();
    let refused: Vec<_> = chunked.results([1.0, 2.0].into_iter()).collect();
    assert!(matches!(refused[..], [Err(OperatorError::TooFewSamples { n: 2, needed: 3, .. })]));
}

#[test]
fn bad_input_changes_nothing() {
    let l1 = Caputo::l1(order(0.5)).unwrap();
    let empty = Chunked::<f64>::new(&l1, 0.01, 10, 0, &Reference).unwrap_err();
    assert!(matches!(empty, OperatorError::EmptyChunk), "{empty}");
    let none = Chunked::<f64>::with_channels(&l1, (10, 0.01), 2, 0, &Reference).unwrap_err();
    assert!(matches!(none, OperatorError::Channels { found: 0, .. }), "{none}");
    let grid = Chunked::<f64>::new(&l1, -0.01, 10, 2, &Reference).unwrap_err();
    assert!(matches!(grid, OperatorError::Grid(_)), "{grid}");
    let elsewhere: [Arc<dyn Operator>; 3] = [
        Arc::new(GrunwaldLetnikov::shifted(order(0.5))),
        Arc::new(Riesz::ortigueira(order(0.5)).unwrap()),
        Arc::new(Weyl::new(order(0.5))),
    ];
    for operator in elsewhere {
        let refused = Chunked::<f64>::new(&operator, 0.01, 10, 2, &Reference).unwrap_err();
        assert!(matches!(refused, OperatorError::NoChunks { .. }), "{refused}");
    }

    let f = signal(10);
    let whole: Bound<f64> = l1.on(Grid::uniform(10, 0.01).unwrap(), &Reference).unwrap();
    let whole = whole.apply(f.view()).unwrap();
    let mut chunked = Chunked::new(&l1, 0.01, 10, 4, &Reference).unwrap();
    let refuse = |chunked: &mut Chunked<f64>, n: usize| chunked.push(signal(n).view()).unwrap_err();
    let first = chunked.push(f.slice(s![..4])).unwrap();
    assert!(matches!(refuse(&mut chunked, 0), OperatorError::EmptyChunk));
    let longer = refuse(&mut chunked, 5);
    assert!(matches!(longer, OperatorError::ChunkLength { found: 5, expected: 4 }), "{longer}");
    let two = chunked.push_block(Array2::zeros((2, 4)).view()).unwrap_err();
    assert!(matches!(two, OperatorError::Channels { found: 2, expected: 1, .. }), "{two}");
    let second = chunked.push(f.slice(s![4..8])).unwrap();
    let beyond = refuse(&mut chunked, 3);
    assert!(
        matches!(beyond, OperatorError::SignalTooLong { samples: 11, longest: 10 }),
        "{beyond}"
    );
    let last = chunked.push(f.slice(s![8..9])).unwrap();
    // A shorter chunk ends the time series.
    let ended = refuse(&mut chunked, 1);
    assert!(matches!(ended, OperatorError::ChunkLength { found: 1, expected: 0 }), "{ended}");
    let found = concatenate(Axis(0), &[first.view(), second.view(), last.view()]).unwrap();
    assert!((&found - &whole.slice(s![..9])).iter().all(|error| error.abs() < 1e-13));
}

//! Every row of the catalogue: weights, one time series, and the derivative of the weights with
//! respect to the order.

use crate::bench::Bench;
use crate::cell::{each, label, ratio, reference_time, size, time};
use crate::groups::INSIDE;
use crate::groups::maps::{self, bind};
use crate::measure::{Time, interleaved};
use crate::threads::pool;
use hpfracc::{Machine, Settings};
use hpfracc_backend::Workload;
use hpfracc_operators::{Discrete, Entry, Operator, catalogue};
use hpfracc_types::{Grid, Order};
use ndarray::Array1;
use std::hint::black_box;

/// The operators by what a machine of one core chooses, against a convolution of the same length.
pub(crate) fn rows(bench: &mut Bench) {
    let n = if bench.quick { 10_000 } else { 100_000 };
    bench.note(
        "Beside: one causal convolution by transforms, weights bound. Time steps 1e-3, example orders and parameters, \
         f64, one core.",
    );
    bench.columns(
        "operator | scheme | alpha | N | weights | a weight | convolution | apply | \
         apply / convolution | d/dalpha",
    );
    pool(1).install(|| {
        let mut settings = Settings::default();
        settings.selector.learning = false;
        settings.gpus_from = std::time::Duration::MAX;
        let machine = Machine::with(&settings).expect("a machine without files");
        catalogue().for_each(|entry| row(bench, entry, n, &machine));
    });
}

fn row(bench: &mut Bench, entry: &Entry, n: usize, machine: &Machine) {
    let alpha = entry.range.examples[0];
    let operator = entry.example(Order::new(alpha).expect(INSIDE)).expect(INSIDE);
    let grid = Grid::uniform(n, 1e-3).expect(INSIDE);
    let bound = operator.clone().on::<f64, _>(grid, machine).expect(INSIDE);
    let f: Array1<f64> = grid.points().map(f64::sin).collect();
    let (mut y, mut z) = (Array1::zeros(n), vec![0.0; n]);
    let workload = Workload::CausalConvolution { len: n, batch: 1 };
    let powers: Vec<f64> = (1..=n).map(|k| (k as f64).powf(-0.5)).collect();
    let convolution = bind(&hpfracc_cpu::Fft::new(), workload, &powers);
    // There are many rows, and some take a second.
    let [convolution, apply, weights, derivative]: [Time; 4] = interleaved(
        bench.budget.at_most(15),
        [
            &mut maps::apply(convolution.as_ref(), f.as_slice().expect(INSIDE), &mut z),
            &mut || bound.apply_into(black_box(f.view()), y.view_mut()).expect(INSIDE),
            &mut || drop(black_box(operator.weights(grid).expect(INSIDE))),
            &mut || {
                drop(black_box(operator.order_derivative(&Discrete::Grid(grid)).expect(INSIDE)));
            },
        ],
    );
    bench.row([
        label(entry.definition.name),
        label(entry.scheme),
        label(alpha),
        size(n),
        time(&weights),
        each(&weights, n as f64),
        reference_time(&convolution),
        time(&apply),
        ratio(&apply, &convolution),
        time(&derivative),
    ]);
}

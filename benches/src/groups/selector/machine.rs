//! What a machine costs beside the bare backend, where there is next to nothing to compute.

use crate::bench::Bench;
use crate::cell::{each, label, ratio, reference_time};
use crate::groups::maps;
use crate::measure::interleaved;
use hpfracc::backend::{Backend, LinearMap, Workload};
use hpfracc::{Machine, Settings};
use hpfracc_cpu::Direct;
use std::hint::black_box;

pub(super) const WORKLOAD: Workload = Workload::CausalConvolution { len: 16, batch: 1 };
pub(super) const CALLS: usize = 1000;

pub(super) fn bound(backend: &dyn Backend<f64>) -> Box<dyn LinearMap<f64>> {
    maps::bind(backend, WORKLOAD, &[0.5; 16])
}

/// Applies a map [`CALLS`] times.
pub(super) fn apply(map: &dyn LinearMap<f64>) {
    let (x, mut y) = ([1.0; 16], [0.0; 16]);
    (0..CALLS).for_each(|_| maps::apply(map, &x, &mut y)());
}

fn plan(backend: &dyn Backend<f64>) {
    for _ in 0..CALLS {
        black_box(bound(black_box(backend)));
    }
}

/// Applying, and planning with binding, for one series of 16 samples.
pub(crate) fn machine(bench: &mut Bench) {
    let budget = bench.budget;
    bench.note("One series of 16 samples, a direct sum. Beside: the backend itself.");
    bench.columns(
        "backend | apply, itself | apply | apply / itself | plan and bind, itself | \
         plan and bind | plan and bind / itself",
    );
    let mut still = Settings::default();
    still.selector.learning = false;
    let still = Machine::with(&still).expect("the settings are in order");
    let learning = Machine::detect();
    let alone = Machine::only("cpu-direct").expect("the name is known");
    let backends: [&dyn Backend<f64>; 4] = [&Direct, &alone, &learning, &still];
    let maps = backends.map(bound);
    // Choices settle.
    (0..100).for_each(|_| maps.iter().for_each(|map| apply(map.as_ref())));
    let [a, b, c, d] = &maps;
    let applied = interleaved(
        budget,
        [
            &mut || apply(a.as_ref()),
            &mut || apply(b.as_ref()),
            &mut || apply(c.as_ref()),
            &mut || apply(d.as_ref()),
        ],
    );
    let [a, b, c, d] = backends;
    let planned =
        interleaved(budget, [&mut || plan(a), &mut || plan(b), &mut || plan(c), &mut || plan(d)]);
    let names = [
        "cpu-direct itself",
        "a machine of cpu-direct alone",
        "a machine",
        "a machine that does not learn",
    ];
    for ((name, apply), plan) in names.into_iter().zip(&applied).zip(&planned) {
        bench.row([
            label(name),
            reference_time(&applied[0].scaled(1.0 / CALLS as f64)),
            each(apply, CALLS as f64),
            ratio(apply, &applied[0]),
            reference_time(&planned[0].scaled(1.0 / CALLS as f64)),
            each(plan, CALLS as f64),
            ratio(plan, &planned[0]),
        ]);
    }
}

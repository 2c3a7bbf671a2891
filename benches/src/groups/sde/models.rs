//! Ready models, against the random numbers that they consume.

use super::INSIDE;
use crate::bench::Bench;
use crate::cell::{label, number, rate, ratio, reference_time, size, time};
use crate::groups::noise::normals;
use crate::measure::interleaved;
use crate::threads::pool;
use hpfracc_sde::models::Named;
use hpfracc_sde::{Ensemble, Moments};
use std::hint::black_box;

/// Paths times steps per second on one core, and what the normals alone take.
pub(crate) fn models(bench: &mut Bench) {
    let (paths, steps) = if bench.quick { (2_048, 500) } else { (10_240, 500) };
    bench.note(format!(
        "Beside: the normals alone, as many as the model draws. Paths of {steps} steps, f32, one core."
    ));
    bench.columns(
        "model | paths | normals a step | normals | ensemble | path steps a second | \
         ensemble / normals",
    );
    let (pool, budget) = (pool(1), bench.budget.at_most(9));
    for (name, drawn) in [
        ("ornstein-uhlenbeck", 1),
        ("geometric-brownian", 1),
        ("cox-ingersoll-ross", 1),
        ("fractional-ornstein-uhlenbeck", 2),
        ("fractional-langevin", 2),
        ("inertial-langevin", 2),
        ("rough-bergomi", 4),
        ("rough-heston", 2),
    ] {
        let model = Named::new(name).expect("a name of the catalogue");
        let ensemble = Ensemble::new(paths, steps).expect(INSIDE);
        let mut least = || normals(paths * steps * drawn);
        let mut work = || {
            let found = model.simulate::<f32, _>(&ensemble, (0.0, 1.0), 7, &Moments);
            black_box(found.expect(INSIDE));
        };
        let [least, work] = pool.install(|| interleaved(budget, [&mut least, &mut work]));
        bench.row([
            label(name),
            size(paths),
            number(drawn as f64, 0),
            reference_time(&least),
            time(&work),
            rate((paths * steps) as f64, &work),
            ratio(&work, &least),
        ]);
    }
}

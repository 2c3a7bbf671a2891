//! Operators on meshes whose steps differ, by exponentials.

use crate::bench::Bench;
use crate::cell::{each, floor, label, number, ratio, size, time};
use crate::measure::{Time, interleaved};
use hpfracc_backend::Reference;
use hpfracc_lanes::pulp::Arch;
use hpfracc_lanes::{Elementary, vectorised};
use hpfracc_operators::{Bound, Caputo, Exponentials, MeshMemory, Operator, RlIntegral, Weights};
use hpfracc_types::{Mesh, Order};
use ndarray::Array1;
use std::hint::black_box;

const MADE: &str = "a mesh and an operator in range";

/// Time of a graded mesh by number of points, beside all exponentials one by one.
pub(crate) fn growth(bench: &mut Bench) {
    bench.note(
        "Floor: N K exponentials as vector code, two products and a sum each. Rates that have forgotten all \
         before a step are left out, so that less is no wonder.",
    );
    bench.columns(
        "operator | N | K | build | apply | vjp | plain | apply / plain | a node and step",
    );
    let memory = MeshMemory::Exponentials { tolerance: 1e-10 };
    let alpha = Order::new(0.4).expect(MADE);
    let above = Order::new(1.4).expect(MADE);
    let sizes: &[usize] =
        if bench.quick { &[1000, 100_000] } else { &[1000, 10_000, 100_000, 1_000_000] };
    for &n in sizes {
        let mesh = Mesh::graded(n, 1.0, 4.0).expect(MADE);
        let caputo = Caputo::l1(alpha).expect(MADE);
        row(bench, "caputo l1 0.4", caputo, &mesh, memory);
        let integral = RlIntegral::trapezoid(alpha).expect(MADE);
        row(bench, "rl-integral 0.4", integral, &mesh, memory);
        let integral = RlIntegral::trapezoid(above).expect(MADE);
        row(bench, "rl-integral 1.4", integral, &mesh, memory);
    }
}

/// States that decay with these rates over the steps, one exponential a rate and step.
fn decay(rates: &[f64], steps: &[f64], states: &mut [f64]) {
    let states = black_box(states);
    vectorised(
        Arch::new(),
        #[inline(always)]
        || {
            for h in steps {
                for (state, rate) in states.iter_mut().zip(rates) {
                    *state = *state * Elementary::exp(-rate * h) + 0.5;
                }
            }
        },
    );
}

fn row(
    bench: &mut Bench,
    name: &str,
    operator: impl Operator + Clone + 'static,
    mesh: &Mesh,
    memory: MeshMemory,
) {
    let weights = operator.mesh_weights(mesh, memory);
    let Ok(Weights::Exponentials(Exponentials { rates, steps, .. })) = weights else {
        return;
    };
    let bind =
        || -> Bound<f64> { operator.clone().on_mesh_with(mesh, memory, &Reference).expect(MADE) };
    let bound = bind();
    let f: Array1<f64> = mesh.points().iter().map(|t| t.sqrt().cos()).collect();
    let (mut y, mut g, mut states) = (f.clone(), f.clone(), vec![0.0; rates.len()]);
    let [build, apply, vjp, plain]: [Time; 4] = interleaved(
        bench.budget,
        [
            &mut || drop(black_box(bind())),
            &mut || bound.apply_into(f.view(), y.view_mut()).expect(MADE),
            &mut || bound.vjp_into(f.view(), g.view_mut()).expect(MADE),
            &mut || decay(&rates, &steps, &mut states),
        ],
    );
    bench.row([
        label(name),
        size(mesh.n()),
        number(rates.len() as f64, 0),
        time(&build),
        time(&apply),
        time(&vjp),
        floor(&plain),
        ratio(&apply, &plain),
        each(&apply, (steps.len() * rates.len()) as f64),
    ]);
}

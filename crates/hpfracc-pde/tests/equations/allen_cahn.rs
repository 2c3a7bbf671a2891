//! The Allen-Cahn equation: energy, schemes against each other, order.

use crate::reference::largest;
use hpfracc_ode::Steps;
use hpfracc_pde::models::AllenCahn;
use hpfracc_pde::{Equation, Quantity, Settings, TimeScheme, graded_steps, solve};
use hpfracc_spatial::{Axis, Boundary, BoxGrid};
use hpfracc_testkit::observed_order;

fn square(n: usize) -> BoxGrid {
    let axis = || Axis::new(0.0, 1.0, n, [Boundary::Neumann; 2]).unwrap();
    BoxGrid::new(vec![axis(), axis()]).unwrap()
}

fn interval(n: usize) -> BoxGrid {
    BoxGrid::new(vec![Axis::new(0.0, 1.0, n, [Boundary::Neumann; 2]).unwrap()]).unwrap()
}

fn wavy(x: &[f64]) -> f64 {
    0.8 * x.iter().map(|x| (7.0 * x + 0.3).cos()).product::<f64>()
}

fn run(equation: &Equation<'_>, scheme: TimeScheme, steps: Steps) -> Vec<f64> {
    let settings = Settings { scheme, steps: Some(steps), ..Settings::default() };
    solve(equation, 2.0, settings).unwrap().last().to_vec()
}

/// The energy at each node is not above that at the node before.
#[test]
fn energy_decays() {
    for alpha in [0.5, 0.9, 1.0] {
        for grid in [interval(60), square(16)] {
            let model = AllenCahn { alpha, epsilon: 0.08 };
            let equation = model.equation(grid.clone()).unwrap().start_from(wavy).unwrap();
            for scheme in [TimeScheme::ProductTrapezoid, TimeScheme::L1] {
                let mut energy = Quantity::new(|_, u| model.energy(&grid, u).unwrap());
                let observers: Vec<&mut dyn hpfracc_ode::Observer> = vec![&mut energy];
                let settings = Settings { scheme, observers, ..Settings::default() };
                solve(&equation, 5.0, settings).unwrap();
                let values = energy.values();
                assert!(values.windows(2).all(|pair| pair[1] <= pair[0] + 1e-9), "{alpha}");
                assert!(values[values.len() - 1] < values[0]);
            }
        }
    }
}

/// Newton's and extrapolated steps converge with order 2 to the same solution, in one and two
/// dimensions: direct and iterative linear solves.
#[test]
fn schemes_agree_with_order_two() {
    for grid in [interval(40), square(10)] {
        let model = AllenCahn { alpha: 0.7, epsilon: 0.1 };
        let equation = model.equation(grid).unwrap().start_from(wavy).unwrap();
        let exact = run(&equation, TimeScheme::ProductTrapezoid, graded_steps(0.7, 2000).unwrap());
        for scheme in [TimeScheme::ProductTrapezoid, TimeScheme::ImplicitExplicit] {
            let error = |n: usize| {
                let found = run(&equation, scheme, graded_steps(0.7, n).unwrap());
                (1.0 / n as f64, largest(&found, &exact))
            };
            let order = observed_order(&[error(80), error(160), error(320)]);
            assert!((order - 2.0).abs() < 0.15, "{scheme:?}: order {order}");
        }
    }
}

/// The same bits on one and on several threads.
#[test]
fn threads_do_not_change_the_bits() {
    let model = AllenCahn { alpha: 0.7, epsilon: 0.02 };
    let equation = model.equation(square(192)).unwrap().start_from(wavy).unwrap();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let steps = graded_steps(0.7, 4).unwrap();
        pool.install(|| run(&equation, TimeScheme::ProductTrapezoid, steps))
    };
    assert_eq!(on(1), on(3));
}

//! The fractional scheme: parameters and start to rounding, whatever the memory; orders against
//! those of the direct sum.

use super::case::{Case, blocks_are_direct_sums, close};
use super::systems::{double_well, mixed, oscillator};
use hpfracc_sde::{FractionalEulerMaruyama, PathMemory};

/// With few exponentials, so that a gradient of the exact weights would be seen.
const COARSE: PathMemory = PathMemory::Exponentials { tolerance: 1e-2 };

#[test]
fn each_coupling_and_memory() {
    let systems = [("diagonal", double_well()), ("scalar", oscillator()), ("general", mixed())];
    for (name, system) in systems {
        for orders in [[0.6, 0.6], [0.75, 0.95], [0.6, 1.0], [1.0, 0.95], [1.0, 1.0]] {
            for memory in [PathMemory::Direct, COARSE] {
                let case = Case::new(system.clone(), &orders);
                let name = format!("{name}, {orders:?}, {memory:?}");
                case.check(&name, &FractionalEulerMaruyama::new(memory));
            }
        }
    }
}

/// Transforms of blocks, in both passes and for the orders, are the direct sums.
#[test]
fn blocks_of_steps() {
    blocks_are_direct_sums(FractionalEulerMaruyama::new);
}

/// Integrals over the nearest cells, drawn beside the increments.
#[test]
fn near_cells_that_are_drawn() {
    for system in [double_well(), mixed()] {
        for near in [1, 3] {
            let scheme = FractionalEulerMaruyama::new(COARSE).near_cells(near);
            Case::new(system.clone(), &[0.6, 0.75]).check(&format!("{near} near"), &scheme);
        }
    }
}

#[test]
fn orders() {
    let systems = [("diagonal", double_well()), ("scalar", oscillator()), ("general", mixed())];
    let direct = FractionalEulerMaruyama::new(PathMemory::Direct);
    let exponentials = PathMemory::Exponentials { tolerance: 1e-10 };
    for (name, system) in systems {
        for orders in [[0.6, 0.6], [0.75, 0.95], [0.6, 1.0], [1.0, 1.0]] {
            let case = Case::new(system.clone(), &orders);
            let expected = [0, 1].map(|i| case.difference_in_order(&direct, i));
            for (memory, tolerance) in [(PathMemory::Direct, 2e-9), (exponentials, 2e-8)] {
                let scheme = FractionalEulerMaruyama::new(memory);
                let found = case.gradient::<f64, _>(&scheme, |gradient| gradient.with_orders());
                for i in 0..2 {
                    let name = format!("{name}, {orders:?}, {memory:?}: order {i}");
                    close(&name, found.orders.values[i], expected[i], tolerance);
                }
                // The rest is what it is without them.
                let without = case.gradient::<f64, _>(&scheme, |gradient| gradient);
                assert_eq!(
                    (&found.start, &found.parameters),
                    (&without.start, &without.parameters)
                );
                assert!(without.orders.values.is_empty());
            }
        }
    }
}

#[test]
fn in_single_precision() {
    let case = Case::new(mixed(), &[0.7, 1.0]);
    let scheme = FractionalEulerMaruyama::default();
    let double = case.gradient::<f64, _>(&scheme, |gradient| gradient.with_orders());
    let single = case.gradient::<f32, _>(&scheme, |gradient| gradient.with_orders());
    let parts = [
        (&single.loss, &double.loss),
        (&single.parameters, &double.parameters),
        (&single.start, &double.start),
        (&single.orders, &double.orders),
    ];
    for (single, double) in parts {
        let pairs = single.values.iter().chain(&single.errors);
        for (single, double) in pairs.zip(double.values.iter().chain(&double.errors)) {
            close("single", *single, *double, 2e-5);
        }
    }
}

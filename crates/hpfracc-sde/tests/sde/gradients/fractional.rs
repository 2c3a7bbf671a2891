//! The fractional scheme: parameters and start to rounding, whatever the memory; orders against
//! those of the direct sum.

use super::case::{Case, blocks_are_direct_sums, close};
use super::systems::{double_well, mixed, oscillator};
use hpfracc_sde::{Drift, ForcedEulerMaruyama, FractionalEulerMaruyama, PathMemory};

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

/// Noise outside the memory: parameters, start and orders.
#[test]
fn forced_equations() {
    let systems = [("diagonal", double_well()), ("scalar", oscillator()), ("general", mixed())];
    for (name, system) in systems {
        for orders in [[0.3, 0.3], [0.6, 1.0]] {
            let case = Case::new(system.clone(), &orders);
            for memory in [PathMemory::Direct, COARSE] {
                let name = format!("{name}, {orders:?}, {memory:?}");
                case.check(&name, &ForcedEulerMaruyama::new(memory));
            }
            let scheme = ForcedEulerMaruyama::new(PathMemory::Direct);
            let found = case.gradient::<f64, _>(&scheme, |gradient| gradient.with_orders());
            for i in 0..2 {
                let name = format!("{name}, {orders:?}: order {i}");
                let expected = case.difference_in_order(&scheme, i);
                close(&name, found.orders.values[i], expected, 2e-9);
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

/// The distribution of drawn integrals depends on the order; their normals do not.
#[test]
fn orders_with_near_cells_that_are_drawn() {
    for (name, system) in [("diagonal", double_well()), ("general", mixed())] {
        for orders in [[0.6, 0.62], [0.75, 0.95]] {
            for (near, drift) in
                [(1, Drift::Rectangle), (2, Drift::PredictorCorrector), (3, Drift::Rectangle)]
            {
                let case = Case::new(system.clone(), &orders);
                let scheme = FractionalEulerMaruyama::new(PathMemory::Direct);
                let scheme = scheme.near_cells(near).drift(drift);
                let found = case.gradient::<f64, _>(&scheme, |gradient| gradient.with_orders());
                for i in 0..2 {
                    let name = format!("{name}, {orders:?}, {near} near, {drift:?}: order {i}");
                    let expected = case.difference_in_order(&scheme, i);
                    // What the third normal adds is known to some digits: the others nearly
                    // determine the integral.
                    let tolerance = if near == 3 { 1e-6 } else { 2e-8 };
                    close(&name, found.orders.values[i], expected, tolerance);
                }
            }
        }
    }
}

/// Components that share their integrals: the sum of both derivatives is that of a common change.
#[test]
fn orders_that_share_near_cells() {
    let case = Case::new(mixed(), &[0.6, 0.6]);
    let scheme = FractionalEulerMaruyama::new(PathMemory::Direct).near_cells(2);
    let found = case.gradient::<f64, _>(&scheme, |gradient| gradient.with_orders());
    let (d, mut expected) = (1e-4, 0.0);
    for (by, factor) in [(1.0, 45.0), (2.0, -9.0), (3.0, 1.0)] {
        for sign in [1.0, -1.0] {
            let mut moved = case.clone();
            moved.orders.iter_mut().for_each(|order| *order += sign * by * d);
            expected += sign * factor * moved.loss(&scheme) / (60.0 * d);
        }
    }
    close("both orders", found.orders.values.iter().sum(), expected, 2e-8);
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

//! Memory that is kept between gradients has no influence on them.

use super::case::{Case, PATHS, loss};
use super::systems::{mixed, oscillator};
use crate::systems::differentiable;
use hpfracc_sde::SdeError;
use hpfracc_sde::{
    DifferentiableStochasticScheme, Drift, DriftImplicit, Ensemble, EnsembleGradient,
    EulerMaruyama, FractionalEulerMaruyama, GradientWorkspace, PathMemory, ReversibleHeun,
    TamedEuler,
};

/// Sizes that grow and shrink, orders, memories, and an error in between.
fn check<C: DifferentiableStochasticScheme<f64>>(schemes: &[C], orders: &[f64]) {
    let workspace = GradientWorkspace::new();
    for (round, (system, paths, steps)) in
        // More than 64 steps are several blocks of a memory.
        [
            (mixed(), PATHS, 24),
            (oscillator(), 67, 150),
            (mixed(), 130, 7),
            (oscillator(), 67, 40),
            (mixed(), 66, 150),
            (mixed(), PATHS, 24),
        ]
        .into_iter()
        .enumerate()
    {
        for scheme in schemes {
            let mut case = Case::new(system.clone(), orders);
            case.stratonovich = scheme.name() == "reversible-heun";
            let ensemble = Ensemble::new(paths, steps).unwrap().saving_every(9).unwrap();
            let gradient = EnsembleGradient::new(ensemble).with_each_path();
            let gradient =
                if orders[0] < 1.0 && round % 2 == 0 { gradient.with_orders() } else { gradient };
            let (problem, noise) = (case.problem::<f64>(), case.noise());
            let expected = gradient.solve(&problem, scheme, &noise, &loss::<f64>).unwrap();
            for _ in 0..2 {
                let found = gradient.solve_with(&workspace, &problem, scheme, &noise, &loss::<f64>);
                assert_eq!(found.unwrap(), expected, "{}, {paths} paths", scheme.name());
            }
            let wild = differentiable(system.clone(), (0.0, 1e6), &[9e300, 1e300]).unwrap();
            let wild = wild.of_orders(orders).unwrap();
            let wild = if case.stratonovich { wild.stratonovich() } else { wild };
            let broken = gradient.solve_with(&workspace, &wild, scheme, &noise, &loss::<f64>);
            assert!(matches!(broken, Err(SdeError::PathNotFinite { .. })), "{broken:?}");
        }
    }
}

#[test]
fn results_do_not_know_what_was_before() {
    check(&[EulerMaruyama], &[1.0]);
    check(&[ReversibleHeun], &[1.0]);
    check(&[TamedEuler], &[1.0]);
    check(&[DriftImplicit::default(), DriftImplicit::new(0.5).unwrap()], &[1.0]);
    let memories = [PathMemory::Direct, PathMemory::Blocked, PathMemory::default()];
    let plain = memories.map(FractionalEulerMaruyama::new);
    let corrected = plain.map(|scheme| scheme.drift(Drift::PredictorCorrector));
    check(&[plain, corrected].concat(), &[0.7, 1.0]);
}

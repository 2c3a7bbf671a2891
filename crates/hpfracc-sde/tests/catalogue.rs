//! Entries of the catalogue with noise.

use hpfracc_equation::catalogue::{ENTRIES, named};
use hpfracc_sde::{Ensemble, EquationModel, Moments};

#[test]
fn every_stochastic_entry_is_simulated() {
    let mut count = 0;
    let mut errors = vec![];
    for entry in ENTRIES.iter().filter(|entry| entry.scheme.ends_with("euler-maruyama")) {
        count += 1;
        let model = match EquationModel::new(&entry.equation().unwrap()) {
            Ok(model) => model,
            Err(error) => {
                errors.push(format!("{}: {error}", entry.name));
                continue;
            }
        };
        let ensemble = Ensemble::new(64, entry.steps).unwrap();
        match model.simulate::<f64, _>(&ensemble, 1, &Moments) {
            Ok(moments) if moments.mean.iter().all(|mean| mean.is_finite()) => {}
            Ok(_) => errors.push(format!("{}: a mean that is not finite", entry.name)),
            Err(error) => errors.push(format!("{}: {error}", entry.name)),
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    assert_eq!(count, 16);
}

/// Variances at the end against closed forms, within five standard errors and the error of the scheme.
#[test]
fn variances_are_those_of_the_models() {
    let gamma = hpfracc_special::gamma;
    for (name, expected, tolerance) in [
        ("brownian-motion", 1.0, 0.05),
        ("fractional-brownian-motion", 1.0, 0.05),
        ("riemann-liouville-brownian-motion", 1.0, 0.05),
        ("compound-poisson", 10.0, 0.06),
        // Free particle: 2 kT/gamma t^alpha / Gamma(1 + alpha).
        ("fractional-langevin", 2.0 * 10_f64.powf(0.6) / gamma(1.6), 0.06),
    ] {
        let entry = named(name).unwrap();
        let model = EquationModel::new(&entry.equation().unwrap()).unwrap();
        let ensemble = Ensemble::new(20_000, 200).unwrap();
        let moments = model.simulate::<f64, _>(&ensemble, 7, &Moments).unwrap();
        let found = moments.covariance[[0, 0, 0]];
        assert!((found / expected - 1.0).abs() < tolerance, "{name}: {found} {expected}");
    }
}

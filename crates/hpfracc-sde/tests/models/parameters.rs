//! Parameters and names.

use hpfracc_sde::SdeError;
use hpfracc_sde::models::{Model, Named, Observed, RoughHeston};
use hpfracc_sde::{Ensemble, Moments, Paths};
use std::time::Duration;

/// The default value lies inside its range; NaN and infinities lie outside, and the error names the
/// parameter.
#[test]
fn values_outside_their_ranges_are_refused_by_name() {
    for model in Named::all() {
        let definition = model.definition();
        assert_eq!(Named::new(definition.name), Some(model));
        assert_eq!(model.values().len(), definition.parameters.len());
        for (parameter, value) in definition.parameters.iter().zip(model.values()) {
            assert_eq!(value, parameter.default);
            assert!(!parameter.meaning.is_empty() && parameter.range.contains(parameter.default));
            let with = |value| model.with(parameter.name, value).expect("a parameter of its own");
            assert_eq!(with(parameter.default).unwrap(), model);
            for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                let error = with(bad).unwrap_err();
                let SdeError::OutOfRange { what, expected, .. } = error else { panic!("{error}") };
                assert_eq!(what, format!("the parameter {}", parameter.name));
                assert_eq!(expected, parameter.range.text);
            }
        }
        assert!(model.with("no such parameter", 1.0).is_none());
    }
    assert_eq!(Named::new("rough-heaven"), None);
}

#[test]
fn ends_of_ranges() {
    let model = RoughHeston::default();
    assert!(model.hurst(0.5).is_ok() && model.hurst(0.0).is_err() && model.hurst(0.51).is_err());
    assert!(model.rho(-1.0).is_ok() && model.rho(-1.01).is_err());
    assert!(model.kappa(0.0).is_ok() && model.kappa(-1e-300).is_err());
    assert!(model.s0(0.0).is_err());
    let said = model.rho(2.0).unwrap_err().to_string();
    assert_eq!(said, "the parameter rho is 2, expected -1 to 1");
}

/// Every model by its name is what it is by itself, in either precision.
#[test]
fn all_models_simulate() {
    let ensemble = Ensemble::new(33, 12).unwrap().saving_every(5).unwrap();
    for model in Named::all() {
        let found = model.simulate::<f32, _>(&ensemble, (0.0, 0.5), 4, &Moments).unwrap();
        let same = model.simulate::<f64, _>(&ensemble, (0.0, 0.5), 4, &Moments).unwrap();
        let observables = model.definition().observables.len();
        assert_eq!(found.mean.dim(), (4, observables));
        for (a, b) in found.mean.iter().zip(&same.mean) {
            assert!((a - b).abs() < 1e-5 * (1.0 + b.abs()), "{model:?}: {a} {b}");
        }
    }
    let named = Named::new("rough-heston").unwrap();
    let paths = named.simulate::<f64, _>(&ensemble, (0.0, 0.5), 4, &Paths).unwrap();
    let direct = RoughHeston::default().simulate::<f64, _>(&ensemble, (0.0, 0.5), 4, &Paths);
    assert_eq!(paths, direct.unwrap());
}

/// A logarithm that is finite, and a price that is not: an error that names the first time.
#[test]
fn prices_too_large_for_the_precision() {
    let ensemble = Ensemble::new(300, 8).unwrap().starting_at(40).saving_every(4).unwrap();
    let model = RoughHeston::default().s0(1e300).unwrap();
    let error = model.simulate::<f32, _>(&ensemble, (1.0, 2.0), 4, &Moments).unwrap_err();
    let SdeError::ObservableNotFinite { path: 40, observable, t: 1.0 } = &error else {
        panic!("{error}")
    };
    assert_eq!(observable, "s");
    assert_eq!(error.to_string(), "path 40: s is too large for the precision at t = 1");
    model.simulate::<f64, _>(&ensemble, (1.0, 2.0), 4, &Paths).unwrap();
    // Some paths rise above the largest number on the way.
    let model = RoughHeston::default().s0(1.7e308).unwrap();
    let error = model.simulate::<f64, _>(&ensemble, (1.0, 2.0), 4, &Paths).unwrap_err();
    let SdeError::ObservableNotFinite { path: 40..340, observable, t } = &error else {
        panic!("{error}")
    };
    assert_eq!((observable.as_str(), *t), ("s", 1.5));
}

/// What a model shows goes on from a checkpoint with the same bits, and with what was not finite
/// before it.
#[test]
fn observed_paths_go_on_from_a_checkpoint() {
    let ensemble = Ensemble::new(3000, 16).unwrap().starting_at(40).saving_every(8).unwrap();
    for (s0, finite) in [(2.0, true), (1e300, false)] {
        let model = RoughHeston::default().s0(s0).unwrap();
        let problem = model.problem::<f32>((0.0, 1.0)).unwrap();
        let (scheme, noise) = (Model::scheme::<f32>(&model), model.noise::<f32>(4).unwrap());
        let collector = Observed::new(&model, 0.0, &Moments);
        let run = ensemble.run(&problem, &scheme, &noise, &collector).unwrap();
        while run.progress().share < 0.3 {
            run.advance_for(Duration::ZERO).unwrap();
        }
        let checkpoint = run.checkpoint();
        let run = ensemble.run(&problem, &scheme, &noise, &collector).unwrap();
        let found = run.restore(&checkpoint).unwrap().finish().unwrap();
        let whole = model.simulate::<f32, _>(&ensemble, (0.0, 1.0), 4, &Moments);
        match (whole, found) {
            (Ok(a), Ok(b)) => assert_eq!((a, true), (b, finite)),
            (Err(a), Err(b)) => assert_eq!((a.to_string(), false), (b.to_string(), finite)),
            (a, b) => panic!("{a:?} {b:?}"),
        }
    }
}

#[cfg(feature = "serde")]
#[test]
fn models_are_read_and_checked() {
    for model in Named::all() {
        let text = serde_json::to_string(&model).unwrap();
        assert_eq!(serde_json::from_str::<Named>(&text).unwrap(), model);
        assert!(text.contains(model.definition().name), "{text}");
    }
    let read = |text| serde_json::from_str::<Named>(text);
    let model = read(r#"{"model": "rough-heston", "rho": 0.5}"#).unwrap();
    assert_eq!(model, Named::RoughHeston(RoughHeston::default().rho(0.5).unwrap()));
    let error = read(r#"{"model": "rough-heston", "rho": 1.5}"#).unwrap_err().to_string();
    assert!(error.contains("the parameter rho is 1.5, expected -1 to 1"), "{error}");
    assert!(read(r#"{"model": "rough-heston", "rhi": 1.5}"#).is_err());
    assert!(read(r#"{"model": "rough-heaven"}"#).is_err());
}

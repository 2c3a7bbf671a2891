use super::{model, noise};
use hpfracc_fit::bootstrap::{Resampling, Scheme};
use hpfracc_fit::sample::{Nuts, SampleError};
use hpfracc_fit::{Fit, FitError, FormulaModel, Found, Outcome, Progress, Set};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const ROWS: usize = 700;

fn data() -> [Vec<f64>; 2] {
    let x: Vec<f64> = (0..ROWS).map(|k| k as f64 * 0.01).collect();
    let y = |(k, x): (usize, &f64)| 2.0 * (-x / 0.8).exp() + (-x / 4.0).exp() + 0.01 * noise(k);
    let y = x.iter().enumerate().map(y).collect();
    [x, y]
}

fn two_decays() -> FormulaModel {
    model("a exp(-x/p) + b exp(-x/q); a = 1; b = 3; p = 0.1 in (0, inf); q = 1 in (0, inf)")
}

fn run<'a>(
    model: &'a FormulaModel,
    [x, y]: &'a [Vec<f64>; 2],
    folder: &Path,
    passes: usize,
) -> Result<Found<'a>, FitError> {
    let fit = Fit::new(Set::new("decay", model).input(x).response(y))?;
    fit.checkpoints(folder, Duration::ZERO).max_passes(passes).run()
}

fn bits(found: &Found<'_>) -> Vec<u64> {
    let numbers = found.values().into_iter().chain([found.cost(), found.passes() as f64]);
    numbers.map(f64::to_bits).collect()
}

/// A fit that is interrupted after any pass goes on to the same bits.
#[test]
fn interruptions_do_not_show() {
    let (model, data) = (two_decays(), data());
    let folder = || tempfile::tempdir().unwrap();
    let whole = run(&model, &data, folder().path(), 1000).unwrap();
    assert!(matches!(whole.outcome(), Outcome::Converged { .. }) && whole.passes() > 5);
    let folder = folder();
    for passes in 1..whole.passes() {
        let found = run(&model, &data, folder.path(), passes).unwrap();
        assert!(found.passes() <= passes + 1 && found.checkpoint_failure().is_none());
    }
    assert_eq!(bits(&run(&model, &data, folder.path(), 1000).unwrap()), bits(&whole));
}

#[test]
fn checkpoints_of_other_fits_are_refused() {
    let (model, data) = (two_decays(), data());
    let folder = tempfile::tempdir().unwrap();
    run(&model, &data, folder.path(), 5).unwrap();
    let refused = |model: &FormulaModel, data: &[Vec<f64>; 2], what: &str| {
        let error = run(model, data, folder.path(), 1000).unwrap_err().to_string();
        assert!(
            error.starts_with("the checkpoints cannot be used: ") && error.contains(what),
            "{error}"
        );
    };
    let mut other = data.clone();
    other[1][3] += 1e-3;
    refused(&model, &other, "data");
    let other = [data[0][1..].to_vec(), data[1][1..].to_vec()];
    refused(&model, &other, "number of data");
    let other = super::model(
        "a exp(-x/p) + b exp(-2 x/q); a = 1; b = 3; p = 0.1 in (0, inf); q = 1 in (0, inf)",
    );
    refused(&other, &data, "model and data at the starts");
    let other = super::model(
        "a exp(-x/p) + b exp(-x/q); a = 1; b = 3; p = 0.1 in (0, 9); q = 1 in (0, inf)",
    );
    refused(&other, &data, "parameters");
}

/// A fit goes on where checkpoints cannot be written, and says so.
#[test]
fn checkpoints_that_cannot_be_written() {
    let (model, [x, y]) = (two_decays(), data());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("states");
    let gone = path.clone();
    let mut remove = |_: Progress| drop(std::fs::remove_dir_all(&gone));
    let fit = Fit::new(Set::new("decay", &model).input(&x).response(&y)).unwrap();
    let found = fit.checkpoints(&path, Duration::ZERO).progress(&mut remove).run().unwrap();
    assert!(matches!(found.outcome(), Outcome::Converged { .. }));
    assert!(found.checkpoint_failure().is_some_and(|reason| reason.contains("states")));
}

/// Profiles, bootstraps and samplings that are cancelled at any time go on to the same bits.
#[test]
fn computations_after_a_fit_are_resumed() {
    let (model, data) = (two_decays(), data());
    let settings = Resampling { scheme: Scheme::Pairs, replicates: 40, seed: 3 };
    let nuts = Nuts { chains: 2, draws: 20, warm_up: 60, ..Nuts::default() };
    let whole = {
        let folder = tempfile::tempdir().unwrap();
        let found = run(&model, &data, folder.path(), 1000).unwrap();
        let profile = found.profile("p", 0.9).unwrap();
        (profile, found.bootstrap(&settings).unwrap(), found.sample(&nuts).unwrap())
    };
    let folder = tempfile::tempdir().unwrap();
    let cancel = AtomicBool::new(false);
    let fit = Fit::new(Set::new("decay", &model).input(&data[0]).response(&data[1])).unwrap();
    let found = fit.checkpoints(folder.path(), Duration::ZERO).cancel(&cancel).run().unwrap();
    let interrupted = |done: u32| cancel.fetch_or(done.is_multiple_of(7), Ordering::Relaxed);
    let mut interruptions = 0;
    let bootstrap = loop {
        cancel.store(false, Ordering::Relaxed);
        let bootstrap = found.bootstrap_watched(&settings, &|at| {
            interrupted(at.replicates);
        });
        let bootstrap = bootstrap.unwrap();
        if bootstrap.is_complete() {
            break bootstrap;
        }
        interruptions += 1;
    };
    assert!(interruptions > 1 && bootstrap == whole.1, "{interruptions}");
    // The flag is set during a minimisation of the profile by another thread, at some time.
    let mut cancelled = 0;
    let profile = loop {
        cancel.store(false, Ordering::Relaxed);
        let profile = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_micros(300 * (1 + cancelled)));
                cancel.store(true, Ordering::Relaxed);
            });
            found.profile("p", 0.9)
        });
        match profile {
            Ok(profile) => break profile,
            Err(FitError::Cancelled { .. }) => cancelled += 1,
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!(profile, whole.0);
    let draws = loop {
        cancel.store(false, Ordering::Relaxed);
        let posterior = found.sample_watched(&nuts, &|at| {
            interrupted(at.draws);
        });
        match posterior {
            Ok(posterior) if posterior.draws() == 20 => break posterior,
            // Fewer than eight draws.
            Ok(_) | Err(SampleError::TooFew { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!(draws, whole.2);
    // Other settings are refused.
    cancel.store(false, Ordering::Relaxed);
    let other = Resampling { seed: 4, ..settings };
    let error = found.bootstrap(&other).unwrap_err().to_string();
    assert!(error.contains("settings"), "{error}");
}

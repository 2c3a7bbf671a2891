use super::{RANKS, bits, decay, model, rank_of};
use hpfracc_communicator::{Communicator, CommunicatorError, run_threads};
use hpfracc_fit::bootstrap::Resampling;
use hpfracc_fit::{Fit, FitError, Outcome, Set};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const SLOW: &str =
    "a exp(-x/p) + b exp(-x/q) + c; a = 1; b = 3; c = 0; p = 0.1 in (0, inf); q = 1 in (0, inf)";

/// Interrupted fits and bootstraps go on with other numbers of ranks, to the bits of one that is not interrupted.
#[test]
fn checkpoints_of_other_numbers_of_ranks() {
    let (model, [x, y]) = (model(SLOW), decay(300));
    let run = |size: usize, folder: &Path, passes: usize| {
        let found = run_threads(size, |ranks| -> Result<_, FitError> {
            let fit = Fit::new(Set::new("decay", &model).input(&x).response(&y))?;
            let fit = fit.checkpoints(folder, Duration::ZERO).max_passes(passes).over(ranks);
            let found = fit.run()?;
            // A folder that one process locks.
            assert!(found.checkpoint_failure().is_none());
            let bootstrap = match found.outcome() {
                Outcome::Passes => None,
                _ => Some(found.bootstrap(&Resampling { replicates: 40, ..Default::default() })?),
            };
            Ok((bits(&found), bootstrap))
        });
        let found = found.unwrap();
        assert!(found.iter().all(|of_rank| *of_rank == found[0]), "{size} ranks");
        found.into_iter().next().unwrap()
    };
    let folder = || tempfile::tempdir().unwrap();
    let whole = run(1, folder().path(), 1000);
    let folder = folder();
    for (k, passes) in (1..whole.0[whole.0.len() - 1] as usize).take(12).enumerate() {
        run(RANKS[k % RANKS.len()], folder.path(), passes);
    }
    assert_eq!(run(3, folder.path(), 1000), whole);
}

/// A flag on one rank cancels all, at the same place.
#[test]
fn one_rank_cancels_all() {
    let (model, [x, y]) = (model(SLOW), decay(300));
    let found = run_threads(3, |ranks| -> Result<_, FitError> {
        let cancel = AtomicBool::new(false);
        let mut progress = |progress: hpfracc_fit::Progress| {
            if ranks.rank() == 2 && progress.passes == 4 {
                cancel.store(true, Ordering::Relaxed);
            }
        };
        let fit = Fit::new(Set::new("decay", &model).input(&x).response(&y))?;
        let found = fit.over(ranks).cancel(&cancel).progress(&mut progress).run()?;
        assert_eq!(found.outcome(), Outcome::Cancelled);
        // The ranks go on together.
        let bootstrap = found.bootstrap(&Resampling::default())?;
        assert_eq!(bootstrap.replicates(), 0);
        Ok(bits(&found))
    });
    let found = found.unwrap();
    assert!(found.iter().all(|bits| *bits == found[0]));
}

#[test]
fn ranks_that_differ_are_refused() {
    let (model, other) = (
        model(SLOW),
        model(
            "a exp(-x/p) + b exp(-x/q) + c x; a = 1; b = 3; c = 0; p = 0.1 in (0, inf); q = 1 in (0, inf)",
        ),
    );
    let data = decay(300);
    let mut changed = data.clone();
    changed[1][3] += 1e-3;
    let shorter = [data[0][1..].to_vec(), data[1][1..].to_vec()];
    let cases = [
        (&other, &data, 1000, "the model and the data in the first rows"),
        (&model, &changed, 1000, "the model and the data in the first rows"),
        (&model, &shorter, 1000, "the numbers of rows"),
        (&model, &data, 7, "the largest number of passes"),
    ];
    for (other, data_there, passes, what) in cases {
        let refused = run_threads(2, |ranks| -> Result<(), FitError> {
            let (model, [x, y], passes) = match ranks.rank() {
                1 => (other, data_there, passes),
                _ => (&model, &data, 1000),
            };
            let set = Set::new("decay", model).input(x).response(y);
            Fit::new(set)?.max_passes(passes).over(ranks).run().map(|_| ())
        });
        let error = refused.unwrap_err();
        let FitError::Ranks(CommunicatorError::Differs { rank: 1, name, .. }) = &error else {
            panic!("{error}");
        };
        assert_eq!(name, what);
    }
}

/// An error of one rank is an error of all: the first row that is not finite, and a folder that cannot be used.
#[test]
fn errors_are_those_of_all_ranks() {
    let (model, mut data) = (model(SLOW), decay(400_000));
    data[1][390_000] = f64::NAN;
    let errors = |folder: Option<&Path>| {
        let errors = run_threads(3, |ranks| -> Result<_, FitError> {
            let few = decay(300);
            let [x, y] = if folder.is_some() { &few } else { &data };
            let fit = Fit::new(Set::new("decay", &model).input(x).response(y))?.over(ranks);
            let fit = match folder {
                Some(folder) => fit.checkpoints(folder, Duration::ZERO),
                None => fit,
            };
            let error = fit.run().unwrap_err();
            ranks.barrier()?;
            Ok(error)
        });
        errors.unwrap()
    };
    let found = errors(None);
    assert!(matches!(found[2], FitError::NotFinite { row: 390_000, .. }), "{found:?}");
    assert_eq!([rank_of(&found[0]), rank_of(&found[1])], [Some(2), Some(2)]);
    assert!(found[0].to_string().contains("390000"), "{}", found[0]);
    let file = tempfile::NamedTempFile::new().unwrap();
    let found = errors(Some(file.path()));
    assert!(matches!(found[0], FitError::Checkpoint { .. }), "{found:?}");
    assert_eq!([rank_of(&found[1]), rank_of(&found[2])], [Some(0), Some(0)]);
}

/// A folder of other data is refused on all ranks, and stays as it is.
#[test]
fn checkpoints_of_other_data() {
    let model = model(SLOW);
    let folder = tempfile::tempdir().unwrap();
    let run = |data: &[Vec<f64>; 2], passes: usize| {
        let found = run_threads(3, |ranks| -> Result<_, FitError> {
            let [x, y] = data;
            let fit = Fit::new(Set::new("decay", &model).input(x).response(y))?;
            let fit = fit.checkpoints(folder.path(), Duration::ZERO).max_passes(passes).over(ranks);
            let found = fit.run().map(|found| bits(&found));
            ranks.barrier()?;
            Ok(found)
        });
        found.unwrap()
    };
    let (data, mut other) = (decay(300), decay(300));
    other[1][0] += 1.0;
    let begun = run(&data, 2);
    assert!(begun.iter().all(Result::is_ok), "{begun:?}");
    let refused = run(&other, 1000);
    let errors: Vec<_> = refused.into_iter().map(Result::unwrap_err).collect();
    assert!(matches!(errors[0], FitError::Checkpoint { .. }), "{errors:?}");
    assert_eq!([rank_of(&errors[1]), rank_of(&errors[2])], [Some(0), Some(0)]);
    let whole = run(&data, 1000);
    assert!(whole.iter().all(Result::is_ok), "{whole:?}");
}

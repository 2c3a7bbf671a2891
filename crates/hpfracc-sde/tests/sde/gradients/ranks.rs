//! Gradients over ranks have the bits of one process.

use super::case::{Case, loss};
use super::systems::{mixed, oscillator};
use hpfracc_communicator::{Metered, OneRank, run_threads};
use hpfracc_sde::noise::Gaussian;
use hpfracc_sde::{
    DifferentiableStochasticScheme, Ensemble, EnsembleGradient, EulerMaruyama,
    FractionalEulerMaruyama, PathMemory, ReversibleHeun, RowsMut, SavedStates, SdeError,
    StochasticGradient,
};
use std::fmt::Debug;
use std::sync::Mutex;

fn on<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// NaN is equal to itself.
fn shown(gradient: &impl Debug) -> String {
    format!("{gradient:?}")
}

fn check<T: Gaussian, C: DifferentiableStochasticScheme<T> + Sync>(
    scheme: &C,
    order: f64,
    ensemble: &Ensemble<'_>,
    how: impl for<'a> Fn(EnsembleGradient<'a>) -> EnsembleGradient<'a> + Sync,
) {
    let mut case = Case::new(mixed(), &[order]);
    case.stratonovich = scheme.name() == "reversible-heun";
    let noise = case.noise();
    let solve = |ensemble: Ensemble<'_>| {
        let gradient = how(EnsembleGradient::new(ensemble));
        gradient.solve(&case.problem::<T>(), scheme, &noise, &loss::<T>)
    };
    let expected = shown(&solve(ensemble.clone()).unwrap());
    for (size, threads) in [(1, 2), (2, 1), (3, 2), (4, 1), (7, 1)] {
        let found = run_threads(size, |ranks| -> Result<StochasticGradient<T>, SdeError> {
            on(threads, || solve(ensemble.clone().over(ranks)))
        });
        for (rank, found) in found.unwrap().iter().enumerate() {
            assert!(shown(found) == expected, "{}: rank {rank} of {size}", scheme.name());
        }
    }
}

#[test]
fn same_bits_on_any_number_of_ranks() {
    let ensemble = |paths| Ensemble::new(paths, 24).unwrap().saving_every(9).unwrap();
    let narrow = |paths| ensemble(paths).in_tiles_of(3).unwrap().starting_at(100);
    // A tile, some shards with one tile, and all shards with several.
    for ensemble in [ensemble(9), narrow(71), narrow(500)] {
        check::<f64, _>(&EulerMaruyama, 1.0, &ensemble, |g| g.with_each_path());
        check::<f32, _>(&EulerMaruyama, 1.0, &ensemble, |g| g.with_each_path());
        check::<f64, _>(&ReversibleHeun, 1.0, &ensemble, |g| g);
        check::<f64, _>(&EulerMaruyama, 1.0, &ensemble, |g| g.with_checkpoints(4));
        let direct = FractionalEulerMaruyama::new(PathMemory::Direct);
        check::<f64, _>(&direct, 0.7, &ensemble, |g| g.with_orders().with_each_path());
    }
}

#[test]
fn one_rank_is_one_process() {
    let case = Case::new(oscillator(), &[1.0]);
    let (problem, noise, alone) = (case.problem::<f64>(), case.noise(), OneRank::default());
    let solve = |ensemble: Ensemble<'_>| {
        let gradient = EnsembleGradient::new(ensemble);
        gradient.solve(&problem, &EulerMaruyama, &noise, &loss::<f64>).unwrap()
    };
    assert_eq!(solve(case.ensemble().over(&alone)), solve(case.ensemble()));
}

/// Messages of the errors of three ranks, each with an ensemble and a loss of its own.
fn errors(
    ensemble_of: impl Fn(usize) -> Ensemble<'static> + Sync,
    last: impl Fn(SavedStates<'_, f64>, &mut [f64], RowsMut<'_, f64>) + Sync,
) -> Vec<String> {
    let case = Case::new(mixed(), &[1.0]);
    let (noise, messages) = (case.noise(), Mutex::new(vec![String::new(); 3]));
    let found = run_threads(3, |ranks| -> Result<(), SdeError> {
        let rank = hpfracc_communicator::Communicator::rank(ranks);
        let gradient = EnsembleGradient::new(ensemble_of(rank).over(ranks));
        let problem = case.problem::<f64>();
        let solved = if rank == 2 {
            gradient.solve(&problem, &EulerMaruyama, &noise, &last)
        } else {
            gradient.solve(&problem, &EulerMaruyama, &noise, &loss::<f64>)
        };
        messages.lock().unwrap()[rank] = solved.unwrap_err().to_string();
        Ok(())
    });
    found.unwrap();
    messages.into_inner().unwrap()
}

#[test]
fn an_error_on_one_rank_is_one_on_all() {
    let ensemble = |_| Ensemble::new(300, 24).unwrap();
    let broken = |_: SavedStates<'_, f64>, losses: &mut [f64], _: RowsMut<'_, f64>| {
        losses.fill(f64::NAN);
    };
    let messages = errors(ensemble, broken);
    assert!(messages[2].contains("path"), "{}", messages[2]);
    let elsewhere = format!("rank 2: {}", messages[2]);
    assert_eq!(messages[..2], [elsewhere.clone(), elsewhere]);
    // Refused before the first path.
    let messages = errors(
        |rank| match rank {
            2 => Ensemble::new(300, 24).unwrap().saving_at(&[0.777]).unwrap(),
            _ => Ensemble::new(300, 24).unwrap(),
        },
        loss::<f64>,
    );
    let elsewhere = format!("rank 2: {}", messages[2]);
    assert_eq!(messages[..2], [elsewhere.clone(), elsewhere]);
}

#[test]
fn ranks_with_other_ensembles_are_refused() {
    let paths = errors(|rank| Ensemble::new(300 + rank / 2, 24).unwrap(), loss::<f64>);
    assert!(paths.iter().all(|message| *message == paths[0]));
    assert!(
        paths[0].contains("rank 2 and rank 0 differ in the number of paths: `301` and `300`"),
        "{}",
        paths[0]
    );
}

/// Messages of a gradient do not depend on the number of paths.
#[test]
fn communication_does_not_grow_with_paths() {
    let case = Case::new(mixed(), &[1.0]);
    let (problem, noise) = (case.problem::<f64>(), case.noise());
    let sent = |paths: usize| {
        let bytes = run_threads(4, |ranks| -> Result<u64, SdeError> {
            let metered = Metered::new(ranks);
            let ensemble = Ensemble::new(paths, 24)?.over(&metered);
            let gradient = EnsembleGradient::new(ensemble);
            gradient.solve(&problem, &EulerMaruyama, &noise, &loss::<f64>)?;
            Ok(metered.traffic().bytes)
        });
        bytes.unwrap()
    };
    let (few, many) = (sent(300), sent(9000));
    println!("{few:?} {many:?}");
    let close = few.iter().zip(&many).all(|(few, many)| many.abs_diff(*few) < 50);
    assert!(close && many.iter().all(|bytes| *bytes < 4000), "{few:?} {many:?}");
}

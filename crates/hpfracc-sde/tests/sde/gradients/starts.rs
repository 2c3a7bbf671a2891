//! A start of each path.

use super::case::{Case, PATHS, loss};
use super::systems::{Written, mixed};
use hpfracc_sde::SdeError;
use hpfracc_sde::noise::Gaussian;
use hpfracc_sde::{
    DifferentiableStochasticScheme, Ensemble, EnsembleGradient, EulerMaruyama,
    FractionalEulerMaruyama, InitialValues, Moments, MultilevelMonteCarlo, Paths, ReversibleHeun,
    StochasticProblem,
};
use ndarray::{Array2, array, s};

fn starts<T: Gaussian>() -> Array2<T> {
    Array2::from_shape_fn((PATHS, 2), |(path, i)| T::narrow(0.3 * i as f64 - 0.01 * path as f64))
}

fn problem(case: &Case, starts: &Array2<f64>) -> StochasticProblem<f64, Written> {
    let system = case.system.clone();
    let problem = StochasticProblem::with_starts(system, (0.5, 2.0), starts.view()).unwrap();
    let problem = problem.of_orders(&case.orders).unwrap();
    if case.stratonovich { problem.stratonovich() } else { problem }
}

/// Path for path the solve from that start alone, and its gradient.
fn check<C: DifferentiableStochasticScheme<f64>>(scheme: &C, order: f64) {
    let mut case = Case::new(mixed(), &[order]);
    case.stratonovich = scheme.name() == "reversible-heun";
    let starts = starts::<f64>();
    let together = problem(&case, &starts);
    let noise = case.noise();
    let paths = case.ensemble().solve(&together, scheme, &noise, &Paths).unwrap();
    let gradient = EnsembleGradient::new(case.ensemble()).with_each_path();
    let found = gradient.solve(&together, scheme, &noise, &loss::<f64>).unwrap();
    let each = found.starts.unwrap();
    for path in [0, 1, 17, 63, 64, PATHS - 1] {
        case.start = starts.row(path).to_vec();
        let one = Ensemble::new(1, case.steps).unwrap().saving_every(9).unwrap();
        let one = one.starting_at(100 + path as u64);
        let alone = one.solve(&case.problem::<f64>(), scheme, &noise, &Paths).unwrap();
        assert_eq!(alone.slice(s![0, .., ..]), paths.slice(s![path, .., ..]), "path {path}");
        let gradient = EnsembleGradient::new(one).with_each_path();
        let alone = gradient.solve(&case.problem(), scheme, &noise, &loss::<f64>).unwrap();
        assert_eq!(alone.starts.unwrap().row(0), each.row(path), "path {path}");
    }
    for (i, sum) in found.start.values.iter().enumerate() {
        let mean = each.column(i).sum() / PATHS as f64;
        assert!((sum - mean).abs() < 1e-14, "{sum} and {mean}");
    }
    assert!(found.reconstruction < 1e-13);
}

#[test]
fn each_path_goes_its_way() {
    check(&EulerMaruyama, 1.0);
    check(&ReversibleHeun, 1.0);
    check(&FractionalEulerMaruyama::default(), 0.7);
}

#[test]
fn another_number_of_paths() {
    let case = Case::new(mixed(), &[1.0]);
    let (problem, noise) = (problem(&case, &starts()), case.noise());
    let ensemble = || Ensemble::new(PATHS + 1, 4).unwrap();
    let refused = ensemble().solve(&problem, &EulerMaruyama, &noise, &Moments).unwrap_err();
    assert_eq!(refused.to_string(), "the list of starts, by path, has length 71, expected 72");
    let gradient = EnsembleGradient::new(ensemble());
    let refused = gradient.solve(&problem, &EulerMaruyama, &noise, &loss::<f64>).unwrap_err();
    assert!(matches!(refused, SdeError::Length { found: 71, expected: 72, .. }));
    let levels = MultilevelMonteCarlo::new(0.1).unwrap();
    let refused = levels.solve(&problem, &EulerMaruyama, &noise, |x| x[[1, 0]]).unwrap_err();
    assert!(matches!(refused, SdeError::NotTaken { .. }));
    let none =
        StochasticProblem::with_starts(mixed(), (0.0, 1.0), Array2::<f64>::zeros((0, 2)).view());
    assert!(matches!(none, Err(SdeError::OutOfRange { .. })));
    let wide =
        StochasticProblem::with_starts(mixed(), (0.0, 1.0), Array2::<f64>::zeros((5, 3)).view());
    assert!(matches!(wide, Err(SdeError::Length { found: 3, expected: 2, .. })));
    let endless = array![[0.0, 1.0], [f64::INFINITY, 0.0]];
    let endless = StochasticProblem::with_starts(mixed(), (0.0, 1.0), endless.view());
    assert!(matches!(endless, Err(SdeError::InitialNotFinite { component: 0, .. })));
    assert!(matches!(problem.start(), InitialValues::Each(all) if all.nrows() == PATHS));
}

/// The fingerprint has the starts.
#[test]
fn checkpoints_of_other_starts() {
    let case = Case::new(mixed(), &[1.0]);
    let mut other = starts();
    other[[PATHS - 1, 1]] += 1e-9;
    let (problems, noise) = ([starts(), other].map(|starts| problem(&case, &starts)), case.noise());
    let [run, elsewhere] = [0, 1]
        .map(|i| case.ensemble().run(&problems[i], &EulerMaruyama, &noise, &Moments).unwrap());
    let refused = elsewhere.restore(&run.checkpoint()).unwrap_err();
    assert!(matches!(refused, SdeError::ForeignCheckpoint { what: "fingerprint", .. }));
}

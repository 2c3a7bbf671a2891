//! Adaptive steps, which gradients hold fixed.

use super::case::{Case, close, loss};
use super::systems::{Written, additive, commuting, double_well, oscillator};
use hpfracc_lanes::{AlignedVec, Storage};
use hpfracc_sde::noise::{BrownianTree, Gaussian};
use hpfracc_sde::{
    Adaptive, AdjointNode, AdjointStepper, Calculus, DifferentiableStochasticScheme,
    DifferentiableStochasticSystem, Ensemble, EnsembleGradient, Equation, GradientWorkspace, Heun,
    Milstein, NoiseKind, OneStepAdjoint, OneStepStepper, Paths, PathwiseScheme, SdeError, Sra1,
    Sric2, Sriw1, StateRecovery, StepCounts, StochasticGradient, StochasticScheme, Tolerance,
};

const TOLERANCE: Tolerance = Tolerance { absolute: 1e-3, relative: 1e-3 };
const PATHS: usize = 5;
const STEPS: usize = 4;

fn tree(case: &Case) -> BrownianTree {
    BrownianTree::new(11, case.system.noise_kind.noises(case.system.dim)).unwrap()
}

fn ensemble() -> Ensemble<'static> {
    Ensemble::new(PATHS, STEPS).unwrap().saving_every(1).unwrap().starting_at(100)
}

/// The gradient, and the cells taken and refused.
fn gradient<T: Gaussian, C>(
    case: &Case,
    scheme: C,
    how: impl Fn(EnsembleGradient<'static>) -> EnsembleGradient<'static>,
) -> Result<(StochasticGradient<T>, [u64; 2]), SdeError>
where
    C: PathwiseScheme<T> + DifferentiableStochasticScheme<T>,
{
    let counts = StepCounts::default();
    let adaptive = Adaptive::new(scheme, tree(case), TOLERANCE)?.counting(&counts);
    let gradient = how(EnsembleGradient::new(ensemble()));
    let found = gradient.solve(&case.problem(), &adaptive, &tree(case), &loss::<T>)?;
    Ok((found, [counts.taken(), counts.refused()]))
}

/// Steps are found again from the stored states, which are never rounded.
#[test]
fn states_keep_full_precision() {
    let case = Case::new(double_well(), &[1.0]);
    let stored = |format| {
        let found = gradient::<f64, _>(&case, Milstein, |gradient| gradient.stored_in(format));
        let found = found.unwrap().0;
        (found.parameters.values, found.start.values)
    };
    let full = stored(Storage::Full);
    for format in [Storage::BFloat16, Storage::Float16] {
        assert_eq!(stored(format), full, "{format:?}");
    }
}

/// Differences so short that the steps of no path change.
fn check<C>(scheme: C, system: Written, stratonovich: bool)
where
    C: PathwiseScheme<f64> + DifferentiableStochasticScheme<f64> + Copy,
{
    let mut case = Case::new(system, &[1.0]);
    case.stratonovich = stratonovich;
    let (found, counts) = gradient(&case, scheme, |gradient| gradient).unwrap();
    assert!(counts[0] > 20 * PATHS as u64 && counts[1] > PATHS as u64, "{counts:?}");
    let step = 1e-6;
    let difference = |at: &dyn Fn(&mut Case) -> &mut f64| {
        let moved = |by: f64| {
            let mut case = case.clone();
            *at(&mut case) += by * step;
            let (moved, of_moved) = gradient(&case, scheme, |gradient| gradient).unwrap();
            assert_eq!(of_moved, counts, "the steps have changed");
            moved.loss.values[0]
        };
        (8.0 * (moved(1.0) - moved(-1.0)) - (moved(2.0) - moved(-2.0))) / (12.0 * step)
    };
    let name = scheme.name();
    for k in 0..case.system.theta.len() {
        let expected = difference(&|case| &mut case.system.theta[k]);
        close(&format!("{name}: parameter {k}"), found.parameters.values[k], expected, 5e-7);
    }
    for i in 0..case.start.len() {
        let expected = difference(&|case| &mut case.start[i]);
        close(&format!("{name}: start {i}"), found.start.values[i], expected, 5e-7);
    }
}

#[test]
fn each_scheme_with_accepted_steps_held_fixed() {
    check(Milstein, double_well(), false);
    check(Sric2, commuting(), false);
    check(Sriw1, oscillator(), false);
    check(Sra1, additive(NoiseKind::General { noises: 3 }), false);
    check(Heun, oscillator(), true);
}

/// Memory that is reused, between schemes and sizes, has no influence.
#[test]
fn in_memory_of_other_gradients() {
    let workspace = GradientWorkspace::<f64>::new();
    for (scheme, paths) in [(0, PATHS), (1, 3), (0, 3), (1, PATHS)] {
        let case = Case::new(if scheme == 0 { double_well() } else { oscillator() }, &[1.0]);
        let ensemble = Ensemble::new(paths, STEPS).unwrap().saving_every(1).unwrap();
        let (gradient, tree) = (EnsembleGradient::new(ensemble), tree(&case));
        let problem = case.problem::<f64>();
        let parts = |all: StochasticGradient<f64>| {
            [all.loss, all.parameters, all.start].map(|part| part.values)
        };
        let check = |found, expected: Result<_, SdeError>| {
            assert_eq!(parts(found), parts(expected.unwrap()));
        };
        if scheme == 0 {
            let scheme = Adaptive::new(Milstein, tree, TOLERANCE).unwrap();
            let found = gradient.solve_with(&workspace, &problem, &scheme, &tree, &loss::<f64>);
            check(found.unwrap(), gradient.solve(&problem, &scheme, &tree, &loss::<f64>));
        } else {
            let scheme = Adaptive::new(Sriw1, tree, TOLERANCE).unwrap();
            let found = gradient.solve_with(&workspace, &problem, &scheme, &tree, &loss::<f64>);
            check(found.unwrap(), gradient.solve(&problem, &scheme, &tree, &loss::<f64>));
        }
    }
}

/// The loss is that of the solve, cells are counted once, and tiles of any width have the same
/// gradients of each path.
#[test]
fn the_steps_of_the_solve() {
    let case = Case::new(double_well(), &[1.0]);
    let (found, [taken, refused]) =
        gradient::<f64, _>(&case, Milstein, |gradient| gradient.with_each_path()).unwrap();
    let counts = StepCounts::default();
    let adaptive = Adaptive::new(Milstein, tree(&case), TOLERANCE).unwrap().counting(&counts);
    ensemble().solve(&case.problem::<f64>(), &adaptive, &tree(&case), &Paths).unwrap();
    assert_eq!([counts.taken(), counts.refused()], [taken, refused]);
    let narrow = EnsembleGradient::new(ensemble().in_tiles_of(2).unwrap()).with_each_path();
    let adaptive = Adaptive::new(Milstein, tree(&case), TOLERANCE).unwrap();
    let narrow = narrow.solve(&case.problem::<f64>(), &adaptive, &tree(&case), &loss::<f64>);
    assert_eq!(narrow.unwrap().starts, found.starts);
    let (single, _) = gradient::<f32, _>(&case, Milstein, |gradient| gradient).unwrap();
    for (single, double) in single.parameters.values.iter().zip(&found.parameters.values) {
        // Steps near the tolerance may be others.
        assert!((single - double).abs() < 1e-2 * double.abs(), "{single} and {double}");
    }
}

/// Milstein's scheme with an adjoint that stores a row for each step.
#[derive(Clone, Copy)]
struct Storing;

struct StoringAdjoint(OneStepAdjoint<Milstein>);

impl StochasticScheme<f64> for Storing {
    const NAME: &'static str = "storing";
    const CALCULUS: Calculus = Calculus::Ito;
    type Stepper = OneStepStepper<Milstein>;

    fn prepare(&self, equation: &Equation<'_>) -> Result<Self::Stepper, SdeError> {
        StochasticScheme::<f64>::prepare(&Milstein, equation)
    }
}

impl PathwiseScheme<f64> for Storing {
    const SHARE: f64 = 0.5;
}

impl DifferentiableStochasticScheme<f64> for Storing {
    type Adjoint = StoringAdjoint;

    fn adjoint(
        &self,
        equation: &Equation<'_>,
        stepper: &Self::Stepper,
        orders: bool,
    ) -> Result<Self::Adjoint, SdeError> {
        let of = DifferentiableStochasticScheme::<f64>::adjoint;
        of(&Milstein, equation, stepper, orders).map(StoringAdjoint)
    }
}

impl AdjointStepper<f64, OneStepStepper<Milstein>> for StoringAdjoint {
    type State = Vec<f64>;
    const RECOVERY: StateRecovery = StateRecovery::Recomputed;

    fn start(&self, state: &mut Vec<f64>, end: &AlignedVec<f64>, lanes: usize, storage: Storage) {
        self.0.start(state, end, lanes, storage);
    }

    fn kept_rows(&self) -> usize {
        1
    }

    fn step<S: DifferentiableStochasticSystem<f64>>(
        &self,
        system: &S,
        state: &mut Vec<f64>,
        node: AdjointNode<'_, f64>,
    ) {
        self.0.step(system, state, node);
    }
}

#[test]
fn what_adaptive_steps_do_not_have() {
    let case = Case::new(double_well(), &[1.0]);
    let refused = gradient::<f64, _>(&case, Milstein, |gradient| gradient.with_checkpoints(2));
    assert!(matches!(refused, Err(SdeError::OutOfRange { value: 2.0, .. })));
    let refused = gradient::<f64, _>(&case, Milstein, EnsembleGradient::with_orders);
    assert!(matches!(refused, Err(SdeError::NoDerivative { scheme: "milstein", .. })));
    let refused = gradient::<f64, _>(&case, Storing, |gradient| gradient);
    assert!(matches!(refused, Err(SdeError::NoDerivative { scheme: "adaptive", .. })));
}

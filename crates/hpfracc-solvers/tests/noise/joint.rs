//! Several noises as one.

use crate::paths::{independent, rows, rows_with, same_bits};
use hpfracc_solvers::SolveError;
use hpfracc_solvers::ndarray::array;
use hpfracc_solvers::noise::{
    Brownian, BrownianTree, CellIntegral, Coarse, CompoundPoisson, CorrelatedBrownian,
    FractionalBrownian, Joint, JumpLaw, Law, Noise, OrnsteinUhlenbeckNoise, PoissonJumps,
    RiemannLiouvilleBrownian, StableLaw, StableLevy, Tile,
};

#[test]
fn rows_are_those_of_the_parts() {
    let brownian = Brownian::new(1, 2).unwrap();
    let fractional = FractionalBrownian::<f64>::new(1, &[0.7]).unwrap();
    let correlated = CorrelatedBrownian::new(2, array![[1.0, 0.5], [0.5, 1.0]].view()).unwrap();
    let joint = Joint::new(brownian).with(fractional).unwrap().with(correlated.clone()).unwrap();
    let tile = Tile { first_path: 3, lanes: 5, steps: 6, h: 0.1 };
    let ask = |noise: usize, lag: usize| CellIntegral { noise, exponent: -0.2, lag };
    let all = rows_with::<f64>(&joint, tile, &[ask(4, 1), ask(1, 0), ask(3, 0)]);
    let first = rows_with::<f64>(&brownian, tile, &[ask(1, 0)]);
    let second = rows_with::<f64>(&FractionalBrownian::<f64>::new(1, &[0.7]).unwrap(), tile, &[]);
    let third = rows_with::<f64>(&correlated, tile, &[ask(1, 1), ask(0, 0)]);
    for step in 0..6 {
        let (a, b, c) = (&first[step], &second[step], &third[step]);
        let expected = [&a[0], &a[1], &b[0], &c[0], &c[1], &c[2], &a[2], &c[3]];
        assert!(all[step].iter().eq(expected), "step {step}");
    }
    let laws: Vec<_> = (0..5).map(|component| joint.law(component)).collect();
    let white = Law::Brownian;
    let last = Law::CorrelatedBrownian { variance: 1.0 };
    assert_eq!(laws, [white, white, Law::Fractional { hurst: 0.7 }, last, last]);
    same_bits::<f64>(&joint, 8, 0.2);
    // The fractional one has none; there is no sixth.
    let refused = joint.increments(tile, &[ask(2, 0)]);
    assert!(matches!(refused, Err(SolveError::NoIntegrals { .. })));
    assert!(matches!(joint.increments(tile, &[ask(5, 0)]), Err(SolveError::OutOfRange { .. })));
}

/// Components and steps of noises of every kind, all of one seed; of the two with memory, one step.
#[test]
fn components_and_kinds_are_independent() {
    let sizes = JumpLaw::DoubleExponential { upward: 0.5, mean_up: 1.0, mean_down: 1.0 };
    let process = CompoundPoisson { intensity: 300.0, law: sizes };
    let joint = Joint::new(PoissonJumps::new(5, &[process; 3]).unwrap())
        .with(StableLevy::new(5, &[StableLaw::symmetric(1.2); 2]).unwrap())
        .and_then(|joint| joint.with(Brownian::new(5, 2).unwrap()))
        .and_then(|joint| joint.with(BrownianTree::new(5, 2).unwrap()))
        .and_then(|joint| joint.with(FractionalBrownian::<f64>::new(5, &[0.3; 2]).unwrap()))
        .and_then(|joint| joint.with(OrnsteinUhlenbeckNoise::new(5, &[0.2; 2]).unwrap()))
        .unwrap();
    let steps = rows::<f64>(&joint, Tile { first_path: 0, lanes: 10_000, steps: 4, h: 0.1 });
    let white = 9;
    independent(&[&steps[0][..], &steps[1][..white], &steps[3][..white]].concat());
    let rough = RiemannLiouvilleBrownian::<f64>::new(6, &[0.3; 3]).unwrap();
    let steps = rows::<f64>(
        &rough.with_correlated(0.5).unwrap(),
        Tile { first_path: 0, lanes: 10_000, steps: 4, h: 0.1 },
    );
    // Y of one component, Z of the next.
    independent(&[0, 4, 2].map(|row: usize| steps[3][row].clone()));
    independent(&[3, 4, 5].map(|row: usize| steps[2][row].clone()));
    independent(&[0, 1, 2].map(|row: usize| steps[1][row].clone()));
}

/// What draws the same random numbers is refused, whatever it makes of them.
#[test]
fn a_seed_is_used_once() {
    let white = |seed| Brownian::new(seed, 1).unwrap();
    let rough = |seed| RiemannLiouvilleBrownian::<f32>::new(seed, &[0.2]).unwrap();
    let one = || array![[1.0]];
    let twice = |refused: Result<Joint<'_, f32>, SolveError>| match refused {
        Err(SolveError::SeedUsedTwice { seed, .. }) => assert_eq!(seed, 5),
        other => panic!("{other:?}"),
    };
    twice(Joint::new(white(5)).with(white(5)));
    twice(Joint::new(white(5)).with(rough(5)));
    twice(Joint::new(rough(5)).with(CorrelatedBrownian::new(5, one().view()).unwrap()));
    twice(Joint::new(Coarse::new(white(5), 2).unwrap()).with(white(5)));
    twice(Joint::new(Joint::new(white(4)).with(white(5)).unwrap()).with(white(5)));
    let tree = BrownianTree::new(5, 1).unwrap();
    twice(Joint::new(tree).with(tree));
    let coloured = OrnsteinUhlenbeckNoise::new(5, &[1.0]).unwrap();
    twice(Joint::new(coloured.clone()).with(coloured.clone()));
    let stationary = || FractionalBrownian::<f32>::new(5, &[0.2]).unwrap();
    twice(Joint::new(stationary()).with(stationary()));
    let joint = Joint::<f32>::new(white(5)).with(rough(6)).unwrap();
    joint.with(tree).unwrap().with(coloured).unwrap().with(stationary()).unwrap();
}

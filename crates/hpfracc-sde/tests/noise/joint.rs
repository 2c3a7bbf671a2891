//! Several noises as one.

use crate::paths::{independent, rows, rows_with, same_bits};
use hpfracc_sde::RowsMut;
use hpfracc_sde::SdeError;
use hpfracc_sde::ndarray::array;
use hpfracc_sde::noise::{
    Antithetic, Brownian, BrownianTree, CellIntegral, Coarse, CompoundPoisson, CorrelatedBrownian,
    FractionalBrownian, Joint, JumpDistribution, Noise, NoiseProcess, OrnsteinUhlenbeckNoise,
    PoissonJumps, RiemannLiouvilleBrownian, StableDistribution, StableLevy, Tile,
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
    let processes: Vec<_> = (0..5).map(|component| joint.process(component)).collect();
    let white = NoiseProcess::Brownian;
    let last = NoiseProcess::CorrelatedBrownian { variance: 1.0 };
    assert_eq!(processes, [white, white, NoiseProcess::Fractional { hurst: 0.7 }, last, last]);
    same_bits::<f64>(&joint, 8, 0.2);
    // The fractional one has none; there is no sixth.
    let refused = joint.increments(tile, &[ask(2, 0)]);
    assert!(matches!(refused, Err(SdeError::NoIntegrals { .. })));
    assert!(matches!(joint.increments(tile, &[ask(5, 0)]), Err(SdeError::OutOfRange { .. })));
}

/// Components and steps of noises of every kind, all of one seed; of the two with memory, one step.
#[test]
fn components_and_kinds_are_independent() {
    let sizes = JumpDistribution::DoubleExponential { upward: 0.5, mean_up: 1.0, mean_down: 1.0 };
    let process = CompoundPoisson { intensity: 300.0, distribution: sizes };
    let joint = Joint::new(PoissonJumps::new(5, &[process; 3]).unwrap())
        .with(StableLevy::new(5, &[StableDistribution::symmetric(1.2); 2]).unwrap())
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
    let twice = |refused: Result<Joint<'_, f32>, SdeError>| match refused {
        Err(SdeError::SeedUsedTwice { seed, .. }) => assert_eq!(seed, 5),
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

/// Every noise refuses a tile that is none, and says what of it; also through those around it.
#[test]
fn tiles_that_are_none() {
    let sizes = JumpDistribution::Constant(1.0);
    let one = array![[1.0]];
    let noises: [Box<dyn Noise<f64>>; 10] = [
        Box::new(Brownian::new(1, 1).unwrap()),
        Box::new(BrownianTree::new(1, 1).unwrap()),
        Box::new(CorrelatedBrownian::new(1, one.view()).unwrap()),
        Box::new(FractionalBrownian::<f64>::new(1, &[0.3]).unwrap()),
        Box::new(RiemannLiouvilleBrownian::<f64>::new(1, &[0.3]).unwrap()),
        Box::new(OrnsteinUhlenbeckNoise::new(1, &[0.3]).unwrap()),
        Box::new(
            PoissonJumps::new(1, &[CompoundPoisson { intensity: 1.0, distribution: sizes }])
                .unwrap(),
        ),
        Box::new(StableLevy::new(1, &[StableDistribution::symmetric(1.5)]).unwrap()),
        Box::new(Antithetic::new::<f64>(Brownian::new(1, 1).unwrap()).unwrap()),
        Box::new(Joint::new(Coarse::new(Brownian::new(1, 1).unwrap(), 2).unwrap())),
    ];
    let good = Tile { first_path: u64::MAX - 3, lanes: 2, steps: 4, h: 0.5 };
    for noise in &noises {
        let mut rows = [0.0; 2];
        noise.increments(good, &[]).unwrap().write(3, RowsMut::new(&mut rows, 2));
        assert!(rows.iter().all(|x| x.is_finite()));
        for (bad, what) in [
            (Tile { lanes: 0, ..good }, "the number of paths is 0"),
            (Tile { steps: 0, ..good }, "the number of steps is 0"),
            (Tile { first_path: u64::MAX, ..good }, "the first path is"),
            (Tile { h: 0.0, ..good }, "the length of a step is 0"),
            (Tile { h: -1.0, ..good }, "the length of a step is -"),
            (Tile { h: f64::NAN, ..good }, "the length of a step is NaN"),
            (Tile { h: f64::INFINITY, ..good }, "the length of a step is inf"),
        ] {
            let found = noise.increments(bad, &[]).err().map(|error| error.to_string());
            assert!(found.as_ref().is_some_and(|text| text.contains(what)), "{found:?}: {what}");
        }
    }
    // More than can be held.
    for noise in &noises[3..5] {
        let long = Tile { steps: u32::MAX as usize, lanes: 1 << 40, first_path: 0, ..good };
        assert!(matches!(noise.increments(long, &[]), Err(SdeError::TooLarge { .. })));
    }
}

/// Symmetry is a matter of the distribution, not of its kind, and of every part.
#[test]
fn what_has_a_mirror_image() {
    let jumps = |distribution| {
        PoissonJumps::new(1, &[CompoundPoisson { intensity: 1.0, distribution }]).unwrap()
    };
    let stable = |skewness| {
        StableLevy::new(1, &[StableDistribution { index: 1.5, skewness, scale: 1.0 }]).unwrap()
    };
    let normal = |mean| jumps(JumpDistribution::Normal { mean, standard_deviation: 1.0 });
    assert!(
        Antithetic::new::<f64>(normal(0.0)).is_ok() && Antithetic::new::<f64>(stable(0.0)).is_ok()
    );
    let joint = |skewness| Joint::<f64>::new(normal(0.0)).with(stable(skewness)).unwrap();
    assert!(Antithetic::new::<f64>(joint(0.0)).is_ok());
    for refused in [
        Antithetic::new::<f64>(normal(0.1)).err(),
        Antithetic::new::<f64>(stable(0.1)).err(),
        Antithetic::new::<f64>(joint(-0.1)).err(),
    ] {
        assert!(matches!(refused, Some(SdeError::NotSymmetric)));
    }
}

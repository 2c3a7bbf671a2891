//! Several noises as one.

use crate::paths::{rows_with, same_bits};
use hpfracc_solvers::SolveError;
use hpfracc_solvers::ndarray::array;
use hpfracc_solvers::noise::{
    Brownian, BrownianTree, CellIntegral, Coarse, CorrelatedBrownian, FractionalBrownian, Joint,
    Law, Noise, OrnsteinUhlenbeckNoise, RiemannLiouvilleBrownian, Tile,
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
    assert_eq!(laws, [white, white, Law::Fractional { hurst: 0.7 }, white, white]);
    same_bits::<f64>(&joint, 8, 0.2);
    // The fractional one has none; there is no sixth.
    let refused = joint.increments(tile, &[ask(2, 0)]);
    assert!(matches!(refused, Err(SolveError::NoIntegrals { .. })));
    assert!(matches!(joint.increments(tile, &[ask(5, 0)]), Err(SolveError::OutOfRange { .. })));
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

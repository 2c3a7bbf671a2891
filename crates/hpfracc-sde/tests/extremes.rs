//! Arguments at the ends of their ranges, which must neither hang nor panic: found by fuzzing.

use hpfracc_sde::models::{Model, OrnsteinUhlenbeck};
use hpfracc_sde::noise::{
    Antithetic, Brownian, Coarse, CompoundPoisson, CorrelatedBrownian, JumpDistribution, Noise,
    PoissonJumps, Tile,
};
use hpfracc_sde::{Ensemble, Moments, PairMoments, SdeError};
use ndarray::Array2;

/// Coarse increments keep a row of all lanes.
#[test]
fn a_tile_of_more_lanes_than_there_is_room_for_is_refused() {
    let coarse = Coarse::new(Brownian::new(1, 4).unwrap(), 2).unwrap();
    for lanes in [usize::MAX / 2, usize::MAX / 8 + 1] {
        let tile = Tile { first_path: 0, lanes, steps: 3, h: 0.1 };
        let made = Noise::<f64>::increments(&coarse, tile, &[]);
        assert!(matches!(made.map(|_| ()), Err(SdeError::TooLarge { .. })));
    }
}

/// A pair in two tiles has no mean: with odd tiles there was a division by zero, or other pairs.
#[test]
fn pairs_are_not_cut_by_tiles() {
    let model = OrnsteinUhlenbeck::default();
    let simulate = |paths: usize| {
        let ensemble = Ensemble::new(12, 4).unwrap().in_tiles_of(paths).unwrap();
        model.simulate::<f64, _>(&ensemble, (0.0, 1.0), 1, &(Moments, PairMoments))
    };
    for odd in [1, 3, 11] {
        let error = simulate(odd).unwrap_err();
        assert!(matches!(error, SdeError::OutOfRange { value, .. } if value == odd as f64));
    }
    let [(_, two), (_, twelve)] = [2, 12].map(|paths| simulate(paths).unwrap());
    assert!((two.mean[[0, 0]] - twelve.mean[[0, 0]]).abs() < 1e-14);
    // One tile of all paths cuts no pair, however wide it was said to be.
    assert_eq!(simulate(13).unwrap().1, twelve);
}

#[test]
fn noises_have_room_for_their_tile() {
    let correlated = CorrelatedBrownian::new(1, Array2::eye(3).view()).unwrap();
    let brownian = Brownian::new(1, 4).unwrap();
    let antithetic = Antithetic::new::<f64>(Brownian::new(1, 4).unwrap()).unwrap();
    let jumps = CompoundPoisson { intensity: 1.0, distribution: JumpDistribution::Constant(1.0) };
    let jumps = PoissonJumps::new(1, &[jumps]).unwrap();
    let noises: [&dyn Noise<f64>; 4] = [&correlated, &brownian, &antithetic, &jumps];
    for noise in noises {
        for lanes in [usize::MAX / 2, usize::MAX / 8 + 1] {
            let made = noise.increments(Tile { first_path: 0, lanes, steps: 3, h: 0.1 }, &[]);
            assert!(matches!(made.map(|_| ()), Err(SdeError::TooLarge { .. })));
        }
    }
}

//! The random numbers that each kind of noise draws.

use super::*;
use crate::random::drawn;
use hpfracc_lanes::RowsMut;
use ndarray::array;
use std::collections::BTreeSet;

/// The purposes of all random numbers of a tile.
fn purposes(noise: &dyn Noise<f64>, integrals: &[CellIntegral]) -> BTreeSet<u32> {
    drawn::take();
    let tile = Tile { first_path: 3, lanes: 5, steps: 64, h: 0.1 };
    let mut increments = noise.increments(tile, integrals).unwrap();
    let mut rows = vec![0.0; (noise.components() + integrals.len()) * tile.lanes];
    for step in 0..tile.steps {
        increments.write(step, RowsMut::new(&mut rows, tile.lanes));
    }
    drawn::take().into_iter().map(|word| word >> 24).collect()
}

/// Every kind draws from its own streams and from no other, so that kinds of one seed are
/// independent.
#[test]
fn each_kind_has_its_own() {
    let of = |purposes: &[Purpose]| -> BTreeSet<u32> {
        purposes.iter().map(|purpose| *purpose as u32).collect()
    };
    let integral = CellIntegral { noise: 0, exponent: -0.2, lag: 0 };
    let brownian = Brownian::new(1, 2).unwrap();
    assert_eq!(purposes(&brownian, &[]), of(&[Purpose::Brownian]));
    let both = of(&[Purpose::Brownian, Purpose::CellIntegral]);
    assert_eq!(purposes(&brownian, &[integral]), both);
    let correlated = CorrelatedBrownian::new(1, array![[1.0, 0.5], [0.5, 1.0]].view()).unwrap();
    assert_eq!(purposes(&correlated, &[]), of(&[Purpose::Brownian]));
    let rough = RiemannLiouvilleBrownian::<f64>::new(1, &[0.2]).unwrap();
    assert_eq!(purposes(&rough.with_correlated(0.3).unwrap(), &[]), both);
    let fractional = FractionalBrownian::<f64>::new(1, &[0.2, 0.7]).unwrap();
    assert_eq!(purposes(&fractional, &[]), of(&[Purpose::FractionalGaussian]));
    let coloured = OrnsteinUhlenbeckNoise::new(1, &[0.5]).unwrap();
    assert_eq!(purposes(&coloured, &[]), of(&[Purpose::Coloured]));
    let tree = BrownianTree::new(1, 1).unwrap();
    assert_eq!(purposes(&tree, &[]), of(&[Purpose::BrownianTree]));
    let distribution = JumpDistribution::Normal { mean: 0.0, standard_deviation: 1.0 };
    let jumps = PoissonJumps::new(1, &[CompoundPoisson { intensity: 9.0, distribution }]).unwrap();
    assert_eq!(purposes(&jumps, &[]), of(&[Purpose::JumpTimes, Purpose::JumpSizes]));
    let stable = StableLevy::new(1, &[StableDistribution::symmetric(1.5)]).unwrap();
    assert_eq!(purposes(&stable, &[]), of(&[Purpose::Stable]));
}

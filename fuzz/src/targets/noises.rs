use crate::{Bytes, Target};
use hpfracc::ndarray::Array2;
use hpfracc::noise::{
    Antithetic, Brownian, BrownianTree, Cell, Coarse, CompoundPoisson, CorrelatedBrownian,
    FractionalBrownian, JumpDistribution, Noise, Normalisation, OrnsteinUhlenbeckNoise,
    PoissonJumps, RiemannLiouvilleBrownian, StableDistribution, StableLevy, Tile,
};
use hpfracc::sde::RowsMut;
use hpfracc::sde::SdeError;

/// Noises with any parameters on any tile.
pub(super) const TARGET: Target =
    Target { name: "noises", about: "parameters and tiles of noises", run };

fn run(data: &[u8]) {
    if let Err(error) = trial(&mut Bytes::new(data)) {
        drop(error.to_string());
    }
}

fn trial(bytes: &mut Bytes<'_>) -> Result<(), SdeError> {
    let (kind, seed, dim) = (bytes.byte() % 10, bytes.word(), bytes.below(4));
    match kind {
        0 => increments(&Brownian::new(seed, bytes.count(4))?, bytes),
        1 => {
            let correlation = Array2::from_shape_fn((dim, dim), |_| bytes.real());
            increments(&CorrelatedBrownian::new(seed, correlation.view())?, bytes)
        }
        2 => {
            let covariance = Array2::from_shape_fn((dim, dim), |_| bytes.real());
            increments(&CorrelatedBrownian::from_covariance(seed, covariance.view())?, bytes)
        }
        3 => increments(&FractionalBrownian::<f64>::new(seed, &bytes.reals(dim))?, bytes),
        4 => {
            let mut noise = RiemannLiouvilleBrownian::<f64>::new(seed, &bytes.reals(dim))?;
            if bytes.flag() {
                noise = noise.with_near_cells(bytes.count(9))?;
            }
            if bytes.flag() {
                noise = noise.normalised(Normalisation::default());
            }
            if bytes.flag() {
                noise = noise.with_driver();
            }
            if bytes.flag() {
                noise = noise.with_correlated(bytes.real())?;
            }
            increments(&noise, bytes)
        }
        5 => increments(&OrnsteinUhlenbeckNoise::new(seed, &bytes.reals(dim))?, bytes),
        6 => {
            let jumps: Vec<_> = (0..dim).map(|_| jumps(bytes)).collect();
            let noise = PoissonJumps::new(seed, &jumps)?;
            increments(&if bytes.flag() { noise.compensated() } else { noise }, bytes)
        }
        7 => {
            let distribution = |_| {
                let [index, skewness, scale] = [bytes.real(), bytes.real(), bytes.real()];
                StableDistribution { index, skewness, scale }
            };
            let distributions: Vec<_> = (0..dim).map(distribution).collect();
            increments(&StableLevy::new(seed, &distributions)?, bytes)
        }
        8 => {
            let coarse = Coarse::new(Brownian::new(seed, 1)?, bytes.count(9))?;
            increments(&coarse, bytes)?;
            increments(&Antithetic::new::<f64>(Brownian::new(seed, 1)?)?, bytes)
        }
        _ => {
            BrownianTree::new(seed, bytes.count(3))?;
            let (level, index) = (bytes.word() as u32, bytes.word() as u32);
            let cell = Cell::new(level, index)?;
            assert!(cell.length() > 0.0 && cell.start() >= 0.0);
            let _ = (cell.parent(), cell.next(), cell.halves());
            Ok(())
        }
    }
}

fn jumps(bytes: &mut Bytes<'_>) -> CompoundPoisson {
    let distribution = match bytes.byte() % 3 {
        0 => JumpDistribution::Constant(bytes.real()),
        1 => JumpDistribution::Normal { mean: bytes.real(), standard_deviation: bytes.real() },
        _ => JumpDistribution::DoubleExponential {
            upward: bytes.real(),
            mean_up: bytes.real(),
            mean_down: bytes.real(),
        },
    };
    CompoundPoisson { intensity: bytes.real(), distribution }
}

/// Computes the increments of a tile in order, then one from its middle again with the same bits.
fn increments(noise: &impl Noise<f64>, bytes: &mut Bytes<'_>) -> Result<(), SdeError> {
    let first_path = if bytes.flag() { bytes.word() } else { 0 };
    let (lanes, steps) = (bytes.count(5), bytes.count(20));
    let h = if bytes.flag() { bytes.real() } else { 0.1 };
    // Many components would take too long.
    if noise.components() > 1 << 10 {
        return Ok(());
    }
    let mut made = noise.increments(Tile { first_path, lanes, steps, h }, &[])?;
    // Many increments would take too long.
    if steps > 1000 || lanes > 1000 {
        return Ok(());
    }
    let size = noise.components() * lanes;
    let [mut one, mut two] = [vec![0.0; size], vec![0.0; size]];
    for step in 0..steps {
        made.write(step, RowsMut::new(&mut one, lanes));
    }
    made.write(steps / 2, RowsMut::new(&mut one, lanes));
    let mut again = noise.increments(Tile { first_path, lanes, steps, h }, &[])?;
    again.write(steps / 2, RowsMut::new(&mut two, lanes));
    let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&one), bits(&two), "repeated increments");
    Ok(())
}

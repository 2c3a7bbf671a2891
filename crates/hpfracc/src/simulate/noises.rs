//! Fractional Brownian motion, stable noises and processes of jumps as those of a device.

use super::error::SimulationError;
use hpfracc_sde::noise::{CompoundPoisson, FractionalBrownian, JumpDistribution, Purpose, Stream};
use hpfracc_sde::{EquationModelError, PathTask};
use hpfracc_wgpu::ensemble::{JumpSizes, PathFractional, PathJumps, PathNoise, PathStable};

/// The fractional Brownian motions of a task.
pub(super) fn fractional(task: &PathTask<'_>) -> Result<Vec<PathFractional>, SimulationError> {
    if task.hurst.is_empty() {
        return Ok(vec![]);
    }
    let noise = FractionalBrownian::<f32>::new(task.seed, &task.hurst);
    let of = noise.and_then(|noise| noise.standard_deviations(task.steps, task.h));
    let of = of.map_err(EquationModelError::from)?.into_iter();
    of.zip(0..)
        .map(|(standard_deviations, component)| {
            let stream = word(Stream::new(Purpose::FractionalGaussian, component))?;
            Ok(PathFractional { stream, standard_deviations })
        })
        .collect()
}

/// The noises of a task after the fractional ones.
pub(super) fn jumps(task: &PathTask<'_>) -> Result<Vec<PathNoise>, SimulationError> {
    let mut noises = Vec::new();
    for (component, distribution) in (0..).zip(&task.stable) {
        let numbers = distribution.in_step(task.h).map_err(EquationModelError::from)?;
        let [e, inverse_index, k, least, scale, shift] = numbers;
        let stream = word(Stream::new(Purpose::Stable, component))?;
        let stable = PathStable { stream, e, inverse_index, k, least, scale, shift };
        noises.push(PathNoise::Stable(stable));
    }
    for (component, process) in (0..).zip(&task.jumps) {
        noises.push(PathNoise::Jumps(PathJumps {
            times: word(Stream::new(Purpose::JumpTimes, component))?,
            sizes: word(CompoundPoisson::sizes(component))?,
            survival: process.survival(task.h).map_err(EquationModelError::from)?,
            distribution: sizes(process.distribution)?,
        }));
    }
    Ok(noises)
}

/// The word of a stream of random numbers.
fn word(stream: Option<Stream>) -> Result<u32, SimulationError> {
    stream.map(Stream::word).ok_or_else(|| SimulationError::NotOnGpu {
        reason: "it has more noises than there are random numbers".to_owned(),
        instead: "take fewer noises",
    })
}

fn sizes(distribution: JumpDistribution) -> Result<JumpSizes, SimulationError> {
    Ok(match distribution {
        JumpDistribution::Constant(size) => JumpSizes::Constant(size),
        JumpDistribution::Normal { mean, standard_deviation } => {
            JumpSizes::Normal { mean, standard_deviation }
        }
        JumpDistribution::DoubleExponential { upward, mean_up, mean_down } => {
            JumpSizes::DoubleExponential { upward, mean_up, mean_down }
        }
        other => {
            return Err(SimulationError::NotOnGpu {
                reason: format!("a GPU has no jumps of the distribution {other:?}"),
                instead: "solve on the CPU",
            });
        }
    })
}

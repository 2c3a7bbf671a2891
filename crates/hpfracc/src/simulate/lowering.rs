//! Equations of `hpfracc-sde` as steps of shaders.

use super::error::SimulationError;
use super::noises::{fractional, jumps};
use super::variables::inputs;
use hpfracc_equation::wgsl::ShaderFunction;
use hpfracc_equation::{Direction, Id};
use hpfracc_sde::noise::{Purpose, Stream};
use hpfracc_sde::{MemoryRecurrence, PathTask};
use hpfracc_wgpu::ensemble::{
    NearNoise, NoiseRow, PathCorrector, PathEquation, PathGrid, PathMemory, PathScheme, PathStops,
    TimeIntegrals,
};

/// Most components: states of more do not stay in registers.
const MOST_COMPONENTS: usize = 64;

/// Sizes of an ensemble for a device.
///
/// # Errors
/// [`SimulationError::NotOnGpu`].
pub(super) fn path_grid(task: &PathTask<'_>, tile: usize) -> Result<PathGrid, SimulationError> {
    let numbered = |node: &usize| u32::try_from(*node);
    let Ok(saved) = task.saved.iter().map(numbered).collect::<Result<Vec<u32>, _>>() else {
        return Err(SimulationError::NotOnGpu {
            reason: "a GPU counts fewer than 2^32 steps".to_owned(),
            instead: "take fewer steps, or solve on the CPU",
        });
    };
    Ok(PathGrid {
        seed: task.seed,
        first_path: task.first_path,
        paths: task.paths,
        tile,
        t0: task.t0,
        h: task.h,
        saved,
    })
}

/// What a device solves, of a task.
///
/// # Errors
/// [`SimulationError::NotOnGpu`] and [`SimulationError::Shader`].
pub(crate) fn path_equation(task: &PathTask<'_>) -> Result<PathEquation, SimulationError> {
    let (equation, dim) = (task.equation, task.equation.states().len());
    let refused = |reason: String, instead| Err(SimulationError::NotOnGpu { reason, instead });
    if dim > MOST_COMPONENTS {
        let reason = format!("it has {dim} components, a GPU takes {MOST_COMPONENTS} at most");
        return refused(reason, "solve on the CPU");
    }
    // Fewer than noises, where a correlation is singular.
    let last = |row: &Vec<(usize, f64)>| row.iter().map(|(j, _)| j + 1).max();
    let brownian = match &task.factors {
        Some(factors) => factors.iter().filter_map(last).max().unwrap_or(0),
        None => task.noises.len() - task.hurst.len() - task.stable.len() - task.jumps.len(),
    };
    let streams = |purpose: Purpose| -> Vec<u32> {
        let words = (0..brownian as u32).map(|k| Stream::new(purpose, k).map(Stream::word));
        words.flatten().collect()
    };
    let mut graph = equation.graph().clone();
    let zero = graph.constant(0.0);
    let drift = equation.states().iter().map(|state| state.drift());
    let diffusion = task.diffusion.iter().map(|entry| entry.unwrap_or(zero));
    let roots: Vec<Id> = drift.chain(diffusion).collect();
    let (inputs, names) = (inputs(equation), equation.variable_names());
    let row =
        |(noise, diffusion): &(usize, usize)| NoiseRow { noise: *noise, diffusion: *diffusion };
    Ok(PathEquation {
        coefficients: ShaderFunction::new("coefficients", &graph, &roots, (&inputs, &names))?,
        parameters: equation.parameters().iter().map(|parameter| parameter.value()).collect(),
        dim,
        streams: streams(Purpose::Brownian),
        integrals: task
            .time_integral
            .map(|factors| TimeIntegrals { factors, streams: streams(Purpose::CellIntegral) }),
        fractional: fractional(task)?,
        jumps: jumps(task)?,
        correlation: task.factors.clone(),
        noise: task.acting.iter().map(|rows| rows.iter().map(row).collect()).collect(),
        scheme: scheme(task)?,
        stops: stops(task)?,
    })
}

/// Events of the equation, all of which stop paths.
fn stops(task: &PathTask<'_>) -> Result<Option<PathStops>, SimulationError> {
    let equation = task.equation;
    let roots: Vec<Id> = equation.events().iter().map(|event| event.expression()).collect();
    if roots.is_empty() {
        return Ok(None);
    }
    let (inputs, names) = (inputs(equation), equation.variable_names());
    let functions = ShaderFunction::new("stops", equation.graph(), &roots, (&inputs, &names))?;
    let directions = equation.events().iter().map(|event| match event.direction() {
        Direction::Rising => [true, false],
        Direction::Falling => [false, true],
        Direction::Either => [true, true],
    });
    Ok(Some(PathStops { functions, directions: directions.collect() }))
}

/// Scheme of a task.
fn scheme(task: &PathTask<'_>) -> Result<PathScheme, SimulationError> {
    let refused = |reason: String, instead| Err(SimulationError::NotOnGpu { reason, instead });
    Ok(match task.scheme {
        "euler-maruyama" => PathScheme::EulerMaruyama,
        // The same for additive noise.
        "milstein" if task.additive => PathScheme::EulerMaruyama,
        "milstein" => PathScheme::Milstein,
        "heun" => PathScheme::Heun,
        "tamed-euler" => PathScheme::TamedEuler,
        "sra1" => PathScheme::Sra1,
        "sriw1" => PathScheme::Sriw1,
        "sric2" => PathScheme::Sric2 { additive: task.additive },
        "reversible-heun" => PathScheme::ReversibleHeun,
        "fractional-euler-maruyama" | "fractional-predictor-corrector" => match &task.memories {
            Some(memories) => PathScheme::FractionalEulerMaruyama(
                memories.iter().map(|memory| memory.as_ref().map(path_memory)).collect(),
            ),
            None => {
                let reason = "its memory is no sum of exponentials".to_owned();
                return refused(
                    reason,
                    "take the default settings of the scheme, or solve on the CPU",
                );
            }
        },
        name => {
            let reason = format!("{name} is none of its schemes");
            return refused(reason, SCHEMES);
        }
    })
}

/// What to do instead of another scheme.
const SCHEMES: &str = "take an explicit scheme, such as euler-maruyama, or solve on the CPU";

fn path_memory(memory: &MemoryRecurrence<f64>) -> PathMemory {
    let rows = |rows: &[(usize, usize)]| -> Vec<NoiseRow> {
        rows.iter()
            .map(|(noise, diffusion)| NoiseRow { noise: *noise, diffusion: *diffusion })
            .collect()
    };
    let rates = |exponentials: &[(f64, f64)]| -> Vec<[f64; 2]> {
        exponentials.iter().map(|(loss, factor)| [*loss, *factor]).collect()
    };
    let near = memory
        .near
        .iter()
        .map(|near| NearNoise { sources: rows(&near.sources), weights: near.weights.clone() });
    PathMemory {
        nearest: memory.nearest,
        exponentials: rates(&memory.exponentials),
        near: near.collect(),
        corrector: memory.corrector.as_ref().map(|corrector| PathCorrector {
            newest: corrector.newest,
            nearest: corrector.nearest,
            exponentials: rates(&corrector.exponentials),
            starts: corrector.starts.clone(),
        }),
    }
}

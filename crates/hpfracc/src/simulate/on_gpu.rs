//! Tasks of `hpfracc-sde` as shaders of `hpfracc-wgpu`.

use super::error::SimulationError;
use super::noises::{fractional, jumps};
use super::path_solve::PathSolve;
use super::scalar::EnsembleScalar;
use super::variables::inputs;
use hpfracc_equation::wgsl::{NumberFormat, Rounding, ShaderFunction};
use hpfracc_equation::{Direction, Id};
use hpfracc_sde::noise::{Purpose, Stream};
use hpfracc_sde::{EquationModelError, MemoryRecurrence, PathExecutor, PathRecorder, PathTask};
use hpfracc_wgpu::ensemble::{
    DeviceShare, NearNoise, NoiseRow, PathCorrector, PathEquation, PathGrid, PathMemory,
    PathScheme, PathStops, TimeIntegrals,
};
use hpfracc_wgpu::{Gpu, GpuError};

/// Most components: states of more do not stay in registers.
const MOST_COMPONENTS: usize = 64;

/// Solves the paths of equations on a GPU, in `f32` or in `f64`: in double precision where the device has it, and else in
/// double-float numbers, of 48 bits in the range of `f32`.
#[derive(Debug, Clone)]
pub struct OnGpu {
    gpus: Vec<Gpu>,
    rounding: Rounding,
    /// Whether double precision is not used.
    in_double_float: bool,
}

impl OnGpu {
    /// On this device, with operations that are rounded freely or as they are written.
    pub fn new(gpu: Gpu, rounding: Rounding) -> Self {
        Self::on_all(vec![gpu], rounding)
    }

    /// On several devices, which take paths as fast as they solve them.
    pub fn on_all(gpus: Vec<Gpu>, rounding: Rounding) -> Self {
        Self { gpus, rounding, in_double_float: false }
    }

    /// Computes `f64` in double-float numbers on a device with double precision, too. Many devices have far fewer units of
    /// double than of single precision, of which a double-float operation takes some 20.
    #[must_use]
    pub fn in_double_float(self) -> Self {
        Self { in_double_float: true, ..self }
    }
}

impl<T: EnsembleScalar> PathExecutor<T> for OnGpu {
    type Error = SimulationError;

    /// If the device is lost or out of memory, the CPU solves what is not recorded yet.
    fn solve(
        &self,
        task: &PathTask<'_>,
        recorder: &mut dyn PathRecorder<T>,
    ) -> Result<(), SimulationError> {
        let (format, equation) = (self.number_format::<T>()?, path_equation(task)?);
        admit(&equation, format)?;
        self.solve_with_fallback(format, (task, equation), recorder).map(|_| ())
    }
}

impl OnGpu {
    /// Numbers in which the device computes a scalar.
    ///
    /// # Errors
    /// Those of [`number_format`].
    pub(crate) fn number_format<T: EnsembleScalar>(&self) -> Result<NumberFormat, SimulationError> {
        let without = self.gpus.iter().find(|gpu| !gpu.has_double_precision());
        let double = without.is_none() && !self.in_double_float;
        let device = (without.or(self.gpus.first()).map_or("", Gpu::name), double);
        number_format::<T>(device, self.rounding)
    }

    /// Solves on the devices, and on the CPU what failures of all leave.
    pub(crate) fn solve_with_fallback<T: EnsembleScalar>(
        &self,
        format: NumberFormat,
        (task, equation): (&PathTask<'_>, PathEquation),
        recorder: &mut dyn PathRecorder<T>,
    ) -> Result<DeviceWork, SimulationError> {
        match self.solve_on_device(format, (task, equation), recorder) {
            Err(SimulationError::Gpu(
                error @ (GpuError::Lost { .. } | GpuError::OutOfMemory { .. }),
            )) => {
                tracing::warn!(%error, "the CPU solves the rest of an ensemble");
                recorder.solve_rest().map_err(EquationModelError::from)?;
                Ok(DeviceWork { failure: Some(error.to_string()), shares: vec![] })
            }
            Ok(shares) => {
                let failure = shares.iter().find_map(|share| share.failure.as_ref());
                Ok(DeviceWork { failure: failure.map(ToString::to_string), shares })
            }
            Err(error) => Err(error),
        }
    }

    fn solve_on_device<T: EnsembleScalar>(
        &self,
        format: NumberFormat,
        (task, equation): (&PathTask<'_>, PathEquation),
        recorder: &mut dyn PathRecorder<T>,
    ) -> Result<Vec<DeviceShare>, SimulationError> {
        let numbered = |node: &usize| u32::try_from(*node);
        let Ok(saved) = task.saved.iter().map(numbered).collect::<Result<Vec<u32>, _>>() else {
            return Err(SimulationError::NotOnGpu {
                reason: "a GPU counts fewer than 2^32 steps".to_owned(),
                instead: "take fewer steps, or solve on the CPU",
            });
        };
        let grid = PathGrid {
            seed: task.seed,
            first_path: task.first_path,
            paths: task.paths,
            tile: recorder.tile(),
            t0: task.t0,
            h: task.h,
            saved,
        };
        let rounding = self.rounding;
        T::solve_paths(&self.gpus, format, PathSolve { task, equation, rounding, grid, recorder })
    }
}

/// What devices did in a solve.
pub(crate) struct DeviceWork {
    /// Error of a device, if another one or the CPU solved what was left.
    pub(crate) failure: Option<String>,
    /// Work of each of several devices; empty for one.
    pub(crate) shares: Vec<DeviceShare>,
}

/// Numbers in which a device, given with its name and whether it has double precision, computes a scalar.
///
/// # Errors
/// [`SimulationError::NotOnGpu`] for guarded operations in `f64` on a device without double precision.
pub(crate) fn number_format<T: EnsembleScalar>(
    (name, double): (&str, bool),
    rounding: Rounding,
) -> Result<NumberFormat, SimulationError> {
    let [native, without] = T::FORMATS;
    let format = if double { native } else { without };
    if format == NumberFormat::DoubleFloat && rounding == Rounding::Guarded {
        let reason = format!(
            "without double precision `{name}` computes in double-float numbers, which do not have the bits of the CPU"
        );
        let instead = "take wgpu in place of wgpu-guarded, single precision, or the CPU";
        return Err(SimulationError::NotOnGpu { reason, instead });
    }
    Ok(format)
}

/// Refuses what a device computes in single precision only.
///
/// # Errors
/// [`SimulationError::NotOnGpu`].
pub(crate) fn admit(equation: &PathEquation, format: NumberFormat) -> Result<(), SimulationError> {
    let single = match (&equation.fractional[..], &equation.stops) {
        _ if format == NumberFormat::Single => return Ok(()),
        ([], None) => return Ok(()),
        ([_, ..], _) => "fractional Brownian motion",
        ([], Some(_)) => "an event that stops paths",
    };
    let reason = format!("it has {single}, which a GPU computes in single precision");
    Err(SimulationError::NotOnGpu { reason, instead: "take f32, or solve on the CPU" })
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

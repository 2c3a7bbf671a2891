//! Tasks of `hpfracc-sde` as shaders of `hpfracc-wgpu`.

use super::error::SimulationError;
use super::noises::{fractional, jumps};
use super::summaries;
use super::variables::inputs;
use hpfracc_equation::wgsl::{Rounding, ShaderFunction};
use hpfracc_equation::{Direction, Id};
use hpfracc_sde::noise::{Purpose, Stream};
use hpfracc_sde::{
    EquationModelError, MemoryRecurrence, PathExecutor, PathRecorder, PathStop, PathTask,
    RecordIndex, Rows, RowsMut,
};
use hpfracc_wgpu::ensemble::{
    NearNoise, NoiseRow, PathCorrector, PathEquation, PathGrid, PathMemory, PathObserver,
    PathScheme, PathSolver, PathStops, PathSummary, StepStop, TimeIntegrals,
};
use hpfracc_wgpu::{Gpu, GpuError};

/// Most components: states of more do not stay in registers.
const MOST_COMPONENTS: usize = 64;

/// Solves the paths of equations on a GPU.
#[derive(Debug, Clone)]
pub struct OnGpu {
    gpu: Gpu,
    rounding: Rounding,
}

impl OnGpu {
    /// On this device, with operations that are rounded freely or as they are written.
    pub fn new(gpu: Gpu, rounding: Rounding) -> Self {
        Self { gpu, rounding }
    }
}

impl PathExecutor for OnGpu {
    type Error = SimulationError;

    /// If the device is lost or out of memory, the CPU solves what is not recorded yet.
    fn solve(
        &self,
        task: &PathTask<'_>,
        recorder: &mut dyn PathRecorder<f32>,
    ) -> Result<(), SimulationError> {
        self.solve_with_fallback((task, path_equation(task)?), recorder).map(|_| ())
    }
}

impl OnGpu {
    /// Solves on the device, and on the CPU what a failure of the device leaves. Returns the error of the device then.
    pub(crate) fn solve_with_fallback(
        &self,
        (task, equation): (&PathTask<'_>, PathEquation),
        recorder: &mut dyn PathRecorder<f32>,
    ) -> Result<Option<String>, SimulationError> {
        match self.solve_on_device((task, equation), recorder) {
            Err(SimulationError::Gpu(
                error @ (GpuError::Lost { .. } | GpuError::OutOfMemory { .. }),
            )) => {
                tracing::warn!(%error, "the CPU solves the rest of an ensemble");
                recorder.solve_rest().map_err(EquationModelError::from)?;
                Ok(Some(error.to_string()))
            }
            solved => solved.map(|()| None),
        }
    }

    fn solve_on_device(
        &self,
        (task, equation): (&PathTask<'_>, PathEquation),
        recorder: &mut dyn PathRecorder<f32>,
    ) -> Result<(), SimulationError> {
        let numbered = |node: &usize| u32::try_from(*node);
        let Ok(saved) = task.saved.iter().map(numbered).collect::<Result<Vec<u32>, _>>() else {
            return Err(SimulationError::NotOnGpu {
                reason: "a GPU counts fewer than 2^32 steps".to_owned(),
                instead: "take fewer steps, or solve on the CPU",
            });
        };
        let mut solver = PathSolver::new(&self.gpu, equation, self.rounding)?;
        let request = recorder.request();
        if let Some(request) =
            request.and_then(|request| summaries::request(task, request, self.rounding))
        {
            solver = solver.summarised(request)?;
        }
        let grid = PathGrid {
            seed: task.seed,
            first_path: task.first_path,
            paths: task.paths,
            t0: task.t0,
            h: task.h,
            saved,
        };
        let step = (task.t0, task.h);
        solver.solve(&grid, &mut Recording { recorder, step })
    }
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
        correlation: correlation(task),
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

/// Factors of correlated noises in single precision.
fn correlation(task: &PathTask<'_>) -> Option<Vec<Vec<(usize, f32)>>> {
    let row = |row: &Vec<(usize, f64)>| row.iter().map(|(j, l)| (*j, *l as f32)).collect();
    task.factors.as_ref().map(|factors| factors.iter().map(row).collect())
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

fn path_memory(memory: &MemoryRecurrence<f32>) -> PathMemory {
    let rows = |rows: &[(usize, usize)]| -> Vec<NoiseRow> {
        rows.iter()
            .map(|(noise, diffusion)| NoiseRow { noise: *noise, diffusion: *diffusion })
            .collect()
    };
    let rates = |exponentials: &[(f32, f32)]| -> Vec<[f32; 2]> {
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

/// A recorder as the observer of a device.
struct Recording<'a> {
    recorder: &'a mut dyn PathRecorder<f32>,
    /// Start of the interval and length of a step.
    step: (f64, f64),
}

impl PathObserver for Recording<'_> {
    type Error = SimulationError;

    fn start(&mut self, path: usize, lanes: usize, rows: &mut [f32]) -> Result<(), Self::Error> {
        self.recorder.start(path, RowsMut::new(rows, lanes));
        Ok(())
    }

    fn record(
        &mut self,
        time: usize,
        path: usize,
        lanes: usize,
        rows: &[f32],
    ) -> Result<(), Self::Error> {
        let recorded = self.recorder.record(RecordIndex { path, time }, Rows::new(rows, lanes));
        Ok(recorded.map_err(EquationModelError::from)?)
    }

    fn summary(
        &mut self,
        time: usize,
        path: usize,
        lanes: usize,
        summary: &PathSummary,
    ) -> Result<(), Self::Error> {
        self.recorder
            .record_statistics(RecordIndex { path, time }, &summaries::statistics(lanes, summary));
        Ok(())
    }

    fn stops(&mut self, path: usize, stops: &[Option<StepStop>]) -> Result<(), Self::Error> {
        let stop = |stop: StepStop| {
            PathStop::in_step(stop.event, self.step, stop.step as usize, stop.share.into())
        };
        let stops: Vec<Option<PathStop>> = stops.iter().map(|of| of.map(stop)).collect();
        self.recorder.record_stops(path, &stops);
        Ok(())
    }

    fn pause(&mut self, path_steps: u64) -> Result<(), Self::Error> {
        Ok(self.recorder.pause(path_steps).map_err(EquationModelError::from)?)
    }
}

use super::fractional_brownian::FractionalIncrements;
use super::noise::table;
use super::schemes::{StateRow, loop_rounds, numbers, rows, step_numbers, times};
use super::shader::{WIDTH, source};
use super::span::{FIRST_SPAN, next_span};
use super::statistics::{BLOCK, NodeStates, Reduction, SummaryRequest};
use super::stops;
use super::{PathEquation, PathGrid, PathObserver};
use crate::device::{Pipeline, PooledBuffer};
use crate::recurrence::SPAN;
use crate::{GpuError, Precision};
use hpfracc_equation::wgsl::{NumberFormat, Rounding, WeightMemory};
use hpfracc_types::Real;
use std::ops::Range;
use std::sync::Arc;
use web_time::Instant;

/// Most rounds of all loops of an invocation: some drivers end them after 65535 without an error, and the end of a loop is
/// a round, too.
const ROUNDS: usize = 1 << 15;

/// Solver of the paths of a stochastic equation on a device, in a precision of it: [`F32`](crate::F32), [`F64`](crate::F64) or
/// [`DoubleFloat`](crate::DoubleFloat).
///
/// An invocation solves one path. Its noise has the library's addresses, so that a path has the same noise on every
/// device and on the CPU; with [`Rounding::Guarded`], on a device whose operations are rounded as IEEE 754 says, it has
/// the same bits as there in `f32` and in `f64`. Double-float numbers are those of the CPU in `f64` to 1e-13 for each
/// operation, in the range of `f32`. Steps are taken in spans of about 50 ms, between which states are stored, and into which the cut changes no bit.
///
/// Memory: the rows of the state for each path, and the increments of fractional Brownian motion for all steps. More
/// paths than fit are solved in parts. Fractional Brownian motion and events that stop paths are in single precision only.
pub struct PathSolver<P: Precision> {
    precision: P,
    equation: PathEquation,
    rows: Vec<StateRow>,
    pipeline: Arc<Pipeline>,
    fractional: Option<FractionalIncrements>,
    width: usize,
    longest_span: u32,
    rounding: Rounding,
    reduction: Option<Reduction>,
}

impl PathEquation {
    /// Numbers of the state of a path on a device.
    pub fn numbers_per_path(&self) -> usize {
        rows(self).len()
    }
}

impl<P: Precision> PathSolver<P> {
    /// Compiles the shader of an equation, whose operations are rounded freely or as they are written.
    ///
    /// # Errors
    /// [`GpuError`] of the device; [`GpuError::MissingFeature`] for `f64` without integers of 64 bits.
    pub fn new(
        precision: &P,
        equation: PathEquation,
        rounding: Rounding,
    ) -> Result<Self, GpuError> {
        Self::with_width(precision, equation, rounding, WIDTH)
    }

    /// [`new`](Self::new) with this number of paths in a workgroup, which changes no bit.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_width(
        precision: &P,
        equation: PathEquation,
        rounding: Rounding,
        width: usize,
    ) -> Result<Self, GpuError> {
        let gpu = precision.gpu();
        let bytes = 4 * P::BYTES * equation.coefficients.weight_vectors();
        let fits = bytes <= gpu.limits().max_compute_workgroup_storage_size as usize;
        let memory = if fits { WeightMemory::Workgroup } else { WeightMemory::Storage };
        let device = (gpu.shader_capabilities(P::FORMAT)?, rounding);
        let source = source::<P>(&equation, device, (width, memory));
        let pipeline = gpu.pipeline(&source, "solve")?;
        let (precision, rows) = (precision.clone(), rows(&equation));
        let fractional = FractionalIncrements::new(precision.gpu(), &equation, rounding)?;
        // Rounds of all loops of an invocation count together.
        let longest_span = SPAN.min(ROUNDS / loop_rounds(&equation)).max(1) as u32;
        let reduction = None;
        Ok(Self {
            precision,
            equation,
            rows,
            pipeline,
            fractional,
            width,
            longest_span,
            rounding,
            reduction,
        })
    }

    /// Limits the steps of a dispatch, which changes no bit.
    #[must_use]
    pub fn in_spans_of(self, steps: u32) -> Self {
        Self { longest_span: steps.clamp(1, self.longest_span), ..self }
    }

    /// Computes statistics of the paths at saved nodes on the device, and reads them in place of the states: of blocks
    /// of 1024 paths, in trees of a fixed shape, so that neither spans nor parts change a bit of them. States are read
    /// where a number is not finite, where sums overflow, where the counts are more numbers than the states, and always in
    /// other precisions than `f32`.
    ///
    /// # Errors
    /// [`GpuError`] of the device.
    pub fn summarised(mut self, request: SummaryRequest) -> Result<Self, GpuError> {
        let equation = (self.equation.dim, &self.equation.parameters[..]);
        if P::FORMAT == NumberFormat::Single && request.is_computed_for(self.equation.dim) {
            let gpu = self.precision.gpu();
            self.reduction = Some(Reduction::new(gpu, request, equation, self.rounding)?);
        }
        Ok(self)
    }

    /// Solves all paths of an ensemble.
    ///
    /// # Errors
    /// [`GpuError`] of the device, [`GpuError::Limit`] among them where there is no memory for one workgroup of paths, and
    /// [`GpuError::FractionalSteps`] for nodes beyond the steps of fractional Brownian motion; the errors of the observer.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn solve<O: PathObserver<P::Host>>(
        &self,
        grid: &PathGrid,
        observer: &mut O,
    ) -> Result<(), O::Error> {
        pollster::block_on(self.solve_async(grid, observer))
    }

    /// Solves all paths of an ensemble without blocking, for programs such as those in a browser: the future yields between
    /// dispatches. On a native device it blocks the thread that polls it.
    ///
    /// # Errors
    /// Those of `solve`, which a browser does not have: [`GpuError`] of the device, [`GpuError::Limit`] and
    /// [`GpuError::FractionalSteps`] among them; the errors of the observer.
    pub async fn solve_async<O: PathObserver<P::Host>>(
        &self,
        grid: &PathGrid,
        observer: &mut O,
    ) -> Result<(), O::Error> {
        self.solve_paths(grid, 0..grid.paths, observer).await
    }

    /// Solves some of the paths.
    pub(super) async fn solve_paths<O: PathObserver<P::Host>>(
        &self,
        grid: &PathGrid,
        paths: Range<usize>,
        observer: &mut O,
    ) -> Result<(), O::Error> {
        if let (Some(fractional), Some(last)) = (&self.fractional, grid.saved.last()) {
            fractional.check_last(*last)?;
        }
        let at_once = self.paths_at_once(paths.len(), grid.whole_tiles())?;
        for first in paths.clone().step_by(at_once) {
            let lanes = at_once.min(paths.end - first);
            self.solve_part(grid, (first, lanes), observer).await?;
        }
        Ok(())
    }

    /// Name of the device.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn device(&self) -> &str {
        self.precision.gpu().name()
    }

    /// Paths whose states and increments fit a binding, the memory limit and a dispatch: whole tiles, if some fit.
    fn paths_at_once(&self, paths: usize, tiles: usize) -> Result<usize, GpuError> {
        let states = self.equation.numbers_per_path() * P::BYTES;
        let increments = self.equation.increment_bytes_per_path();
        let gpu = self.precision.gpu();
        let limits = gpu.limits();
        let groups = limits.max_compute_workgroups_per_dimension as usize;
        let limits_of_memory = [gpu.memory_limit(), gpu.free_memory_bytes()];
        let free = limits_of_memory.into_iter().flatten().min().unwrap_or(u64::MAX);
        let free = usize::try_from(free).unwrap_or(usize::MAX);
        let binding = limits.max_storage_buffer_binding_size as usize;
        let fewest = self.width.min(paths);
        if increments.saturating_mul(fewest) > binding {
            return Err(GpuError::Limit {
                device: gpu.name().to_owned(),
                bytes: increments.saturating_mul(fewest) as u64,
                in_use: 0,
                limit: binding as u64,
            });
        }
        let room = (free / self.equation.device_bytes_per_path(P::BYTES))
            .min(binding / states.max(increments));
        let at_once = room.min(groups * self.width);
        let whole = [tiles, BLOCK].into_iter().find(|whole| at_once >= *whole).unwrap_or(1);
        let at_once = at_once - at_once % whole;
        Ok(at_once.clamp(fewest.max(1), paths.max(1)))
    }

    async fn solve_part<O: PathObserver<P::Host>>(
        &self,
        grid: &PathGrid,
        (first, lanes): (usize, usize),
        observer: &mut O,
    ) -> Result<(), O::Error> {
        let (gpu, dim) = (self.precision.gpu(), self.equation.dim);
        let mut rows = vec![P::Host::narrow(0.0); dim * lanes];
        observer.start(first, lanes, &mut rows)?;
        let mut values: Vec<P::Device> = rows.iter().map(|x| P::narrow(x.widen())).collect();
        values.resize(self.rows.len() * lanes, P::narrow(0.0));
        for (row, start) in self.rows.iter().enumerate().skip(dim) {
            if let Some(component) = start.start {
                values.copy_within(component * lanes..(component + 1) * lanes, row * lanes);
            }
        }
        let states = gpu.upload(&values)?;
        values.truncate(dim * lanes);
        let numbers = gpu.upload(&narrowed::<P>(numbers(&self.equation, grid.h)))?;
        let steady = self.equation.coefficients.uniforms(&[], &self.equation.parameters).steady;
        let steady = gpu.upload(&narrowed::<P>(steady))?;
        let table = table::<P>(&self.equation);
        let table = if table.is_empty() { None } else { Some(gpu.upload(&table)?) };
        let increments = match &self.fractional {
            Some(fractional) => {
                Some(fractional.of_paths(grid, (first, lanes), || observer.pause(0)).await?)
            }
            None => None,
        };
        let stops = self.equation.stops.as_ref();
        let of_stops = stops.map(|stops| {
            gpu.upload(&narrowed::<P>(
                stops.functions.uniforms(&[], &self.equation.parameters).steady,
            ))
        });
        let of_stops = of_stops.transpose()?;
        let further: Vec<&PooledBuffer> =
            table.iter().chain(&increments).chain(&of_stops).collect();
        let buffers = [&states, &numbers, &steady];
        let part = Part { solver: self, grid, first, lanes, buffers, further: &further };
        let (mut now, mut span) = (0, FIRST_SPAN);
        for (time, &node) in grid.saved.iter().enumerate() {
            while now < node {
                let steps = span.min(self.longest_span).min(node - now);
                let begin = Instant::now();
                part.advance(now, now + steps).await?;
                span = next_span(steps, begin.elapsed());
                now += steps;
                observer.pause(u64::from(steps) * lanes as u64)?;
            }
            let t = grid.t0 + f64::from(node) * grid.h;
            let at = NodeStates { states: &states, path: first, paths: lanes, t };
            // Before the last node is recorded: what a device fails to give is not recorded.
            let ended = match stops.filter(|_| time + 1 == grid.saved.len()) {
                Some(_) => Some(stops::read(gpu, &self.equation, &states, lanes).await?),
                None => None,
            };
            let summary = match &self.reduction {
                Some(reduction) => reduction.summary(&at).await?,
                None => None,
            };
            if let Some(summary) = summary {
                observer.summary(time, first, lanes, &summary)?;
            } else {
                gpu.read(&states, 0, &mut values).await?;
                rows.iter_mut().zip(&values).for_each(|(x, value)| *x = P::of_device(*value));
                observer.record(time, first, lanes, &rows)?;
            }
            if let Some(stops) = ended {
                observer.stops(first, &stops)?;
            }
        }
        Ok(())
    }
}

/// Paths that are solved together.
struct Part<'a, P: Precision> {
    solver: &'a PathSolver<P>,
    grid: &'a PathGrid,
    first: usize,
    lanes: usize,
    /// States, numbers of the scheme, and values without time.
    buffers: [&'a PooledBuffer; 3],
    /// Numbers of noises other than Brownian motion, increments of fractional Brownian motion, and values without time
    /// of the events, each where the equation has it.
    further: &'a [&'a PooledBuffer],
}

impl<P: Precision> Part<'_, P> {
    /// Values with time of these steps, and the numbers of each step.
    fn timed(&self, steps: Range<u32>) -> Vec<f64> {
        let (grid, equation) = (self.grid, &self.solver.equation);
        let of_step = |n: u32| times(equation, (grid.t0, grid.h), n);
        let values = match equation.coefficients.uniform_values().1 {
            0 => vec![],
            _ => {
                let times: Vec<f64> = steps.clone().flat_map(of_step).collect();
                equation.coefficients.uniforms(&times, &equation.parameters).timed
            }
        };
        if step_numbers(equation, steps.start).is_empty() {
            return values;
        }
        let per_step = values.len() / steps.len();
        let of_step = |(k, n): (usize, u32)| {
            let values = values[k * per_step..(k + 1) * per_step].iter().copied();
            values.chain(step_numbers(equation, n)).collect::<Vec<_>>()
        };
        steps.enumerate().flat_map(of_step).collect()
    }

    /// Takes the steps from `first` to before `last`.
    async fn advance(&self, first: u32, last: u32) -> Result<(), GpuError> {
        let Self { solver, grid, lanes, buffers: [states, numbers, steady], .. } = *self;
        let (gpu, equation) = (solver.precision.gpu(), &solver.equation);
        let timed = gpu.upload(&narrowed::<P>(self.timed(first..last)))?;
        let of_stops = equation.stops.as_ref().map(|stops| {
            let at = (grid.t0, grid.h);
            let timed = stops::timed(stops, &equation.parameters, at, [first, last]);
            gpu.upload(&narrowed::<P>(timed))
        });
        let of_stops = of_stops.transpose()?;
        let path = grid.first_path + self.first as u64;
        let halves = |word: u64| [(word & 0xffff_ffff) as usize, (word >> 32) as usize];
        let ([seed_low, seed_high], [path_low, path_high]) = (halves(grid.seed), halves(path));
        let sizes = gpu.uniform([lanes, 0, seed_low, seed_high]);
        let span = gpu.uniform([first as usize, last as usize, path_low, path_high]);
        let groups = [lanes.div_ceil(solver.width) as u32, 1];
        let computed = gpu.compute(&[], |pass| {
            let [states, numbers, steady, timed] =
                [states, numbers, steady, &timed].map(PooledBuffer::buffer);
            let mut buffers = vec![states, numbers, steady, timed, &sizes, &span];
            buffers.extend(self.further.iter().map(|buffer| buffer.buffer()));
            buffers.extend(of_stops.as_ref().map(PooledBuffer::buffer));
            gpu.dispatch(pass, &solver.pipeline, &buffers, groups);
        });
        computed.await
    }
}

/// Values in a precision, with at least one number, because no buffer is empty.
fn narrowed<P: Precision>(mut values: Vec<f64>) -> Vec<P::Device> {
    if values.is_empty() {
        values.push(0.0);
    }
    values.into_iter().map(P::narrow).collect()
}

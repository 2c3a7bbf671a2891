//! `hpfracc train`: learns a neural fractional differential equation from a time series.

mod args;
mod backend;
mod config;
mod data;
mod forecast;
#[cfg(feature = "gpu")]
mod on_gpu;
mod picture;

use crate::compute::{Dtype, in_pool};
use crate::error::TrainingError;
use crate::memory;
use crate::output::Progress;
use crate::output::{diagnostic, publish};
use crate::ranks::STDIN;
use crate::text::rounded;
use crate::{Error, Ranks};
pub(crate) use args::TrainArgs;
use backend::TrainingBackend;
use config::Config;
use data::Rows;
use forecast::Distribution;
use hpfracc::ndarray::ArrayView2;
use hpfracc::nn::models::{NeuralFractionalSde, SdeFit, Windows};
use hpfracc::nn::trainer::{End, Event, RunFolder, Trained, Trainer, checksum};
use hpfracc::nn::{Layer, Network, Objective, OrderEstimate, SavedNetwork, Scalar, Shape};
use hpfracc_plot::remove_leftovers;
#[cfg(feature = "gpu")]
use on_gpu::{MakeFit, OnGpu};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Drift as a network for equations, if it has dense layers alone.
const DRIFT: &str = "drift.json";

/// Result files, written at the end.
const RESULTS: [&str; 4] = ["parameters", "loss.svg", "forecast.csv", "forecast.svg"];

pub(crate) fn run(args: &TrainArgs, ranks: &Ranks) -> Result<(), Error> {
    let (config, folder, rows, model) = ranks.prepared(prepare(args, ranks))?;
    let (config, rows, model, folder) = (&config, &rows, &model, &*folder);
    let work = Work { args, config, rows, model, folder, ranks };
    match config.precision.unwrap_or(Dtype::F32) {
        Dtype::F32 => work.run_single(),
        Dtype::F64 => {
            let reason = "a GPU trains in single precision: set precision = \"f32\"";
            work.on_cpu_because(|| reason.to_owned())?;
            work.run_on_cpu::<f64>()
        }
    }
}

/// The configuration, the folder of the results, which rank 0 has to itself, data and model.
fn prepare(
    args: &TrainArgs,
    ranks: &Ranks,
) -> Result<(Config, PathBuf, Rows, NeuralFractionalSde), Error> {
    let config = Config::read(&args.config)?;
    let folder = args.out.clone().unwrap_or_else(|| {
        args.config.file_stem().map_or_else(|| PathBuf::from("training"), PathBuf::from)
    });
    if ranks.are_several() && args.backend != TrainingBackend::Cpu {
        let (option, value) = ("--backend", args.backend.to_string());
        let reason = "several ranks train on the processors: start one rank".to_owned();
        return Err(Error::OptionUnused { option, value, reason });
    }
    if ranks.are_several() && config.data.file.as_os_str() == "-" {
        return Err(Error::Ranks(STDIN.to_owned()));
    }
    if ranks.is_first() && !args.resume {
        let names = RESULTS.iter().chain([&DRIFT]);
        let there = names.map(|name| folder.join(name)).find(|path| path.exists());
        if let Some(path) = there {
            return Err(TrainingError::Occupied { path: path.display().to_string() }.into());
        }
    }
    if ranks.is_first() {
        remove_leftovers(&folder);
    }
    let (rows, model) = parts(&config, &args.config, args.quiet)?;
    Ok((config, folder, rows, model))
}

/// Checks a configuration of `hpfracc train`: reads it and its data, and constructs the model and
/// the windows, as before the first step.
///
/// # Errors
/// Errors of the command, and [`TrainingError::NoFile`] for data that are not a regular file: the
/// command reads pipes and devices, which may be endless, and a pipe can be read only once.
pub fn check_training(path: &Path) -> Result<(), Error> {
    let config = Config::read(path)?;
    let record = path.parent().unwrap_or(Path::new("")).join(&config.data.file);
    let stdin = record.as_os_str() == "-";
    if stdin || record.metadata().is_ok_and(|found| !found.is_file()) {
        return Err(TrainingError::NoFile { name: record.display().to_string() }.into());
    }
    let (rows, model) = parts(&config, path, true)?;
    config.training.check()?;
    let (first, second) = rows.parts();
    fit::<f64>(&config, &rows, &model, first)?;
    if !second.is_empty() {
        fit::<f64>(&config, &rows, &model, second)?;
    }
    Ok(())
}

/// Data and model of a configuration.
fn parts(config: &Config, path: &Path, quiet: bool) -> Result<(Rows, NeuralFractionalSde), Error> {
    let beside = path.parent().unwrap_or(Path::new(""));
    if config.solver.steps == 0 {
        return Err(TrainingError::setting("[solver] steps", 0, "at least 1"));
    }
    let rows = Rows::read(config, beside, quiet)?;
    let Config { windows, solver, loss, training, .. } = config;
    data::check_steps(solver, "[windows] length", windows.length)?;
    let (samples, components) = (training.batch.min(rows.values.nrows()), rows.values.ncols());
    data::check_numbers("[loss] paths", loss.paths, &[samples, windows.length, components])?;
    forecast::check(config, &rows)?;
    let model = config.model.equation(rows.values.ncols()).map_err(TrainingError::of("[model]"))?;
    require_memory(config, &model, samples)?;
    Ok((rows, model))
}

/// Checks the memory of the training: the parameters with their gradient, the states of the
/// optimiser, the best ones and a checkpoint; and the states of a batch of windows.
fn require_memory(
    config: &Config,
    model: &NeuralFractionalSde,
    samples: usize,
) -> Result<(), Error> {
    let scalar = bytes_of(config);
    let parameters = model.parameters() as u64;
    let what = format!("training {parameters} parameters");
    let bytes = parameters.saturating_mul(12 * scalar);
    memory::require(what, bytes, "choose fewer or narrower layers in [model]")?;
    let steps = config.windows.length.saturating_mul(config.solver.steps);
    let sizes = [config.loss.paths, samples, steps, model.dim()];
    let numbers = sizes.iter().fold(1u64, |product, size| product.saturating_mul(*size as u64));
    let what = format!("a batch of {samples} windows of {steps} steps");
    let instead = "reduce [training] batch, [loss] paths or [windows] length";
    let bytes = scalar + config.solver.bytes_of_state(scalar);
    memory::require(what, numbers.saturating_mul(bytes), instead)
}

/// Bytes of a number of the training.
fn bytes_of(config: &Config) -> u64 {
    match config.precision.unwrap_or(Dtype::F32) {
        Dtype::F32 => 4,
        Dtype::F64 => 8,
    }
}

/// Objective of the model on a part of the data.
fn fit<T: Scalar>(
    config: &Config,
    rows: &Rows,
    model: &NeuralFractionalSde,
    part: ArrayView2<'_, f64>,
) -> Result<SdeFit<T>, Error>
where
    Network: Layer<T>,
{
    let (length, stride) = (config.windows.length, config.windows.stride);
    let part = part.mapv(T::narrow);
    let windows = Windows::cut(part.view(), (length, stride), config.solver.steps)
        .map_err(TrainingError::of("[windows]"))?;
    let solving = config.solver.over(length, rows.dt);
    let (loss, paths) = (config.loss.path_loss, config.loss.paths);
    let fit = SdeFit::new(model.clone(), solving, windows, loss, paths);
    Ok(fit.map_err(TrainingError::of("[loss]"))?)
}

struct Work<'a> {
    args: &'a TrainArgs,
    config: &'a Config,
    rows: &'a Rows,
    model: &'a NeuralFractionalSde,
    folder: &'a Path,
    ranks: &'a Ranks,
}

/// Objectives of training and validation, and the reason of a failure of their device.
type Objectives<'a, T> =
    (&'a dyn Objective<T>, Option<&'a dyn Objective<T>>, &'a (dyn Fn() -> Option<String> + Sync));

impl Work<'_> {
    /// Trains in single precision, on the CPU or on a GPU.
    #[cfg(feature = "gpu")]
    fn run_single(&self) -> Result<(), Error> {
        let Self { args, config, rows, model, .. } = self;
        let (first, second) = rows.parts();
        let training = || fit::<f32>(config, rows, model, first);
        let validation = || fit::<f32>(config, rows, model, second);
        let fits: (MakeFit<'_>, Option<MakeFit<'_>>) =
            (&training, (!second.is_empty()).then_some(&validation));
        let batch = config.training.batch;
        let found = match args.backend {
            TrainingBackend::Cpu => return self.run_on_cpu::<f32>(),
            TrainingBackend::Auto => OnGpu::if_any(fits, batch),
            TrainingBackend::Wgpu { adapter } => Ok(OnGpu::new(adapter, fits, batch)?),
        };
        let on_gpu = match found {
            Ok(on_gpu) => on_gpu,
            Err(reason) => {
                self.on_cpu_because(|| reason)?;
                return self.run_on_cpu::<f32>();
            }
        };
        if !args.quiet {
            diagnostic(&format!("{}: trained on {}", self.folder.display(), on_gpu.device));
        }
        let validation = on_gpu.validation.as_ref().map(|fit| fit as &dyn Objective<f32>);
        self.train((&on_gpu.training, validation, &|| on_gpu.failure()))
    }

    /// Trains in single precision.
    #[cfg(not(feature = "gpu"))]
    fn run_single(&self) -> Result<(), Error> {
        self.on_cpu_because(|| "this build has no GPU support".to_owned())?;
        self.run_on_cpu::<f32>()
    }

    /// Says why `--backend auto` is the CPU; an error if a GPU was named.
    fn on_cpu_because(&self, reason: impl FnOnce() -> String) -> Result<(), Error> {
        match self.args.backend {
            TrainingBackend::Cpu => {}
            TrainingBackend::Auto if self.args.quiet => {}
            TrainingBackend::Auto => {
                diagnostic(&format!("{}: trained on the CPU: {}", self.folder.display(), reason()));
            }
            backend @ TrainingBackend::Wgpu { .. } => {
                let (option, value) = ("--backend", backend.to_string());
                return Err(Error::OptionUnused { option, value, reason: reason() });
            }
        }
        Ok(())
    }

    fn run_on_cpu<T: Scalar>(&self) -> Result<(), Error>
    where
        Network: Layer<T>,
    {
        let Self { config, rows, model, .. } = self;
        let (first, second) = rows.parts();
        let training = fit::<T>(config, rows, model, first)?;
        let validation =
            if second.is_empty() { None } else { Some(fit::<T>(config, rows, model, second)?) };
        let validation = validation.as_ref().map(|validation| validation as &dyn Objective<T>);
        self.train((&training, validation, &|| None))
    }

    fn train<T: Scalar>(
        &self,
        (training, validation, failure): Objectives<'_, T>,
    ) -> Result<(), Error>
    where
        Network: Layer<T>,
    {
        let Self { args, config, rows, model, folder, ranks } = self;
        let run_folder = RunFolder {
            every: config.checkpoints.every,
            keep: config.checkpoints.keep,
            ..RunFolder::new(*folder)
        };
        let trainer = Trainer {
            validation,
            folder: Some(run_folder.clone()),
            resume: args.resume,
            facts: self.facts(),
            standardisation: Some(rows.standardisation.clone()),
            ranks: ranks.shared(),
            ..Trainer::new(training, config.training.clone())
        };
        let progress = Progress::start(args.quiet);
        progress.of_steps(self.steps(training.samples()));
        let failed = OnceLock::new();
        let report = |event: &Event<'_>| {
            match event {
                Event::Step(step) => {
                    if failed.get().is_none()
                        && let Some(reason) = failure()
                        && failed.set(()).is_ok()
                    {
                        progress.diagnostic(&format!(
                            "warning: the training goes on without the GPU: {reason}"
                        ));
                    }
                    progress.trained(step.step + 1, step.loss, step.samples_per_second);
                }
                Event::Damaged { path, damage } => {
                    progress
                        .diagnostic(&format!("{} {damage}; renamed and ignored", path.display()));
                }
                Event::Resumed { step, epoch } if !args.quiet => {
                    progress.diagnostic(&format!("resumed after {step} steps, {epoch} epochs"));
                }
                _ => {}
            }
            ControlFlow::Continue(())
        };
        let results = in_pool(|| -> Result<_, Error> {
            let trained = trainer.run(report)?;
            if !ranks.is_first() {
                return Ok(None);
            }
            let fan = Distribution::new(config, rows, model, trained.parameters())?;
            Ok(Some((trained, fan)))
        })??;
        let Some((trained, fan)) = results else { return Ok(()) };
        progress.step("writing");
        let metrics = run_folder.metrics();
        let text = std::fs::read_to_string(&metrics)
            .map_err(|source| Error::Read { name: metrics.display().to_string(), source })?;
        let contents = [
            trainer.parameters(&trained).to_bytes(),
            picture::losses(&text)?,
            fan.to_csv(rows)?,
            picture::fan(rows, &fan)?,
        ];
        let paths = RESULTS.map(|name| folder.join(name));
        let mut files: Vec<(PathBuf, Vec<u8>)> = paths.into_iter().zip(contents).collect();
        if let Some(drift) = self.drift(trained.parameters()) {
            files.push((folder.join(DRIFT), drift.into_bytes()));
        }
        publish(files.iter().map(|(path, bytes)| (path.as_path(), bytes.clone())))?;
        drop(progress);
        if !args.quiet {
            self.report(&trained)?;
        }
        Ok(())
    }

    /// Drift in the units of the data, as a file for equations; `None` if it has other layers.
    fn drift<T: Scalar>(&self, theta: &[T]) -> Option<String> {
        let drift = self.model.drift();
        let saved = SavedNetwork::new(drift.clone(), theta.get(..drift.parameters())?).ok()?;
        saved.in_units(&self.rows.standardisation).ok()?.to_json().ok()
    }

    /// Expected number of steps.
    fn steps(&self, samples: usize) -> u64 {
        let training = &self.config.training;
        let batches = samples.div_ceil(training.batch.max(1)) as u64;
        let all = training.epochs.saturating_mul(batches);
        training.steps.map_or(all, |steps| steps.min(all))
    }

    /// Inputs that determine the result besides the settings of the training.
    fn facts(&self) -> Vec<(String, String)> {
        let Config { model, windows, solver, loss, .. } = self.config;
        let json = |value: serde_json::Result<serde_json::Value>| {
            value.map_or_else(|error| error.to_string(), |value| value.to_string())
        };
        let numbers = self.rows.values.iter().chain([&self.rows.dt]);
        let bytes: Vec<u8> = numbers.flat_map(|x| x.to_le_bytes()).collect();
        let facts = [
            ("the checksum of the data", format!("{:016x}", checksum(&bytes))),
            ("[model]", json(serde_json::to_value(model))),
            ("[windows]", json(serde_json::to_value(windows))),
            ("[solver]", json(serde_json::to_value(solver))),
            ("[loss]", json(serde_json::to_value(loss))),
        ];
        facts.map(|(name, value)| (name.to_owned(), value)).into()
    }

    /// Writes diagnostics: steps, validation, orders.
    fn report<T: Scalar>(&self, trained: &Trained<T>) -> Result<(), Error> {
        let Trained { steps, epochs, end, best, orders: estimates, .. } = trained;
        let why = match end {
            End::Patience => ", stopped early",
            _ => "",
        };
        let name = self.folder.display();
        diagnostic(&format!("{name}: {steps} steps, {epochs} epochs{why}"));
        if let Some(best) = best {
            let loss = rounded(format!("{:.4e}", best.loss).parse().unwrap_or(best.loss));
            diagnostic(&format!("{name}: validation {loss} after epoch {}", best.epoch));
        }
        let theta = &trained.parameters()[..self.model.parameters()];
        let orders = self.model.order_values(theta)?;
        if orders.iter().any(|alpha| *alpha != 1.0) {
            let orders: Vec<String> = orders.iter().map(|alpha| format!("{alpha:.4}")).collect();
            diagnostic(&format!("{name}: orders {}", orders.join(", ")));
        }
        if self.model.learns_orders() && estimates.is_empty() {
            diagnostic(&format!("{name}: no estimate of the orders, and no standard error"));
        }
        if !estimates.is_empty() {
            let list = |of: fn(&OrderEstimate) -> String| {
                estimates.iter().map(of).collect::<Vec<_>>().join(", ")
            };
            let found = list(|of| format!("{:.4} +- {:.1e}", of.order, of.standard_error));
            diagnostic(&format!(
                "{name}: orders estimated before the training {found} (standard error)"
            ));
            let known = estimates.iter().all(|of| of.half_step_change.is_some());
            let halved = list(|of| format!("{:+.1e}", of.half_step_change.unwrap_or(0.0)));
            if known {
                diagnostic(&format!("{name}: half the step changes them by {halved}"));
            }
        }
        for OrderEstimate { order, standard_error, .. } in
            estimates.iter().filter(|estimate| !estimate.identifiable())
        {
            let largest = OrderEstimate::LARGEST_ERROR;
            diagnostic(&format!(
                "{name}: warning: the order {order:.4} is not identifiable from the data: its \
                 standard error is {standard_error:.2}, above {largest}"
            ));
        }
        Ok(())
    }
}

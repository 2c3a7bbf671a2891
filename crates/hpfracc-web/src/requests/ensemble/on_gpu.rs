use super::final_values::Histogram;
use super::request::{Place, Request, Work};
use super::result::{Collected, Statistics, statistics};
use super::{QUANTILES, SHOWN_PATHS, failure, on_processor};
use crate::budget::Timer;
use crate::failure::Failure;
use crate::transfer::Numbers;
use hpfracc::OnGpuAsync;
use hpfracc::gpu::AdapterKind;
use hpfracc::sde::{
    Collect, DefaultScheme, Ensemble, EulerMaruyama, FirstPaths, FractionalEulerMaruyama, Heun,
    Moments, Quantiles,
};
use hpfracc::{SimulationError, ndarray};
use std::sync::Arc;

/// Least number of steps of all paths for which a GPU is taken.
const FEWEST_PATH_STEPS: f64 = 4e6;
/// Number of intervals of probability between the quantiles of a histogram.
const LEVELS: usize = 200;

/// Solves on the GPU or on the processor, as the request says; by itself on the GPU if the ensemble is large, and the adapter
/// is no software.
pub(crate) async fn ensemble_anywhere(
    request: &Request,
    gpu: Option<&OnGpuAsync>,
    numbers: &mut Numbers,
) -> Result<Statistics, Failure> {
    let Some(gpu) = gpu.filter(|_| request.place != Place::Cpu) else {
        return super::ensemble(request, &Arc::default(), numbers);
    };
    let timer = request.budget.start(&Arc::default());
    let work = request.work()?;
    let large = work.paths as f64 * work.steps as f64 >= FEWEST_PATH_STEPS;
    let automatic = request.place == Place::Auto;
    let collected = if automatic && (is_software(gpu) || !large || work.random_start) {
        on_processor::solve(&work, &timer, vec![])?
    } else {
        match solve(&work, gpu, &timer).await {
            Err(reason) if automatic && !timer.is_over() => on_processor::solve(
                &work,
                &timer,
                vec![format!("not on the GPU: {}", reason.message)],
            )?,
            solved => solved?,
        }
    };
    Ok(statistics(&work, collected, timer.milliseconds(), numbers))
}

/// Whether the adapter is a program on the processor. Browsers tell its name alone.
fn is_software(gpu: &OnGpuAsync) -> bool {
    let name = gpu.gpu().name().to_lowercase();
    let known = ["swiftshader", "llvmpipe", "basic render"];
    gpu.gpu().kind() == AdapterKind::Software || known.iter().any(|known| name.contains(known))
}

async fn solve(work: &Work, gpu: &OnGpuAsync, timer: &Timer) -> Result<Collected, Failure> {
    let look = |_| timer.look();
    let ensemble = Ensemble::new(work.paths, work.steps)?.saving_every(work.every)?;
    let ensemble = ensemble.watched_by(&look).cancelled_by(timer.flag());
    if work.random_start {
        return Err(Failure::new("displacements from random starts are summed on the processor"));
    }
    let levels = (0..=LEVELS).map(|k| k as f64 / LEVELS as f64);
    let probabilities: Vec<f64> = QUANTILES.into_iter().chain(levels).collect();
    let few = (Moments, FirstPaths { paths: SHOWN_PATHS });
    let collector = (few, Quantiles::new(&probabilities)?);
    let solved = simulate(work, gpu, &ensemble, &collector).await;
    let ((moments, first), quantiles) = solved.map_err(|error| failure(error, timer))?;
    let last = moments.times.len() - 1;
    let histogram = |k: usize| {
        let values = quantiles.values.slice(ndarray::s![last, k, QUANTILES.len()..]);
        Histogram::of_quantiles(&values.to_vec(), work.paths, work.bins)
    };
    let histograms = (0..work.model.observables().len()).map(histogram).collect();
    let device = match gpu.gpu().name() {
        "" => "WebGPU".to_owned(),
        name => format!("WebGPU ({name})"),
    };
    let notes = vec!["in single precision; quantiles within 1/128".to_owned()];
    Ok(Collected { moments, first, quantiles, histograms, device, notes, displacement: None })
}

/// Solves by the default scheme.
async fn simulate<K: Collect<f32>>(
    work: &Work,
    gpu: &OnGpuAsync,
    ensemble: &Ensemble<'_>,
    collector: &K,
) -> Result<K::Output, SimulationError> {
    let (model, of) = (&work.model, (ensemble, work.seed));
    match model.default_scheme() {
        DefaultScheme::EulerMaruyama => {
            model.simulate_on_async(gpu, &EulerMaruyama, of, collector).await
        }
        DefaultScheme::Heun => model.simulate_on_async(gpu, &Heun, of, collector).await,
        DefaultScheme::FractionalEulerMaruyama => {
            let scheme = FractionalEulerMaruyama::default();
            model.simulate_on_async(gpu, &scheme, of, collector).await
        }
    }
}

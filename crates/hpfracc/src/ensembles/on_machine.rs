//! Ensembles on a device of a machine, or on the processor where that is expected to take less time.

use super::adapters::{check_memory, fastest, together};
use super::cost::{DeviceCost, EnsembleCost};
use crate::machine::Machine;
use crate::simulate::{
    DeviceWork, EnsembleScalar, OnGpu, SimulationBackend, SimulationChoice, SimulationError, admit,
    number_format, path_equation,
};
use hpfracc_backend::{Autotuner, Work};
use hpfracc_equation::wgsl::{NumberFormat, Rounding};
use hpfracc_sde::{EquationModelError, PathExecutor, PathRecorder, PathTask};
use hpfracc_selector::Explanation;
use hpfracc_wgpu::AdapterKind;
use hpfracc_wgpu::ensemble::{DeviceShare, PathEquation};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Solves paths on a backend of a machine, and remembers which it was.
pub(super) struct OnMachine<'a> {
    machine: &'a Machine,
    backend: SimulationBackend,
    choice: OnceLock<SimulationChoice>,
}

impl<'a> OnMachine<'a> {
    pub(super) fn new(machine: &'a Machine, backend: SimulationBackend) -> Self {
        Self { machine, backend, choice: OnceLock::new() }
    }

    /// The choice of the solve.
    pub(super) fn choice(self) -> SimulationChoice {
        self.choice.into_inner().unwrap_or_else(|| SimulationChoice::named(self.backend))
    }

    /// Solves on a device, and on the processor what a failure leaves. Returns the error of the device then.
    fn solve_on<T: EnsembleScalar>(
        &self,
        (adapter, guarded): (Option<usize>, bool),
        (task, equation): (&PathTask<'_>, PathEquation),
        recorder: &mut dyn PathRecorder<T>,
    ) -> Result<Solved, SimulationError> {
        let on_gpu = OnGpu::new(self.machine.gpu(adapter)?, rounding(guarded));
        self.solve_with_devices(&on_gpu, (task, equation), recorder)
    }

    /// Solves on all devices that can be opened, but for software adapters beside others.
    fn solve_on_all<T: EnsembleScalar>(
        &self,
        guarded: bool,
        of: (&PathTask<'_>, PathEquation),
        recorder: &mut dyn PathRecorder<T>,
    ) -> Result<Solved, SimulationError> {
        let (mut gpus, mut failed) = (vec![], None);
        for position in together(self.machine.parts.backends.gpus.listed()) {
            match self.machine.gpu(position) {
                Ok(gpu) => gpus.push(gpu),
                Err(error) => failed = Some(error),
            }
        }
        match (gpus.is_empty(), failed) {
            (true, Some(error)) => return Err(error.into()),
            // The error of no adapter.
            (true, None) => gpus.push(self.machine.gpu(None)?),
            (false, Some(error)) => {
                tracing::warn!(%error, "an ensemble is solved without a device");
            }
            (false, None) => {}
        }
        let on_gpu = OnGpu::on_all(gpus, rounding(guarded));
        self.solve_with_devices(&on_gpu, of, recorder)
    }

    fn solve_with_devices<T: EnsembleScalar>(
        &self,
        on_gpu: &OnGpu,
        (task, equation): (&PathTask<'_>, PathEquation),
        recorder: &mut dyn PathRecorder<T>,
    ) -> Result<Solved, SimulationError> {
        let format = on_gpu.number_format::<T>()?;
        admit(&equation, format)?;
        let DeviceWork { failure, shares } =
            on_gpu.solve_with_fallback(format, (task, equation), recorder)?;
        Ok(Solved { format, failure, shares })
    }
}

/// A solve on a device.
struct Solved {
    /// Its numbers.
    format: NumberFormat,
    /// Error of a device, if another one or the processor solved the rest.
    failure: Option<String>,
    /// Work of each of several devices.
    shares: Vec<DeviceShare>,
}

impl Solved {
    fn numbers(&self) -> Option<&'static str> {
        Some(self.format.name())
    }
}

fn rounding(guarded: bool) -> Rounding {
    if guarded { Rounding::Guarded } else { Rounding::Free }
}

impl<T: EnsembleScalar> PathExecutor<T> for OnMachine<'_> {
    type Error = SimulationError;

    fn solve(
        &self,
        task: &PathTask<'_>,
        recorder: &mut dyn PathRecorder<T>,
    ) -> Result<(), SimulationError> {
        match self.backend {
            SimulationBackend::Wgpu { adapter, guarded } => {
                let equation = path_equation(task)?;
                let cost = EnsembleCost::of(task, &equation);
                let on = (adapter, guarded);
                let solved = self.solve_on(on, (task, equation), recorder)?;
                if let Some(error) = &solved.failure {
                    let device = named_device(adapter, solved.format);
                    self.describe(&cost, &device, |work| {
                        self.machine.experience().record_failure(work, 1, error)
                    });
                }
                let numbers = solved.numbers();
                let named = SimulationChoice::named(self.backend);
                let choice = SimulationChoice { numbers, failure: solved.failure, ..named };
                let _ = self.choice.set(choice);
                Ok(())
            }
            SimulationBackend::AllGpus { guarded } => {
                let equation = path_equation(task)?;
                let cost = EnsembleCost::of(task, &equation);
                let solved = self.solve_on_all(guarded, (task, equation), recorder)?;
                self.record_failures(&cost, &solved);
                let share = |share: &DeviceShare| format!(", {} on {}", share.paths, share.device);
                let shares: String = solved.shares.iter().map(share).collect();
                let reason = match &shares[..] {
                    "" => "requested, one device".to_owned(),
                    shares => format!("requested, paths: {}", &shares[2..]),
                };
                let (numbers, failure) = (solved.numbers(), solved.failure);
                let named = SimulationChoice::named(self.backend);
                let _ = self.choice.set(SimulationChoice { reason, numbers, failure, ..named });
                Ok(())
            }
            SimulationBackend::Auto { guarded } => self.solve_anywhere(task, guarded, recorder),
            SimulationBackend::Cpu => {
                Ok(recorder.solve_rest().map_err(EquationModelError::from)?)
            }
        }
    }
}

impl OnMachine<'_> {
    /// Records the failures of devices that solved an ensemble together, each by its name; that of all by theirs.
    fn record_failures(&self, cost: &EnsembleCost, solved: &Solved) {
        let of_share = |share: &DeviceShare| {
            let error = share.failure.as_ref()?;
            Some((format!("wgpu on {}", share.device), error.to_string()))
        };
        let mut failures: Vec<_> = solved.shares.iter().filter_map(of_share).collect();
        if failures.is_empty() {
            failures.extend(solved.failure.clone().map(|error| (self.backend.to_string(), error)));
        }
        for (name, error) in failures {
            let device = DeviceCost { name, ..named_device(None, solved.format) };
            self.describe(cost, &device, |work| {
                self.machine.experience().record_failure(work, 1, &error)
            });
        }
    }

    fn describe<R>(
        &self,
        cost: &EnsembleCost,
        device: &DeviceCost,
        with: impl FnOnce(&Work<'_>) -> R,
    ) -> R {
        cost.describe(rayon::current_num_threads(), device, with)
    }

    /// Solves where it is expected to take the least time.
    fn solve_anywhere<T: EnsembleScalar>(
        &self,
        task: &PathTask<'_>,
        guarded: bool,
        recorder: &mut dyn PathRecorder<T>,
    ) -> Result<(), SimulationError> {
        match self.candidate::<T>((task, guarded)) {
            Ok(candidate) => self.solve_with(candidate, (task, guarded), recorder),
            Err(reason) => self.solve_on_cpu(reason, recorder),
        }
    }

    fn solve_on_cpu<T>(
        &self,
        reason: String,
        recorder: &mut dyn PathRecorder<T>,
    ) -> Result<(), SimulationError> {
        tracing::debug!(reason, "an ensemble is solved on the CPU");
        let _ = self.choice.set(SimulationChoice::cpu(reason));
        Ok(recorder.solve_rest().map_err(EquationModelError::from)?)
    }

    /// Solves on the processor or the device, and records the time that it took.
    fn solve_with<T: EnsembleScalar>(
        &self,
        candidate: Candidate,
        (task, guarded): (&PathTask<'_>, bool),
        recorder: &mut dyn PathRecorder<T>,
    ) -> Result<(), SimulationError> {
        let Candidate { equation, cost, device, adapter } = candidate;
        let experience = self.machine.experience();
        let (method, reason) = self.describe(&cost, &device, |work| {
            let method = experience.choose(work);
            (method, reason(work.methods[method].name, &experience.explain_work(work)))
        });
        let start = Instant::now();
        let failure = if method == 0 {
            self.solve_on_cpu(reason, recorder)?;
            None
        } else {
            tracing::debug!(device = device.name, reason, "an ensemble is solved on a GPU");
            let solved = match self.solve_on((adapter, guarded), (task, equation), recorder) {
                Err(SimulationError::Gpu(error)) => {
                    recorder.solve_rest().map_err(EquationModelError::from)?;
                    Solved {
                        format: device.format,
                        failure: Some(error.to_string()),
                        shares: vec![],
                    }
                }
                solved => solved?,
            };
            let backend = SimulationBackend::Wgpu { adapter, guarded };
            let (numbers, failure) = (solved.numbers(), solved.failure.clone());
            let _ = self.choice.set(SimulationChoice { backend, reason, numbers, failure });
            solved.failure
        };
        let seconds = start.elapsed().as_secs_f64();
        self.describe(&cost, &device, |work| match failure {
            Some(error) => {
                experience.record_failure(work, method, &error);
            }
            None => experience.record(work, method, seconds),
        });
        Ok(())
    }

    /// The device that may take less time than the processor, or the reason why there is none.
    fn candidate<T: EnsembleScalar>(
        &self,
        (task, guarded): (&PathTask<'_>, bool),
    ) -> Result<Candidate, String> {
        let refused = |error: SimulationError| error.to_string();
        let equation = path_equation(task).map_err(refused)?;
        let cost = EnsembleCost::of(task, &equation);
        let parts = &self.machine.parts;
        let expected = cost.expected_on_cpu(rayon::current_num_threads());
        if parts.gpus_from == Duration::MAX {
            return Err("the settings exclude GPUs".to_owned());
        }
        if expected < parts.gpus_from.as_secs_f64() {
            return Err(format!("{expected:.1e} s expected, less than a GPU is looked for"));
        }
        let gpus = &parts.backends.gpus;
        let (adapter, position) = fastest(gpus.listed())?;
        let device = gpus.device(position);
        let free = device.free_bytes().or(adapter.memory_bytes);
        let of_device = (&adapter.name[..], adapter.f64);
        let format = number_format::<T>(of_device, rounding(guarded)).map_err(refused)?;
        admit(&equation, format).map_err(refused)?;
        let fraction = parts.experience.settings().memory_limits.device_fraction;
        check_memory((&equation, format), free, fraction)?;
        let name = format!("wgpu on {} ({})", adapter.name, adapter.index);
        let device = DeviceCost { name, kind: adapter.kind, is_open: device.is_open(), format };
        Ok(Candidate { equation, cost, device, adapter: position })
    }
}

/// Device that may solve a task.
struct Candidate {
    equation: PathEquation,
    cost: EnsembleCost,
    device: DeviceCost,
    adapter: Option<usize>,
}

/// Device of a name, without its properties.
fn named_device(adapter: Option<usize>, format: NumberFormat) -> DeviceCost {
    let backend = SimulationBackend::Wgpu { adapter, guarded: false };
    DeviceCost { name: backend.to_string(), kind: AdapterKind::Other, is_open: true, format }
}

/// Expected times of the methods, and whether the method is another one than that of the least.
fn reason(method: &str, explanation: &Explanation) -> String {
    let tried = explanation.chosen.as_deref().is_some_and(|chosen| chosen != method);
    let tried = if tried { "tried to learn its time; " } else { "" };
    let row = |row: &hpfracc_selector::Row| {
        let expected = &row.prediction;
        let source = expected.source;
        format!("{} {:.1e} s ({source}), {}", expected.candidate, expected.seconds, row.reason)
    };
    let rows: Vec<String> = explanation.rows.iter().map(row).collect();
    format!("{tried}expected {}", rows.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc_selector::{Experience, Exploration, Settings};
    use hpfracc_wgpu::AdapterDescription;
    use hpfracc_wgpu::ensemble::PathScheme;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

    fn adapter(name: &str, kind: AdapterKind) -> (AdapterDescription, Option<usize>) {
        let adapter = AdapterDescription {
            index: 1,
            name: name.to_owned(),
            interface: "vulkan".to_owned(),
            driver: "driver".to_owned(),
            kind,
            f64: false,
            f16: false,
            subgroups: false,
            timestamps: false,
            memory_bytes: Some(1 << 30),
            max_buffer_bytes: 1 << 28,
            max_binding_bytes: 1 << 27,
            workgroup_bytes: 1 << 14,
            workgroup_size: 256,
        };
        (adapter, Some(1))
    }

    fn discrete(name: &str) -> DeviceCost {
        let (kind, format) = (AdapterKind::Discrete, NumberFormat::Single);
        DeviceCost { name: name.to_owned(), kind, is_open: true, format }
    }

    fn equation() -> PathEquation {
        let text = "dX = (sin(3 t) - X) dt + 0.1 sqrt(1 + X^2) dW; X(0) = 1";
        let equation = hpfracc_equation::Equation::parse(text).unwrap();
        PathEquation {
            coefficients: hpfracc_equation::wgsl::coefficients(&equation).unwrap(),
            parameters: vec![],
            dim: 1,
            streams: vec![1 << 24],
            correlation: None,
            integrals: None,
            fractional: vec![],
            jumps: vec![],
            noise: vec![],
            scheme: PathScheme::EulerMaruyama,
            stops: None,
        }
    }

    fn choose(experience: &Arc<Experience>, paths: u64, device: &DeviceCost) -> (usize, String) {
        EnsembleCost::sized(&equation(), (paths, 1000)).describe(4, device, |work| {
            let method = experience.choose(work);
            (method, reason(work.methods[method].name, &experience.explain_work(work)))
        })
    }

    #[test]
    fn software_adapters_are_never_chosen() {
        let software = adapter("llvmpipe", AdapterKind::Software);
        let discrete = adapter("discrete", AdapterKind::Discrete);
        assert_eq!(fastest(&[software.clone(), discrete.clone()]), Ok(discrete));
        let none = fastest(&[software]).unwrap_err();
        assert!(none.contains("only software adapters: `llvmpipe`"), "{none}");
        assert!(fastest(&[]).unwrap_err().contains("no adapter"));
    }

    #[test]
    fn memory_is_checked_first() {
        let equation = equation();
        let (single, double) = (NumberFormat::Single, NumberFormat::Double);
        assert_eq!(check_memory((&equation, single), None, 0.5), Ok(()));
        assert_eq!(check_memory((&equation, double), Some(1 << 30), 0.5), Ok(()));
        assert!(check_memory((&equation, double), Some(80_000), 0.5).is_err());
        assert_eq!(check_memory((&equation, single), Some(80_000), 0.5), Ok(()));
        let refused = check_memory((&equation, single), Some(40_000), 0.5).unwrap_err();
        assert!(refused.contains("32768 bytes") && refused.contains("20000"), "{refused}");
    }

    /// Priors first: small ensembles on the processor, large ones on the device. Then recorded times, also those of
    /// other sizes, and no device that rests after a failure.
    #[test]
    fn rates_are_learned() {
        let settings = Settings {
            exploration: Exploration { fraction: 0.0, fixed: Duration::ZERO },
            ..Settings::default()
        };
        let experience = Experience::new(settings);
        let device = discrete("wgpu on x");
        let (small, why) = choose(&experience, 100, &device);
        assert!(small == 0 && why.contains("(prior)"), "{why}");
        let (large, why) = choose(&experience, 1_000_000, &device);
        assert!(large == 1 && why.contains("wgpu on x"), "{why}");
        // A device far slower than expected.
        for paths in [500_000, 1_000_000, 2_000_000] {
            EnsembleCost::sized(&equation(), (paths, 1000)).describe(4, &device, |work| {
                experience.record(work, 0, 1e-6 * paths as f64);
                experience.record(work, 1, 1e-4 * paths as f64);
            });
        }
        let (slow, why) = choose(&experience, 1_500_000, &device);
        assert!(slow == 0 && why.contains("(model)"), "{why}");
        let other = DeviceCost { name: "wgpu on y".to_owned(), ..device };
        assert_eq!(choose(&experience, 1_000_000, &other).0, 1);
        EnsembleCost::sized(&equation(), (1_000_000, 1000)).describe(4, &other, |work| {
            experience.record_failure(work, 1, "lost");
        });
        let (resting, why) = choose(&experience, 1_000_000, &other);
        assert!(resting == 0 && why.contains("rests"), "{why}");
        assert!(experience.history().iter().any(|event| event.to_string().contains("lost")));
    }

    /// An executor whose device passes for a discrete one.
    struct Forced<'a>(OnMachine<'a>);

    impl PathExecutor<f32> for Forced<'_> {
        type Error = SimulationError;

        fn solve(
            &self,
            task: &PathTask<'_>,
            recorder: &mut dyn PathRecorder<f32>,
        ) -> Result<(), SimulationError> {
            let equation = path_equation(task)?;
            let device = discrete("wgpu on x");
            let cost = EnsembleCost::of(task, &equation);
            // Times of a slow processor.
            self.0.describe(&cost, &device, |work| {
                (0..3).for_each(|_| self.0.machine.experience().record(work, 0, 10.0));
            });
            let candidate = Candidate { equation, cost, device, adapter: None };
            self.0.solve_with(candidate, (task, true), recorder)
        }
    }

    /// A device that is chosen solves the ensemble, its time is recorded, and after a loss the processor solves the rest
    /// and is chosen while the device rests.
    #[test]
    fn a_chosen_device_is_used_and_learned_from() {
        use hpfracc_sde::{Ensemble, EquationModel, EulerMaruyama, Paths};
        let machine = Machine::detect();
        if let Err(error) = machine.gpu(None) {
            assert!(std::env::var("HPFRACC_REQUIRE_GPU").as_deref() != Ok("1"), "{error}");
            return println!("skipped: a_chosen_device_is_used: no adapter");
        }
        let text = "dX = -X dt + 0.3 X dW; X(0) = 1; t in [0, 1]";
        let model = EquationModel::new(&hpfracc_equation::Equation::parse(text).unwrap()).unwrap();
        let ensemble = Ensemble::new(200, 60).unwrap().saving_every(10).unwrap();
        let lose = AtomicBool::new(false);
        let watched = |progress: hpfracc_sde::Progress| {
            if lose.load(Relaxed) && progress.share > 0.5 {
                machine.gpu(None).unwrap().device().destroy();
                lose.store(false, Relaxed);
            }
        };
        let ensemble = ensemble.watched_by(&watched);
        let auto = SimulationBackend::Auto { guarded: true };
        let solve = || {
            let executor = Forced(OnMachine::new(&machine, auto));
            let on = (&ensemble, 7);
            let paths = model.simulate_on(&executor, &EulerMaruyama, on, &Paths).unwrap();
            (paths, executor.0.choice())
        };
        let expected = model.simulate_with::<f32, _, _>(&EulerMaruyama, &ensemble, 7, &Paths);
        let expected = expected.unwrap();
        for (losing, failed, on_device) in
            [(false, false, true), (true, true, true), (false, false, false)]
        {
            lose.store(losing, Relaxed);
            let (found, choice) = solve();
            println!("{choice}");
            assert_eq!(found, expected);
            assert_eq!(choice.failure.is_some(), failed, "{choice}");
            let used = matches!(choice.backend, SimulationBackend::Wgpu { .. });
            assert_eq!(used, on_device, "{choice}");
        }
        let events = machine.history();
        let failed = |event: &hpfracc_selector::Event| event.candidate == "wgpu on x";
        assert!(events.iter().any(failed), "{events:?}");
    }
}

//! Maps of all kinds through selectors with failing candidates, held against the reference.

use crate::dice::Dice;
use crate::faults::{Failing, Faults};
use crate::runs::{LONGEST_BLOCK, LONGEST_OPERATOR, stream_nodes};
use hpfracc::backend::{Backend, Kind, RealTransform, Reference, Shape, TransformAxes, Workload};
use hpfracc::cpu::{Direct, Fft, Gemm, ParallelFft, ParallelRecurrence, Recurrence};
use hpfracc::selector::{Candidate, Effort, Experience, Place, Prior, Selector, Settings};
use hpfracc::types::Real;
use hpfracc::{Machine, Settings as MachineSettings};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The selectors, which learn together, and a machine as programs have it.
pub(crate) struct Maps {
    single: Selector<f32>,
    pub(crate) double: Selector<f64>,
    machine: Machine,
    wisdom: PathBuf,
    faults: Arc<Faults>,
    /// Drawn again and again, so that choices settle.
    pool: Vec<Workload>,
    /// Whether only the pool is drawn from.
    closed: AtomicBool,
}

/// Workloads in the pool.
const POOL: usize = 300;

/// More workloads than a selector stores statistics of.
const ALL_STATISTICS: usize = 4200;

impl Maps {
    pub(crate) fn new(faults: &Arc<Faults>, folder: &Path) -> Self {
        let experience = Experience::new(Settings::default());
        let selector = "candidates with names of their own";
        let mut dice = Dice::new(1);
        let mut settings = MachineSettings::default();
        // Adapters at once: with feature `gpu`, and software Vulkan, their backends may be chosen.
        settings.gpus_from = std::time::Duration::ZERO;
        Self {
            single: Selector::new(candidates(faults), Arc::clone(&experience)).expect(selector),
            double: Selector::new(candidates(faults), experience).expect(selector),
            machine: Machine::with(&settings).expect("backends"),
            wisdom: folder.join("wisdom.json"),
            faults: Arc::clone(faults),
            pool: (0..POOL).map(|_| workload(&mut dice)).collect(),
            closed: AtomicBool::new(false),
        }
    }

    /// Fills what selectors store for later runs, and draws from the pool alone from now on: memory
    /// in use that grows afterwards is a leak.
    pub(crate) fn settle(&self) {
        self.closed.store(true, Relaxed);
        let mut dice = Dice::new(2);
        for workload in (0..ALL_STATISTICS).map(|_| workload(&mut dice)) {
            Backend::<f32>::plan(&self.single, workload).expect("one of the candidates");
            Backend::<f64>::plan(&self.double, workload).expect("one of the candidates");
        }
        for workload in &self.pool {
            self.single.measure(*workload, Effort::Measure).expect("buffers");
            self.double.measure(*workload, Effort::Measure).expect("buffers");
            (0..3).for_each(|_| trial::<f64>(&self.machine, *workload, 1e-10, &mut dice));
        }
        // Those of operators and streams.
        let convolution = |len| Workload::CausalConvolution { len, batch: 1 };
        let sums = |len| Workload::Recurrence { nodes: stream_nodes(), len, batch: 1 };
        let convolutions = (1..=LONGEST_OPERATOR).map(convolution);
        for workload in convolutions.chain((1..=LONGEST_BLOCK).map(sums)) {
            self.double.measure(workload, Effort::Measure).expect("buffers");
        }
    }

    /// One workload a few times, forward and transposed: of the pool, or one that was most likely
    /// never seen before, so that others have to make room.
    pub(crate) fn trial(&self, dice: &mut Dice) {
        let of_pool = self.closed.load(Relaxed) || dice.below(2) == 0;
        let workload = if of_pool { self.pool[dice.below(POOL)] } else { workload(dice) };
        if dice.below(2) == 0 {
            trial(&self.single, workload, 2e-4, dice);
        } else {
            trial(&self.double, workload, 1e-10, dice);
        }
        if dice.below(4) == 0 {
            trial::<f64>(&self.machine, workload, 1e-10, dice);
        }
    }

    /// Timings from one selector's file into another's, while all of them work.
    pub(crate) fn keep_wisdom(&self) {
        let faults = &self.faults;
        self.double.experience().save_wisdom(&self.wisdom).expect("a file");
        let experience = Experience::new(Settings::default());
        let _single = Selector::<f32>::new(candidates(faults), Arc::clone(&experience)).unwrap();
        let other = Selector::<f64>::new(candidates(faults), experience).unwrap();
        other.experience().load_wisdom(&self.wisdom).expect("what was just written");
        self.double.experience().load_wisdom(&self.wisdom).expect("what was just written");
    }
}

/// All backends of the processor on a device that fails, and the loops, which do not.
fn candidates<T: Real>(faults: &Arc<Faults>) -> Vec<Candidate<T>>
where
    Direct: Backend<T>,
    Fft: Backend<T>,
    Gemm: Backend<T>,
    ParallelFft: Backend<T>,
    Recurrence: Backend<T>,
    ParallelRecurrence: Backend<T>,
{
    vec![
        failing(Direct, faults).for_kinds([Kind::CausalConvolution]),
        failing(Fft::new(), faults),
        failing(ParallelFft::new(), faults),
        failing(Gemm, faults).for_kinds([Kind::Dense]),
        failing(Recurrence, faults).for_kinds([Kind::Recurrence]),
        failing(ParallelRecurrence, faults).for_kinds([Kind::Recurrence]),
        Candidate::new(Reference, Prior::LOOPS),
    ]
}

fn failing<T: Real>(inner: impl Backend<T> + 'static, faults: &Arc<Faults>) -> Candidate<T> {
    let prior = Machine::prior(inner.name(), 1).expect("a backend on the processor");
    let (name, driver) = (format!("failing-{}", inner.name()), "1.0".to_owned());
    let device = name.clone();
    let place = Place::Device { name: device, driver, software: false, free: Arc::new(|| None) };
    Candidate::new(Failing { name, inner, faults: Arc::clone(faults) }, prior).on(place)
}

fn workload(dice: &mut Dice) -> Workload {
    let batch = 1 + dice.below(4);
    let len = 1 + dice.below(700);
    match dice.below(5) {
        0 => Workload::CausalConvolution { len, batch },
        1 => Workload::SpectralMultiplier { shape: Shape::line(len), batch },
        2 => {
            let transforms = RealTransform::ALL;
            let mut axis = |len| (1 + dice.below(len), transforms[dice.below(transforms.len())]);
            let axes = TransformAxes::new(&[axis(20), axis(30)]).unwrap();
            Workload::TrigonometricMultiplier { axes, batch }
        }
        3 => Workload::Dense { rows: 1 + len / 4, cols: 1 + dice.below(90), batch },
        _ => Workload::Recurrence { nodes: 1 + dice.below(40), len, batch },
    }
}

fn trial<T: Real>(backend: &dyn Backend<T>, workload: Workload, tolerance: f64, dice: &mut Dice) {
    let kernel: Vec<T> = numbers(kernel(workload, dice));
    let map = backend.plan(workload).unwrap().bind(&kernel).unwrap();
    let exact = Backend::<T>::plan(&Reference, workload).unwrap().bind(&kernel).unwrap();
    let (inputs, outputs) = (workload.signal_len(), workload.output_len());
    let batch = workload.batch();
    for _ in 0..1 + dice.below(4) {
        let x: Vec<T> = numbers(dice.numbers(inputs * batch));
        let g: Vec<T> = numbers(dice.numbers(outputs * batch));
        let [mut y, mut expected] = [vec![T::NAN; outputs * batch], vec![T::NAN; outputs * batch]];
        map.apply(&x, &mut y).unwrap();
        exact.apply(&x, &mut expected).unwrap();
        close(workload, &y, &expected, tolerance);
        let [mut y, mut expected] = [vec![T::NAN; inputs * batch], vec![T::NAN; inputs * batch]];
        map.apply_transpose(&g, &mut y).unwrap();
        exact.apply_transpose(&g, &mut expected).unwrap();
        close(workload, &y, &expected, tolerance);
    }
}

/// Decaying rates for a recurrence, real symbols, anything else for the others.
fn kernel(workload: Workload, dice: &mut Dice) -> Vec<f64> {
    let mut kernel = dice.numbers(workload.kernel_len());
    match workload {
        Workload::Recurrence { nodes, .. } => {
            kernel[1..=nodes].iter_mut().for_each(|rate| *rate = 0.5 + 0.45 * *rate);
        }
        Workload::SpectralMultiplier { .. } => {
            kernel.iter_mut().skip(1).step_by(2).for_each(|imaginary| *imaginary = 0.0);
        }
        _ => {}
    }
    kernel
}

fn numbers<T: Real>(numbers: Vec<f64>) -> Vec<T> {
    numbers.into_iter().map(T::narrow).collect()
}

/// Relative to the largest of what is expected, or to 1.
pub(crate) fn close<T: Real>(what: impl Display, found: &[T], expected: &[T], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let scale = expected.iter().fold(1.0f64, |most, y| most.max(y.widen().abs()));
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        let (found, expected) = (found.widen(), expected.widen());
        let close = (found - expected).abs() <= tolerance * scale;
        assert!(close, "{what}, entry {i}: {found}, expected {expected}");
    }
}

//! The table of all backends. A new backend is one row here.

use super::thread_pool::{InPool, Threads};
use hpfracc_backend::{Backend, Kind, Reference};
use hpfracc_cpu::{Direct, Fft, Gemm, ParallelFft, ParallelRecurrence, Recurrence};
use hpfracc_selector::{Prior, UnitCosts};
#[cfg(feature = "gpu")]
use hpfracc_wgpu::{self as wgpu, DoubleFloat, F64, Gpu};
use std::sync::{Arc, LazyLock};

/// A backend: name, kinds of workload, expected cost and constructor.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// Kinds of workload that it has algorithms for.
    pub(crate) kinds: &'static [Kind],
    /// Expected cost in double precision, before anything was timed.
    pub(crate) prior: fn(Resources) -> Prior,
    pub(crate) constructor: Constructor,
}

/// What the expected cost of a backend depends on.
#[derive(Clone, Copy)]
pub(crate) struct Resources {
    /// Number of threads of the processor.
    pub(crate) threads: usize,
    /// Products or levels of transforms that a device computes in a second.
    #[cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "the speed of an adapter"))]
    pub(crate) per_second: f64,
}

/// How a backend is made.
pub(crate) enum Constructor {
    /// On the calling thread.
    Host(fn() -> Pair),
    /// On the threads of a pool: the machine's own, or else the current one.
    Threads(fn(Option<&Arc<Threads>>) -> Pair),
    /// By its name alone; never chosen among others.
    ByName(fn() -> Pair),
    /// On a GPU, once its device is open.
    #[cfg(feature = "gpu")]
    Gpu(GpuConstructor),
}

/// Backends on an open device, by precision.
#[cfg(feature = "gpu")]
pub(crate) struct GpuConstructor {
    pub(crate) single: fn(&Gpu) -> Arc<dyn Backend<f32>>,
    pub(crate) double: fn(&F64) -> Arc<dyn Backend<f64>>,
    /// Double precision as pairs of `f32`.
    pub(crate) pairs: fn(&DoubleFloat) -> Arc<dyn Backend<f64>>,
}

/// A backend in both precisions.
#[derive(Clone)]
pub(crate) struct Pair {
    pub(crate) single: Arc<dyn Backend<f32>>,
    pub(crate) double: Arc<dyn Backend<f64>>,
}

impl Pair {
    /// One backend for both precisions; its clones share their plans.
    fn of(backend: impl Backend<f32> + Backend<f64> + Clone + 'static) -> Self {
        Self { single: Arc::new(backend.clone()), double: Arc::new(backend) }
    }

    /// The same in a pool of its own, if there is one.
    fn in_pool<B>(inner: B, pool: Option<&Arc<Threads>>) -> Self
    where
        B: Backend<f32> + Backend<f64> + Clone + 'static,
    {
        match pool {
            Some(pool) => Self::of(InPool { inner, pool: Arc::clone(pool) }),
            None => Self::of(inner),
        }
    }
}

const CONVOLUTION: &[Kind] = &[Kind::CausalConvolution];
const TRANSFORMED: &[Kind] =
    &[Kind::CausalConvolution, Kind::SpectralMultiplier, Kind::TrigonometricMultiplier];
const DENSE: &[Kind] = &[Kind::Dense];
const RECURRENCE: &[Kind] = &[Kind::Recurrence];

/// Seconds that waking the threads of a pool takes.
const WAKE: f64 = 1.2e-5;

/// Constructors of a backend in the precisions of a device.
#[cfg(feature = "gpu")]
macro_rules! on_gpu {
    ($backend:ident) => {
        Constructor::Gpu(GpuConstructor {
            single: |gpu| Arc::new(wgpu::$backend::new(&gpu.f32())),
            double: |gpu| Arc::new(wgpu::$backend::new(gpu)),
            pairs: |gpu| Arc::new(wgpu::$backend::new(gpu)),
        })
    };
}

/// All backends, in the order in which they are listed.
pub(crate) const TABLE: &[Row] = &[
    Row {
        name: "cpu-direct",
        kinds: CONVOLUTION,
        prior: |_| Prior {
            plan: UnitCosts { call: 3e-7, kernel: 1e-11, ..UnitCosts::ZERO },
            bind: UnitCosts { call: 1e-7, kernel: 3e-10, ..UnitCosts::ZERO },
            apply: UnitCosts {
                call: 2e-8,
                signal: 1e-8,
                sample: 1e-10,
                product: 3e-11,
                ..UnitCosts::ZERO
            },
        },
        constructor: Constructor::Host(|| Pair::of(Direct)),
    },
    Row {
        name: "cpu-fft",
        kinds: TRANSFORMED,
        prior: |_| FFT,
        constructor: Constructor::Host(|| Pair::of(Fft::new())),
    },
    Row {
        name: "cpu-parallel-fft",
        kinds: TRANSFORMED,
        prior: |on| FFT.divided(on.threads, WAKE),
        constructor: Constructor::Threads(|pool| Pair::in_pool(ParallelFft::new(), pool)),
    },
    Row {
        name: "cpu-gemm",
        kinds: DENSE,
        prior: |_| Prior {
            plan: UnitCosts { call: 1e-7, ..UnitCosts::ZERO },
            bind: UnitCosts { call: 1e-7, kernel: 4e-10, ..UnitCosts::ZERO },
            apply: UnitCosts {
                call: 2e-7,
                signal: 1e-8,
                sample: 3e-10,
                kernel: 5e-11,
                product: 3e-11,
                ..UnitCosts::ZERO
            },
        },
        constructor: Constructor::Host(|| Pair::of(Gemm)),
    },
    Row {
        name: "cpu-recurrence",
        kinds: RECURRENCE,
        prior: |_| STATES,
        constructor: Constructor::Host(|| Pair::of(Recurrence)),
    },
    Row {
        name: "cpu-parallel-recurrence",
        kinds: RECURRENCE,
        prior: |on| STATES.divided(on.threads, WAKE),
        constructor: Constructor::Threads(|pool| Pair::in_pool(ParallelRecurrence, pool)),
    },
    Row {
        name: "reference",
        kinds: &Kind::ALL,
        prior: |_| Prior::LOOPS,
        constructor: Constructor::ByName(|| Pair::of(Reference)),
    },
    #[cfg(feature = "gpu")]
    Row {
        name: "wgpu-direct",
        kinds: CONVOLUTION,
        prior: |on| sums_on_device(on.per_second),
        constructor: on_gpu!(Direct),
    },
    #[cfg(feature = "gpu")]
    Row {
        name: "wgpu-fft",
        kinds: TRANSFORMED,
        prior: |on| {
            let device = Prior::device(on.per_second);
            Prior { apply: UnitCosts { product: 0.0, ..device.apply }, ..device }
        },
        constructor: on_gpu!(Fft),
    },
    #[cfg(feature = "gpu")]
    Row {
        name: "wgpu-gemm",
        kinds: DENSE,
        prior: |on| sums_on_device(on.per_second),
        constructor: on_gpu!(Gemm),
    },
    #[cfg(feature = "gpu")]
    Row {
        name: "wgpu-recurrence",
        kinds: RECURRENCE,
        // An invocation takes a signal: 2 ns per node and sample, however few the signals are.
        prior: |on| {
            let sums = sums_on_device(on.per_second);
            Prior { apply: UnitCosts { transform: 2e-9, ..sums.apply }, ..sums }
        },
        constructor: on_gpu!(Recurrence),
    },
];

/// Fourier transforms on one thread.
const FFT: Prior = Prior {
    plan: UnitCosts { call: 5e-6, kernel: 8e-9, ..UnitCosts::ZERO },
    bind: UnitCosts { call: 4e-7, kernel: 1e-9, transform: 2.5e-10, ..UnitCosts::ZERO },
    apply: UnitCosts {
        call: 6e-8,
        signal: 8e-8,
        sample: 3e-10,
        transform: 5e-10,
        ..UnitCosts::ZERO
    },
};

/// Recurrences with their states in registers, on one thread.
const STATES: Prior = Prior {
    plan: UnitCosts { call: 1e-7, ..UnitCosts::ZERO },
    bind: UnitCosts { call: 1e-7, kernel: 1e-9, ..UnitCosts::ZERO },
    apply: UnitCosts {
        call: 2e-8,
        signal: 1e-8,
        sample: 1e-9,
        product: 2.5e-11,
        ..UnitCosts::ZERO
    },
};

/// Sums on a device, without transforms.
#[cfg(feature = "gpu")]
fn sums_on_device(per_second: f64) -> Prior {
    let device = Prior::device(per_second);
    Prior {
        bind: UnitCosts { transform: 0.0, ..device.bind },
        apply: UnitCosts { transform: 0.0, ..device.apply },
        ..device
    }
}

impl Row {
    /// Whether the backend computes on the processor and is chosen among others.
    pub(crate) fn is_on_host(&self) -> bool {
        matches!(self.constructor, Constructor::Host(_) | Constructor::Threads(_))
    }

    /// Whether the backend computes on a GPU.
    pub(crate) fn is_on_gpu(&self) -> bool {
        #[cfg(feature = "gpu")]
        let on_gpu = matches!(self.constructor, Constructor::Gpu(_));
        #[cfg(not(feature = "gpu"))]
        let on_gpu = false;
        on_gpu
    }

    /// Whether double precision may be computed in single: not by the reference, and not the states
    /// of a recurrence.
    pub(crate) fn can_be_rounded(&self) -> bool {
        !matches!(self.constructor, Constructor::ByName(_)) && self.kinds != RECURRENCE
    }
}

/// Suffix of the names of double precision as pairs of `f32`.
pub(crate) const PAIRS: &str = "-df64";

/// Suffix of the names of double precision computed in single.
pub(crate) const ROUNDED: &str = "-rounded-to-f32";

/// Names of the backends and of their variants, without positions of adapters, not joined.
pub(crate) fn names() -> &'static [String] {
    static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
        let plain = TABLE.iter().map(|row| row.name.to_owned());
        let on_gpu = TABLE.iter().filter(|row| row.is_on_gpu());
        let pairs = on_gpu.map(|row| format!("{}{PAIRS}", row.name));
        let rounded = TABLE.iter().filter(|row| row.can_be_rounded());
        let rounded = rounded.map(|row| format!("{}{ROUNDED}", row.name));
        plain.chain(pairs).chain(rounded).collect()
    });
    &NAMES
}

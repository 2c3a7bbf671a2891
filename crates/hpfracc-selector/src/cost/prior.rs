use super::features::{Counts, TERMS};
use crate::task::Stage;

/// Seconds per unit of each kind of work: the coefficients of a cost model.
///
/// A coefficient of zero says that the algorithm has no such work. It stays zero in every fit.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct UnitCosts {
    /// Per call: start-up, launch, waking of threads.
    pub call: f64,
    /// Per signal of the batch.
    pub signal: f64,
    /// Per sample in or out: memory traffic, transfer to a device and back.
    pub sample: f64,
    /// Per entry of the kernel.
    pub kernel: f64,
    /// Per point of a transform and level of it: N log2 N units. Of a recurrence, per node and
    /// sample of one signal: the part that a device with one core per signal cannot divide.
    pub transform: f64,
    /// Per product of a direct sum.
    pub product: f64,
}

impl UnitCosts {
    /// No work at all.
    pub const ZERO: Self =
        Self { call: 0.0, signal: 0.0, sample: 0.0, kernel: 0.0, transform: 0.0, product: 0.0 };

    pub(crate) fn coefficients(&self) -> Coefficients {
        [self.call, self.signal, self.sample, self.kernel, self.transform, self.product]
    }

    /// All but the cost per call times `factor`.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        Self {
            call: self.call,
            signal: self.signal * factor,
            sample: self.sample * factor,
            kernel: self.kernel * factor,
            transform: self.transform * factor,
            product: self.product * factor,
        }
    }
}

/// Seconds per unit of each term.
pub(crate) type Coefficients = [f64; TERMS];

/// Seconds of the terms together, `sum_j c_j n_j`; at least 0.1 ns.
pub(crate) fn seconds(coefficients: &Coefficients, counts: &Counts) -> f64 {
    coefficients.iter().zip(counts).map(|(c, n)| c * n).sum::<f64>().max(1e-10)
}

/// Costs of a candidate before anything was timed, in double precision; single precision takes
/// [`Prior::SINGLE`] times the work.
///
/// A factor of two or three is accurate enough: a few timings outweigh the prior.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prior {
    /// Making a plan.
    pub plan: UnitCosts,
    /// Binding it to a kernel.
    pub bind: UnitCosts,
    /// One application.
    pub apply: UnitCosts,
}

impl Prior {
    /// Work in single precision relative to double precision.
    pub const SINGLE: f64 = 0.55;

    /// Plain loops without vector instructions: for a backend of which nothing better is known.
    pub const LOOPS: Self = Self {
        plan: UnitCosts { call: 1e-7, ..UnitCosts::ZERO },
        bind: UnitCosts { call: 1e-7, kernel: 1e-9, ..UnitCosts::ZERO },
        apply: UnitCosts {
            call: 1e-7,
            signal: 1e-7,
            sample: 1e-9,
            product: 1e-9,
            ..UnitCosts::ZERO
        },
    };

    /// The application divided among `threads` threads, which take `call` seconds to wake.
    #[must_use]
    pub fn divided(self, threads: usize, call: f64) -> Self {
        let apply = self.apply.scaled(1.0 / threads.max(1) as f64);
        Self { apply: UnitCosts { call, ..apply }, ..self }
    }

    /// A device on a bus: 50 us a call, 10 GB/s in each direction, and `per_second` products or
    /// points of transforms per second once the data is on the device.
    pub fn device(per_second: f64) -> Self {
        let work = 1.0 / per_second.max(1.0);
        Self {
            plan: UnitCosts { call: 5e-3, ..UnitCosts::ZERO },
            bind: UnitCosts { call: 2e-4, kernel: 8e-10, transform: work, ..UnitCosts::ZERO },
            apply: UnitCosts {
                call: 5e-5,
                sample: 8e-10,
                transform: work,
                product: work,
                ..UnitCosts::ZERO
            },
        }
    }

    /// The same costs in single precision.
    pub(crate) fn single(&self) -> Self {
        Self {
            plan: self.plan,
            bind: self.bind.scaled(Self::SINGLE),
            apply: self.apply.scaled(Self::SINGLE),
        }
    }

    /// Coefficients by stage.
    pub(crate) fn by_stage(&self) -> [Coefficients; Stage::COUNT] {
        [&self.plan, &self.bind, &self.apply, &self.apply].map(UnitCosts::coefficients)
    }
}

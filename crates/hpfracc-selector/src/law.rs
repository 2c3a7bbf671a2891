use crate::features::{Counts, TERMS};
use crate::task::Stage;

/// Seconds per unit of each kind of work: what a candidate is expected to cost before it was ever
/// timed, and what is fitted afterwards.
///
/// A term of zero does not occur in the algorithm, and stays zero in every fit.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Law {
    /// Per call: start-up, launch, threads woken.
    pub call: f64,
    /// Per signal of the batch.
    pub signal: f64,
    /// Per sample in or out: traffic, transfer to a device and back.
    pub sample: f64,
    /// Per entry of the kernel.
    pub kernel: f64,
    /// Per point of a transform and level of it: N log2 N of them. Of a recurrence, per node and
    /// sample of one signal: what a device that takes a signal to a core cannot divide.
    pub transform: f64,
    /// Per product of a direct sum.
    pub product: f64,
}

impl Law {
    pub(crate) fn coefficients(&self) -> [f64; TERMS] {
        [self.call, self.signal, self.sample, self.kernel, self.transform, self.product]
    }

    /// All but the start-up times `factor`.
    fn scaled(&self, factor: f64) -> Self {
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

/// Expected seconds of a law.
pub(crate) fn seconds(coefficients: &[f64; TERMS], counts: &Counts) -> f64 {
    coefficients.iter().zip(counts).map(|(c, n)| c * n).sum::<f64>().max(1e-10)
}

/// The laws of a candidate before anything was timed, in double precision; single precision takes
/// [`Prior::SINGLE`] of the work.
///
/// They need to be right to within a factor of two or three: what was timed soon outweighs them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prior {
    /// Making a plan.
    pub plan: Law,
    /// Binding it to a kernel.
    pub bind: Law,
    /// One application.
    pub apply: Law,
}

impl Prior {
    /// Work in single precision relative to double precision.
    pub const SINGLE: f64 = 0.55;

    const NONE: Law =
        Law { call: 0.0, signal: 0.0, sample: 0.0, kernel: 0.0, transform: 0.0, product: 0.0 };

    /// Plain loops without vector instructions.
    pub const LOOPS: Self = Self {
        plan: Law { call: 1e-7, ..Self::NONE },
        bind: Law { call: 1e-7, kernel: 1e-9, ..Self::NONE },
        apply: Law { call: 1e-7, signal: 1e-7, sample: 1e-9, product: 1e-9, ..Self::NONE },
    };

    /// Direct sums in registers on one thread.
    pub const SUMS: Self = Self {
        plan: Law { call: 3e-7, kernel: 1e-11, ..Self::NONE },
        bind: Law { call: 1e-7, kernel: 3e-10, ..Self::NONE },
        apply: Law { call: 2e-8, signal: 1e-8, sample: 1e-10, product: 3e-11, ..Self::NONE },
    };

    /// Fourier transforms on one thread.
    pub const TRANSFORMS: Self = Self {
        plan: Law { call: 5e-6, kernel: 8e-9, ..Self::NONE },
        bind: Law { call: 4e-7, kernel: 1e-9, transform: 2.5e-10, ..Self::NONE },
        apply: Law { call: 6e-8, signal: 8e-8, sample: 3e-10, transform: 5e-10, ..Self::NONE },
    };

    /// Dense products in registers on one thread.
    pub const PRODUCTS: Self = Self {
        plan: Law { call: 1e-7, ..Self::NONE },
        bind: Law { call: 1e-7, kernel: 4e-10, ..Self::NONE },
        apply: Law {
            call: 2e-7,
            signal: 1e-8,
            sample: 3e-10,
            kernel: 5e-11,
            product: 3e-11,
            ..Self::NONE
        },
    };

    /// Recurrences with their states in registers on one thread.
    pub const RECURRENCES: Self = Self {
        plan: Law { call: 1e-7, ..Self::NONE },
        bind: Law { call: 1e-7, kernel: 1e-9, ..Self::NONE },
        apply: Law { call: 2e-8, signal: 1e-8, sample: 1e-9, product: 2.5e-11, ..Self::NONE },
    };

    /// The same with the signals of a batch shared among threads.
    pub fn parallel_recurrences(threads: usize) -> Self {
        let mut apply = Self::RECURRENCES.apply.scaled(1.0 / threads.max(1) as f64);
        apply.call = 1.2e-5;
        Self { apply, ..Self::RECURRENCES }
    }

    /// Fourier transforms shared among threads, which need some microseconds to wake.
    pub fn parallel_transforms(threads: usize) -> Self {
        let mut apply = Self::TRANSFORMS.apply.scaled(1.0 / threads.max(1) as f64);
        apply.call = 1.2e-5;
        Self { apply, ..Self::TRANSFORMS }
    }

    /// A device behind a bus: 50 us a call and 10 GB/s there and back, with `per_second` products or
    /// transform levels a second once the data is there.
    pub fn device(per_second: f64) -> Self {
        let work = 1.0 / per_second.max(1.0);
        Self {
            plan: Law { call: 5e-3, ..Self::NONE },
            bind: Law { call: 2e-4, kernel: 8e-10, transform: work, ..Self::NONE },
            apply: Law { call: 5e-5, sample: 8e-10, transform: work, product: work, ..Self::NONE },
        }
    }

    /// [`Prior::device`] for an algorithm of sums, without transforms.
    pub fn device_sums(per_second: f64) -> Self {
        let mut prior = Self::device(per_second);
        prior.bind.transform = 0.0;
        prior.apply.transform = 0.0;
        prior
    }

    /// [`Prior::device`] for an algorithm of transforms, without sums.
    pub fn device_transforms(per_second: f64) -> Self {
        let mut prior = Self::device(per_second);
        prior.apply.product = 0.0;
        prior
    }

    /// [`Prior::device`] for recurrences, a signal to an invocation: 2 ns for each node and sample,
    /// however few the signals are.
    pub fn device_recurrences(per_second: f64) -> Self {
        let mut prior = Self::device_sums(per_second);
        prior.apply.transform = 2e-9;
        prior
    }

    /// The same in single precision.
    pub(crate) fn single(&self) -> Self {
        Self {
            plan: self.plan,
            bind: self.bind.scaled(Self::SINGLE),
            apply: self.apply.scaled(Self::SINGLE),
        }
    }

    pub(crate) fn law(&self, stage: Stage) -> &Law {
        match stage {
            Stage::Plan => &self.plan,
            Stage::Bind => &self.bind,
            Stage::Forward | Stage::Transpose => &self.apply,
        }
    }
}

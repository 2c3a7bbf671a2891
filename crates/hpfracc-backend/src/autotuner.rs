//! Algorithm selection by measured times: which of several methods to use for a piece of work.

/// Chooses among several methods for one piece of work by the times that earlier runs took.
///
/// A solver that can sum its history in three ways asks with the sizes of the work, runs the
/// method of the index returned, and reports the time:
///
/// ```
/// use hpfracc_backend::{Autotuner, CostTerm, Method, Work};
/// use std::time::Instant;
///
/// fn sum_history(steps: u64, autotuner: &dyn Autotuner) {
///     let n = steps as f64;
///     let work = Work {
///         name: "history of a fractional ODE",
///         scalar: "f64",
///         sizes: &[("components", 1), ("steps", steps)],
///         methods: &[
///             Method { name: "direct", terms: &[CostTerm::new(n * n / 2.0, 1e-10)] },
///             Method {
///                 name: "blocked",
///                 terms: &[CostTerm::new(n, 1e-8), CostTerm::new(n * n.log2().powi(2), 1e-9)],
///             },
///         ],
///     };
///     let method = autotuner.choose(&work);
///     let start = Instant::now();
///     match method {
///         0 => { /* the sum itself */ }
///         _ => { /* blocks by transforms */ }
///     }
///     autotuner.record(&work, method, start.elapsed().as_secs_f64());
/// }
/// ```
///
/// `hpfracc-selector` has the implementation. A caller without an autotuner uses its own
/// thresholds.
pub trait Autotuner: Send + Sync {
    /// Index into [`Work::methods`] of the method to run now: usually the fastest by all timings
    /// so far, now and then another one whose time is worth learning. Zero if there are no methods.
    fn choose(&self, work: &Work<'_>) -> usize;

    /// Records that the method of index `method` took `seconds` for this work, with the same sizes
    /// and methods as in [`Autotuner::choose`]. Times that are not positive, and indices out of
    /// range, are ignored.
    fn record(&self, work: &Work<'_>, method: usize, seconds: f64);
}

/// A piece of work by its sizes, and the methods that can do it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Work<'a> {
    /// Name of the kind of work, part of the key of all timings: the same in every run.
    pub name: &'a str,
    /// Name of the scalar type, [`Real::NAME`](hpfracc_types::Real::NAME). Timings of `f32` and
    /// `f64` are separate; any name but `f32` counts as `f64`.
    pub scalar: &'a str,
    /// Names and values of what the time depends on: kernels, components, steps, decimal digits of
    /// a tolerance. The values are the key of the timings. The first six are the coordinates, in
    /// octaves, over which times are interpolated.
    pub sizes: &'a [(&'a str, u64)],
    /// Methods to choose from, all of which solve the work to the accuracy required. At most 64
    /// are considered.
    pub methods: &'a [Method<'a>],
}

/// One of the methods for a piece of work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Method<'a> {
    /// Name, unique among the methods of the work, part of the key of its timings.
    pub name: &'a str,
    /// Terms of its expected time, `sum_j count_j seconds_j`: at most six, further ones are
    /// ignored. The autotuner fits the seconds of each term to the timings.
    pub terms: &'a [CostTerm],
}

/// A term of the expected time of a method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CostTerm {
    /// Number of operations for the sizes of this work.
    pub count: f64,
    /// Seconds per operation expected before anything was timed; independent of the sizes. A
    /// factor of three is accurate enough.
    pub seconds: f64,
}

impl CostTerm {
    /// `count` operations of `seconds` each.
    pub const fn new(count: f64, seconds: f64) -> Self {
        Self { count, seconds }
    }
}

//! The conformance suite of all backends: their maps against [`Reference`], at awkward sizes.
//!
//! ```
//! use hpfracc_backend::{Kind, Reference, conformance};
//!
//! let report = conformance::verify::<f64>(&Reference, &Kind::ALL, 1e-13)?;
//! assert!(report.maps > 50);
//! # Ok::<(), conformance::Violation>(())
//! ```

mod cases;
mod streaming;
mod violation;

pub use streaming::verify_streaming;
pub use violation::Violation;

use crate::{Backend, BackendError, Kind, LinearMap, Reference, Workload};
use cases::Samples;
use hpfracc_types::Real;

/// Report of a passed suite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Report {
    /// Number of bound maps compared.
    pub maps: usize,
    /// Largest difference from the reference, relative to the reference's largest entry.
    pub worst: f64,
}

/// Compares a backend with [`Reference`] on every kind of workload that it claims, and checks that
/// it refuses the others.
///
/// For each map: forward and transpose against the loops, into buffers filled with NaN; the same
/// bits when applied again; a unit kernel is the identity; nothing wraps around from the last
/// sample to the first; a NaN stays in its own signal of the batch; four concurrent threads get the
/// same results as one; slices of a wrong length are refused and not written. `tolerance` bounds
/// the largest difference relative to the largest entry of the reference's result (max norm).
///
/// # Errors
/// The first [`Violation`] found, naming the workload.
pub fn verify<T: Real>(
    backend: &dyn Backend<T>,
    claims: &[Kind],
    tolerance: f64,
) -> Result<Report, Violation> {
    let mut report = Report { maps: 0, worst: 0.0 };
    for (seed, workload) in cases::workloads().into_iter().enumerate() {
        if claims.contains(&workload.kind()) {
            let suite = Suite { backend, workload, tolerance, samples: Samples::new(seed as u64) };
            let worst = suite.run().map_err(|defect| violation::at(backend, workload, defect))?;
            report.worst = report.worst.max(worst);
            report.maps += 1;
        } else {
            match backend.plan(workload) {
                Err(BackendError::Unsupported { .. }) => {}
                _ => return Err(violation::at(backend, workload, "planned a kind not claimed")),
            }
        }
    }
    for workload in cases::empty_workloads() {
        if !matches!(
            backend.plan(workload),
            Err(BackendError::Size { .. } | BackendError::Unsupported { .. })
        ) {
            return Err(violation::at(backend, workload, "planned a workload of size zero"));
        }
    }
    Ok(report)
}

struct Suite<'a, T: Real> {
    backend: &'a dyn Backend<T>,
    workload: Workload,
    tolerance: f64,
    samples: Samples,
}

impl<T: Real> Suite<'_, T> {
    fn run(mut self) -> Result<f64, String> {
        let plan = self.backend.plan(self.workload).map_err(|e| format!("no plan: {e}"))?;
        ensure(plan.workload() == self.workload, "the plan has another workload")?;
        ensure(plan.bytes() > 0, "the plan needs no memory")?;
        let kernel: Vec<T> = self.samples.kernel(self.workload);
        self.refuses_wrong_kernels(&kernel)?;
        let map = self.bind(&kernel)?;
        ensure(map.workload() == self.workload, "the map has another workload")?;
        self.refuses_wrong_signals(map.as_ref())?;
        let worst = self.matches_reference(&kernel, map.as_ref())?;
        self.keeps_signals_apart(map.as_ref())?;
        self.serves_threads_at_once(map.as_ref())?;
        self.unit_kernel_is_identity()?;
        Ok(worst)
    }

    fn bind(&self, kernel: &[T]) -> Result<Box<dyn LinearMap<T>>, String> {
        let plan = self.backend.plan(self.workload).map_err(|e| format!("no plan: {e}"))?;
        plan.bind(kernel).map_err(|e| format!("not bound: {e}"))
    }

    fn x_len(&self) -> usize {
        self.workload.signal_len() * self.workload.batch()
    }

    fn y_len(&self) -> usize {
        self.workload.output_len() * self.workload.batch()
    }

    fn refuses_wrong_kernels(&self, kernel: &[T]) -> Result<(), String> {
        let plan = self.backend.plan(self.workload).map_err(|e| format!("no plan: {e}"))?;
        let longer = [kernel, &[T::zero()]].concat();
        for wrong in [&kernel[1..], &longer] {
            let refused = matches!(plan.bind(wrong), Err(BackendError::Length { .. }));
            ensure(refused, "took a kernel of a wrong length")?;
        }
        if self.workload.kind() == Kind::SpectralMultiplier {
            let mut complex = kernel.to_vec();
            complex[1] = T::one(); // the mean of a real signal times i is not real
            let refused = matches!(plan.bind(&complex), Err(BackendError::NotHermitian { .. }));
            ensure(refused, "took a symbol that is not Hermitian")?;
        }
        Ok(())
    }

    fn refuses_wrong_signals(&self, map: &dyn LinearMap<T>) -> Result<(), String> {
        let (x_len, y_len) = (self.x_len(), self.y_len());
        let mark = T::narrow(0.625);
        for (dx, dy) in [(1, 0), (0, 1)] {
            let (mut x, mut y) = (vec![mark; x_len + dx], vec![mark; y_len + dy]);
            let refused = matches!(map.apply(&x, &mut y), Err(BackendError::Length { .. }))
                && matches!(map.apply_transpose(&y, &mut x), Err(BackendError::Length { .. }));
            ensure(refused, "took a signal of a wrong length")?;
            ensure(x.iter().chain(&y).all(|&v| v == mark), "wrote although it refused")?;
        }
        Ok(())
    }

    fn matches_reference(&mut self, kernel: &[T], map: &dyn LinearMap<T>) -> Result<f64, String> {
        let oracle = Reference
            .plan(self.workload)
            .and_then(|plan| plan.bind(kernel))
            .map_err(|e| format!("no reference: {e}"))?;
        let x: Vec<T> = self.samples.signal(self.x_len());
        let y: Vec<T> = self.samples.signal(self.y_len());
        let maps = [map, oracle.as_ref()];
        let forward = difference(maps, LinearMap::apply, &x, y.len())?;
        let backward = difference(maps, LinearMap::apply_transpose, &y, x.len())?;
        for (direction, error) in [("apply", forward), ("apply_transpose", backward)] {
            ensure(
                error <= self.tolerance,
                &format!("{direction} differs by {error:e} of the max norm"),
            )?;
        }
        Ok(forward.max(backward))
    }

    /// Fills the last signal of the batch with NaN: the others must not change by a bit.
    fn keeps_signals_apart(&mut self, map: &dyn LinearMap<T>) -> Result<(), String> {
        let mut x: Vec<T> = self.samples.signal(self.x_len());
        let mut clean = vec![T::NAN; self.y_len()];
        map.apply(&x, &mut clean).map_err(|e| e.to_string())?;
        let last = x.len() - self.workload.signal_len();
        x[last..].fill(T::NAN);
        let mut y = vec![T::zero(); self.y_len()];
        map.apply(&x, &mut y).map_err(|e| e.to_string())?;
        let last = y.len() - self.workload.output_len();
        ensure(y[..last] == clean[..last], "a NaN leaked into another signal")?;
        ensure(y[last..].iter().all(|v| v.widen().is_nan()), "a signal of NaN gave numbers")?;
        let mut back = vec![T::zero(); self.x_len()];
        map.apply_transpose(&y, &mut back).map_err(|e| e.to_string())?;
        let mut clean_back = vec![T::zero(); self.x_len()];
        map.apply_transpose(&clean, &mut clean_back).map_err(|e| e.to_string())?;
        let last = back.len() - self.workload.signal_len();
        ensure(back[..last] == clean_back[..last], "a NaN leaked into another signal's transpose")
    }

    /// Several concurrent threads with one map: each gets the result of a single thread.
    fn serves_threads_at_once(&mut self, map: &dyn LinearMap<T>) -> Result<(), String> {
        let signals: Vec<Vec<T>> = (0..4).map(|_| self.samples.signal(self.x_len())).collect();
        let alone = |x: &Vec<T>| {
            let mut y = vec![T::NAN; self.y_len()];
            map.apply(x, &mut y).map(|()| y).map_err(|e| e.to_string())
        };
        let expected: Vec<Vec<T>> = signals.iter().map(alone).collect::<Result<_, _>>()?;
        let together = std::thread::scope(|scope| {
            let threads: Vec<_> = signals.iter().map(|x| scope.spawn(|| alone(x))).collect();
            threads.into_iter().map(|t| t.join()).collect::<Vec<_>>()
        });
        for (found, expected) in together.into_iter().zip(expected) {
            let found = found.map_err(|_| "a thread panicked".to_owned())??;
            ensure(found == expected, "threads through one map disturb each other")?;
        }
        Ok(())
    }

    fn unit_kernel_is_identity(&mut self) -> Result<(), String> {
        let Some(unit) = cases::unit_kernel::<T>(self.workload) else { return Ok(()) };
        let map = self.bind(&unit)?;
        // Only the last sample is not zero: any wrap-around shows in the first entries.
        let mut x = vec![T::zero(); self.x_len()];
        x[self.workload.signal_len() - 1] = T::one();
        let mut y = vec![T::NAN; self.y_len()];
        map.apply(&x, &mut y).map_err(|e| e.to_string())?;
        let mut back = vec![T::NAN; self.x_len()];
        map.apply_transpose(&x, &mut back).map_err(|e| e.to_string())?;
        let error = max_difference(&x, &y).max(max_difference(&x, &back));
        ensure(error <= self.tolerance, &format!("the unit kernel moves a signal by {error:e}"))
    }
}

/// Applies a map twice and the reference once; the difference relative to the reference's max norm.
fn difference<'a, T: Real>(
    [map, oracle]: [&'a dyn LinearMap<T>; 2],
    apply: impl Fn(&'a dyn LinearMap<T>, &[T], &mut [T]) -> Result<(), BackendError>,
    input: &[T],
    output_len: usize,
) -> Result<f64, String> {
    let mut outputs = [(); 3].map(|()| vec![T::NAN; output_len]);
    let [first, again, expected] = &mut outputs;
    apply(map, input, first)
        .and_then(|()| apply(map, input, again))
        .and_then(|()| apply(oracle, input, expected))
        .map_err(|e| e.to_string())?;
    ensure(first == again, "the same signal gave other bits the second time")?;
    let scale = expected.iter().fold(0.0, |m: f64, v| m.max(v.widen().abs()));
    Ok(max_difference(first, expected) / scale)
}

/// Largest difference; NaN counts as infinitely far away.
fn max_difference<T: Real>(a: &[T], b: &[T]) -> f64 {
    a.iter().zip(b).fold(0.0, |worst, (a, b)| {
        let d = (a.widen() - b.widen()).abs();
        if d <= worst {
            worst
        } else if d.is_nan() {
            f64::INFINITY
        } else {
            d
        }
    })
}

fn ensure(condition: bool, defect: &str) -> Result<(), String> {
    if condition { Ok(()) } else { Err(defect.to_owned()) }
}

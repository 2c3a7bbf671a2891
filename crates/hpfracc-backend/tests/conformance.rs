//! The suite accepts the reference and rejects backends with one defect each.

use hpfracc_backend::conformance::{verify, verify_streaming};
use hpfracc_backend::{
    Backend, BackendError, Direction, Kind, LinearMap, Plan, Reference, Workload,
};
use hpfracc_types::Real;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn the_reference_conforms() {
    let both =
        [verify::<f64>(&Reference, &Kind::ALL, 1e-13), verify::<f32>(&Reference, &Kind::ALL, 1e-6)];
    for report in both {
        assert_eq!(
            report.unwrap().maps,
            2 * 13 * 3 + 7 * 2 + (5 * 4 + 11) * 2 + 2 + 5 * 3 + 9 * 6 + 3 * 2 * 3
        );
    }
    verify_streaming::<f64>(&Reference).unwrap();
    // Within a block its states have the digits of f64, and from block to block those of f32.
    verify_streaming::<f32>(&Reference).unwrap_err();
}

/// One way to be wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Defect {
    Circular,
    ForgetsTheLastEntry,
    TransposeIsForward,
    AddsToOutput,
    MixesSignals,
    IgnoresLengths,
    RoundsToSingle,
    /// The second application of a map rounds otherwise, all others are right.
    OtherBitsOnce,
    WritesBeforeItRefuses,
    /// The same in the transposed direction.
    TransposeWritesBeforeItRefuses,
}

/// The reference with a defect put on top.
struct Broken(Defect);

impl<T: Real> Backend<T> for Broken {
    fn name(&self) -> &str {
        "broken"
    }
    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError> {
        Ok(Arc::new(BrokenPlan { inner: Reference.plan(workload)?, defect: self.0 }))
    }
}

struct BrokenPlan<T> {
    inner: Arc<dyn Plan<T>>,
    defect: Defect,
}

impl<T: Real> Plan<T> for BrokenPlan<T> {
    fn workload(&self) -> Workload {
        self.inner.workload()
    }
    fn bytes(&self) -> usize {
        self.inner.bytes()
    }
    fn bind(&self, kernel: &[T]) -> Result<Box<dyn LinearMap<T>>, BackendError> {
        Ok(Box::new(BrokenMap {
            inner: self.inner.bind(kernel)?,
            kernel: kernel.to_vec(),
            defect: self.defect,
            applied: AtomicUsize::new(0),
        }))
    }
}

struct BrokenMap<T> {
    inner: Box<dyn LinearMap<T>>,
    kernel: Vec<T>,
    defect: Defect,
    /// Number of forward applications.
    applied: AtomicUsize,
}

impl<T: Real> LinearMap<T> for BrokenMap<T> {
    fn workload(&self) -> Workload {
        self.inner.workload()
    }
    fn apply(&self, x: &[T], y: &mut [T]) -> Result<(), BackendError> {
        match self.defect {
            Defect::IgnoresLengths if x.len() != y.len() => return Ok(()),
            Defect::WritesBeforeItRefuses => {
                y.fill(T::zero());
                self.workload().check_signals(x, y)?;
            }
            _ => self.workload().check_signals(x, y)?,
        }
        self.run(Direction::Forward, x, y)
    }
    fn apply_transpose(&self, y: &[T], x: &mut [T]) -> Result<(), BackendError> {
        if self.defect == Defect::TransposeWritesBeforeItRefuses {
            x.fill(T::zero());
        }
        self.workload().check_signals(x, y)?;
        self.run(Direction::Transpose, y, x)
    }
    fn run(&self, direction: Direction, x: &[T], y: &mut [T]) -> Result<(), BackendError> {
        if direction == Direction::Transpose {
            return match self.defect {
                Defect::TransposeIsForward => self.inner.apply(x, y),
                _ => self.inner.apply_transpose(x, y),
            };
        }
        let before = y[0];
        let earlier = self.applied.fetch_add(1, Ordering::SeqCst);
        match self.defect {
            Defect::Circular => {
                let n = self.workload().signal_len();
                for (x, y) in x.chunks(n).zip(y.chunks_mut(n)) {
                    for i in 0..n {
                        y[i] =
                            (0..n).fold(T::zero(), |s, k| s + self.kernel[k] * x[(n + i - k) % n]);
                    }
                }
                return Ok(());
            }
            _ => self.inner.apply(x, y)?,
        }
        match self.defect {
            Defect::ForgetsTheLastEntry => y[x.len() - 1] = T::zero(),
            Defect::AddsToOutput => y[0] += before,
            Defect::MixesSignals => y[0] += x[x.len() - 1] * T::zero(),
            Defect::RoundsToSingle => {
                y.iter_mut().for_each(|v| *v = T::narrow(f64::from(v.widen() as f32)));
            }
            Defect::OtherBitsOnce if earlier == 1 => y[0] = T::narrow(y[0].widen() * (1.0 + 4e-16)),
            _ => {}
        }
        Ok(())
    }
}

#[test]
fn every_defect_is_found() {
    // With the check that finds each of them: the last three are found by no other.
    for (defect, found) in [
        (Defect::Circular, "apply differs"),
        (Defect::ForgetsTheLastEntry, "apply differs"),
        (Defect::TransposeIsForward, "apply_transpose differs"),
        (Defect::AddsToOutput, "other bits the second time"),
        (Defect::MixesSignals, "a NaN leaked"),
        (Defect::IgnoresLengths, "took a signal of a wrong length"),
        (Defect::RoundsToSingle, "apply differs"),
        (Defect::OtherBitsOnce, "other bits the second time"),
        (Defect::WritesBeforeItRefuses, "wrote although it refused"),
        (Defect::TransposeWritesBeforeItRefuses, "wrote although it refused"),
    ] {
        let verdict = verify::<f64>(&Broken(defect), &Kind::ALL, 1e-12);
        let violation = verdict.expect_err("the suite finds the defect");
        assert!(violation.defect.contains(found), "{defect:?}: {violation}");
    }
    let claims_too_little = verify::<f64>(&Reference, &Kind::ALL[..2], 1e-12);
    assert!(claims_too_little.is_err());
}

//! [`Bound::apply_async`] on a device that must not block: every operator of the catalogue, on
//! grids, on meshes and by exponentials, against the blocking call.

use hpfracc_backend::{
    Backend, BackendError, Direction, LinearMap, Pending, Plan, Reference, Workload,
};
use hpfracc_operators::{Bound, MeshMemory, Operator, OperatorError, catalogue};
use hpfracc_types::{Grid, Mesh, Order};
use ndarray::{Array2, Axis};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// A backend like that of a browser: blocking calls are errors, futures are ready at the second
/// poll.
#[derive(Clone)]
struct NonBlocking;

struct Deferred<T: ?Sized>(T);

impl Backend<f64> for NonBlocking {
    fn name(&self) -> &str {
        "non-blocking"
    }
    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<f64>>, BackendError> {
        Ok(Arc::new(Deferred(Reference.plan(workload)?)))
    }
}

impl Plan<f64> for Deferred<Arc<dyn Plan<f64>>> {
    fn workload(&self) -> Workload {
        self.0.workload()
    }
    fn bytes(&self) -> usize {
        self.0.bytes()
    }
    fn bind(&self, kernel: &[f64]) -> Result<Box<dyn LinearMap<f64>>, BackendError> {
        Ok(Box::new(Deferred(self.0.bind(kernel)?)))
    }
}

fn blocked() -> BackendError {
    BackendError::Device { backend: "non-blocking".to_owned(), source: "a blocking call".into() }
}

async fn later() {
    let mut polled = false;
    std::future::poll_fn(|context| {
        context.waker().wake_by_ref();
        if std::mem::replace(&mut polled, true) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

impl LinearMap<f64> for Deferred<Box<dyn LinearMap<f64>>> {
    fn workload(&self) -> Workload {
        self.0.workload()
    }
    fn run(&self, _: Direction, _: &[f64], _: &mut [f64]) -> Result<(), BackendError> {
        Err(blocked())
    }
    fn run_async<'a>(
        &'a self,
        direction: Direction,
        from: &'a [f64],
        to: &'a mut [f64],
    ) -> Pending<'a> {
        Box::pin(async move {
            later().await;
            self.0.run(direction, from, to)
        })
    }
}

fn awaited<R>(future: impl Future<Output = R>) -> R {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(outcome) = future.as_mut().poll(&mut context) {
            return outcome;
        }
    }
}

/// Both directions of three signals, along the last axis and along the first: the same bits.
fn check(blocking: Bound<f64>, deferred: Bound<f64>, n: usize, name: &str) {
    let f = Array2::from_shape_fn((3, n), |(i, j)| ((i * n + j) as f64 * 0.37 + 0.2).cos());
    assert_eq!(
        awaited(deferred.apply_async(f.view())).unwrap(),
        blocking.apply(f.view()).unwrap(),
        "{name}"
    );
    assert_eq!(
        awaited(deferred.vjp_async(f.view())).unwrap(),
        blocking.vjp(f.view()).unwrap(),
        "{name}, transposed"
    );
    let (blocking, deferred) = (blocking.along(Axis(0)).unwrap(), deferred.along(Axis(0)).unwrap());
    let columns = awaited(deferred.apply_async(f.t())).unwrap();
    assert_eq!(columns, blocking.apply(f.t()).unwrap(), "{name}, along the first axis");
    let short = awaited(deferred.apply_async(f.view())).unwrap_err();
    assert!(matches!(short, OperatorError::AxisLength { .. }), "{short}");
}

#[test]
fn every_operator_without_blocking() {
    let (n, mut meshes, mut recurrences) = (24, 0, 0);
    let grid = Grid::uniform(n, 0.05).unwrap();
    let mesh = Mesh::graded(n, 2.0, 2.0).unwrap();
    for entry in catalogue() {
        for &alpha in entry.range.examples {
            let operator = entry.example(Order::new(alpha).unwrap()).unwrap();
            let name = format!("{} {alpha}", entry.name());
            let on = |operator: Arc<dyn Operator>| operator.on(grid, &Reference).unwrap();
            let deferred = Arc::clone(&operator).on(grid, &NonBlocking).unwrap();
            check(on(Arc::clone(&operator)), deferred, n, &name);
            for memory in [MeshMemory::default(), MeshMemory::Exact] {
                let own = || Arc::clone(&operator);
                if let Ok(blocking) = own().on_mesh_with(&mesh, memory, &Reference) {
                    let deferred = own().on_mesh_with(&mesh, memory, &NonBlocking).unwrap();
                    check(blocking, deferred, n, &format!("{name} on a mesh, {memory:?}"));
                    meshes += 1;
                }
            }
            if let Ok(blocking) = Arc::clone(&operator).on_exponentials(grid, 1e-8, &Reference) {
                let deferred = operator.on_exponentials(grid, 1e-8, &NonBlocking).unwrap();
                check(blocking, deferred, n, &format!("{name} by exponentials"));
                recurrences += 1;
            }
        }
    }
    assert!(meshes > 10 && recurrences > 10, "{meshes} {recurrences}");
}

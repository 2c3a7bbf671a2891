//! The backends of one machine, made from rows and names.

#[cfg(feature = "gpu")]
use super::gpu::{Gpus, OnGpu};
use super::name::Name;
use super::table::{Constructor, Pair, Resources, Row, TABLE};
use super::thread_pool::Threads;
use hpfracc_backend::{Backend, BackendError, Plan, Rounded, Split, Workload};
use hpfracc_selector::{Candidate, Place};
use hpfracc_types::Real;
use std::sync::Arc;

/// The backends on the processor, and what the others need.
pub(crate) struct Backends {
    /// The backends that need no device, with their rows.
    host: Vec<(&'static Row, Pair)>,
    /// The pool of a machine with a number of threads of its own.
    pool: Option<Arc<Threads>>,
    #[cfg(feature = "gpu")]
    pub(crate) gpus: Gpus,
}

impl Backends {
    pub(crate) fn new(pool: Option<Arc<Threads>>, #[cfg(feature = "gpu")] gpus: Gpus) -> Self {
        let make = |row: &'static Row| match row.constructor {
            Constructor::Host(make) | Constructor::ByName(make) => Some((row, make())),
            Constructor::Threads(make) => Some((row, make(pool.as_ref()))),
            #[cfg(feature = "gpu")]
            Constructor::Gpu(_) => None,
        };
        Self {
            host: TABLE.iter().filter_map(make).collect(),
            pool,
            #[cfg(feature = "gpu")]
            gpus,
        }
    }

    /// The backend of a name.
    pub(crate) fn named(&self, name: &Name) -> Pair {
        match name {
            Name::Host(row) => self.host(row).clone(),
            #[cfg(feature = "gpu")]
            Name::Gpu { row, pairs, adapter } => {
                let backend = OnGpu::new(row, *pairs, *adapter, &self.gpus);
                Pair { single: Arc::new(backend.clone()), double: Arc::new(backend) }
            }
            Name::Rounded(inner) => {
                let rounded = Rounded::new(self.named(inner).single);
                let name = rounded.name().to_owned();
                Pair { single: Arc::new(DoubleOnly { name }), double: Arc::new(rounded) }
            }
            Name::Split(members) => {
                let members: Vec<Pair> = members.iter().map(|member| self.named(member)).collect();
                Pair {
                    single: split(members.iter().map(|member| Arc::clone(&member.single))),
                    double: split(members.iter().map(|member| Arc::clone(&member.double))),
                }
            }
        }
    }

    fn host(&self, row: &Row) -> &Pair {
        let own = self.host.iter().find(|(known, _)| known.name == row.name);
        &own.expect("every row without a device is made with the machine").1
    }

    /// A backend on the processor as a candidate, in both precisions.
    pub(crate) fn host_candidates(&self, row: &Row) -> (Candidate<f32>, Candidate<f64>) {
        let Pair { single, double } = self.host(row).clone();
        let prior = (row.prior)(Resources { threads: self.threads(), per_second: 0.0 });
        let place = match (&self.pool, &row.constructor) {
            (Some(pool), Constructor::Threads(_)) => Place::Threads(pool.count()),
            _ => Place::Host,
        };
        let single = Candidate::new(single, prior).for_kinds(row.kinds).on(place.clone());
        (single, Candidate::new(double, prior).for_kinds(row.kinds).on(place))
    }

    fn threads(&self) -> usize {
        match &self.pool {
            Some(pool) => pool.count(),
            // Those of the pool that is current when it computes: one for each core by default.
            None => std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

fn split<T: Real>(mut members: impl Iterator<Item = Arc<dyn Backend<T>>>) -> Arc<dyn Backend<T>> {
    let first = members.next().expect("a name with a `+` has a member before it");
    Arc::new(members.fold(Split::new(first), Split::and))
}

/// A rounded backend in single precision, which has nothing to round and refuses all workloads.
struct DoubleOnly {
    name: String,
}

impl Backend<f32> for DoubleOnly {
    fn name(&self) -> &str {
        &self.name
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<f32>>, BackendError> {
        Err(BackendError::unsupported(&self.name, workload, "it takes f64 and rounds it"))
    }
}

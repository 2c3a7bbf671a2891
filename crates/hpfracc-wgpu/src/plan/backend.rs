//! The backends as types: a precision and a function that plans a workload.

/// Defines a backend with its names in native and in double-float arithmetic; `$plan` makes the
/// plan of a checked request.
macro_rules! backend {
    ($(#[$doc:meta])* $name:ident, $names:expr, $plan:path) => {
        $(#[$doc])*
        #[derive(Debug, Clone)]
        pub struct $name<P> {
            precision: P,
        }

        impl<P: $crate::precision::Precision> $name<P> {
            /// The backend in this precision.
            pub fn new(precision: &P) -> Self {
                Self { precision: precision.clone() }
            }
        }

        impl<P: $crate::precision::Precision> hpfracc_backend::Backend<P::Host> for $name<P> {
            fn name(&self) -> &str {
                P::name($names)
            }

            fn plan(
                &self,
                workload: hpfracc_backend::Workload,
            ) -> Result<
                std::sync::Arc<dyn hpfracc_backend::Plan<P::Host>>,
                hpfracc_backend::BackendError,
            > {
                $plan($crate::plan::Request::new(P::name($names), &self.precision, workload)?)
            }
        }
    };
}

pub(crate) use backend;

//! Dispatch from a generic scalar to its concrete type.

use hpfracc_backend::Plan;
use hpfracc_lanes::Lanes;
use hpfracc_types::Real;
use std::any::Any;
use std::sync::Arc;

/// Makes a plan for a scalar type with vector registers.
pub(crate) trait MakePlan {
    fn make<T: Lanes>(self) -> Arc<dyn Plan<T>>;
}

/// The plan for any scalar type: `Real` is sealed, with the two implementations `f32` and `f64`.
pub(crate) fn plan<T: Real>(make: impl MakePlan) -> Arc<dyn Plan<T>> {
    let made: Box<dyn Any> = if T::NAME == f64::NAME {
        Box::new(make.make::<f64>())
    } else {
        Box::new(make.make::<f32>())
    };
    *made.downcast::<Arc<dyn Plan<T>>>().expect("`Real` is f32 or f64 and nothing else")
}

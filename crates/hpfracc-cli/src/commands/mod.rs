//! One module for each command: `args`, the arguments, and `run`.

mod arguments;
pub(crate) mod diff;
pub(crate) mod equation;
pub(crate) mod fields;
pub(crate) mod fit;
pub(crate) mod functions;
pub(crate) mod machine;
pub(crate) mod operators;
pub(crate) mod series;
pub(crate) mod simulate;
pub(crate) mod solve;
pub(crate) mod train;
pub(crate) mod transform;

//! Test support of the workspace: reference tables, observed orders, norms, strategies, figures for
//! the pages.
//!
//! Errors are reported by panics: the crate is a dependency of tests only.

mod allocations;
mod norm;
mod order;
mod record;
mod strategies;
mod table;

pub use allocations::CountingAllocator;
pub use norm::{max_abs, relative_max_error};
pub use order::observed_order;
pub use record::{Figure, is_recorded, record, record_error};
pub use strategies::samples;
pub use table::{Row, Table};

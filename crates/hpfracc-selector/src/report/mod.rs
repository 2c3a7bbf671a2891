//! What users see: explanations of choices and summaries of executions.

pub(crate) mod explain;
mod format;
pub(crate) mod summary;

//! Choosing a backend for a workload: selectors, their plans and maps.

mod candidate_plans;
mod map;
mod measure;
mod renewable;
mod running_choice;
pub(crate) mod selector;

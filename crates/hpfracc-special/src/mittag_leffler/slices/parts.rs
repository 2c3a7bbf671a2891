use super::super::asymptotic::Asymptotic;
use super::super::contours::Contours;
use super::super::poles::Poles;
use super::super::taylor::Taylor;

/// What a function consists of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parts<'a> {
    pub(super) alpha: f64,
    pub(super) beta: f64,
    pub(super) taylor: &'a Taylor,
    pub(super) asymptotic: &'a Asymptotic,
    pub(super) contours: &'a Contours,
    pub(super) poles: &'a Poles,
}

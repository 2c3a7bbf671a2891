use super::batch_column::CurveColumn;
use crate::FitError;
use crate::data::{Facts, Set};
use crate::found::Found;
use crate::minimise::{Limits, Rounds, Session};
use crate::parameters::Layout;
use crate::pass::Objective;
use std::sync::atomic::AtomicBool;

/// What all curves of a batch have in common.
pub(super) struct Curves<'c> {
    /// Set without data.
    pub(super) set: Set<'c>,
    /// All columns: inputs, responses, then standard deviations or weights.
    pub(super) columns: Vec<CurveColumn<'c>>,
    pub(super) layout: Layout,
    /// Starts of parameters by curve.
    pub(super) starts: Vec<(usize, &'c [f64])>,
    pub(super) rounds: Rounds,
    pub(super) max_passes: usize,
    pub(super) cancel: Option<&'c AtomicBool>,
}

/// Fits curves one after the other on one thread, with memory that it keeps between them.
pub(super) struct CurveFitter<'c, 'b> {
    curves: &'b Curves<'c>,
    /// Set and layout of the next curve.
    parts: Option<(Vec<Set<'c>>, Layout)>,
}

impl<'c, 'b> CurveFitter<'c, 'b> {
    pub(super) fn new(curves: &'b Curves<'c>) -> Self {
        Self { curves, parts: None }
    }

    /// Fits a curve and calls a function with the result.
    pub(super) fn fit<R>(
        &mut self,
        curve: usize,
        result: impl FnOnce(&Found<'_>) -> R,
    ) -> Result<R, FitError> {
        let curves = self.curves;
        let (mut sets, mut layout) =
            self.parts.take().unwrap_or_else(|| (vec![curves.set.clone()], curves.layout.clone()));
        for set in &mut sets {
            set.replace_columns(curves.columns.iter().map(|column| column.of_curve(curve)));
        }
        for (parameter, starts) in &curves.starts {
            layout.set_start(*parameter, starts[curve])?;
        }
        let found = self.found(sets, layout)?;
        let result = result(&found);
        self.parts = Some(found.into_sets_and_layout());
        Ok(result)
    }

    fn found(&self, sets: Vec<Set<'c>>, layout: Layout) -> Result<Found<'c>, FitError> {
        let Curves { rounds, max_passes, cancel, .. } = self.curves;
        let facts: Facts = sets.iter().map(Set::check).sum::<Result<_, FitError>>()?;
        let parameters = layout.free().len();
        if facts.data < parameters as u64 {
            return Err(FitError::TooFew { data: facts.data, parameters });
        }
        let mut objective = Objective::new(&sets, &layout, facts.squares.sqrt());
        let begin = rounds.begin(&mut objective, layout.start())?;
        let limits = Limits { cancel: *cancel, ..Limits::passes(*max_passes) };
        let (minimum, loss_scale) = rounds.run(&mut objective, facts.data, begin, limits)?;
        let end = (minimum, Session::default(), None);
        Found::new(sets, layout, (rounds.loss, loss_scale), end, (facts.data, facts))
    }
}

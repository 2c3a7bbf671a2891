use super::result::Found;
use crate::FitError;
use crate::minimise::{Keeper, Limits, Outcome, State, minimise};
use crate::parameters::{Layout, Role};
use crate::pass::Objective;
use serde::{Deserialize, Serialize};

/// Steps of the search for an end of an interval.
const STEPS: usize = 60;
/// Relative accuracy of the ends, in units of the quantile.
const ACCURACY: f64 = 1e-6;
/// Longest step from the estimate, in standard errors of the linear theory.
const FARTHEST: f64 = 1e6;
/// Passes of a minimisation with the parameter fixed.
const MAX_PASSES: usize = 2000;

/// Profile likelihood of a parameter: the cost minimised over all others.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// Estimate.
    pub estimate: f64,
    /// Ends of the interval, where the cost has grown as much as the level says; None if it does not grow as much
    /// within the bounds of the parameter.
    pub interval: (Option<f64>, Option<f64>),
    /// Values of the parameter, ascending, with `t = +-sqrt((cost - least cost)/unit)`. The unit is the variance of a residual; for
    /// another loss than the squares, the mean of psi^2 over that of psi', psi being half of the derivative of the loss.
    pub points: Vec<(f64, f64)>,
    /// Cost below that of the fit, which has found another minimum then.
    pub lower_cost: Option<f64>,
}

impl Found<'_> {
    /// Profile likelihood of a free parameter, and its interval of a level. Unlike `value +- t standard_error` it follows
    /// the curvature of the model, and bounds of this and other parameters.
    ///
    /// Source: Bates and Watts, Nonlinear Regression Analysis and Its Applications (1988), chapter 6.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`], also for a parameter that is not free, and [`FitError::OutOfRange`] for a level
    /// that is not between 0 and 1; [`FitError::Cancelled`], and [`FitError::Checkpoint`] for checkpoints that cannot be used.
    pub fn profile(&self, name: &str, level: f64) -> Result<Profile, FitError> {
        let parameters = self.layout.parameters();
        let k = parameters.index(name)?;
        if !self.layout.free().contains(&k) {
            let free = self.layout.free().iter().map(|k| parameters.names()[*k]);
            let known = free.collect::<Vec<&str>>().join(", ");
            return Err(FitError::UnknownParameter { name: name.to_owned(), known });
        }
        let quantile = self.quantile(level)?;
        let estimate = self.values()[k];
        let folder = format!("profile-{k}");
        let (keeper, trail) = self.session.open(&folder, format!("{name}, level {level:?}"))?;
        let mut search = Search {
            found: self,
            parameter: k,
            quantile,
            points: vec![(estimate, 0.0)],
            lower_cost: None,
            trail: trail.unwrap_or_default(),
            step: 0,
            keeper,
        };
        let lower = search.end(-1.0)?;
        let upper = search.end(1.0)?;
        let Search { mut points, lower_cost, trail, mut keeper, .. } = search;
        keeper.save(trail.len(), &trail, true);
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(Profile { estimate, interval: (lower, upper), points, lower_cost })
    }
}

struct Search<'f, 'a> {
    found: &'f Found<'a>,
    parameter: usize,
    quantile: f64,
    points: Vec<(f64, f64)>,
    lower_cost: Option<f64>,
    /// All minimisations so far; those of an interrupted search take the place of the same ones now.
    trail: Vec<Option<Reached>>,
    /// Number of minimisations of this search.
    step: usize,
    keeper: Keeper<'f>,
}

/// Minimum of the cost with the parameter fixed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Reached {
    unknowns: Vec<f64>,
    cost: f64,
}

impl Search<'_, '_> {
    /// End of the interval on a side.
    fn end(&mut self, side: f64) -> Result<Option<f64>, FitError> {
        let declared = &self.found.layout.parameters().all[self.parameter].declared;
        let bound = if side < 0.0 { declared.lower } else { declared.upper };
        let estimate = self.found.values()[self.parameter];
        let error = self.found.standard_error(self.parameter);
        let error = error.filter(|error| *error > 0.0).unwrap_or(0.1 * estimate.abs().max(1e-3));
        let within = |x: f64| if side < 0.0 { x.max(bound) } else { x.min(bound) };
        let mut start = self.found.minimum.unknowns.clone();
        let (mut inner, mut outer) = ((estimate, 0.0), None);
        let mut next = within(estimate + side * self.quantile * error);
        for _ in 0..STEPS {
            let Some(t) = self.t(next, &mut start)? else {
                // The model has no values there.
                (next, outer) = (0.5 * (inner.0 + next), Some((next, f64::INFINITY)));
                continue;
            };
            if (t - self.quantile).abs() <= ACCURACY * self.quantile {
                return Ok(Some(next));
            }
            if t < self.quantile {
                if next == bound || (next - estimate).abs() > FARTHEST * error {
                    return Ok(None);
                }
                inner = (next, t);
            } else {
                outer = Some((next, t));
            }
            next = match outer {
                // t is nearly linear in the parameter.
                Some((x, t)) if t.is_finite() => {
                    let share = (self.quantile - inner.1) / (t - inner.1);
                    inner.0 + (x - inner.0) * share.clamp(0.05, 0.95)
                }
                Some((x, _)) => 0.5 * (inner.0 + x),
                None => {
                    let stretch = (self.quantile / inner.1.max(1e-3)).clamp(1.1, 4.0);
                    within(estimate + (inner.0 - estimate) * stretch)
                }
            };
        }
        Ok(outer.map(|_| next))
    }

    /// t at a value of the parameter, and the unknowns there as the next start. None where the model has no values.
    fn t(&mut self, value: f64, start: &mut Vec<f64>) -> Result<Option<f64>, FitError> {
        if self.step == self.trail.len() {
            let reached = self.reach(value, start)?;
            self.trail.push(reached);
            self.keeper.save(self.trail.len(), &self.trail, false);
        }
        self.step += 1;
        let Some(Reached { unknowns, cost }) = &self.trail[self.step - 1] else { return Ok(None) };
        start.clone_from(unknowns);
        let increase = cost - self.found.cost();
        if increase < -1e-9 * self.found.cost() {
            self.lower_cost = Some(self.lower_cost.unwrap_or(f64::INFINITY).min(*cost));
        }
        let t = (increase.max(0.0) / self.found.cost_unit()).sqrt();
        let estimate = self.points[0].0;
        self.points.push((value, t.copysign(value - estimate)));
        Ok(Some(t))
    }

    /// Minimises with the parameter fixed at a value.
    fn reach(&mut self, value: f64, start: &[f64]) -> Result<Option<Reached>, FitError> {
        let found = self.found;
        let mut parameters = found.layout.parameters().clone();
        let fixed = &mut parameters.all[self.parameter];
        (fixed.role, fixed.declared.start) = (Role::Fixed, Some(value));
        let layout = Layout::new(parameters)?;
        let free = found.layout.free().iter();
        let column = free.take_while(|k| **k != self.parameter).count();
        let mut others = start.to_vec();
        others.remove(column);
        let objective = Objective { layout: &layout, ..found.objective_over_ranks() };
        let begin = match State::start(&objective, others) {
            Ok(begin) => begin,
            Err(FitError::ModelNotFinite { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let limits = Limits { cancel: found.session.cancel, ..Limits::passes(MAX_PASSES) };
        let minimum = minimise(&objective, found.data, begin, limits)?;
        if minimum.outcome == Outcome::Cancelled {
            self.keeper.save(self.trail.len(), &self.trail, true);
            return Err(FitError::Cancelled { what: "the profile" });
        }
        let mut unknowns = minimum.unknowns;
        unknowns.insert(column, found.minimum.unknowns[column]);
        Ok(Some(Reached { unknowns, cost: minimum.part.cost }))
    }
}

//! Starts from the data: a grid over the parameters without a start, linear ones by projection, and minimisations of some rows
//! from the best points and from further ones.

use super::grid::{Values, values};
use super::linear::Linearised;
use super::rounds::Rounds;
use super::{Limits, ZERO};
use crate::data::{Facts, Thinned};
use crate::factor::Factor;
use crate::parameters::{Layout, Parameters, Role};
use crate::pass::{Loss, Objective};
use crate::{FitError, Set};
use hpfracc_communicator::Ranks;
use hpfracc_lanes::random::{Philox, unit};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};

/// Most points of a grid; of a larger one this number is drawn.
const MOST_POINTS: usize = 4096;
/// Rows of all sets together, and rows times points.
const ROWS: RangeInclusive<usize> = 512..=4096;
const WORK: usize = 1 << 20;
/// Fewest rows of a set.
const FEWEST_ROWS: usize = 64;
/// Points of the grid from which a minimisation begins, for each axis; its passes, and the minimisations that go on to the end.
const BEST_POINTS: usize = 6;
const SHORT: usize = 60;
const BEST_MINIMA: usize = 4;
const LONG: usize = 1000;
/// Relative difference of the costs of one minimum.
const SAME: f64 = 1e-6;
/// Damping that decides between linear parameters which the data do not tell apart, and steps to their minimum in the bounds.
const TINY: f64 = 1e-24;
const LINEAR_STEPS: usize = 4;
/// Purpose of the random numbers, the last word of their counters.
const PURPOSE: u32 = 73 << 24;

/// Search for starts that a fit made: [`Found::start_search`](crate::Found::start_search).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct StartSearch {
    /// Rows of the data that were used.
    pub rows: usize,
    /// Points of the grid.
    pub points: usize,
    /// Minimisations, from the best points of the grid and from further starts.
    pub minimisations: usize,
    /// Minimisations that ended in the best minimum: at its cost.
    pub at_best: usize,
}

/// Further starts, spread over the ranges of the parameters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Further {
    pub(crate) count: usize,
    pub(crate) seed: u64,
}

/// Unknown that is not linear, and its values.
struct Axis {
    unknown: usize,
    values: Values,
}

/// Point of a search.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Point {
    unknowns: Vec<f64>,
    cost: f64,
}

/// Gives starts to the parameters: to those without one, and with further starts to all. Returns a report if there was
/// anything to search.
///
/// # Errors
/// [`FitError::NoStart`] for a parameter without a start that is neither linear nor has a grid or finite bounds, and
/// [`FitError::NoRange`] for further starts if no parameter has one of these.
pub(crate) fn find_starts(
    sets: &[Set<'_>],
    parameters: &mut Parameters,
    further: Further,
    (ranks, cancel): (Ranks<'_>, Option<&AtomicBool>),
) -> Result<Option<StartSearch>, FitError> {
    let is_free = |k: &usize| matches!(parameters.all[*k].role, Role::Free);
    let free: Vec<usize> = (0..parameters.all.len()).filter(is_free).collect();
    let missing = |k: usize| parameters.all[k].declared.start.is_none();
    if further.count == 0 && !free.iter().any(|k| missing(*k)) {
        return Ok(None);
    }
    let of_models: Vec<&[usize]> = sets.iter().map(|set| set.model.linear()).collect();
    let is_linear = parameters.linear(&of_models);
    let rows = thin(sets, *ROWS.end())?;
    let few: Vec<Set<'_>> = rows.iter().map(Thinned::set).collect();
    let (mut grid, mut ranges) = (vec![], vec![]);
    for (unknown, &k) in free.iter().enumerate().filter(|(_, k)| !is_linear[**k]) {
        let values = values(&few, parameters, k)?;
        if missing(k) {
            let name = parameters.all[k].declared.name.clone();
            let values = values.clone().ok_or(FitError::NoStart { name })?;
            grid.push(Axis { unknown, values });
        }
        ranges.extend(values.map(|values| Axis { unknown, values }));
    }
    if further.count > 0 && ranges.is_empty() {
        return Err(FitError::NoRange { starts: further.count });
    }
    let places = places(&grid);
    let count = (WORK / places.len()).clamp(*ROWS.start(), *ROWS.end());
    let rows = if count < *ROWS.end() { thin(sets, count)? } else { rows };
    let few: Vec<Set<'_>> = rows.iter().map(Thinned::set).collect();
    let facts = few.iter().map(Set::check).sum::<Result<Facts, FitError>>()?;

    let without: Vec<usize> = (0..free.len()).filter(|k| missing(free[*k])).collect();
    for &unknown in &without {
        let declared = &mut parameters.all[free[unknown]].declared;
        let axis = grid.iter().find(|axis| axis.unknown == unknown);
        let zero = 0f64.max(declared.lower).min(declared.upper);
        declared.start = Some(axis.map_or(zero, |axis| axis.values.values[0]));
    }
    let layout = Layout::new(parameters.clone())?;
    let models: Vec<_> = few.iter().map(|set| set.model).collect();
    let problem = Thin {
        objective: Objective::new(&few, &layout, facts.squares.sqrt()),
        rounds: Rounds { loss: Loss::Squares, scale: None, separated: layout.separated(&models) },
        rows: facts.data,
        ranks,
        cancel,
    };
    let linear = |k: &usize| is_linear[free[*k]];
    let missing_linear: Vec<usize> = without.into_iter().filter(linear).collect();
    let begins = problem.best_of(&grid, &places, &missing_linear)?;
    let all_linear: Vec<usize> = (0..free.len()).filter(linear).collect();
    let more = problem.further(further, &ranges, &all_linear)?;
    let (points, alone) = (places.len(), places.len() == 1 && more.is_empty());
    let begins: Vec<Point> = begins.into_iter().chain(more).collect();
    let ends = if alone { begins } else { problem.minima(begins)? };
    let mut report =
        StartSearch { rows: facts.data as usize, points, minimisations: 0, at_best: 0 };
    if let Some(best) = ends.first() {
        let same = best.cost * (1.0 + SAME) + facts.squares * ZERO * ZERO;
        let count = |ends: &[Point]| ends.iter().filter(|end| end.cost <= same).count();
        if !alone {
            (report.minimisations, report.at_best) = (ends.len(), count(&ends));
        }
        let values = layout.values(&best.unknowns);
        for &k in &free {
            let declared = &mut parameters.all[k].declared;
            declared.start = Some(values[k].max(declared.lower).min(declared.upper));
        }
    }
    Ok(Some(report))
}

/// Some rows of all sets.
fn thin<'a>(sets: &[Set<'a>], count: usize) -> Result<Vec<Thinned<'a>>, FitError> {
    let count = (count / sets.len()).max(FEWEST_ROWS);
    sets.iter().enumerate().map(|(k, set)| set.thinned(count, k as u32)).collect()
}

/// Places of the points of a grid on its axes: all, or some that are drawn of too many.
fn places(grid: &[Axis]) -> Vec<Vec<usize>> {
    let counts: Vec<usize> = grid.iter().map(|axis| axis.values.values.len()).collect();
    let all = counts.iter().try_fold(1usize, |all, count| all.checked_mul(*count));
    if let Some(all) = all.filter(|all| *all <= MOST_POINTS) {
        let place = |mut point: usize| {
            let of_axis = |count: &usize| {
                let place = point % count;
                point /= count;
                place
            };
            counts.iter().map(of_axis).collect()
        };
        return (0..all).map(place).collect();
    }
    let philox = Philox::new(0);
    let drawn = |point: usize, axis: usize| {
        let [a, b, ..] = philox.block([point as u32, axis as u32, 0, PURPOSE]);
        ((unit(a, b) * counts[axis] as f64) as usize).min(counts[axis] - 1)
    };
    (0..MOST_POINTS)
        .map(|point| (0..counts.len()).map(|axis| drawn(point, axis)).collect())
        .collect()
}

/// Fit of some of the rows.
struct Thin<'o> {
    objective: Objective<'o>,
    rounds: Rounds,
    rows: u64,
    /// Ranks that share the points.
    ranks: Ranks<'o>,
    cancel: Option<&'o AtomicBool>,
}

impl Thin<'_> {
    /// The best points of a grid that are no neighbours, with some linear unknowns at their minimum.
    fn best_of(
        &self,
        grid: &[Axis],
        places: &[Vec<usize>],
        linear: &[usize],
    ) -> Result<Vec<Point>, FitError> {
        let start = self.objective.layout.start();
        let at = |point: usize| -> Result<Option<Point>, FitError> {
            let mut unknowns = start.clone();
            for (axis, k) in grid.iter().zip(&places[point]) {
                unknowns[axis.unknown] = self.unknown(axis, axis.values.values[*k]);
            }
            self.projected(unknowns, linear)
        };
        let points = self.ranks.map(places.len(), at)?;
        let mut points: Vec<(Point, &Vec<usize>)> = points
            .into_iter()
            .zip(places)
            .filter_map(|(point, place)| Some((point?, place)))
            .collect();
        points.sort_by(|(a, _), (b, _)| a.cost.total_cmp(&b.cost));
        Ok(no_neighbours(points, BEST_POINTS * grid.len().max(1)))
    }

    /// Points of a sequence of low discrepancy in the ranges of the axes, with linear unknowns at their minimum.
    ///
    /// Coordinate k of point n is the fraction of `shift_k + n g^-(k+1)`, where g solves `g^(d+1) = g + 1` in d dimensions and the
    /// shifts come from the seed. Source: M. Roberts, The unreasonable effectiveness of quasirandom sequences (2018).
    fn further(
        &self,
        Further { count, seed }: Further,
        axes: &[Axis],
        linear: &[usize],
    ) -> Result<Vec<Point>, FitError> {
        let (start, philox) = (self.objective.layout.start(), Philox::new(seed));
        let power = 1.0 / (axes.len() as f64 + 1.0);
        let ratio = (0..64).fold(2.0f64, |ratio, _| (1.0 + ratio).powf(power));
        let at = |point: usize| -> Result<Option<Point>, FitError> {
            let mut unknowns = start.clone();
            for (k, axis) in axes.iter().enumerate() {
                let [a, b, ..] = philox.block([k as u32, 0, 1, PURPOSE]);
                let share = (unit(a, b) + (point + 1) as f64 * ratio.powi(-1 - k as i32)).fract();
                unknowns[axis.unknown] = self.unknown(axis, axis.values.at(share));
            }
            self.projected(unknowns, linear)
        };
        let points = self.ranks.map(count, at)?;
        Ok(points.into_iter().flatten().collect())
    }

    fn unknown(&self, axis: &Axis, value: f64) -> f64 {
        let layout = self.objective.layout;
        layout.unknown(layout.free()[axis.unknown], value)
    }

    /// Point with some linear unknowns at their minimum in the bounds. None where the model is not finite.
    fn projected(
        &self,
        mut unknowns: Vec<f64>,
        linear: &[usize],
    ) -> Result<Option<Point>, FitError> {
        if self.is_cancelled() {
            return Ok(None);
        }
        let all = self.objective.layout.bounds();
        let bounds: Vec<(f64, f64)> = linear.iter().map(|k| all[*k]).collect();
        let zero = |(lower, upper): &(f64, f64)| 0f64.max(*lower).min(*upper);
        linear.iter().zip(&bounds).for_each(|(k, bounds)| unknowns[*k] = zero(bounds));
        let Some(part) = self.objective.part(&unknowns, None)? else { return Ok(None) };
        let columns: Vec<usize> = linear.iter().copied().chain([unknowns.len()]).collect();
        let mut factor = part.factor.select(&columns);
        let scale: Vec<f64> = (0..linear.len()).map(|k| factor.norm(k)).collect();
        for _ in 0..LINEAR_STEPS {
            let values: Vec<f64> = linear.iter().map(|k| unknowns[*k]).collect();
            let step = Linearised::new(&factor, &values, &bounds).step(TINY, &scale);
            let Some(step) = step else { break };
            for ((k, (lower, upper)), step) in linear.iter().zip(&bounds).zip(&step) {
                unknowns[*k] = (unknowns[*k] + step).max(*lower).min(*upper);
            }
            moved(&mut factor, &step);
        }
        let cost = factor.product(linear.len(), linear.len());
        Ok(cost.is_finite().then_some(Point { unknowns, cost }))
    }

    /// Minima from some points, the best one first.
    fn minima(&self, begins: Vec<Point>) -> Result<Vec<Point>, FitError> {
        let of = |begin: &Point, passes: usize| -> Result<Option<Point>, FitError> {
            let mut objective = self.objective;
            let begin = match self.rounds.begin(&mut objective, begin.unknowns.clone()) {
                Ok((state, part)) => (state.accelerated(), part),
                Err(FitError::ModelNotFinite { .. }) => return Ok(None),
                Err(error) => return Err(error),
            };
            let limits = Limits { cancel: self.cancel, ..Limits::passes(passes) };
            let (minimum, _) = self.rounds.run(&mut objective, self.rows, begin, limits)?;
            Ok(Some(Point { unknowns: minimum.unknowns, cost: minimum.part.cost }))
        };
        let all = |begins: Vec<Point>, passes: usize| -> Result<Vec<Point>, FitError> {
            let ends = self.ranks.map(begins.len(), |k| of(&begins[k], passes))?;
            let mut ends: Vec<Point> = ends.into_iter().flatten().collect();
            ends.sort_by(|a, b| a.cost.total_cmp(&b.cost));
            Ok(ends)
        };
        let mut ends = all(begins, SHORT)?;
        let rest = ends.split_off(BEST_MINIMA.min(ends.len()));
        ends = all(ends, LONG)?;
        ends.extend(rest);
        Ok(ends)
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }
}

/// The first points, but those whose places on all axes are next to those of an earlier one.
fn no_neighbours<T>(points: Vec<(T, &Vec<usize>)>, most: usize) -> Vec<T> {
    let mut best: Vec<(T, &Vec<usize>)> = vec![];
    for (point, place) in points {
        let near = |other: &[usize]| place.iter().zip(other).all(|(a, b)| a.abs_diff(*b) <= 1);
        if best.len() < most && !best.iter().any(|(_, other)| near(other)) {
            best.push((point, place));
        }
    }
    best.into_iter().map(|(point, _)| point).collect()
}

/// Adds a step to the residuals of a factor [J r].
fn moved(factor: &mut Factor, step: &[f64]) {
    let last = step.len();
    for row in 0..last {
        let along: f64 = (row..last).map(|k| factor.entry(row, k) * step[k]).sum();
        factor.set(row, last, factor.entry(row, last) + along);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_left_out() {
        let places = [[2, 2], [3, 1], [2, 4], [0, 0], [4, 4], [9, 9]].map(Vec::from);
        let points: Vec<_> = places.iter().enumerate().collect();
        assert_eq!(no_neighbours(points.clone(), 9), [0, 2, 3, 4, 5]);
        assert_eq!(no_neighbours(points, 2), [0, 2]);
    }

    #[test]
    fn grids_are_complete_or_drawn() {
        let axis = |count: usize| Axis { unknown: 0, values: Values::of(vec![1.0; count]) };
        let small = places(&[axis(3), axis(4)]);
        let mut sorted = small.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!((small.len(), sorted.len()), (12, 12));
        assert_eq!(places(&[]), [vec![0usize; 0]]);
        let counts = [13, 12, 11, 10];
        let large = places(&counts.map(axis));
        assert_eq!(large.len(), MOST_POINTS);
        for (k, count) in counts.into_iter().enumerate() {
            let seen = |value| large.iter().filter(|place| place[k] == value).count();
            assert!((0..count).all(|value| seen(value) > MOST_POINTS / count / 2), "{k}");
        }
        // Many axes, whose product no number holds.
        assert_eq!(places(&[(); 30].map(|()| axis(13))).len(), MOST_POINTS);
    }
}

use super::{PathStop, StopEvent};
use crate::SdeError;
use crate::noise::Tile;
use hpfracc_lanes::Rows;
use hpfracc_types::Real;

/// Paths of a tile that events have stopped, from the start of the tile on.
///
/// The steps of a stopped path go on from its last state before the stop, at which the coefficients
/// are known to be finite, and their results are discarded.
#[derive(Debug)]
pub(crate) struct StoppedPaths<'a, T> {
    events: &'a [StopEvent<T>],
    tile: Tile,
    t0: f64,
    /// g at the last node, a row for each event, and at the present one.
    before: Vec<T>,
    after: Vec<T>,
    /// State at the last node.
    start: Vec<T>,
    /// States with those of stopped paths at the stop.
    shown: Vec<T>,
    /// For each path whether it is stopped; empty without events.
    stopped: Vec<bool>,
    stops: Vec<Option<PathStop>>,
}

impl<'a, T: Real> StoppedPaths<'a, T> {
    pub(crate) fn new(events: &'a [StopEvent<T>], tile: Tile, t0: f64, x: &[T]) -> Self {
        let none = events.is_empty();
        let (lanes, rows) = if none {
            (0, vec![])
        } else {
            (tile.lanes, vec![T::zero(); events.len() * tile.lanes])
        };
        let start = if none { vec![] } else { x.to_vec() };
        Self {
            events,
            tile,
            t0,
            before: rows.clone(),
            after: rows,
            shown: start.clone(),
            start,
            stopped: vec![false; lanes],
            stops: vec![None; lanes],
        }
    }

    /// For each path whether it is stopped; empty without events.
    pub(crate) fn lanes(&self) -> &[bool] {
        &self.stopped
    }

    /// States of the present node, of stopped paths those at the stop.
    pub(crate) fn shown<'s>(&'s mut self, x: &'s [T]) -> Rows<'s, T> {
        let lanes = self.tile.lanes;
        if self.events.is_empty() {
            return Rows::new(x, lanes);
        }
        let rows = self.shown.chunks_exact_mut(lanes).zip(x.chunks_exact(lanes));
        for (shown, x) in rows {
            for ((shown, x), stopped) in shown.iter_mut().zip(x).zip(&self.stopped) {
                *shown = if *stopped { *shown } else { *x };
            }
        }
        Rows::new(&self.shown, lanes)
    }

    /// Stores the states before step n. Before the first step, stops the paths at which g is 0.
    pub(crate) fn begin(
        &mut self,
        n: usize,
        x: &[T],
        stop: impl FnMut(usize),
    ) -> Result<(), SdeError> {
        if self.events.is_empty() {
            return Ok(());
        }
        self.start.copy_from_slice(x);
        if n > 0 {
            return Ok(());
        }
        self.evaluate(0, x)?;
        let zero = |g: T, _: T, _: &StopEvent<T>| (g == T::zero()).then(T::zero);
        self.stop_where(0, x, zero, stop);
        self.before.copy_from_slice(&self.after);
        Ok(())
    }

    /// Stops the paths of which an event has crossed zero in step n, which ends at `x`, and puts
    /// stopped paths back to their state before it.
    pub(crate) fn end(
        &mut self,
        n: usize,
        x: &mut [T],
        stop: impl FnMut(usize),
    ) -> Result<(), SdeError> {
        if self.events.is_empty() {
            return Ok(());
        }
        self.evaluate(n + 1, x)?;
        self.stop_where(n, x, |after, before, event| event.crossing(before, after), stop);
        std::mem::swap(&mut self.before, &mut self.after);
        let rows = x.chunks_exact_mut(self.tile.lanes);
        for (x, start) in rows.zip(self.start.chunks_exact(self.tile.lanes)) {
            for ((x, start), stopped) in x.iter_mut().zip(start).zip(&self.stopped) {
                *x = if *stopped { *start } else { *x };
            }
        }
        Ok(())
    }

    /// Values of all events at node n, which have to be finite.
    fn evaluate(&mut self, node: usize, x: &[T]) -> Result<(), SdeError> {
        let lanes = self.tile.lanes;
        let t = self.t0 + node as f64 * self.tile.h;
        let rows = self.after.chunks_exact_mut(lanes);
        for (number, (event, values)) in self.events.iter().zip(rows).enumerate() {
            event.write(t, Rows::new(x, lanes), values);
            let mut live = values.iter().zip(&self.stopped);
            if let Some(lane) = live.position(|(g, stopped)| !stopped && !g.widen().is_finite()) {
                let path = self.tile.first_path + lane as u64;
                return Err(SdeError::EventNotFinite { path, event: number, t });
            }
        }
        Ok(())
    }

    /// Stops the paths for which `crossing`, of g now and before, gives a share of step n.
    fn stop_where(
        &mut self,
        n: usize,
        x: &[T],
        crossing: impl Fn(T, T, &StopEvent<T>) -> Option<T>,
        mut stop: impl FnMut(usize),
    ) {
        let lanes = self.tile.lanes;
        for lane in 0..lanes {
            if self.stopped[lane] {
                continue;
            }
            let mut first: Option<(usize, T)> = None;
            for (number, event) in self.events.iter().enumerate() {
                let at = number * lanes + lane;
                if let Some(share) = crossing(self.after[at], self.before[at], event)
                    && first.is_none_or(|(_, least)| share < least)
                {
                    first = Some((number, share));
                }
            }
            let Some((event, share)) = first else { continue };
            let (t0, h) = (self.t0, self.tile.h);
            self.stops[lane] = Some(PathStop::in_step(event, (t0, h), n, share.widen()));
            self.stopped[lane] = true;
            for at in (lane..x.len()).step_by(lanes) {
                let start = self.start[at];
                self.shown[at] = start + share * (x[at] - start);
            }
            stop(lane);
        }
    }

    /// Stop of each path; empty without events.
    pub(crate) fn into_stops(self) -> Vec<Option<PathStop>> {
        self.stops
    }
}

//! The time of a member for a number of signals, estimated from its executions.

use std::time::Duration;

/// The time of `n` signals as an affine function, `overhead + n per_signal`, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct AffineTime {
    pub(super) overhead: f64,
    pub(super) per_signal: f64,
}

impl AffineTime {
    pub(super) fn time(self, signals: usize) -> f64 {
        if signals == 0 { 0.0 } else { self.overhead + signals as f64 * self.per_signal }
    }
}

/// Executions of one member: a moving average for each of two numbers of signals, from which follow
/// overhead and throughput.
#[derive(Debug, Clone, Default)]
pub(super) struct SpeedEstimate {
    /// The latest measurement last.
    points: Vec<Point>,
}

#[derive(Debug, Clone, Copy)]
struct Point {
    signals: usize,
    seconds: f64,
    warm: bool,
}

/// Weight of the newest execution in the average: a disturbed one fades within ten executions.
const NEWEST: f64 = 0.25;

/// Least ratio of two numbers of signals from which an overhead is estimated.
const APART: f64 = 1.25;

/// Largest fraction of the time of the smaller number that is overhead: the throughput stays
/// finite.
const MOST_OVERHEAD: f64 = 0.9;

impl SpeedEstimate {
    /// Records an execution. One that was not `warm`, the first through a newly bound map, includes
    /// the binding: it counts only until there is another.
    pub(super) fn record(&mut self, signals: usize, took: Duration, warm: bool) {
        let seconds = took.as_secs_f64().max(1e-9);
        let same = self.points.iter().position(|p| p.signals == signals);
        let point = match same.map(|at| self.points.remove(at)) {
            Some(known) if !warm => known,
            Some(known) if known.warm => {
                let seconds = known.seconds + NEWEST * (seconds - known.seconds);
                Point { seconds, ..known }
            }
            _ => Point { signals, seconds, warm },
        };
        if self.points.len() == 2 {
            let gone = self.least_useful(signals);
            if !warm && self.points[gone].warm {
                return;
            }
            self.points.remove(gone);
        }
        self.points.push(point);
    }

    /// Index of the point to replace by another one at `signals`: the one that was not warm, or the
    /// nearer one, because numbers far apart determine the overhead best.
    fn least_useful(&self, signals: usize) -> usize {
        let distance = |p: &Point| (p.signals as f64 / signals as f64).ln().abs();
        let [a, b] = [&self.points[0], &self.points[1]];
        if a.warm != b.warm {
            return usize::from(a.warm);
        }
        usize::from(distance(b) < distance(a))
    }

    /// The affine function through both points, exact at the newer one; `None` without
    /// measurements.
    pub(super) fn time(&self) -> Option<AffineTime> {
        let newest = self.points.last()?;
        let overhead = match self.points[..] {
            [a, b] if a.warm == b.warm => overhead(a, b),
            _ => 0.0,
        };
        let per_signal = (newest.seconds - overhead) / newest.signals as f64;
        Some(AffineTime { overhead, per_signal })
    }
}

fn overhead(a: Point, b: Point) -> f64 {
    let (few, many) = if a.signals < b.signals { (a, b) } else { (b, a) };
    if (many.signals as f64) < APART * few.signals as f64 {
        return 0.0;
    }
    let per_signal = (many.seconds - few.seconds) / (many.signals - few.signals) as f64;
    // The newer one may be the faster per call: some of its time must remain for its signals.
    let most = MOST_OVERHEAD * few.seconds.min(many.seconds);
    (few.seconds - few.signals as f64 * per_signal).clamp(0.0, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speed(executions: &[(usize, f64, bool)]) -> SpeedEstimate {
        let mut speed = SpeedEstimate::default();
        for &(signals, seconds, warm) in executions {
            speed.record(signals, Duration::from_secs_f64(seconds), warm);
        }
        speed
    }

    #[track_caller]
    fn assert_time(speed: &SpeedEstimate, overhead: f64, per_signal: f64) {
        let time = speed.time().unwrap();
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(close(time.overhead, overhead) && close(time.per_signal, per_signal), "{time:?}");
    }

    #[test]
    fn one_number_of_signals_gives_a_throughput_and_two_an_overhead() {
        assert_eq!(speed(&[]).time(), None);
        assert_time(&speed(&[(10, 0.5, true)]), 0.0, 0.05);
        assert_time(&speed(&[(10, 0.5, true), (30, 0.9, true)]), 0.3, 0.02);
        assert_time(&speed(&[(30, 0.9, true), (10, 0.5, true)]), 0.3, 0.02);
        // Too near each other.
        assert_time(&speed(&[(10, 0.5, true), (11, 0.6, true)]), 0.0, 0.6 / 11.0);
    }

    #[test]
    fn noise_leaves_a_valid_estimate() {
        // More signals in less time: nearly all of it is overhead.
        assert_time(&speed(&[(10, 1.0, true), (30, 0.5, true)]), 0.45, 0.05 / 30.0);
        // More than in proportion: none is.
        assert_time(&speed(&[(10, 0.1, true), (20, 1.0, true)]), 0.0, 0.05);
        assert!(speed(&[(10, 0.0, true)]).time().unwrap().per_signal > 0.0);
    }

    #[test]
    fn the_first_execution_counts_until_there_is_another() {
        assert_time(&speed(&[(10, 9.0, false)]), 0.0, 0.9);
        assert_time(&speed(&[(10, 9.0, false), (10, 0.5, true)]), 0.0, 0.05);
        assert_time(&speed(&[(10, 0.5, true), (10, 9.0, false)]), 0.0, 0.05);
        // Next to a warm one it gives a throughput at most, and is replaced first.
        assert_time(&speed(&[(30, 9.0, false), (10, 0.5, true)]), 0.0, 0.05);
        let three = [(30, 9.0, false), (10, 0.5, true), (40, 1.1, true)];
        assert_time(&speed(&three), 0.3, 0.02);
        assert_time(&speed(&[(10, 0.5, true), (30, 0.9, true), (20, 9.0, false)]), 0.3, 0.02);
    }

    #[test]
    fn averages_follow_a_change_and_far_numbers_stay() {
        let mut executions = vec![(10, 0.1, true)];
        executions.extend([(10, 0.2, true); 20]);
        let time = speed(&executions).time().unwrap();
        assert!((time.per_signal - 0.02).abs() < 1e-4, "{time:?}");
        // 100 and 1000, then 500: nearer to 1000.
        let three = [(100, 0.2, true), (1000, 1.1, true), (500, 0.6, true)];
        assert_time(&speed(&three), 0.1, 0.001);
        assert_eq!(speed(&three).points[0].signals, 100);
    }
}

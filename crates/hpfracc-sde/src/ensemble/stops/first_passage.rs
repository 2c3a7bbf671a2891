use super::admit_events;
use crate::checks::room_for;
use crate::error::in_range;
use crate::problem::PathStop;
use crate::{
    Collect, Layout, MomentSums, RecordIndex, SavedWords, SdeError, Sketch, StatisticsRequest,
};
use hpfracc_lanes::Rows;
use hpfracc_types::Real;

/// Statistics of first passage times: for each [event](crate::StopEvent) the number of paths that
/// it stopped up to each saved time, and mean, standard deviation and quantiles of the stop times.
/// Memory does not depend on the number of paths.
///
/// Quantiles are those of [`Quantiles`](crate::Quantiles) with a relative error of at most 1/128.
/// Statistics of times are of the stopped paths: with an end of the interval before most
/// paths stop, they are those of the early stops only.
#[derive(Debug, Clone, PartialEq)]
pub struct FirstPassage {
    probabilities: Vec<f64>,
}

/// First passage times of an ensemble.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FirstPassageTable {
    /// Number of paths.
    pub paths: usize,
    /// The saved times.
    pub times: Vec<f64>,
    /// The probabilities of the quantiles.
    pub probabilities: Vec<f64>,
    /// Statistics of each event.
    pub events: Vec<StopStatistics>,
}

/// Stops by one event.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StopStatistics {
    /// Number of paths that it stopped.
    pub stopped: u64,
    /// Number of paths that it stopped up to each saved time.
    pub stopped_by: Vec<u64>,
    /// Mean of their stop times; NaN of no path.
    pub mean: f64,
    /// Standard deviation of their stop times; NaN of one path.
    pub standard_deviation: f64,
    /// Quantiles of their stop times; NaN of no path.
    pub quantiles: Vec<f64>,
}

impl StopStatistics {
    /// Standard error of the mean.
    pub fn standard_error(&self) -> f64 {
        self.standard_deviation / (self.stopped as f64).sqrt()
    }
}

impl FirstPassageTable {
    /// Number of paths that are not stopped at each saved time: the survival function, times paths.
    pub fn surviving(&self) -> Vec<u64> {
        let stopped = |time| self.events.iter().map(|event| event.stopped_by[time]).sum::<u64>();
        (0..self.times.len()).map(|time| self.paths as u64 - stopped(time)).collect()
    }
}

impl FirstPassage {
    /// With quantiles for these probabilities, each from 0 to 1.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for another probability.
    pub fn new(probabilities: &[f64]) -> Result<Self, SdeError> {
        for &p in probabilities {
            in_range((0.0..=1.0).contains(&p), "a probability", p, "0 to 1")?;
        }
        Ok(Self { probabilities: probabilities.to_vec() })
    }
}

/// Quantiles 0.05, 0.5 and 0.95.
impl Default for FirstPassage {
    fn default() -> Self {
        Self { probabilities: vec![0.05, 0.5, 0.95] }
    }
}

/// Leading bits of the mantissa of the buckets of stop times.
const DIGITS: u32 = 7;

/// Stops of some paths by one event.
#[derive(Debug, Clone)]
struct EventStops {
    moments: MomentSums,
    sketch: Sketch,
    /// Stops after the saved time before and up to each saved time.
    between: Vec<u64>,
}

impl EventStops {
    fn new(times: usize) -> Self {
        let (moments, sketch) = (MomentSums::empty(1), Sketch::new(DIGITS));
        Self { moments, sketch, between: vec![0; times] }
    }

    fn add(&mut self, times: &[f64], saved: &[f64]) {
        if times.is_empty() {
            return;
        }
        self.moments.add(&MomentSums::of_tile(Rows::new(times, times.len())));
        self.sketch.record(times);
        for t in times {
            let next = saved.partition_point(|saved| saved < t);
            if let Some(count) = self.between.get_mut(next) {
                *count += 1;
            }
        }
    }

    fn statistics(&self, probabilities: &[f64]) -> StopStatistics {
        let (count, mean, variance) = self.moments.sample_moments();
        let quantile = |p: &f64| if count > 0.0 { self.sketch.quantile(*p) } else { f64::NAN };
        let mut so_far = 0;
        let cumulative = self.between.iter().map(|count| {
            so_far += count;
            so_far
        });
        StopStatistics {
            stopped: count as u64,
            stopped_by: cumulative.collect(),
            mean: if count > 0.0 { mean } else { f64::NAN },
            standard_deviation: variance.sqrt(),
            quantiles: probabilities.iter().map(quantile).collect(),
        }
    }
}

/// Data of a shard of [`FirstPassage`].
#[derive(Debug, Clone)]
pub struct FirstPassageShard {
    saved: Vec<f64>,
    events: Vec<EventStops>,
}

impl<T: Real> Collect<T> for FirstPassage {
    type Shard = FirstPassageShard;
    type Output = FirstPassageTable;

    fn shard(&self, layout: &Layout) -> Self::Shard {
        let events = vec![EventStops::new(layout.times.len()); layout.events];
        FirstPassageShard { saved: layout.times.clone(), events }
    }

    fn record(&self, _: &mut Self::Shard, _: RecordIndex, _: Rows<'_, T>) {}

    fn request(&self) -> Option<StatisticsRequest> {
        Some(StatisticsRequest::default())
    }

    fn record_stops(&self, shard: &mut Self::Shard, _: usize, stops: &[Option<PathStop>]) {
        let mut times = Vec::with_capacity(stops.len());
        for (number, event) in shard.events.iter_mut().enumerate() {
            times.clear();
            let stopped = stops.iter().flatten().filter(|stop| stop.event == number);
            times.extend(stopped.map(|stop| stop.t));
            event.add(&times, &shard.saved);
        }
    }

    fn merge(&self, into: &mut Self::Shard, next: Self::Shard) {
        for (event, next) in into.events.iter_mut().zip(next.events) {
            event.moments.add(&next.moments);
            event.sketch.merge(&next.sketch);
            event.between.iter_mut().zip(next.between).for_each(|(count, next)| *count += next);
        }
    }

    fn finish(&self, layout: &Layout, all: Self::Shard) -> Self::Output {
        let events = all.events.iter().map(|event| event.statistics(&self.probabilities));
        FirstPassageTable {
            paths: layout.paths,
            times: layout.times.clone(),
            probabilities: self.probabilities.clone(),
            events: events.collect(),
        }
    }

    fn admit(&self, layout: &Layout) -> Result<(), SdeError> {
        admit_events(layout)?;
        let bytes = size_of::<EventStops>().saturating_add(8 * layout.times.len());
        room_for("the counts of stopped paths", &[layout.events, bytes])
    }

    fn save(&self, shard: &Self::Shard, words: &mut Vec<u64>) {
        for event in &shard.events {
            event.moments.words(words);
            event.sketch.words(words);
            words.extend(&event.between);
        }
    }

    fn restore(&self, layout: &Layout, words: &mut SavedWords<'_>) -> Option<Self::Shard> {
        let mut event = || {
            let moments = MomentSums::of_words(1, words)?;
            let sketch = Sketch::of_words(DIGITS, words)?;
            let between = layout.times.iter().map(|_| words.next().copied());
            Some(EventStops { moments, sketch, between: between.collect::<Option<_>>()? })
        };
        let events = (0..layout.events).map(|_| event()).collect::<Option<_>>()?;
        Some(FirstPassageShard { saved: layout.times.clone(), events })
    }
}

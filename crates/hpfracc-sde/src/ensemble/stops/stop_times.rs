use super::admit_events;
use crate::checks::room_for;
use crate::problem::PathStop;
use crate::{Collect, Layout, RecordIndex, SavedWords, SdeError, StatisticsRequest};
use hpfracc_lanes::Rows;
use hpfracc_types::Real;

/// The stop of each path, in the order of the paths; `None` of paths that no event stopped.
///
/// Memory: 48 bytes a path. [`FirstPassage`](super::FirstPassage) has statistics alone.
#[derive(Debug, Clone, Copy, Default)]
pub struct StopTimes;

/// Stops of some paths, from a first one on.
type Recorded = (usize, Vec<Option<PathStop>>);

/// Event number in saved words of a path that is not stopped.
const NONE: u64 = u64::MAX;

impl<T: Real> Collect<T> for StopTimes {
    type Shard = Vec<Recorded>;
    type Output = Vec<Option<PathStop>>;

    fn shard(&self, _: &Layout) -> Self::Shard {
        Vec::new()
    }

    fn record(&self, _: &mut Self::Shard, _: RecordIndex, _: Rows<'_, T>) {}

    fn request(&self) -> Option<StatisticsRequest> {
        Some(StatisticsRequest::default())
    }

    fn record_stops(&self, shard: &mut Self::Shard, path: usize, stops: &[Option<PathStop>]) {
        shard.push((path, stops.to_vec()));
    }

    fn merge(&self, into: &mut Self::Shard, mut next: Self::Shard) {
        into.append(&mut next);
    }

    fn finish(&self, layout: &Layout, all: Self::Shard) -> Self::Output {
        let mut stops = vec![None; layout.paths];
        for (path, recorded) in all {
            stops[path..][..recorded.len()].copy_from_slice(&recorded);
        }
        stops
    }

    fn admit(&self, layout: &Layout) -> Result<(), SdeError> {
        admit_events(layout)?;
        let sizes = [layout.paths, 2 * size_of::<Option<PathStop>>()];
        room_for("the stops of all paths", &sizes)
    }

    fn save(&self, shard: &Self::Shard, words: &mut Vec<u64>) {
        words.push(shard.len() as u64);
        for (path, stops) in shard {
            words.extend([*path as u64, stops.len() as u64]);
            let of = |stop: &Option<PathStop>| {
                stop.map_or([NONE, 0], |stop| [stop.event as u64, stop.t.to_bits()])
            };
            words.extend(stops.iter().flat_map(of));
        }
    }

    fn restore(&self, layout: &Layout, words: &mut SavedWords<'_>) -> Option<Self::Shard> {
        let mut next = || words.next().copied();
        let mut shard = Vec::new();
        for _ in 0..next()? {
            let path = usize::try_from(next()?).ok()?;
            let count = usize::try_from(next()?).ok()?;
            if path.checked_add(count)? > layout.paths {
                return None;
            }
            let mut stop = || {
                let (event, t) = (next()?, f64::from_bits(next()?));
                match event {
                    NONE => Some(None),
                    event if event < layout.events as u64 && t.is_finite() => {
                        Some(Some(PathStop { event: event as usize, t }))
                    }
                    _ => None,
                }
            };
            shard.push((path, (0..count).map(|_| stop()).collect::<Option<_>>()?));
        }
        Some(shard)
    }
}

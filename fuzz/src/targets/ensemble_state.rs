use crate::seal::fnv_of;
use crate::{Bytes, Target};
use hpfracc::noise::Brownian;
use hpfracc::sde::SdeError;
use hpfracc::sde::models::{Model, OrnsteinUhlenbeck};
use hpfracc::sde::{Checkpoint, Ensemble, EulerMaruyama, Moments, PairMoments, Paths, Quantiles};
use serde_json::Value;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Edited checkpoints of an unfinished solve with a valid checksum; after an even byte, any text.
pub(super) const TARGET: Target =
    Target { name: "ensemble_state", about: "checkpoints of ensembles in files", run };

const PATHS: usize = 130;
const STEPS: usize = 6;

/// All collectors at once.
fn collector() -> (Quantiles, (PairMoments, (Paths, Moments))) {
    let quantiles = Quantiles::new(&[0.1, 0.5]).expect("two probabilities");
    (quantiles, (PairMoments, (Paths, Moments)))
}

/// Starts or resumes a solve, and cancels it if `stop` is set.
fn solve(from: Option<&Checkpoint>, stop: bool) -> Result<Checkpoint, SdeError> {
    let flag = AtomicBool::new(false);
    let watched = |progress: hpfracc::sde::Progress| {
        flag.store(stop && progress.share > 0.3, Ordering::Relaxed);
    };
    let model = OrnsteinUhlenbeck::default();
    let (problem, noise) = (model.problem::<f64>((0.0, 1.0))?, Brownian::new(3, 1)?);
    let ensemble = Ensemble::new(PATHS, STEPS)?.saving_every(2)?.in_tiles_of(2)?;
    let (ensemble, collector) = (ensemble.cancelled_by(&flag).watched_by(&watched), collector());
    let run = ensemble.run(&problem, &EulerMaruyama, &noise, &collector)?;
    let run = match from {
        Some(checkpoint) => run.restore(checkpoint)?,
        None => run,
    };
    match run.advance() {
        Err(SdeError::Cancelled) => return Ok(run.checkpoint()),
        end => end?,
    }
    let checkpoint = run.checkpoint();
    run.finish()?;
    Ok(checkpoint)
}

/// Checkpoints of a cancelled and of a complete solve.
static CHECKPOINTS: LazyLock<[Value; 2]> = LazyLock::new(|| {
    [true, false].map(|stop| {
        let checkpoint = solve(None, stop).expect("a solve that can be interrupted");
        serde_json::to_value(checkpoint).expect("a plain value")
    })
});

fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let kind = bytes.byte();
    let value = if kind.is_multiple_of(2) {
        let Ok(value) = serde_json::from_slice(bytes.rest()) else { return };
        value
    } else {
        let mut value = CHECKPOINTS[usize::from(kind >> 1) % 2].clone();
        while !bytes.is_empty() {
            edit(&mut value, &mut bytes);
        }
        seal(&mut value);
        value
    };
    let Ok(checkpoint) = serde_json::from_value::<Checkpoint>(value) else { return };
    if let Err(error) = solve(Some(&checkpoint), false) {
        drop(error.to_string());
    }
}

/// Changes a random value inside a JSON value.
fn edit(value: &mut Value, bytes: &mut Bytes<'_>) {
    match value {
        Value::Object(members) => {
            let at = bytes.below(members.len());
            if let Some(member) = members.values_mut().nth(at) {
                edit(member, bytes);
            }
        }
        Value::Array(items) => match bytes.byte() % 8 {
            0 => items.truncate(bytes.below(items.len() + 1)),
            1 => items.push(word(bytes)),
            _ => {
                let at = bytes.below(items.len());
                if let Some(item) = items.get_mut(at) {
                    edit(item, bytes);
                }
            }
        },
        other => *other = if bytes.byte() == 0 { Value::Null } else { word(bytes) },
    }
}

fn word(bytes: &mut Bytes<'_>) -> Value {
    match bytes.byte() % 4 {
        0 => bytes.real().to_bits().into(),
        1 => bytes.word().into(),
        2 => (u64::MAX - u64::from(bytes.byte())).into(),
        _ => bytes.byte().into(),
    }
}

/// Writes a valid checksum.
fn seal(value: &mut Value) {
    let word = |value: &Value| value.as_u64().unwrap_or(0);
    let words = |value: &Value| -> Vec<u64> {
        match value.as_array() {
            Some(items) => [vec![items.len() as u64], items.iter().map(word).collect()].concat(),
            None => vec![u64::MAX],
        }
    };
    let mut all =
        vec![word(&value["version"]), word(&value["fingerprint"]), word(&value["joined"])];
    for name in ["scalar", "scheme"] {
        all.extend(value[name].as_str().unwrap_or("").bytes().map(u64::from));
    }
    all.extend(words(&value["collected"]));
    for part in value["parts"].as_array().into_iter().flatten() {
        all.push(word(&part["level"]));
        all.extend(words(&part["collected"]));
    }
    for shard in value["shards"].as_array().into_iter().flatten() {
        all.extend([word(&shard["tiles"]), word(&shard["times"]), word(&shard["level"])]);
        all.extend(words(&shard["collected"]));
    }
    value["checksum"] = fnv_of(all.into_iter()).into();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Otherwise all edits would be refused for their checksum.
    #[test]
    fn the_checksum_is_valid() {
        for saved in &*CHECKPOINTS {
            let mut value = saved.clone();
            value["checksum"] = 0.into();
            seal(&mut value);
            assert_eq!(&value, saved);
            let checkpoint = serde_json::from_value::<Checkpoint>(value).unwrap();
            assert!(solve(Some(&checkpoint), false).is_ok());
        }
    }
}

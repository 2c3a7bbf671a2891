use crate::seal::fnv_of;
use crate::{Bytes, Target};
use hpfracc::backend::Reference;
use hpfracc::operators::{Caputo, Operator, Recurrence, Stream, StreamState};
use hpfracc::types::Order;
use serde_json::Value;
use std::sync::LazyLock;

/// The first byte says whether a valid checksum is written, the others are the state as JSON.
pub(super) const TARGET: Target =
    Target { name: "streams", about: "states of streams in files", run };

static HALF: LazyLock<Recurrence> = LazyLock::new(|| {
    let half = Caputo::l1(Order::new(0.5).expect("an order")).expect("of L1");
    half.recurrence(0.1, 10, 0.1).expect("a recurrence")
});

fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let sealed = bytes.flag();
    let Ok(mut value) = serde_json::from_slice::<Value>(bytes.rest()) else { return };
    if sealed && value.is_object() {
        seal(&mut value);
    }
    let Ok(state) = serde_json::from_value::<StreamState>(value) else { return };
    state.pushed();
    match Stream::<f64>::resume(&HALF, &state, &Reference) {
        Ok(mut stream) => drop(stream.push(1.0).map_err(|error| error.to_string())),
        Err(error) => drop(error.to_string()),
    }
}

/// Writes the fingerprint of the recurrence and a valid checksum.
fn seal(value: &mut Value) {
    let fresh = Stream::<f64>::new(&HALF, 1, &Reference).expect("a stream").state();
    let fresh = serde_json::to_value(fresh).expect("a state");
    value["recurrence"] = fresh["recurrence"].clone();
    let word = |name: &str| value[name].as_u64().unwrap_or(0);
    let failed = u64::from(value["failed"].as_bool().unwrap_or(false));
    let head = [word("version"), word("recurrence"), word("channels"), word("pushed"), failed];
    let scalar = value["scalar"].as_str().unwrap_or("").to_owned();
    let numbers: Vec<u64> = value["numbers"]
        .as_array()
        .map(|numbers| numbers.iter().filter_map(Value::as_u64).collect())
        .unwrap_or_default();
    let sum = fnv_of(head.into_iter().chain(scalar.bytes().map(u64::from)).chain(numbers));
    value["checksum"] = sum.into();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Otherwise all edits would be refused for their checksum.
    #[test]
    fn the_checksum_is_valid() {
        let mut stream = Stream::<f64>::new(&HALF, 2, &Reference).unwrap();
        let mut out = [0.0; 2];
        stream.push_into(&[1.0, 2.0], &mut out).unwrap();
        let saved = serde_json::to_value(stream.state()).unwrap();
        let mut value = saved.clone();
        value["checksum"] = 0.into();
        seal(&mut value);
        assert_eq!(value, saved);
        let state = serde_json::from_value::<StreamState>(value).unwrap();
        assert!(Stream::<f64>::resume(&HALF, &state, &Reference).is_ok());
    }
}

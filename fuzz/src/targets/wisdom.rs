use crate::seal::fnv;
use crate::{Bytes, Target};
use hpfracc::backend::{Reference, Workload};
use hpfracc::selector::{Candidate, Experience, Prior, Selector, Settings};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// The first byte says whether the entries get the header of this machine and a valid checksum, the
/// others are the file.
pub(super) const TARGET: Target =
    Target { name: "wisdom", about: "files of timings (wisdom)", run };

fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let kind = bytes.byte();
    let loops = || Candidate::new(Reference, Prior::LOOPS);
    let experience = Experience::new(Settings::default());
    let selector = Selector::<f64>::new(vec![loops()], experience).expect("a candidate");
    let experience = selector.experience();
    let text = String::from_utf8_lossy(bytes.rest()).into_owned();
    let text = if kind.is_multiple_of(2) {
        text
    } else {
        sealed(&text, &experience.wisdom().expect("text"))
    };
    match experience.read_wisdom(&text) {
        Ok(_) => {
            // Accepted timings must give usable predictions.
            for len in [1, 64, 1 << 20] {
                let workload = Workload::CausalConvolution { len, batch: 1 };
                for expected in selector.predict(workload).expect("a workload") {
                    let seconds = [expected.low, expected.seconds, expected.high];
                    assert!(seconds.iter().all(|s| s.is_finite() && *s >= 0.0), "{seconds:?}");
                }
            }
            let again = experience.wisdom().expect("text");
            experience.read_wisdom(&again).expect("the written JSON");
        }
        Err(error) => drop(error.to_string()),
    }
}

/// File with these entries that this machine could have written.
fn sealed(text: &str, own: &str) -> String {
    let Ok(value) = serde_json::from_str::<Value>(text) else { return text.to_owned() };
    let mut own: Value = serde_json::from_str(own).expect("the written JSON");
    let entries = value.get("entries").or_else(|| value.get("content")?.get(0)?.get("entries"));
    own["content"][0]["entries"] = entries.cloned().unwrap_or_else(|| json!([]));
    let content = serde_json::value::to_raw_value(&own["content"]).expect("a value");
    let content: &RawValue = &content;
    let checksum = format!("{:016x}", fnv(content.get().bytes()));
    format!("{{\"checksum\":\"{checksum}\",\"content\":{}}}", content.get())
}

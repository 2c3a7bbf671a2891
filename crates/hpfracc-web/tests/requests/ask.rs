use hpfracc_web::{Answered, Explorer};
use serde_json::{Value, json};

/// Answer as JSON with its numbers.
pub(crate) struct Answer {
    pub json: Value,
    numbers: Vec<f64>,
}

/// Asks without numbers.
pub(crate) fn ask(kind: &str, request: Value) -> Answer {
    ask_with(kind, request, &[])
}

pub(crate) fn ask_with(kind: &str, request: Value, numbers: &[f64]) -> Answer {
    Answer::new(Explorer::new().answer(kind, &request.to_string(), numbers))
}

/// Message of an error, which there has to be.
pub(crate) fn refused(kind: &str, request: Value) -> String {
    let answer = ask(kind, request.clone());
    let message = answer.json["error"]["message"].as_str();
    message.unwrap_or_else(|| panic!("{kind} {request} was answered")).to_owned()
}

impl Answer {
    pub(crate) fn new(answered: Answered) -> Self {
        let mut json: Value = serde_json::from_str(&answered.json).unwrap();
        let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
        assert!(keys == ["answer"] || keys == ["error"], "{keys:?}");
        let answer = json.get_mut("answer").map(Value::take);
        Self { json: answer.unwrap_or(json), numbers: answered.numbers }
    }

    /// Numbers at a place such as `/y/0`.
    pub(crate) fn list(&self, pointer: &str) -> &[f64] {
        let place = self.json.pointer(pointer).unwrap_or_else(|| panic!("{}", self.json));
        let place = &place["$array"];
        let [first, count] = [0, 1].map(|k| place[k].as_u64().unwrap() as usize);
        &self.numbers[first..][..count]
    }

    /// The last number of a list.
    pub(crate) fn last(&self, pointer: &str) -> f64 {
        *self.list(pointer).last().unwrap()
    }
}

/// Request with a column of numbers for each place in it.
pub(crate) fn with_columns(columns: &[&[f64]]) -> (Vec<Value>, Vec<f64>) {
    let mut numbers = Vec::new();
    let mut places = Vec::new();
    for column in columns {
        places.push(json!({"$array": [numbers.len(), column.len()]}));
        numbers.extend_from_slice(column);
    }
    (places, numbers)
}

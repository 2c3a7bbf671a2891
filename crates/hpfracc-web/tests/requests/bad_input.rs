use crate::ask::{ask, refused};
use hpfracc_web::Explorer;
use serde_json::json;

const KINDS: [&str; 10] = [
    "about",
    "catalogue",
    "check",
    "solve",
    "ensemble",
    "scan",
    "operators",
    "derivative",
    "models",
    "fit",
];

#[test]
fn what_cannot_be_read_is_an_error() {
    assert_eq!(refused("dance", json!({})), "`dance` is no kind of request");
    for kind in KINDS {
        for request in
            ["", "{", "[]", "null", "{\"text\": 3}", "{\"t\": {\"$array\": [0]}}", "\u{0}"]
        {
            let answered = Explorer::new().answer(kind, request, &[]);
            let needs_nothing = ["about", "catalogue", "operators", "models"].contains(&kind);
            let readable = needs_nothing && request.starts_with(['{', '[']) && request.len() > 1;
            assert_eq!(
                answered.json.starts_with("{\"error\""),
                !readable,
                "{kind} {request}: {}",
                answered.json
            );
        }
    }
}

/// Texts that are nonsense, endless, stiff, exploding or huge.
#[test]
fn hard_texts_end_with_a_message_or_an_answer() {
    let long = format!("x' = {}x; x(0) = 1; t in [0, 1]", "1 + ".repeat(20_000));
    let deep = format!("x' = {}x{}; x(0) = 1; t in [0, 1]", "(".repeat(20_000), ")".repeat(20_000));
    let many: String = (0..300).map(|k| format!("x{k}' = -x{k}; x{k}(0) = 1\n")).collect();
    let texts = [
        String::new(),
        "\u{feff}\u{202e}=;;'".to_owned(),
        "x' = x".to_owned(),
        "x' = -1e12 x; x(0) = 1; t in [0, 1]".to_owned(),
        "x' = x^3; x(0) = 1; t in [0, 1e9]".to_owned(),
        "D^1e-9 x = -x; x(0) = 1; t in [0, 1e300]".to_owned(),
        "x' = sin(1e6 t); x(0) = 0; t in [0, 1e6]".to_owned(),
        "x' = 1/t; x(0) = 1; t in [0, 1]".to_owned(),
        "x' = x; x(0) = 1; t in [1, 0]".to_owned(),
        long,
        deep,
        many + "t in [0, 1]",
    ];
    for text in texts {
        for kind in ["check", "solve", "ensemble", "scan"] {
            let budget = json!({"milliseconds": 300});
            let request = json!({"text": text, "steps": 100, "paths": 50, "seed": 1, "parameter": "a", "from": 0,
                "to": 1, "count": 2, "budget": budget});
            let answer = ask(kind, request);
            let error = answer.json["error"]["message"].as_str();
            assert!(error.is_none_or(|message| !message.is_empty()), "{kind} {text}");
        }
    }
    let text = "x".repeat(2 << 20);
    assert!(
        refused("solve", json!({"text": text, "steps": 1})).contains("expected at most 1048576")
    );
}

use crate::ask::ask;
use serde_json::{Value, json};

#[test]
fn a_text_is_checked() {
    let text = "D^alpha x = -rate x + b; rate = 2 in (0, inf) [1/s]; b = 0.5; alpha = 0.6 in (0, 1]\nx(0) = 1; t in [0, 10]\nshow double = 2 x";
    let checked = ask("check", json!({"text": text})).json;
    let rate = json!({"name": "rate", "value": 2.0, "low": 0.2, "high": 20.0, "logarithmic": true, "unit": "1/s"});
    let b = json!({"name": "b", "value": 0.5, "low": 0.0, "high": 1.5, "logarithmic": false});
    assert_eq!(checked["parameters"], json!([rate, b]));
    let alpha = json!({"name": "alpha", "value": 0.6, "low": 0.01, "high": 1.0});
    assert_eq!(checked["orders"], json!([alpha]));
    assert_eq!((&checked["states"], &checked["shown"]), (&json!(["x"]), &json!(["double"])));
    assert_eq!((&checked["time"], &checked["stochastic"]), (&json!([0.0, 10.0]), &json!(false)));
    assert_eq!((&checked["ok"], &checked["errors"]), (&json!(true), &json!([])));
    let method = json!({"steps": 1000, "scheme": "collocation", "grading": 1.0});
    assert_eq!(checked["suggested"], method);
    let schemes = checked["schemes"].as_array().unwrap();
    assert!(
        schemes.contains(&json!("pece")) && schemes.contains(&json!("collocation")),
        "{schemes:?}"
    );
    let graded =
        ask("check", json!({"text": format!("# Solve: l1, 30 steps, grading 2\n{text}")})).json;
    assert_eq!(graded["suggested"], json!({"steps": 30, "scheme": "l1", "grading": 2.0}));
}

#[test]
fn errors_have_a_place_in_units_of_javascript() {
    let text = "# \u{1d6fc} = 1\nx' = -rat x\nrate = 1\nx(0) = 1";
    let checked = ask("check", json!({"text": text})).json;
    assert_eq!(checked["ok"], false);
    let expected =
        json!({"message": "unknown name `rat`: did you mean `rate`?", "from": 15, "to": 18});
    assert_eq!(checked["errors"], json!([expected]));
    // What can be read and not solved has no place.
    let checked = ask("check", json!({"text": "x' = -x; x(0) = 1"})).json;
    assert_eq!(checked["ok"], false, "{checked}");
    assert!(checked["errors"][0]["message"].as_str().is_some_and(|m| m.contains("interval")));
}

/// Every equation of the catalogue has sliders around its values, and an answer within few steps.
#[test]
fn the_catalogue_can_be_moved_and_computed() {
    let listed = ask("catalogue", json!({})).json;
    let listed = listed.as_array().unwrap();
    assert!(listed.len() > 70);
    for entry in listed {
        let (name, text) = (&entry["name"], &entry["text"]);
        let checked = ask("check", json!({"text": text})).json;
        assert_eq!(checked["ok"], true, "{name}: {checked}");
        assert_eq!(checked["stochastic"], entry["stochastic"], "{name}");
        let sliders = ["parameters", "orders"].map(|key| checked[key].as_array().unwrap().clone());
        for slider in sliders.concat() {
            let number = |key: &str| slider[key].as_f64().unwrap_or(f64::NAN);
            let (value, low, high) = (number("value"), number("low"), number("high"));
            assert!(low < high && low <= value && value <= high, "{name}: {slider}");
        }
        let request = |orders: &Value| {
            // As many steps as the text recommends, where paths may become infinite with fewer.
            let steps = if entry["stochastic"] == true { &entry["steps"] } else { &json!(20) };
            json!({"text": text, "steps": steps, "orders": orders, "paths": 20, "seed": 1,
                "budget": {"milliseconds": 5000}})
        };
        let kind = if entry["stochastic"] == true { "ensemble" } else { "solve" };
        let answered = ask(kind, request(&json!({})));
        assert!(answered.json.get("names").is_some(), "{name}: {}", answered.json);
        let quantities = answered.json["names"].as_array().unwrap().len();
        let column = if kind == "solve" { "y" } else { "mean" };
        assert_eq!(answered.json[column].as_array().unwrap().len(), quantities, "{name}");
    }
}

use crate::ask::{ask, ask_with, with_columns};
use serde_json::{Value, json};
use std::f64::consts::PI;

#[test]
fn the_derivative_of_a_line_is_a_root() {
    let t: Vec<f64> = (0..200).map(|j| f64::from(j) * 0.01).collect();
    let (places, numbers) = with_columns(&[&t, &t]);
    let request = json!({"t": places[0], "x": places[1], "operator": "caputo", "order": 0.5});
    let derived = ask_with("derivative", request, &numbers);
    assert_eq!(derived.json["operator"], "caputo, scheme l1");
    for (t, y) in t.iter().zip(derived.list("/y")) {
        assert!((y - 2.0 * (t / PI).sqrt()).abs() < 1e-12, "{t} {y}");
    }
    // On a mesh.
    let t: Vec<f64> = (0..100).map(|j| (f64::from(j) / 99.0).powi(2)).collect();
    let (places, numbers) = with_columns(&[&t, &t]);
    let request = json!({"t": places[0], "x": places[1], "operator": "caputo", "order": 0.5});
    let derived = ask_with("derivative", request, &numbers);
    assert!(derived.json["notes"][0].as_str().unwrap().contains("not equally spaced"));
    assert!((derived.last("/y") - 2.0 / PI.sqrt()).abs() < 1e-9);
}

#[test]
fn every_operator_has_a_default_that_computes() {
    let t: Vec<f64> = (1..=64).map(|j| f64::from(j) / 64.0).collect();
    let x: Vec<f64> = t.iter().map(|t| t * t * (1.0 - t) * (1.0 - t)).collect();
    let (places, numbers) = with_columns(&[&t, &x]);
    let listed = ask("operators", json!({})).json;
    let listed = listed.as_array().unwrap();
    assert!(listed.len() > 30);
    for operator in listed {
        let settings = operator["settings"].as_array().unwrap().iter();
        let settings: serde_json::Map<String, Value> = settings
            .map(|setting| (setting["name"].as_str().unwrap().to_owned(), setting["value"].clone()))
            .collect();
        let request = json!({"t": places[0], "x": places[1], "operator": operator["name"],
            "order": operator["order"]["default"], "settings": settings});
        let derived = ask_with("derivative", request, &numbers);
        assert!(derived.json.get("y").is_some(), "{operator}: {}", derived.json);
        assert!(derived.list("/y").iter().all(|y| y.is_finite()), "{operator}");
    }
}

#[test]
fn data_that_do_not_fit_are_refused() {
    let numbers = [0.0, 1.0, 2.0, 5.0, f64::NAN, 7.0];
    let message = |t: [usize; 2], x: [usize; 2]| {
        let request =
            json!({"t": {"$array": t}, "x": {"$array": x}, "operator": "caputo", "order": 0.5});
        ask_with("derivative", request, &numbers).json["error"]["message"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(message([0, 3], [3, 2]), "3 times and 2 values, expected as many");
    assert_eq!(message([0, 3], [3, 3]), "value 2 is NaN, expected a number");
    assert!(message([0, 3], [4, 3]).contains("the request names numbers 4 to 4 + 3, and has 6"));
    assert!(message([0, 0], [0, 0]).contains("2"), "{}", message([0, 0], [0, 0]));
    assert!(!message([0, 1], [0, 1]).is_empty());
}

/// An exponential by its formula, its equation and a name of the catalogue.
#[test]
fn a_rate_is_found_by_any_model() {
    let t: Vec<f64> = (0..30).map(|j| f64::from(j) * 0.1).collect();
    let noise = |j: usize| 1e-3 * ((j * 7919 % 101) as f64 / 50.0 - 1.0);
    let y: Vec<f64> =
        t.iter().enumerate().map(|(j, t)| 2.0 * (-1.5 * t).exp() + noise(j)).collect();
    let (places, numbers) = with_columns(&[&t, &y]);
    let columns = json!({"time": places[0], "signal": places[1]});
    let equation = "x' = -k x; k = 1 in (0, inf); a = 1; x(0) = a";
    let formula = "signal = a exp(-k time); a = 1; k = 1";
    for (model, observed) in [(equation, json!({"x": "signal"})), (formula, json!({}))] {
        let request =
            json!({"columns": columns, "model": model, "against": "time", "observed": observed});
        let fitted = ask_with("fit", request, &numbers);
        let estimates =
            fitted.json["estimates"].as_array().unwrap_or_else(|| panic!("{}", fitted.json));
        let k = estimates.iter().find(|estimate| estimate["name"] == "k").unwrap();
        let number = |key: &str| k[key].as_f64().unwrap();
        assert!((number("value") - 1.5).abs() < 4.0 * number("error"), "{model}: {k}");
        assert!(number("error") < 0.01 && number("low") < 1.5 && 1.5 < number("high"), "{k}");
        assert_eq!(
            (&fitted.json["converged"], &fitted.json["statistics"]["rows"]),
            (&json!(true), &json!(30.0))
        );
        let name = if model == equation { "x" } else { "signal" };
        let (curve, residuals) = (format!("/fitted/y/{name}"), format!("/residuals/{name}"));
        let sum = |a: &f64, (b, c): (&f64, &f64)| (a + b - c).abs();
        let curves = fitted.list(&curve).iter().zip(fitted.list(&residuals).iter().zip(&y));
        assert!(curves.map(|(a, pair)| sum(a, pair)).all(|gap| gap < 1e-14));
        // One parameter held at a value.
        let request = json!({"columns": columns, "model": model, "against": "time", "observed": observed,
            "free": ["a"], "values": {"k": 1.5}});
        let held = ask_with("fit", request, &numbers);
        let held = held.json["estimates"].as_array().unwrap().clone();
        let k = held.iter().find(|estimate| estimate["name"] == "k").unwrap();
        assert_eq!(
            (&k["value"], &k["free"], &k["error"]),
            (&json!(1.5), &json!(false), &Value::Null)
        );
    }
}

#[test]
fn models_of_the_catalogue_fit() {
    let listed = ask("models", json!({})).json;
    let listed = listed.as_array().unwrap();
    assert!(listed.iter().any(|model| model["name"] == "cole-cole"), "{listed:?}");
    let t: Vec<f64> = (1..40).map(|j| f64::from(j) * 0.25).collect();
    let y: Vec<f64> = t.iter().map(|t| 3.0 * t.powf(0.7)).collect();
    let (places, numbers) = with_columns(&[&t, &y]);
    let columns = json!({"t": places[0], "y": places[1]});
    let refuse = |model: &str, free: Value| {
        let request = json!({"columns": columns, "model": model, "against": "t", "free": free});
        ask_with("fit", request, &numbers).json["error"]["message"].as_str().map(str::to_owned)
    };
    assert!(refuse("y = a t^b; a = 1; b = 1", json!([])).is_none());
    assert!(
        refuse("y = a t^b; a = 1; b = 1", json!(["c"])).unwrap().contains("`c` is no parameter")
    );
    assert!(refuse("no-such-model", json!([])).unwrap().contains("no-such-model"));
    assert!(refuse("x' = -x; x(0) = 1", json!([])).unwrap().contains("no state is observed"));
    assert!(refuse("z = a t", json!([])).is_some());
}

use crate::ask::{ask, refused};
use serde_json::json;

const RELAXATION: &str = "D^alpha y = -y; alpha = 0.5 in (0, 1]; y(0) = 1; t in [0, 1]\nshow exact_y = E(alpha, -t^alpha)\nshow half = y/2";

#[test]
fn a_solution_has_states_shown_quantities_and_the_exact_solution() {
    let solved = ask("solve", json!({"text": RELAXATION, "steps": 10}));
    assert_eq!(solved.json["names"], json!(["y", "half"]));
    assert_eq!(solved.json["scheme"], "collocation");
    assert_eq!((&solved.json["complete"], &solved.json["notes"]), (&json!(true), &json!([])));
    assert_eq!(solved.list("/t").len(), 11);
    // exp(t) erfc(sqrt t) at 1.
    assert!((solved.last("/y/0") - 0.427583576155807).abs() < 1e-9);
    assert_eq!(solved.last("/y/1"), solved.last("/y/0") / 2.0);
    assert!((solved.last("/exact/y") - 0.427583576155807).abs() < 1e-14);
}

#[test]
fn sliders_change_parameters_and_orders() {
    let request = |orders, values| json!({"text": RELAXATION, "steps": 10, "orders": orders, "values": values});
    let exponential = (-1.0f64).exp();
    for request in
        [request(json!({"alpha": 1}), json!({})), request(json!({}), json!({"alpha": 1}))]
    {
        let solved = ask("solve", request);
        assert!((solved.last("/y/0") - exponential).abs() < 1e-9);
        assert!((solved.last("/exact/y") - exponential).abs() < 1e-14);
    }
    // The exact solution is that of the order in the text.
    let text = "D^0.5 y = -y; y(0) = 1; t in [0, 1]; show exact_y = exp(t) erfc(sqrt(t))";
    let solve = |order: f64| {
        ask("solve", json!({"text": text, "steps": 10, "orders": {"order of y": order}}))
    };
    assert!((solve(1.0).last("/y/0") - exponential).abs() < 1e-9);
    assert_eq!(solve(1.0).json["exact"], json!(null));
    assert!((solve(0.5).last("/exact/y") - 0.427583576155807).abs() < 1e-14);
}

#[test]
fn the_scheme_is_that_of_the_text_or_of_the_request() {
    let text = format!("# Solve: l1, 100 steps, grading 2\n{RELAXATION}");
    let automatic = ask("solve", json!({"text": text, "steps": 100, "scheme": "auto"}));
    assert_eq!(automatic.json["scheme"], "l1");
    // Graded: the first step is a hundredth of the mean one.
    assert!((automatic.list("/t")[1] - 1e-4).abs() < 1e-12);
    let graded = json!({"text": RELAXATION, "steps": 100, "scheme": "l1", "grading": 2});
    assert_eq!(ask("solve", graded).list("/y/0"), automatic.list("/y/0"));
    let named = ask("solve", json!({"text": text, "steps": 100, "scheme": "trapezoid"}));
    assert_eq!(named.json["scheme"], "trapezoid");
    assert!((named.list("/t")[1] - 1e-2).abs() < 1e-12);
}

#[test]
fn what_does_not_reach_the_end_is_shown_with_the_reason() {
    // 1/(1 - t).
    let exploding = "x' = x^2; x(0) = 1; t in [0, 2]";
    let solved = ask("solve", json!({"text": exploding, "steps": 100, "scheme": "pece"}));
    assert_eq!(solved.json["complete"], false);
    let note = solved.json["notes"][0].as_str().unwrap();
    assert!(note.contains("infinite") || note.contains("finite"), "{note}");
    assert!(solved.list("/t").len() > 40 && solved.last("/t") > 0.9);
    assert_eq!(solved.list("/t").len(), solved.list("/y/0").len());
    // No time at all: nothing but the start.
    let budget = json!({"milliseconds": 0});
    let stopped = ask("solve", json!({"text": RELAXATION, "steps": 10, "budget": budget}));
    let note = stopped.json["notes"][0].as_str().unwrap();
    assert!(note.starts_with("stopped at the time limit of 0 ms at t = "), "{note}");
    assert_eq!(stopped.json["complete"], false);
}

#[test]
fn events_are_noted() {
    let text = "h' = v; v' = -9.81; h(0) = 1; v(0) = 0; t in [0, 2]\nwhen h = 0 falling: stop";
    let solved = ask("solve", json!({"text": text, "steps": 50}));
    let fall = (2.0f64 / 9.81).sqrt();
    assert!((solved.last("/t") - fall).abs() < 1e-9);
    assert!(solved.json["notes"][0].as_str().unwrap().starts_with("event 1 at t = 0.45"));
    assert_eq!(solved.json["complete"], true);
}

#[test]
fn a_scan_has_last_and_extreme_values() {
    let text = "y' = a cos(t); a = 1; y(0) = 0; t in [0, 6.283185307179586]";
    let request =
        json!({"text": text, "steps": 400, "parameter": "a", "from": 1, "to": 3, "count": 3});
    let scanned = ask("scan", request);
    assert_eq!(scanned.list("/x"), [1.0, 2.0, 3.0]);
    for (k, a) in [1.0, 2.0, 3.0].into_iter().enumerate() {
        // a sin(t), from pi to 2 pi.
        assert!(scanned.list("/last/0")[k].abs() < 1e-8);
        assert!((scanned.list("/low/0")[k] + a).abs() < 1e-3);
        assert!(scanned.list("/high/0")[k].abs() < 0.05);
    }
    // An order, too.
    let text = "y' = -y; y(0) = 1; t in [0, 1]";
    let request = json!({"text": text, "steps": 10, "parameter": "order of y", "from": 0.5, "to": 1, "count": 2});
    let scanned = ask("scan", request);
    assert!((scanned.list("/last/0")[0] - 0.427583576155807).abs() < 1e-9);
}

#[test]
fn scans_keep_gaps_where_there_is_no_solution() {
    let text = "x' = a x^2; a = 0.1; x(0) = 1; t in [0, 2]";
    let request =
        json!({"text": text, "steps": 50, "parameter": "a", "from": 0.1, "to": 2, "count": 2});
    let scanned = ask("scan", request);
    assert!((scanned.list("/last/0")[0] - 1.25).abs() < 1e-8);
    assert!(scanned.list("/last/0")[1].is_nan());
    assert_eq!(scanned.json["notes"], json!(["1 of 2 values have no solution"]));
}

#[test]
fn requests_out_of_range_are_refused() {
    let solve = |steps: u64, scheme: &str| {
        refused("solve", json!({"text": RELAXATION, "steps": steps, "scheme": scheme}))
    };
    assert_eq!(solve(0, "auto"), "0 steps, expected 1 to 10000000");
    assert_eq!(solve(10_000_001, "auto"), "10000001 steps, expected 1 to 10000000");
    assert!(solve(10, "euler").starts_with("`euler` is no scheme; the schemes are pece, "));
    let huge = json!({"text": RELAXATION, "steps": 9_000_000, "budget": {"bytes": 1e8}});
    let message = refused("solve", huge);
    assert!(message.starts_with("the solution would need about "), "{message}");
    let noise = "dX = dW; X(0) = 0; t in [0, 1]";
    assert!(refused("solve", json!({"text": noise, "steps": 10})).contains("stochastic"));
    let values = json!({"text": RELAXATION, "steps": 10, "values": {"beta": 1}});
    assert!(refused("solve", values).contains("`beta` is no parameter"));
    let orders = json!({"text": RELAXATION, "steps": 10, "orders": {"alpha": 1.5}});
    assert!(refused("solve", orders).contains("alpha = 1.5 is outside its range (0, 1]"));
    let scan = |from: f64, count: usize| {
        let request = json!({"text": RELAXATION, "steps": 10, "parameter": "alpha", "from": from, "to": 1, "count": count});
        refused("scan", request)
    };
    assert!(scan(0.5, 1).contains("expected 2 to 100000 values"));
    assert!(scan(0.0, 5).contains("alpha = 0 is outside its range"));
}

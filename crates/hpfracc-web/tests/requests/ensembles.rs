use crate::ask::{ask, refused};
use serde_json::{Value, json};

fn request(text: &str, paths: usize, steps: usize) -> Value {
    json!({"text": text, "paths": paths, "steps": steps, "seed": 7, "histogram_bins": 20})
}

/// Text of the catalogue.
fn text(name: &str) -> String {
    let listed = ask("catalogue", json!({})).json;
    let entry = listed.as_array().unwrap().iter().find(|entry| entry["name"] == name);
    entry.unwrap()["text"].as_str().unwrap().to_owned()
}

#[test]
fn statistics_agree_with_the_exact_moments() {
    let paths = 20_000;
    let solved = ask("ensemble", request(&text("geometric-brownian"), paths, 250));
    assert_eq!(solved.json["names"], json!(["S", "mean_S"]));
    let (mean, deviation) = (solved.last("/mean/0"), solved.last("/deviation/0"));
    // S(1) = exp(mu) with mu = 0.05 and sigma = 0.2.
    let (exact, spread) = (0.05f64.exp(), 0.05f64.exp() * (0.04f64.exp() - 1.0).sqrt());
    assert!((solved.last("/exact/mean/S") - exact).abs() < 1e-14);
    assert!((solved.last("/exact/deviation/S") - spread).abs() < 1e-14);
    assert_eq!(solved.json["exact"]["mean"]["mean_S"], Value::Null);
    let error = spread / (paths as f64).sqrt();
    assert!((mean - exact).abs() < 4.0 * error, "{mean} {exact}");
    assert!((deviation / spread - 1.0).abs() < 0.03, "{deviation} {spread}");
    // The median of a lognormal distribution.
    assert_eq!(solved.json["quantiles"][2]["p"], 0.5);
    let median = solved.last("/quantiles/2/y/0");
    assert!((median - (0.05f64 - 0.02).exp()).abs() < 0.01, "{median}");
    let counts = solved.list("/histogram/0/counts");
    assert_eq!((counts.len(), counts.iter().sum::<f64>()), (20, paths as f64));
    assert_eq!(solved.json["sample_paths"][0].as_array().unwrap().len(), 12);
    assert_eq!(solved.list("/sample_paths/1/11").len(), solved.list("/t").len());
    assert!(solved.json["where"].as_str().is_some());
}

#[test]
fn brownian_motion_spreads_in_proportion_to_time() {
    let paths = 20_000;
    let fixed = "dX = dW; X(0) = 3; t in [0, 2]";
    let random = "dX = dW; X(0) = normal(3, 5); t in [0, 2]";
    for text in [fixed, random] {
        let solved = ask("ensemble", request(text, paths, 40));
        let squares = solved.list("/msd/0");
        assert_eq!(squares[0], 0.0, "{text}");
        for (t, square) in solved.list("/t").iter().zip(squares).skip(1) {
            // The square of a normal number has the variance 2.
            assert!(
                (square / t - 1.0).abs() < 4.0 * (2.0 / paths as f64).sqrt(),
                "{text}: {t} {square}"
            );
        }
    }
}

#[test]
fn both_precisions_have_the_same_paths() {
    let text = "dX = -X dt + 0.5 dW; X(0) = 1; t in [0, 1]";
    let of = |precision: &str| {
        let request =
            json!({"text": text, "paths": 1000, "steps": 50, "seed": 7, "precision": precision});
        ask("ensemble", request).list("/mean/0").to_vec()
    };
    let (single, double) = (of("single"), of("double"));
    assert_ne!(single, double);
    assert!(single.iter().zip(&double).all(|(a, b)| (a - b).abs() < 1e-5));
}

#[test]
fn a_seed_gives_the_same_numbers() {
    let text = "dX = -X dt + dW; X(0) = 0; t in [0, 1]";
    let of = |seed: u64| {
        let request = json!({"text": text, "paths": 1000, "steps": 50, "seed": seed});
        ask("ensemble", request).list("/mean/0").to_vec()
    };
    assert_eq!(of(1), of(1));
    assert_ne!(of(1), of(2));
}

#[test]
fn a_single_path_has_a_mean_and_no_deviation() {
    let solved = ask("ensemble", request("dX = dW; X(0) = 0; t in [0, 1]", 1, 10));
    assert!(solved.last("/mean/0").is_finite() && solved.last("/deviation/0").is_nan());
    assert_eq!(solved.last("/msd/0"), solved.last("/mean/0").powi(2));
}

#[test]
fn requests_out_of_range_are_refused() {
    let text = "dX = dW; X(0) = 0; t in [0, 1]";
    assert_eq!(refused("ensemble", request(text, 0, 10)), "0 paths, expected 1 to 2147483648");
    assert_eq!(refused("ensemble", request(text, 10, 0)), "0 steps, expected 1 to 2147483648");
    let message = refused("ensemble", request(text, 1_000_000_000, 10));
    assert!(message.starts_with("an ensemble of 1000000000 paths would need about "), "{message}");
    let late = json!({"text": text, "paths": 1_000_000, "steps": 1000, "seed": 1, "budget": {"milliseconds": 20}});
    let message = refused("ensemble", late);
    assert!(
        message.starts_with("stopped at the time limit of 20 ms before all paths"),
        "{message}"
    );
    // Paths that become infinite.
    let exploding = "dX = X^3 dt + dW; X(0) = 10; t in [0, 10]";
    let message = refused("ensemble", request(exploding, 100, 100));
    assert!(message.contains("path"), "{message}");
}

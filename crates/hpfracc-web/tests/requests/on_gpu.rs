use crate::ask::{Answer, ask};
use hpfracc_web::Explorer;
use serde_json::{Value, json};

/// Explorer with a GPU; `None` without an adapter, which is an error where one is required.
fn explorer() -> Option<Explorer> {
    let mut explorer = Explorer::new();
    match pollster::block_on(explorer.open_gpu()) {
        Ok(_) => Some(explorer),
        Err(reason) if std::env::var("HPFRACC_REQUIRE_GPU").as_deref() != Ok("1") => {
            eprintln!("skipped: {reason}");
            None
        }
        Err(reason) => panic!("HPFRACC_REQUIRE_GPU is set: {reason}"),
    }
}

fn ensemble(explorer: &Explorer, request: &Value) -> Answer {
    let request = request.to_string();
    Answer::new(pollster::block_on(explorer.answer_async("ensemble", &request, &[])))
}

/// The paths of both have the same noise, and differ by rounding.
#[test]
fn a_gpu_has_the_statistics_of_the_processor() {
    let Some(explorer) = explorer() else { return };
    let text = "dX = -X dt + 0.5 sqrt(1 + X^2) dW; X(0) = 1; t in [0, 1]; show square = X^2";
    let request = |place: &str| json!({"text": text, "paths": 40_000, "steps": 60, "seed": 3, "where": place, "histogram_bins": 20});
    let (gpu, cpu) = (ensemble(&explorer, &request("gpu")), ask("ensemble", request("cpu")));
    assert!(gpu.json["where"].as_str().unwrap().starts_with("WebGPU ("), "{}", gpu.json);
    for k in 0..2 {
        for column in ["mean", "deviation", "msd", "sample_paths/0", "sample_paths/1"] {
            let place = format!("/{column}/{k}");
            for (a, b) in gpu.list(&place).iter().zip(cpu.list(&place)) {
                assert!((a - b).abs() < 1e-4 * (1.0 + b.abs()), "{place}: {a} {b}");
            }
        }
        for number in 0..5 {
            let place = format!("/quantiles/{number}/y/{k}");
            assert!((gpu.last(&place) / cpu.last(&place) - 1.0).abs() < 0.01, "{place}");
        }
        let counts = format!("/histogram/{k}/counts");
        let gaps = gpu.list(&counts).iter().zip(cpu.list(&counts)).map(|(a, b)| (a - b).abs());
        assert!(gaps.fold(0.0, f64::max) < 0.01 * 40_000.0, "{:?}", gpu.list(&counts));
        assert!((gpu.list(&counts).iter().sum::<f64>() - 40_000.0).abs() < 1e-6);
    }
}

#[test]
fn what_a_gpu_cannot_solve_is_refused_or_solved_on_the_processor() {
    let Some(explorer) = explorer() else { return };
    let random = "dX = dW; X(0) = normal(0, 1); t in [0, 1]";
    let request =
        |place: &str| json!({"text": random, "paths": 100, "steps": 10, "seed": 3, "where": place});
    let refused = ensemble(&explorer, &request("gpu"));
    assert!(refused.json["error"]["message"].as_str().unwrap().contains("random starts"));
    assert_eq!(ensemble(&explorer, &request("auto")).json["where"], "processor");
    // Other kinds of requests are answered, too.
    let answered = Answer::new(pollster::block_on(explorer.answer_async("about", "{}", &[])));
    assert!(answered.json["version"].is_string());
}

//! The module through its worker.

use crate::chromium::Browser;
use hpfracc_web::Explorer;
use serde_json::{Value, json};
use std::time::Instant;

const RELAXATION: &str = "D^alpha y = -y; alpha = 0.5 in (0, 1]; y(0) = 1; t in [0, 1]\nshow exact_y = E(alpha, -t^alpha)";
const LORENZ: &str = "D^alpha x = sigma (y - x); D^alpha y = x (rho - z) - y; D^alpha z = x y - beta z\n\
    sigma = 10; rho = 28; beta = 8/3; alpha = 0.995 in (0, 1]; x(0) = 1; y(0) = 1; z(0) = 1; t in [0, 10]";
const BROWNIAN: &str = "dS = mu S dt + sigma S dW; mu = 0.05; sigma = 0.2; S(0) = 1; t in [0, 1]";

pub(crate) fn check(browser: &mut Browser, address: &str) {
    let begin = Instant::now();
    browser.open(&format!("{address}/worker.html"));
    browser.until("typeof asked === 'function'");
    let first = ask(browser, "solve", &json!({"text": RELAXATION, "steps": 100}));
    println!(
        "first solution {:.0} ms after the page was requested",
        begin.elapsed().as_secs_f64() * 1e3
    );
    // exp(t) erfc(sqrt t) at 1.
    let y = first["y"][0].as_array().and_then(|y| y.last()).and_then(Value::as_f64);
    assert!((y.unwrap() - 0.427583576155807).abs() < 1e-9, "{first}");
    let about = ask(browser, "about", &json!({}));
    assert_eq!(about["simd"], true, "{about}");
    numbers(browser);
    bad_input(browser);
    on_gpu(browser);
    speed(browser);
    memory(browser);
}

/// Answer of the worker, lists of numbers as lists.
fn ask(browser: &mut Browser, kind: &str, request: &Value) -> Value {
    let answered = browser.evaluate(&format!("asked({}, {request})", json!(kind)));
    assert!(answered["error"].is_null(), "{kind} {request}: {}", answered["error"]);
    answered["answer"].clone()
}

/// Answer of the same crate, compiled for this computer, in the same form.
fn natively(kind: &str, request: &Value) -> Value {
    let answered = Explorer::new().answer(kind, &request.to_string(), &[]);
    let mut json: Value = serde_json::from_str(&answered.json).unwrap();
    assert!(json["error"].is_null(), "{kind} {request}: {}", json["error"]);
    lists(&mut json["answer"], &answered.numbers);
    json["answer"].take()
}

/// Puts numbers at their places.
fn lists(value: &mut Value, numbers: &[f64]) {
    match value {
        Value::Object(object) => {
            if let Some(place) = object.get("$array") {
                let [first, count] = [0, 1].map(|k| place[k].as_u64().unwrap() as usize);
                let number = |x: &f64| if x.is_finite() { json!(x) } else { json!(x.to_string()) };
                *value = numbers[first..][..count].iter().map(number).collect();
                return;
            }
            object.values_mut().for_each(|value| lists(value, numbers));
        }
        Value::Array(all) => all.iter_mut().for_each(|value| lists(value, numbers)),
        _ => {}
    }
}

/// Largest difference of numbers in two answers, relative to the largest number of their list, and their count.
fn difference(a: &Value, b: &Value) -> (f64, usize) {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) if a.iter().chain(b).all(Value::is_number) => {
            assert_eq!(a.len(), b.len());
            let number = |x: &Value| x.as_f64().unwrap_or(f64::NAN);
            let size = b.iter().map(number).fold(0.0, |size: f64, x| size.max(x.abs()));
            let gap =
                a.iter().zip(b).map(|(a, b)| (number(a) - number(b)).abs()).fold(0.0, f64::max);
            (if gap == 0.0 { 0.0 } else { gap / size }, a.len())
        }
        (Value::Array(a), Value::Array(b)) => {
            a.iter().zip(b).map(|(a, b)| difference(a, b)).fold((0.0, 0), joined)
        }
        (Value::Object(a), Value::Object(b)) => {
            let timed = ["milliseconds", "path_steps_per_second", "where"];
            let pairs = a.iter().filter(|(key, _)| !timed.contains(&key.as_str()));
            pairs.map(|(key, value)| difference(value, &b[key])).fold((0.0, 0), joined)
        }
        (Value::Number(_), Value::Number(_)) => difference(&json!([a]), &json!([b])),
        (a, b) => {
            assert_eq!(a, b);
            (0.0, 0)
        }
    }
}

fn joined((gap, count): (f64, usize), (other, more): (f64, usize)) -> (f64, usize) {
    (gap.max(other), count + more)
}

/// The numbers of the module are those of the crate on this computer, to rounding.
fn numbers(browser: &mut Browser) {
    let ensemble =
        |text: &str| json!({"text": text, "steps": 100, "paths": 1000, "seed": 7, "where": "cpu"});
    let solve = |text: &str, scheme: &str| json!({"text": text, "steps": 200, "scheme": scheme});
    let double = |mut request: Value| {
        request["precision"] = json!("double");
        request
    };
    let memory = "D^0.7 X = -X + 0.5 dW/dt; X(0) = 1; t in [0, 1]";
    let cases = [
        ("solve", solve(RELAXATION, "collocation"), 1e-11),
        ("solve", solve(RELAXATION, "pece"), 1e-12),
        ("solve", solve(LORENZ, "pece"), 1e-6),
        ("ensemble", ensemble(BROWNIAN), 1e-6),
        ("ensemble", ensemble("dX = -X dt + 0.5 dW; X(0) = 1; t in [0, 1]"), 1e-6),
        ("ensemble", ensemble("dX = -sin(X) dt + exp(-X^2) dW; X(0) = 1; t in [0, 1]"), 1e-6),
        ("ensemble", ensemble(memory), 1e-6),
        ("ensemble", double(ensemble(BROWNIAN)), 1e-12),
        ("ensemble", double(ensemble(memory)), 1e-10),
    ];
    for (kind, request, bound) in cases {
        let (gap, count) = difference(&ask(browser, kind, &request), &natively(kind, &request));
        let text = request["text"].as_str().unwrap().lines().next().unwrap();
        let same = if gap == 0.0 {
            "equal bits".to_owned()
        } else {
            format!("largest difference {gap:.1e}")
        };
        println!("{kind} of {text}: {count} numbers, {same}");
        assert!(gap <= bound, "{kind} of {text}: {gap}");
        assert!(count > 100);
    }
}

/// Texts that explode, are endless, too large or nonsense leave the module alive.
fn bad_input(browser: &mut Browser) {
    let refused = |browser: &mut Browser, kind: &str, request: Value| -> String {
        let answered = browser.evaluate(&format!("asked({}, {request})", json!(kind)));
        let message = answered["error"]["message"].as_str();
        message.unwrap_or_else(|| panic!("{kind} {request} was answered")).to_owned()
    };
    let huge = json!({"text": BROWNIAN, "steps": 100, "paths": 2_000_000_000u64, "seed": 1, "budget": {"bytes": 1e18}});
    let message = refused(browser, "ensemble", huge);
    assert!(message.contains("bytes of memory"), "{message}");
    let endless = json!({"text": "x' = sin(1e6 t); x(0) = 0; t in [0, 1e6]", "steps": 100, "budget": {"milliseconds": 200}});
    let ended = ask(browser, "solve", &endless);
    assert_eq!(ended["complete"], false, "{}", ended["notes"]);
    let exploding = json!({"text": "x' = x^2; x(0) = 1; t in [0, 2]", "steps": 100});
    assert_eq!(ask(browser, "solve", &exploding)["complete"], false);
    let slow = json!({"text": BROWNIAN, "steps": 10_000, "paths": 1_000_000, "seed": 1, "budget": {"milliseconds": 100}});
    let message = refused(browser, "ensemble", slow);
    assert!(message.starts_with("stopped at the time limit of 100 ms"), "{message}");
    assert!(refused(browser, "dance", json!({})).contains("no kind"));
    assert!(refused(browser, "solve", json!({"text": 3})).contains("cannot be read"));
    assert_eq!(ask(browser, "solve", &json!({"text": RELAXATION, "steps": 10}))["complete"], true);
}

/// The same ensemble on WebGPU, where the browser has an adapter.
fn on_gpu(browser: &mut Browser) {
    let gpu = ask(browser, "about", &json!({}))["gpu"].clone();
    if gpu.is_null() {
        println!("the browser has no WebGPU adapter");
        return;
    }
    let request = |place: &str| json!({"text": "dX = -X dt + 0.5 dW; X(0) = 1; t in [0, 1]", "paths": 40_000, "steps": 100, "seed": 5, "where": place});
    let (on_gpu, on_processor) =
        (ask(browser, "ensemble", &request("gpu")), ask(browser, "ensemble", &request("cpu")));
    assert!(on_gpu["where"].as_str().unwrap().starts_with("WebGPU"), "{}", on_gpu["where"]);
    for column in ["mean", "deviation", "msd"] {
        let (gap, count) = difference(&on_gpu[column], &on_processor[column]);
        println!("{column} on {}: {count} numbers, largest difference {gap:.1e}", on_gpu["where"]);
        assert!(gap < 1e-4, "{column}: {gap}");
    }
    for place in ["gpu", "cpu"] {
        let request =
            json!({"text": BROWNIAN, "steps": 250, "paths": 100_000, "seed": 1, "where": place});
        let solved = ask(browser, "ensemble", &request);
        println!("100000 paths of 250 steps on {}: {} ms", solved["where"], solved["milliseconds"]);
    }
}

/// Prints how long answers take, and what the same takes natively. Nothing is required of times.
fn speed(browser: &mut Browser) {
    let solve = json!({"text": LORENZ, "steps": 1000, "scheme": "pece"});
    let ensemble =
        json!({"text": BROWNIAN, "steps": 250, "paths": 100_000, "seed": 1, "where": "cpu"});
    let cases = [
        ("solve of 1000 steps of three components", "solve", &solve, 20),
        ("100000 paths of 250 steps", "ensemble", &ensemble, 3),
    ];
    for (what, kind, request, count) in cases {
        let times = browser.evaluate(&format!("fastest({}, {request}, {count})", json!(kind)));
        let native = (0..count).map(|_| natively(kind, request)["milliseconds"].as_f64().unwrap());
        let native = native.fold(f64::INFINITY, f64::min);
        let [module, whole] = [0, 1].map(|k| times[k].as_f64().unwrap());
        println!(
            "{what}: {module:.2} ms in the browser, {whole:.2} ms with messages, {native:.2} ms natively, ratio {:.2}",
            module / native
        );
    }
}

/// A thousand changes of a slider do not make the memory grow.
fn memory(browser: &mut Browser) {
    let size =
        |browser: &mut Browser| ask(browser, "about", &json!({}))["memory"].as_u64().unwrap();
    let changes = |browser: &mut Browser, count: usize| {
        let request = json!({"text": RELAXATION, "steps": 500, "scheme": "pece"});
        let change = format!(
            "(async () => {{ for (let k = 1; k <= {count}; k++) await ask('solve', {{ ...{request}, orders: \
             {{ alpha: k / {count} }} }}); }})()"
        );
        browser.evaluate(&change);
    };
    changes(browser, 100);
    let before = size(browser);
    changes(browser, 1000);
    let after = size(browser);
    println!("memory of the module: {before} bytes, after a thousand changes {after}");
    assert_eq!(before, after);
}

//! `hpfracc devices`, and backends named in the environment.

use crate::command::{Folder, Run, numbers};
use serde_json::Value;

/// Runs with these variables.
fn run_in(folder: &Folder, words: &str, variables: &[(&str, &str)]) -> Run {
    let mut command = folder.command();
    command.args(words.split_whitespace()).envs(variables.iter().copied());
    let output = command.output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Hides the drivers of Vulkan; other systems have none to hide.
const NO_DRIVERS: [(&str, &str); 2] =
    [("VK_DRIVER_FILES", "/nonexistent"), ("VK_ICD_FILENAMES", "/nonexistent")];

fn parsed(run: &Run) -> Value {
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    serde_json::from_str(&run.stdout).unwrap()
}

fn names(object: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

/// Whether the command finds an adapter; where it must and does not, that is a failure.
fn adapter(folder: &Folder, test: &str) -> bool {
    let found = parsed(&folder.run("devices --json"))["adapters"].as_array().unwrap().len();
    let required = std::env::var("HPFRACC_REQUIRE_GPU").as_deref() == Ok("1");
    assert!(found > 0 || !required || cfg!(not(feature = "gpu")), "no adapter");
    if found == 0 {
        println!("skipped: {test}: no adapter");
    }
    found > 0
}

#[test]
fn the_document_keeps_its_names() {
    let folder = Folder::with(&[]);
    let devices = parsed(&folder.run("devices --json"));
    assert_eq!(names(&devices), ["adapters", "benchmark", "gpu_support", "processor", "version"]);
    assert_eq!(devices["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(devices["gpu_support"], cfg!(feature = "gpu"));
    assert!(devices["benchmark"].is_null());
    let processor = &devices["processor"];
    assert_eq!(
        names(processor),
        ["cores", "f32_lanes", "f64_lanes", "instruction_set", "memory_bytes", "name", "threads"]
    );
    let simd = hpfracc::cpu::InstructionSet::in_use();
    assert_eq!(processor["instruction_set"], simd.name);
    assert_eq!(processor["f64_lanes"], simd.f64_lanes);
    assert!(processor["threads"].as_u64().unwrap() >= 1);
    for (index, adapter) in devices["adapters"].as_array().unwrap().iter().enumerate() {
        assert_eq!(adapter["index"], index);
        assert_eq!(
            names(adapter),
            [
                "driver",
                "f16",
                "f64",
                "index",
                "interface",
                "kind",
                "max_binding_bytes",
                "max_buffer_bytes",
                "memory_bytes",
                "name",
                "subgroups",
                "timestamps",
                "workgroup_bytes",
                "workgroup_size",
            ]
        );
        let kinds = ["discrete", "integrated", "virtual", "software", "other"];
        assert!(kinds.contains(&adapter["kind"].as_str().unwrap()), "{adapter}");
    }
}

#[test]
fn the_text_says_what_the_document_says() {
    let folder = Folder::with(&[]);
    let (text, devices) = (folder.run("devices").stdout, parsed(&folder.run("devices --json")));
    assert!(text.starts_with("processor  "), "{text}");
    assert!(text.contains(devices["processor"]["instruction_set"].as_str().unwrap()));
    for adapter in devices["adapters"].as_array().unwrap() {
        let title =
            format!("adapter {}  {}\n", adapter["index"], adapter["name"].as_str().unwrap());
        assert!(text.contains(&title), "{text}");
        assert!(adapter["kind"] != "software" || text.contains("for correctness only"), "{text}");
    }
}

/// With `PATH` and `HOME` alone, as for root, in containers and over ssh: whatever drivers there
/// are, nothing of them reaches standard error.
#[test]
fn drivers_are_silent_in_a_bare_environment() {
    let folder = Folder::with(&[("x.csv", "t,x\n0,0\n1,1\n2,2\n")]);
    let run = |words: &str| {
        let mut command = folder.command();
        command.env_clear().args(words.split_whitespace());
        let kept = ["PATH", "HOME", "VK_DRIVER_FILES", "VK_ICD_FILENAMES", "SystemRoot"];
        command.envs(kept.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
        let output = command.output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.as_str()), (Some(0), ""), "{words}");
        String::from_utf8(output.stdout).unwrap()
    };
    run("devices");
    run("explain --operator caputo --n 1000");
    run("diff --operator caputo --alpha 0.5 -q x.csv");
    let devices: Value = serde_json::from_str(&run("devices --json")).unwrap();
    if !devices["adapters"].as_array().unwrap().is_empty() {
        run("diff --operator caputo --alpha 0.5 -q --backend wgpu-fft x.csv");
    }
}

#[test]
fn without_an_adapter_that_is_said() {
    if cfg!(any(windows, target_os = "macos")) {
        println!("skipped: without_an_adapter_that_is_said: drivers cannot be hidden");
        return;
    }
    let folder = Folder::with(&[("x.csv", "t,x\n0,0\n1,1\n2,2\n")]);
    let run = run_in(&folder, "devices", &NO_DRIVERS);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.contains("no adapters: "), "{}", run.stdout);
    let devices = parsed(&run_in(&folder, "devices --json", &NO_DRIVERS));
    assert_eq!(devices["adapters"], Value::Array(Vec::new()));

    // No other device in its place.
    let words = "diff --operator caputo --alpha 0.5 --backend wgpu-fft x.csv";
    let run = run_in(&folder, words, &NO_DRIVERS);
    let (code, said) =
        if cfg!(feature = "gpu") { (1, "no adapter") } else { (2, "no GPU support") };
    assert_eq!((run.code, run.stdout.as_str()), (code, ""));
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

#[test]
fn the_benchmark_measures_every_device() {
    let folder = Folder::with(&[]);
    let devices = parsed(&folder.run("devices --benchmark --json"));
    let benchmark = &devices["benchmark"];
    assert_eq!(names(benchmark), ["adapters", "left_out", "seconds", "timings"]);
    let timings = benchmark["timings"].as_array().unwrap();
    let software = |adapter: &&Value| adapter["kind"] == "software";
    let adapters = devices["adapters"].as_array().unwrap();
    let hardware = adapters.iter().any(|adapter| !software(&adapter));
    let measured = adapters.iter().filter(|adapter| !hardware || !software(adapter));
    let expected: Vec<String> = std::iter::once("processor".to_owned())
        .chain(measured.map(|adapter| format!("adapter {}", adapter["index"])))
        .collect();
    for device in &expected {
        assert!(timings.iter().any(|timing| timing["device"] == **device), "{device}: {benchmark}");
    }
    for kernel in ["convolution", "multiplier", "dense", "recurrence"] {
        // On a loaded machine the time budget may end before the last ones; they are named then.
        let has = |timing: &Value| timing["workload"].as_str().unwrap().contains(kernel);
        let named = |left_out: &Value| left_out.as_str().unwrap().contains(kernel);
        let left_out = benchmark["left_out"].as_array().unwrap();
        assert!(timings.iter().any(has) || left_out.iter().any(named), "{kernel}: {benchmark}");
    }
    assert_eq!(benchmark["adapters"].as_array().unwrap().len(), expected.len() - 1);
    for timing in timings {
        assert_eq!(
            names(timing),
            [
                "backend",
                "call_seconds",
                "copy_fraction",
                "device",
                "device_seconds",
                "first_seconds",
                "scalar",
                "workload",
            ]
        );
        let call = timing["call_seconds"].as_f64().unwrap();
        assert!(call > 0.0 && call.is_finite(), "{timing}");
        assert_eq!(timing["device"] == "processor", timing["device_seconds"].is_null(), "{timing}");
    }
    for floors in benchmark["adapters"].as_array().unwrap() {
        assert_eq!(
            names(floors),
            [
                "copy_rate",
                "download_rate",
                "empty_submit_seconds",
                "index",
                "name",
                "open_seconds",
                "software",
                "upload_rate",
            ]
        );
    }
}

/// f(t) = t on 0, 0.01 .. 2.
fn ramp() -> String {
    let rows = (0..=200).map(|j| format!("{},{0}\n", f64::from(j) / 100.0));
    "t,x\n".to_owned() + &rows.collect::<String>()
}

const CAPUTO: &str = "diff --operator caputo --alpha 0.5 -q ramp.csv";

#[test]
fn a_backend_on_a_gpu_gives_the_same_within_rounding() {
    let folder = Folder::with(&[("ramp.csv", &ramp())]);
    if !adapter(&folder, "a_backend_on_a_gpu") {
        return;
    }
    let expected = numbers(&folder.run(&format!("{CAPUTO} --backend reference")).stdout, 2);
    for backend in ["wgpu-fft", "wgpu-direct"] {
        for (dtype, bound) in [("f64", 1e-13), ("f32", 1e-5)] {
            let run = folder.run(&format!("{CAPUTO} --backend {backend} --dtype {dtype}"));
            assert_eq!((run.code, run.stderr.as_str()), (0, ""));
            let found = numbers(&run.stdout, 2);
            let worst = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(worst < bound, "{backend} {dtype}: {worst}");
            assert!(dtype == "f64" || worst > 1e-9, "{backend} {dtype}: {worst}");
        }
    }
}

#[test]
fn the_environment_names_the_backend_and_the_command_line_goes_before() {
    let folder = Folder::with(&[("ramp.csv", &ramp())]);
    let with = |words: &str, backend: &str| run_in(&folder, words, &[("HPFRACC_BACKEND", backend)]);
    // Backends round differently in the last digits, and in them only.
    let summed = folder.run(&format!("{CAPUTO} --backend cpu-direct")).stdout;
    let transformed = folder.run(&format!("{CAPUTO} --backend cpu-fft")).stdout;
    assert_ne!(summed, transformed);
    assert_eq!(with(CAPUTO, "cpu-fft").stdout, transformed);
    assert_eq!(with(CAPUTO, "auto").stdout, summed);
    assert_eq!(with(&format!("{CAPUTO} --backend cpu-direct"), "cpu-fft").stdout, summed);
    assert_eq!(with(&format!("{CAPUTO} --backend auto"), "cpu-fft").stdout, summed);
}

#[test]
fn an_environment_that_cannot_be_followed_is_refused() {
    let folder = Folder::with(&[("ramp.csv", &ramp())]);
    let mut wrong = vec![
        ("HPFRACC_BACKEND", "abacus", "known are auto, cpu-direct"),
        ("HPFRACC_DISABLE", "cpu-fft,abacus", "known are auto, cpu-direct"),
        ("HPFRACC_LEARNING", "on", "0 or 1"),
        ("HPFRACC_THREADS", "many", "from 1 to 4096"),
        ("HPFRACC_WISDOM", "", "path of a file"),
    ];
    if cfg!(feature = "gpu") {
        wrong.push(("HPFRACC_GPU_MEMORY_LIMIT", "much", "is no memory limit"));
    } else {
        wrong.push(("HPFRACC_BACKEND", "wgpu-fft", "no GPU support"));
    }
    for (variable, value, said) in wrong {
        let run = run_in(&folder, CAPUTO, &[(variable, value)]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""));
        let named = format!("{variable}=`{value}`");
        assert!(run.stderr.contains(&named) && run.stderr.contains(said), "{}", run.stderr);
    }
}

#[test]
fn a_memory_limit_of_the_environment_is_kept() {
    let folder = Folder::with(&[("ramp.csv", &ramp())]);
    if !adapter(&folder, "a_memory_limit") {
        return;
    }
    let words = format!("{CAPUTO} --backend wgpu-fft");
    let run = run_in(&folder, &words, &[("HPFRACC_GPU_MEMORY_LIMIT", "1KiB")]);
    assert_ne!(run.code, 0);
    assert!(run.stderr.contains("1024"), "{}", run.stderr);
    assert_eq!(run_in(&folder, &words, &[("HPFRACC_GPU_MEMORY_LIMIT", "50%")]).code, 0);
}

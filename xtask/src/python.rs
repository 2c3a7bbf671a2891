//! `cargo xtask python`: the Python package, built as a wheel and tested in environments of its own.

use crate::environment::Environment;
use crate::metadata;
use crate::run::{Outcome, finish, root};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Packages of the tests, in the versions of `tests/requirements.txt`.
const TOOLS: &[&str] = &[
    "numpy",
    "scipy",
    "pytest",
    "mypy",
    "matplotlib",
    "tqdm",
    "scikit-learn",
    "nbclient",
    "ipykernel",
];
/// Packages with a page of their own, whose lines are run where they can be installed.
const PEERS: &[&str] = &["pycaputo", "differint", "fbm"];
/// Frameworks with modules of the package, and what their tests need.
const FRAMEWORKS: &[&str] =
    &["numpy", "scipy", "pytest", "scikit-learn", "jax", "torch", "torchsde"];
/// Time to install the frameworks, of which PyTorch has 5 GB.
const PATIENCE: Duration = Duration::from_secs(300);
/// Bytes of the wheel, at most.
const LARGEST: u64 = 25_000_000;

/// Builds, installs and tests the package.
pub(crate) fn run(arguments: &[&str]) -> Outcome {
    if let [argument, ..] = arguments {
        return Err(format!("`cargo xtask python` has no argument {argument}"));
    }
    let target = metadata::target(&metadata::read()?).join("python");
    let requirements = root().join("crates/hpfracc-python/tests/requirements.txt");
    let environment =
        Environment::prepare(&target.join("venv"), &requirements, &[TOOLS, PEERS].concat(), None);
    for tool in TOOLS {
        environment.python_with(tool)?;
    }
    let python = environment.python_with("numpy")?;
    let wheel = wheel(python, &target.join("wheels"))?;
    install(python, &wheel)?;
    let (tests, examples) =
        ("crates/hpfracc-python/tests", "crates/hpfracc-python/tools/examples.py");
    module(python, "pytest", &["-q", "-rs", tests])?;
    run_python(python, &[examples])?;
    let configuration = ["--config-file", "crates/hpfracc-python/pyproject.toml"];
    module(python, "mypy", &[&configuration[..], &["-p", "hpfracc"]].concat())?;
    module(python, "mypy", &[&configuration[..], &[tests]].concat())?;
    module(python, "mypy.stubtest", &["hpfracc._hpfracc"])?;
    run_python(python, &["crates/hpfracc-python/tools/notebooks.py"])?;
    frameworks(&wheel, &requirements)
}

/// Tests of the modules for PyTorch and JAX; a framework that cannot be installed is reported and skipped.
fn frameworks(wheel: &Path, requirements: &Path) -> Outcome {
    let folder = cache().join("frameworks");
    let deadline = Some(Instant::now() + PATIENCE);
    let environment = Environment::prepare(&folder, requirements, FRAMEWORKS, deadline);
    let python = match environment.python_with("pytest") {
        Ok(python) => python,
        Err(reason) => {
            eprintln!("tests of hpfracc.torch and hpfracc.jax are skipped: {reason}");
            return Ok(());
        }
    };
    install(python, wheel)?;
    for framework in ["torch", "jax"] {
        if let Err(reason) = environment.python_with(framework) {
            eprintln!("tests of hpfracc.{framework} are skipped: {reason}");
            continue;
        }
        let tests = tests_of(framework)?;
        let tests: Vec<&str> = tests.iter().map(String::as_str).collect();
        module(python, "pytest", &[&["-q", "-rs"], &tests[..]].concat())?;
        run_python(python, &["crates/hpfracc-python/tools/examples.py", framework])?;
    }
    // The lines of the pages that need a framework.
    module(python, "pytest", &["-q", "-rs", "crates/hpfracc-python/tests/test_pages.py"])
}

/// Files of tests of a framework: `test_torch.py`, `test_torch_solves.py`.
fn tests_of(framework: &str) -> Result<Vec<String>, String> {
    let folder = "crates/hpfracc-python/tests";
    let failed = |error: std::io::Error| format!("{folder}: {error}");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(root().join(folder)).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
        if name.starts_with(&format!("test_{framework}")) && name.ends_with(".py") {
            files.push(format!("{folder}/{name}"));
        }
    }
    files.sort();
    Ok(files)
}

/// Folder of what outlives a clone.
fn cache() -> PathBuf {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let home =
        || set("HOME").or_else(|| set("LOCALAPPDATA")).map_or(std::env::temp_dir(), PathBuf::from);
    set("XDG_CACHE_HOME").map_or_else(|| home().join(".cache"), PathBuf::from).join("hpfracc")
}

/// Builds the wheel as `pip install` does.
fn wheel(python: &Path, folder: &Path) -> Result<PathBuf, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(failed)?;
    }
    let text = folder.display().to_string();
    module(python, "pip", &["wheel", "-q", "--no-deps", "-w", &text, "./crates/hpfracc-python"])?;
    let mut files = std::fs::read_dir(folder).map_err(failed)?;
    let file = files.next().ok_or_else(|| format!("no wheel in {text}"))?.map_err(failed)?;
    let bytes = file.metadata().map_err(failed)?.len();
    eprintln!("wheel of {:.1} MB", bytes as f64 / 1e6);
    if bytes > LARGEST {
        return Err(format!("{}: {bytes} bytes, more than {LARGEST}", file.path().display()));
    }
    Ok(file.path())
}

fn install(python: &Path, wheel: &Path) -> Outcome {
    let wheel = wheel.display().to_string();
    module(python, "pip", &["install", "-q", "--no-deps", "--force-reinstall", &wheel])
}

fn module(python: &Path, name: &str, arguments: &[&str]) -> Outcome {
    run_python(python, &[&["-m", name], arguments].concat())
}

fn run_python(python: &Path, arguments: &[&str]) -> Outcome {
    let label = format!("python {}", arguments.join(" "));
    eprintln!("> {label}");
    let mut command = Command::new(python);
    command.args(arguments).current_dir(root());
    finish(command, &label)
}

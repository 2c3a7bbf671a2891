//! Shader sources without a device: the fixed ones parse and validate, and none calls what is wrong in
//! double precision.

use naga::valid::{Capabilities, ValidationFlags, Validator};
use std::path::{Path, PathBuf};

fn shaders(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(shaders(&path));
        } else if path.extension().is_some_and(|e| e == "wgsl") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn sources() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        (path.display().to_string(), text)
    };
    shaders(&folder).into_iter().map(read).collect()
}

#[test]
fn the_self_test_validates() {
    let (_, text) =
        sources().into_iter().find(|(name, _)| name.ends_with("self_test.wgsl")).unwrap();
    let module = naga::front::wgsl::parse_str(&text).unwrap();
    Validator::new(ValidationFlags::all(), Capabilities::FLOAT64).validate(&module).unwrap();
}

/// WGSL's transcendental functions compile for f64, report nothing and answer nonsense. Shaders that
/// are written for both scalar types (`real`) or for f64 may not call them; those of f32 alone may.
#[test]
fn double_precision_shaders_call_no_transcendental_function() {
    const WRONG: [&str; 21] = [
        "exp",
        "exp2",
        "log",
        "log2",
        "sin",
        "cos",
        "tan",
        "sinh",
        "cosh",
        "tanh",
        "asin",
        "acos",
        "atan",
        "atan2",
        "asinh",
        "acosh",
        "atanh",
        "pow",
        "degrees",
        "radians",
        "inverseSqrt",
    ];
    let mut seen = 0;
    for (name, text) in sources() {
        let code: String = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or(""))
            .collect::<Vec<_>>()
            .join("\n");
        if !(code.contains("real") || code.contains("f64") || code.contains("complex")) {
            continue;
        }
        seen += 1;
        for function in WRONG {
            let call = format!("{function}(");
            let calls = code.match_indices(&call).any(|(at, _)| {
                !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_')
                    && !code[..at].ends_with("fn ")
            });
            assert!(!calls, "{name} calls {function}, which is wrong in f64");
        }
    }
    assert!(seen >= 4, "only {seen} shaders of both scalar types were found");
}

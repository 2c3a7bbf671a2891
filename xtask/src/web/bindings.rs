//! Bindings of the module for JavaScript, by wasm-bindgen, and its optimiser.

use crate::files::{failed, read};
use crate::run::{Outcome, finish, first_line, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program that writes the bindings, of the version that the module was compiled with.
pub(super) struct Bindgen(PathBuf);

impl Bindgen {
    /// # Errors
    /// How to install the right version.
    pub(super) fn find() -> Result<Self, String> {
        let version = locked(&read(&root().join("Cargo.lock"))?)?;
        let folder = root().join("target/tools");
        let own = folder.join("bin").join(format!("wasm-bindgen{}", std::env::consts::EXE_SUFFIX));
        let given = std::env::var_os("WASM_BINDGEN").map(PathBuf::from);
        let candidates = given.into_iter().chain([own, "wasm-bindgen".into()]);
        let mut others = Vec::new();
        for program in candidates {
            let found = first_line(&program.to_string_lossy(), &["--version"]);
            if found.split(' ').nth(1) == Some(&version) {
                return Ok(Self(program));
            }
            others.extend((!found.is_empty()).then_some(found));
        }
        let found =
            if others.is_empty() { "none is".to_owned() } else { others.join(", ") + " is" };
        Err(format!(
            "no wasm-bindgen {version}, the version in Cargo.lock ({found} installed). To install it:\n  \
             cargo install wasm-bindgen-cli --version {version} --locked --root {}",
            folder.display()
        ))
    }

    /// Writes the module and its bindings to the folder.
    pub(super) fn run(&self, module: &Path, folder: &Path) -> Outcome {
        let mut command = Command::new(&self.0);
        command.args(["--target", "web", "--no-typescript", "--out-dir"]).arg(folder).arg(module);
        finish(command, "wasm-bindgen")
    }
}

/// Version of wasm-bindgen in the text of Cargo.lock.
fn locked(lock: &str) -> Result<String, String> {
    let lock: toml::Table = lock.parse().map_err(|error| format!("Cargo.lock: {error}"))?;
    let packages = lock.get("package").and_then(toml::Value::as_array).into_iter().flatten();
    let text = |package: &toml::Value, key: &str| Some(package.get(key)?.as_str()?.to_owned());
    let mut named =
        packages.filter(|package| text(package, "name").as_deref() == Some("wasm-bindgen"));
    let version = named.next().and_then(|package| text(package, "version"));
    version.ok_or_else(|| "Cargo.lock has no wasm-bindgen".to_owned())
}

/// Optimises the module with wasm-opt where it is installed.
pub(super) fn optimise(module: &Path) -> Outcome {
    let version = first_line("wasm-opt", &["--version"]);
    if version.is_empty() {
        eprintln!(
            "no wasm-opt (of binaryen), which would make the module smaller: it stays as it is"
        );
        return Ok(());
    }
    let optimised = module.with_extension("optimised");
    let mut command = Command::new("wasm-opt");
    command.args(["-O3", "--all-features", "-o"]).arg(&optimised).arg(module);
    finish(command, &version)?;
    std::fs::rename(&optimised, module).map_err(failed(module))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_the_lock_file() {
        let lock = "version = 4\n[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"9.0.0\"\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.7\"\n";
        assert_eq!(locked(lock).as_deref(), Ok("0.2.7"));
        assert!(locked("version = 4\n").is_err_and(|error| error.contains("no wasm-bindgen")));
        let own = read(&root().join("Cargo.lock")).unwrap();
        assert!(locked(&own).unwrap().starts_with("0.2."));
    }
}

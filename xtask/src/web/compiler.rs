//! Compilers that have a standard library for WebAssembly.

use super::{MODULE, PACKAGE, TARGET};
use crate::run::{cargo_command, finish, first_line, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiler of the module.
pub(super) enum Compiler {
    /// The toolchain of the workspace, with the target.
    Workspace,
    /// A compiler with the sources of its standard library, which is built with the module.
    WithSources { rustc: PathBuf, cargo: PathBuf },
}

/// Compilers of Debian and Ubuntu.
const DEBIAN: [&str; 2] = ["/usr/bin/rustc", "/usr/bin/cargo"];

const MISSING: &str = "\
no compiler for WebAssembly: the toolchain of the workspace has no standard library for wasm32-unknown-unknown. Either
  rustup target add wasm32-unknown-unknown
or, on Debian and Ubuntu, a compiler with the sources of the library, which is then built with the module:
  apt-get install --no-install-recommends rustc-web cargo-web rust-web-src lld";

impl Compiler {
    /// # Errors
    /// What is missing, and how to get it.
    pub(super) fn find() -> Result<Self, String> {
        let library = first_line("rustc", &["--print", "target-libdir", "--target", TARGET]);
        if !library.is_empty() && Path::new(&library).is_dir() {
            return Ok(Self::Workspace);
        }
        let [rustc, cargo] = DEBIAN.map(PathBuf::from);
        let sysroot = first_line(DEBIAN[0], &["--print", "sysroot"]);
        let sources = Path::new(&sysroot).join("lib/rustlib/src/rust/library/std/Cargo.toml");
        let linker = !first_line("wasm-ld", &["--version"]).is_empty();
        if !sysroot.is_empty() && sources.is_file() && cargo.is_file() && linker {
            return Ok(Self::WithSources { rustc, cargo });
        }
        Err(MISSING.to_owned())
    }

    /// Builds the module; returns its path.
    pub(super) fn build(&self) -> Result<PathBuf, String> {
        // Registers of 128 bits, which all browsers have since 2023.
        let mut flags = "-C target-feature=+simd128".to_owned();
        let mut command = match self {
            Self::Workspace => cargo_command(),
            Self::WithSources { rustc, cargo } => {
                flags += " -C linker=wasm-ld -C linker-flavor=wasm-ld";
                let mut command = Command::new(cargo);
                command.current_dir(root()).env("RUSTC", rustc).env("RUSTC_BOOTSTRAP", "1");
                // Programs of rustup would use its own toolchain.
                command.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").env_remove("RUSTDOC");
                command.arg("-Zbuild-std=std,panic_abort");
                command
            }
        };
        let target = root().join("target/web-build");
        command.args(["build", "--locked", "--profile", "web", "--package", PACKAGE, "--lib"]);
        command.args(["--features", "webgpu"]);
        command.args(["--target", TARGET]).arg("--target-dir").arg(&target);
        command.env("RUSTFLAGS", &flags).env_remove("CARGO_ENCODED_RUSTFLAGS");
        let label = format!("cargo build --profile web --package {PACKAGE} --target {TARGET}");
        eprintln!("> {label}");
        finish(command, &label)?;
        Ok(target.join(TARGET).join("web").join(format!("{MODULE}.wasm")))
    }
}

//! Descriptions of the machine and of the program of a measurement.

use hpfracc::cpu::InstructionSet;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::Command;
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

/// Properties of a machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) processor: String,
    pub(crate) threads: usize,
    /// Vector instructions in use.
    pub(crate) instruction_set: String,
    /// Memory in GiB.
    pub(crate) memory: f64,
    pub(crate) system: String,
}

impl Machine {
    pub(crate) fn here() -> Self {
        let requested = RefreshKind::nothing()
            .with_cpu(CpuRefreshKind::nothing())
            .with_memory(MemoryRefreshKind::nothing().with_ram());
        let system = System::new_with_specifics(requested).ok();
        let brand = system.as_ref().and_then(|s| s.cpus().first()).map(|cpu| cpu.brand().trim());
        let gib = system.as_ref().map_or(0.0, |s| s.total_memory() as f64 / f64::from(1 << 30));
        Self {
            processor: brand.filter(|b| !b.is_empty()).unwrap_or("unknown processor").to_owned(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            instruction_set: InstructionSet::in_use().name.to_owned(),
            memory: (10.0 * gib).round() / 10.0,
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        }
    }

    /// Name of the folder of its records.
    pub(crate) fn folder(&self) -> String {
        let letters = self.processor.to_lowercase();
        let words = letters.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty());
        let name: Vec<&str> = words.collect();
        format!("{}-{}-threads", name.join("-"), self.threads)
    }

    /// Differences from another machine in the fields that affect times.
    pub(crate) fn differences(&self, other: &Self) -> Vec<String> {
        let [here, there] = [self, other].map(|machine| machine.threads.to_string());
        let fields = [
            ("processor", &self.processor, &other.processor),
            ("threads", &here, &there),
            ("instruction_set", &self.instruction_set, &other.instruction_set),
            ("system", &self.system, &other.system),
        ];
        let different = fields.into_iter().filter(|(_, here, there)| here != there);
        different
            .map(|(name, here, there)| format!("{name} is {there} there and {here} here"))
            .collect()
    }

    /// Description in one line.
    pub(crate) fn line(&self) -> String {
        let Self { processor, threads, instruction_set, memory, system } = self;
        format!("{processor}, {threads} threads, {instruction_set}, {memory} GiB, {system}")
    }
}

/// Program that was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Program {
    pub(crate) version: String,
    /// Commit, followed by `+` if files differ from it; empty outside a clone.
    pub(crate) commit: String,
    pub(crate) compiler: String,
    /// Value of `RUSTFLAGS`.
    #[serde(default)]
    pub(crate) flags: String,
}

impl Program {
    pub(crate) fn here() -> Self {
        let dirty = first_line("git", &["status", "--porcelain", "--untracked-files=no"]);
        let commit = first_line("git", &["rev-parse", "--short=10", "HEAD"]);
        let changed = if dirty.is_empty() { "" } else { "+" };
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: commit + changed,
            compiler: first_line("rustc", &["--version"]),
            flags: std::env::var("RUSTFLAGS").unwrap_or_default(),
        }
    }

    /// Whether files differ from the commit.
    pub(crate) fn is_changed(&self) -> bool {
        self.commit.ends_with('+')
    }
}

/// Folder of the workspace.
pub(crate) fn root() -> PathBuf {
    let benches = Path::new(env!("CARGO_MANIFEST_DIR"));
    benches.parent().unwrap_or(benches).to_owned()
}

/// First line of the output of a command in the workspace; empty if the command fails.
fn first_line(command: &str, args: &[&str]) -> String {
    let output = Command::new(command)
        .args(args)
        .current_dir(root())
        .output()
        .ok()
        .filter(|o| o.status.success());
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    text.unwrap_or_default().lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_a_plain_name() {
        let processor = "Some(R) Maker's 9 CPU @ 3.00GHz".to_owned();
        let machine = Machine { processor, threads: 8, ..Machine::here() };
        assert_eq!(machine.folder(), "some-r-maker-s-9-cpu-3-00ghz-8-threads");
    }
}

//! Processor and memory of this computer.

use super::units;
use crate::text::layout::listed;
use hpfracc::cpu::InstructionSet;
use serde::Serialize;
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

#[derive(Serialize)]
pub(super) struct Processor {
    /// Brand name, if the operating system reports it.
    name: Option<String>,
    /// Number of threads available to this process.
    threads: usize,
    /// Number of physical cores, if the operating system reports it.
    cores: Option<usize>,
    /// SIMD instruction set of the kernels.
    instruction_set: &'static str,
    /// Lanes of a register.
    f32_lanes: usize,
    f64_lanes: usize,
    /// Memory of the computer.
    memory_bytes: Option<u64>,
}

impl Processor {
    pub(super) fn detect() -> Self {
        let refresh = RefreshKind::nothing()
            .with_cpu(CpuRefreshKind::nothing())
            .with_memory(MemoryRefreshKind::nothing().with_ram());
        let system = System::new_with_specifics(refresh).ok();
        let brand = system.as_ref().and_then(|system| system.cpus().first());
        let brand = brand.map(|cpu| cpu.brand().trim().to_owned());
        let simd = InstructionSet::in_use();
        Self {
            name: brand.filter(|name| !name.is_empty()),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            cores: System::physical_core_count().ok(),
            instruction_set: simd.name,
            f32_lanes: simd.f32_lanes,
            f64_lanes: simd.f64_lanes,
            memory_bytes: system.map(|system| system.total_memory()).filter(|bytes| *bytes > 0),
        }
    }

    pub(super) fn as_text(&self) -> String {
        let threads = match self.cores {
            Some(1) => format!("{} on 1 core", self.threads),
            Some(cores) => format!("{} on {cores} cores", self.threads),
            None => self.threads.to_string(),
        };
        let simd = format!(
            "{}: {} f32 or {} f64 in a register",
            self.instruction_set, self.f32_lanes, self.f64_lanes
        );
        let unknown = || "unknown".to_owned();
        let title = format!("processor  {}", self.name.as_deref().unwrap_or("of unknown name"));
        let memory = self.memory_bytes.map_or_else(unknown, units::bytes);
        listed(&title, &[("threads", threads), ("simd", simd), ("memory", memory)])
    }
}

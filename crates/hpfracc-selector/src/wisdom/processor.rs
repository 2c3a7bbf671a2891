//! The name of the processor.

/// Model name of the processor if the system provides it, else its architecture.
pub(super) fn name() -> String {
    let model = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    model.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

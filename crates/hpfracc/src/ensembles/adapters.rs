//! Adapters that solve ensembles.

use hpfracc_equation::wgsl::NumberFormat;
use hpfracc_wgpu::ensemble::PathEquation;
use hpfracc_wgpu::{AdapterDescription, AdapterKind};

/// Least paths that have to fit the memory of a device at a time.
const FEWEST_PATHS: usize = 1024;

/// Positions of the adapters that solve an ensemble together: all that are no software, if there are any.
pub(super) fn together(listed: &[(AdapterDescription, Option<usize>)]) -> Vec<Option<usize>> {
    let is_hardware =
        |(adapter, _): &&(AdapterDescription, _)| adapter.kind != AdapterKind::Software;
    let hardware: Vec<_> =
        listed.iter().filter(is_hardware).map(|(_, position)| *position).collect();
    if hardware.is_empty() {
        listed.iter().map(|(_, position)| *position).collect()
    } else {
        hardware
    }
}

/// The first adapter that is no software, of a list with the best one first.
pub(super) fn fastest(
    listed: &[(AdapterDescription, Option<usize>)],
) -> Result<(AdapterDescription, Option<usize>), String> {
    let names: Vec<String> =
        listed.iter().map(|(adapter, _)| format!("`{}`", adapter.name)).collect();
    let hardware = listed.iter().find(|(adapter, _)| adapter.kind != AdapterKind::Software);
    hardware.cloned().ok_or_else(|| match names.is_empty() {
        true => "there is no adapter".to_owned(),
        false => format!("there are only software adapters: {}", names.join(", ")),
    })
}

/// Refuses a device without room for the states of some paths: before anything is sent to it.
pub(super) fn check_memory(
    (equation, format): (&PathEquation, NumberFormat),
    free: Option<u64>,
    fraction: f64,
) -> Result<(), String> {
    let needed = (FEWEST_PATHS * equation.device_bytes_per_path(format.bytes())) as u64;
    match free.map(|free| (free as f64 * fraction.clamp(0.0, 1.0)) as u64) {
        Some(limit) if limit < needed => {
            Err(format!("{FEWEST_PATHS} paths take {needed} bytes, and the device has {limit}"))
        }
        _ => Ok(()),
    }
}

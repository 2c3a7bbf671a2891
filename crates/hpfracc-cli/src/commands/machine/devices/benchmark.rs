//! Benchmark of the kernels on all devices within a few seconds.

use super::adapters::Adapter;
#[cfg(feature = "gpu")]
use super::gpu::Opened;
use super::measurement::{AdapterPeaks, Measurement};
use super::timing::Timing;
use super::units;
use hpfracc::backend::{Backend, RealTransform, Shape, TransformAxes, Workload};
use hpfracc::types::Real;
use hpfracc::{Machine, error_chain};
use serde::Serialize;
use std::time::{Duration, Instant};

/// Latest start of a measurement. Started measurements are finished, within the promised ten
/// seconds.
const BUDGET: Duration = Duration::from_secs(7);

/// Maximum time per kernel.
const SLICE: Duration = Duration::from_millis(250);

#[derive(Serialize)]
pub(super) struct Benchmark {
    /// Duration of the benchmark.
    seconds: f64,
    /// Peaks of the adapters.
    adapters: Vec<AdapterPeaks>,
    timings: Vec<Timing>,
    /// Skipped measurements with the reason.
    left_out: Vec<String>,
}

impl Benchmark {
    pub(super) fn measure(adapters: &[Adapter]) -> Self {
        let start = Instant::now();
        let mut left_out = Vec::new();
        #[cfg(feature = "gpu")]
        let opened = Opened::all(adapters, &mut left_out);
        #[cfg(feature = "gpu")]
        let hardware = opened.is_empty() || opened.iter().any(|device| !device.floors.software);
        // Without GPU support only the processor is measured.
        #[cfg(not(feature = "gpu"))]
        let hardware = adapters.is_empty();

        let mut jobs = Vec::new();
        for workload in workloads(hardware) {
            on_processor::<f32>(workload, &mut jobs);
            #[cfg(feature = "gpu")]
            opened.iter().for_each(|device| device.single(workload, &mut jobs));
            on_processor::<f64>(workload, &mut jobs);
            #[cfg(feature = "gpu")]
            opened.iter().for_each(|device| device.double(workload, &mut jobs));
        }
        let (mut timings, mut left) = (Vec::new(), jobs.len() as u32);
        for job in jobs {
            let slice = BUDGET.saturating_sub(start.elapsed()) / left;
            left -= 1;
            if slice.is_zero() {
                left_out.push(format!("{}: time budget exceeded", job.label));
                continue;
            }
            match (job.run)(slice.min(SLICE)) {
                Ok(timing) => timings.push(timing),
                Err(reason) => left_out.push(format!("{}: {reason}", job.label)),
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        #[cfg(feature = "gpu")]
        let adapters = opened.into_iter().map(|device| device.floors).collect();
        #[cfg(not(feature = "gpu"))]
        let adapters = Vec::new();
        Self { seconds, adapters, timings, left_out }
    }

    pub(super) fn as_text(&self) -> String {
        let mut text = format!("benchmark  {}\n", units::seconds(self.seconds));
        for floors in &self.adapters {
            text += &floors.as_text();
        }
        text += "\n";
        text += &table(&self.timings);
        text += "\nfirst: includes plan, shaders and weights. call: includes transfers from and to the host.\n";
        if !self.adapters.is_empty() {
            text += "on device: by the clock of the device, without transfers. of copy: time to copy samples,\n\
                     results and weights on the device, relative to that time.\n";
        }
        for reason in &self.left_out {
            text += &format!("skipped: {reason}\n");
        }
        text
    }
}

impl AdapterPeaks {
    fn as_text(&self) -> String {
        let software = if self.software { ", software: for correctness only" } else { "" };
        format!(
            "  adapter {}{software}: opened in {}, empty submit and wait {}, copy {}, upload {}, download {}\n",
            self.index,
            units::seconds(self.open_seconds),
            units::seconds(self.empty_submit_seconds),
            units::rate(self.copy_rate),
            units::rate(self.upload_rate),
            units::rate(self.download_rate)
        )
    }
}

/// Workload sizes: for hardware, or small enough for a software adapter.
fn workloads(hardware: bool) -> [Workload; 7] {
    let square = |side| {
        let axis = (side, RealTransform::Dst2);
        TransformAxes::new(&[axis, axis]).expect("two axes")
    };
    let (batch, long, side) = if hardware { (4096, 1 << 20, 1024) } else { (8, 1 << 15, 64) };
    [
        Workload::CausalConvolution { len: 1024, batch: 1 },
        Workload::CausalConvolution { len: 4096, batch },
        Workload::CausalConvolution { len: long, batch: 1 },
        Workload::SpectralMultiplier { shape: Shape::line(4096), batch },
        Workload::TrigonometricMultiplier { axes: square(side), batch: 1 },
        Workload::Dense { rows: side, cols: side, batch: side },
        Workload::Recurrence { nodes: 64, len: 256, batch },
    ]
}

/// Measurements of the processor backends for a workload.
fn on_processor<T: Real>(workload: Workload, jobs: &mut Vec<Measurement<'_>>)
where
    Machine: Backend<T>,
{
    let names: &[&str] = match workload {
        Workload::CausalConvolution { batch: 1, len } if len <= 4096 => &["cpu-direct", "cpu-fft"],
        Workload::Dense { .. } => &["cpu-gemm"],
        Workload::Recurrence { .. } => &["cpu-parallel-recurrence"],
        _ => &["cpu-parallel-fft"],
    };
    jobs.extend(names.iter().map(|name| Measurement {
        label: format!("{name}, {}, {workload}", T::NAME),
        run: Box::new(move |slice| {
            // A new machine each time, so that the first call is cold.
            let machine = Machine::only(name).map_err(|error| error_chain(&error))?;
            let timing = Timing::measure::<T>("processor", &machine, workload, None, slice);
            timing
                .map(|timing| Timing { backend: (*name).to_owned(), ..timing })
                .map_err(|error| error_chain(&error))
        }),
    }));
}

const HEADINGS: [&str; 7] = ["kernel", "scalar", "device", "first", "call", "on device", "of copy"];

/// Timings grouped by workload.
fn table(timings: &[Timing]) -> String {
    let absent = || "-".to_owned();
    let rows: Vec<[String; 7]> = timings
        .iter()
        .map(|timing| {
            [
                timing.backend.clone(),
                timing.scalar.to_owned(),
                timing.device.clone(),
                units::seconds(timing.first_seconds),
                units::seconds(timing.call_seconds),
                timing.device_seconds.map_or_else(absent, units::seconds),
                timing.copy_fraction.map_or_else(absent, |part| format!("{:.1} %", 100.0 * part)),
            ]
        })
        .collect();
    let mut widths = HEADINGS.map(str::len);
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.len());
        }
    }
    let line = |row: [&str; 7]| {
        let cells = row.iter().zip(widths).enumerate().map(|(k, (cell, width))| match k {
            // Text is left-aligned, numbers right-aligned.
            0..=2 => format!("{cell:width$}"),
            _ => format!("{cell:>width$}"),
        });
        format!("  {}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    let mut text = line(HEADINGS);
    let mut workload = "";
    for (timing, row) in timings.iter().zip(&rows) {
        if timing.workload != workload {
            workload = &timing.workload;
            text += &format!("{workload}\n");
        }
        text += &line(row.each_ref().map(String::as_str));
    }
    text
}

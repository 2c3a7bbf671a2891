//! `hpfracc devices`: lists and measures the processor and the GPUs.

mod adapters;
mod args;
mod benchmark;
#[cfg(feature = "gpu")]
mod gpu;
mod measurement;
mod processor;
mod timing;
mod units;

use crate::Error;
use crate::output::{json, write_stdout};
use adapters::Adapter;
pub(crate) use args::DevicesArgs;
use benchmark::Benchmark;
use processor::Processor;
use serde::Serialize;

pub(crate) fn run(args: &DevicesArgs) -> Result<(), Error> {
    let adapters = adapters::all();
    let benchmark = args.benchmark.then(|| Benchmark::measure(&adapters));
    let devices = Devices {
        version: env!("CARGO_PKG_VERSION"),
        processor: Processor::detect(),
        gpu_support: cfg!(feature = "gpu"),
        adapters,
        benchmark,
    };
    let text = if args.json { json(&devices)? } else { devices.as_text() };
    write_stdout(text.as_bytes())
}

/// JSON document of `--json`. Stable format: fields are added, never renamed.
#[derive(Serialize)]
struct Devices {
    /// Version of the command.
    version: &'static str,
    processor: Processor,
    /// Whether this build detects adapters.
    gpu_support: bool,
    adapters: Vec<Adapter>,
    /// Null without `--benchmark`.
    benchmark: Option<Benchmark>,
}

impl Devices {
    fn as_text(&self) -> String {
        let mut text = self.processor.as_text();
        for adapter in &self.adapters {
            text += "\n";
            text += &adapters::as_text(adapter);
        }
        if !self.gpu_support {
            text += "\nno adapters: this build has no GPU support (feature `gpu` of hpfracc-cli is off)\n";
        } else if self.adapters.is_empty() {
            text += "\nno adapters: no Vulkan, Metal or DX12 driver reports a GPU\n";
        }
        if let Some(benchmark) = &self.benchmark {
            text += "\n";
            text += &benchmark.as_text();
        }
        text
    }
}

//! Expected cost of an ensemble as the work of an autotuner.

use hpfracc_backend::{CostTerm, Method, Work};
use hpfracc_equation::wgsl::NumberFormat;
use hpfracc_sde::PathTask;
use hpfracc_wgpu::AdapterKind;
use hpfracc_wgpu::ensemble::{PathEquation, PathScheme};

/// Operations of a normal number: a quarter of a block of Philox, and half of Box and Muller's pair.
const NORMAL: usize = 40;

/// Seconds of an operation on a thread of the processor, in registers of eight numbers.
const CPU: f64 = 5e-11;

/// Seconds to compile the shaders of an equation.
const COMPILING: f64 = 0.05;

/// Seconds to open a device.
const OPENING: f64 = 0.15;

/// Seconds to read a byte, and to take it into statistics.
const READING: f64 = 1e-9;

/// Name of the method of the processor.
const CPU_NAME: &str = "cpu";

/// Sizes of an ensemble that its time depends on.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct EnsembleCost {
    /// Kind of work: the scheme.
    name: String,
    paths: u64,
    steps: u64,
    /// Operations of a step of a path.
    operations: u64,
    /// Numbers of all states at saved nodes.
    saved: u64,
}

/// Device that may solve an ensemble.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct DeviceCost {
    /// Name of its method.
    pub(super) name: String,
    pub(super) kind: AdapterKind,
    pub(super) is_open: bool,
    /// Numbers that it computes with.
    pub(super) format: NumberFormat,
}

impl EnsembleCost {
    /// Cost of paths and steps without a saved node.
    #[cfg(test)]
    pub(super) fn sized(equation: &PathEquation, (paths, steps): (u64, u64)) -> Self {
        let operations = operations(equation) as u64;
        Self { name: "test".to_owned(), paths, steps, operations, saved: 0 }
    }

    pub(super) fn of(task: &PathTask<'_>, equation: &PathEquation) -> Self {
        Self {
            name: format!("ensemble of paths by {}", task.scheme),
            paths: task.paths as u64,
            steps: task.saved.last().copied().unwrap_or(0) as u64,
            operations: operations(equation) as u64,
            saved: (task.saved.len() * task.paths * equation.dim) as u64,
        }
    }

    /// Calls `with` with the work, of which method 0 is the processor with this number of threads and method 1 the
    /// device.
    pub(super) fn describe<R>(
        &self,
        threads: usize,
        device: &DeviceCost,
        with: impl FnOnce(&Work<'_>) -> R,
    ) -> R {
        let all = self.paths as f64 * self.steps as f64 * self.operations as f64;
        // Registers hold half as many numbers of twice the width.
        let width = device.format.bytes() as f64 / 4.0;
        let on_cpu = [CostTerm::new(all / threads as f64, CPU * width), CostTerm::new(1.0, 1e-5)];
        let opening = if device.is_open { 0.0 } else { 1.0 };
        let on_device = [
            CostTerm::new(all, seconds_per_operation(device)),
            CostTerm::new(1.0, COMPILING),
            CostTerm::new(opening, OPENING),
            CostTerm::new(device.format.bytes() as f64 * self.saved as f64, READING),
        ];
        let methods = [
            Method { name: CPU_NAME, terms: &on_cpu },
            Method { name: &device.name, terms: &on_device },
        ];
        let sizes = [
            ("paths", self.paths),
            ("steps", self.steps),
            ("operations", self.operations),
            ("saved numbers", self.saved),
        ];
        with(&Work {
            name: &self.name,
            scalar: device.format.name(),
            sizes: &sizes,
            methods: &methods,
        })
    }

    /// Expected seconds on the processor before anything was timed.
    pub(super) fn expected_on_cpu(&self, threads: usize) -> f64 {
        self.paths as f64 * self.steps as f64 * self.operations as f64 * CPU / threads as f64
    }
}

/// Operations of a step: coefficients, normals, noises and exponentials.
fn operations(equation: &PathEquation) -> usize {
    let evaluations = match equation.scheme {
        PathScheme::EulerMaruyama
        | PathScheme::TamedEuler
        | PathScheme::FractionalEulerMaruyama(_) => 1,
        PathScheme::Sriw1 => 4,
        _ => 2,
    };
    let normals = if equation.integrals.is_some() { 2 } else { 1 };
    let exponentials: usize = match &equation.scheme {
        PathScheme::FractionalEulerMaruyama(memories) => {
            memories.iter().flatten().map(|memory| memory.exponentials.len()).sum()
        }
        _ => 0,
    };
    let noises: usize = equation.noise.iter().map(Vec::len).sum();
    evaluations * equation.coefficients.operations()
        + NORMAL * (normals * equation.streams.len() + 2 * equation.jumps.len())
        + 2 * (equation.dim + noises)
        + 5 * exponentials
}

/// Expected seconds of an operation before anything was timed.
fn seconds_per_operation(device: &DeviceCost) -> f64 {
    let single = match device.kind {
        AdapterKind::Discrete => 1e-12,
        AdapterKind::Software => 1e-9,
        _ => 2e-11,
    };
    // Units of double precision are 2 to 64 times fewer; an operation of double-float numbers is some 20 of f32.
    match device.format {
        NumberFormat::Single => single,
        NumberFormat::Double => 16.0 * single,
        NumberFormat::DoubleFloat => 20.0 * single,
    }
}

//! Expected cost of an ensemble as the work of an autotuner.

use hpfracc_backend::{CostTerm, Method, Work};
use hpfracc_equation::wgsl::NumberFormat;
use hpfracc_sde::PathTask;
use hpfracc_wgpu::AdapterKind;
use hpfracc_wgpu::ensemble::{PathEquation, PathFractional, PathScheme};

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

/// Bytes that are written and read for an increment of fractional Brownian motion: a coefficient once and twice, the
/// increment once and once.
const TRAFFIC: u64 = 32;

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
    fractional: FractionalCost,
    /// Numbers of all states at saved nodes.
    saved: u64,
}

/// Cost of the increments of fractional Brownian motion of a path, for all steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct FractionalCost {
    on_cpu: u64,
    on_device: u64,
    /// Increments.
    numbers: u64,
}

impl FractionalCost {
    /// Normals and transforms: real ones of 2n values on the processor.
    fn of(equation: &PathEquation) -> Self {
        let of_cpu = |n: usize| 5 * n * (2 * n).ilog2() as usize;
        let numbers: usize = equation.fractional.iter().map(PathFractional::steps).sum();
        let transforms: usize =
            equation.fractional.iter().map(|noise| of_cpu(noise.steps().max(1))).sum();
        let normals = 2 * NORMAL * numbers;
        Self {
            on_cpu: (normals + transforms) as u64,
            on_device: (normals + equation.transform_operations()) as u64,
            numbers: numbers as u64,
        }
    }
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
        let fractional = FractionalCost::of(equation);
        Self { name: "test".to_owned(), paths, steps, operations, fractional, saved: 0 }
    }

    pub(super) fn of(task: &PathTask<'_>, equation: &PathEquation) -> Self {
        Self {
            name: format!("ensemble of paths by {}", task.scheme),
            paths: task.paths as u64,
            steps: task.saved.last().copied().unwrap_or(0) as u64,
            operations: operations(equation) as u64,
            fractional: FractionalCost::of(equation),
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
        let FractionalCost { on_cpu, on_device, numbers } = self.fractional;
        // Registers hold half as many numbers of twice the width.
        let width = device.format.bytes() as f64 / 4.0;
        let all = self.all(on_cpu) / threads as f64;
        let on_cpu = [CostTerm::new(all, CPU * width), CostTerm::new(1.0, 1e-5)];
        let opening = if device.is_open { 0.0 } else { 1.0 };
        let traffic = self.paths as f64 * (TRAFFIC * numbers) as f64;
        let on_device = [
            CostTerm::new(self.all(on_device), seconds_per_operation(device)),
            CostTerm::new(traffic, seconds_per_byte(device.kind)),
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
            ("fractional increments", numbers),
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
        self.all(self.fractional.on_cpu) * CPU / threads as f64
    }

    /// Operations of all steps, and of what is made for each path before.
    fn all(&self, before: u64) -> f64 {
        self.paths as f64 * (self.steps as f64 * self.operations as f64 + before as f64)
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

/// Expected seconds to write or read a byte of device memory before anything was timed.
fn seconds_per_byte(kind: AdapterKind) -> f64 {
    match kind {
        AdapterKind::Discrete => 2e-12,
        AdapterKind::Software => 1e-10,
        _ => 2e-11,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc_equation::Equation;
    use hpfracc_equation::wgsl::coefficients;

    fn seconds(steps: usize, fractional: usize, method: usize) -> f64 {
        let equation = Equation::parse("dX = -X dt + 0.1 dB; B = fbm(0.7); X(0) = 1").unwrap();
        let noise = PathFractional { stream: 0, standard_deviations: vec![1.0; steps + 1] };
        let equation = PathEquation {
            coefficients: coefficients(&equation).unwrap(),
            parameters: vec![],
            dim: 1,
            streams: vec![],
            correlation: None,
            integrals: None,
            fractional: vec![noise; fractional],
            jumps: vec![],
            noise: vec![],
            scheme: PathScheme::EulerMaruyama,
        };
        let (kind, format) = (AdapterKind::Discrete, NumberFormat::Single);
        let device = DeviceCost { name: "gpu".into(), kind, is_open: true, format };
        EnsembleCost::sized(&equation, (1_000_000, steps as u64)).describe(1, &device, |work| {
            work.methods[method].terms.iter().map(|term| term.count * term.seconds).sum()
        })
    }

    /// Fractional noise costs its transforms: more for each noise, and on a device more where they are convolutions.
    #[test]
    fn transforms_are_counted() {
        for method in [0, 1] {
            let [none, one, two] = [0, 1, 2].map(|noises| seconds(1024, noises, method));
            assert!(one > 1.5 * none && two > one, "{none} {one} {two}");
        }
        assert!(seconds(1024, 1, 0) < seconds(1025, 1, 0));
        assert!(seconds(1025, 1, 1) > 1.2 * seconds(1024, 1, 1));
    }
}

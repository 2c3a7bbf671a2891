//! Equations with their paths on the CPU, and an observer that collects.

use hpfracc_equation::wgsl::ShaderFunction;
use hpfracc_equation::{
    Arch, Equation, Execute, Id, Input, Program, Rows, RowsMut, Scratch, Symbol,
};
use hpfracc_lanes::random::{Gaussian, Philox};
use hpfracc_types::Real;
use hpfracc_wgpu::ensemble::{
    NoiseRow, PathEquation, PathGrid, PathObserver, PathScheme, PathSolver, PathSummary,
};
use hpfracc_wgpu::{GpuError, Precision};

/// Purpose of Brownian motion in the addresses of random numbers.
pub(super) const BROWNIAN: u32 = 1 << 24;

/// An equation, the roots of its coefficients and their inputs.
pub(super) struct Case {
    pub(super) equation: Equation,
    roots: Vec<Id>,
    inputs: Vec<Input>,
    noise: Vec<Vec<NoiseRow>>,
}

impl Case {
    pub(super) fn new(text: &str) -> Self {
        Self::of(Equation::parse(text).unwrap())
    }

    pub(super) fn of(equation: Equation) -> Self {
        let mut roots: Vec<Id> = equation.states().iter().map(|state| state.drift()).collect();
        let dim = roots.len();
        let mut noise = vec![];
        for state in equation.states() {
            let rows = state.noise().iter().map(|term| {
                roots.push(term.coefficient());
                NoiseRow { noise: term.noise(), diffusion: roots.len() - dim - 1 }
            });
            noise.push(rows.collect());
        }
        let input = |symbol: &Symbol| match *symbol {
            Symbol::State(k) => Input::Row(k),
            Symbol::Parameter(k) => Input::Uniform(1 + k),
            _ => Input::Uniform(0),
        };
        let inputs = equation.symbols().iter().map(input).collect();
        Self { equation, roots, inputs, noise }
    }

    pub(super) fn parameters(&self) -> Vec<f64> {
        self.equation.parameters().iter().map(|parameter| parameter.value()).collect()
    }

    fn start<T: Real>(&self) -> Vec<T> {
        let first = |state: &hpfracc_equation::State| state.initial()[0].unwrap();
        let value = |state| T::narrow(self.equation.value(first(state)));
        self.equation.states().iter().map(value).collect()
    }

    pub(super) fn on_device(&self) -> PathEquation {
        let names = self.equation.variable_names();
        let graph = self.equation.graph();
        let inputs = (&self.inputs[..], &names[..]);
        PathEquation {
            coefficients: ShaderFunction::new("coefficients", graph, &self.roots, inputs).unwrap(),
            parameters: self.parameters(),
            dim: self.noise.len(),
            streams: (0..self.equation.noises().len() as u32).map(|j| BROWNIAN + j).collect(),
            correlation: None,
            integrals: None,
            fractional: vec![],
            jumps: vec![],
            noise: self.noise.clone(),
            scheme: PathScheme::EulerMaruyama,
        }
    }

    /// What the equation shows, as a function.
    pub(super) fn shown(&self) -> Option<ShaderFunction> {
        let roots: Vec<Id> = self.equation.shown().iter().map(|shown| shown.value()).collect();
        let (graph, names) = (self.equation.graph(), self.equation.variable_names());
        let inputs = (&self.inputs[..], &names[..]);
        (!roots.is_empty()).then(|| ShaderFunction::new("shown", graph, &roots, inputs).unwrap())
    }

    /// What the equation shows at these states, by row, and the states before it.
    pub(super) fn observed(&self, t: f64, states: &[f32], lanes: usize) -> Vec<f32> {
        let roots: Vec<Id> = self.equation.shown().iter().map(|shown| shown.value()).collect();
        let program = Program::<f32>::new(self.equation.graph(), &roots, &self.inputs).unwrap();
        let mut uniforms = vec![t];
        uniforms.extend(self.parameters());
        let mut all = states.to_vec();
        let mut shown = vec![0.0f32; roots.len() * lanes];
        let out = RowsMut::new(&mut shown[..], lanes);
        program.run(Arch::new(), Rows::new(states, lanes), &uniforms, out, &mut Scratch::new());
        all.extend(shown);
        all
    }

    /// The same paths on the CPU: states at each saved node, rows by component.
    pub(super) fn reference<T: Gaussian + Execute>(&self, grid: &PathGrid) -> Vec<Vec<T>> {
        let (dim, lanes) = (self.noise.len(), grid.paths);
        let program = Program::<T>::new(self.equation.graph(), &self.roots, &self.inputs).unwrap();
        let mut uniforms = vec![0.0];
        uniforms.extend(self.parameters());
        let mut x: Vec<T> = self.start().iter().flat_map(|x| vec![*x; lanes]).collect();
        let mut values = vec![T::zero(); self.roots.len() * lanes];
        let (mut scratch, mut saved) = (Scratch::new(), vec![]);
        let (h, root_h) = (T::narrow(grid.h), T::narrow(grid.h.sqrt()));
        let philox = Philox::new(grid.seed);
        for n in 0..=*grid.saved.last().unwrap() {
            if grid.saved.contains(&n) {
                saved.push(x.clone());
            }
            uniforms[0] = grid.t0 + f64::from(n) * grid.h;
            let out = RowsMut::new(&mut values[..], lanes);
            program.run(Arch::new(), Rows::new(&x, lanes), &uniforms, out, &mut scratch);
            for lane in 0..lanes {
                let path = grid.first_path + lane as u64;
                let increment = |noise: usize| {
                    let counter =
                        [n / 4, path as u32, (path >> 32) as u32, BROWNIAN + noise as u32];
                    let [a, b, c, d] = philox.block(counter);
                    let (even, odd) = if n % 4 < 2 { T::pair(a, b) } else { T::pair(c, d) };
                    root_h * if n % 2 == 0 { even } else { odd }
                };
                for i in 0..dim {
                    let at = i * lanes + lane;
                    x[at] += h * values[at];
                    for row in &self.noise[i] {
                        let g = values[(dim + row.diffusion) * lanes + lane];
                        x[at] += g * increment(row.noise);
                    }
                }
            }
        }
        saved
    }
}

/// Collects all states.
pub(super) struct Collected<T = f32> {
    pub(super) start: Vec<T>,
    pub(super) saved: Vec<Vec<T>>,
    /// Time and first path of each summary.
    pub(super) summaries: Vec<(usize, usize, PathSummary)>,
    pub(super) paths: usize,
    pub(super) path_steps: u64,
    pub(super) cancel_after: u64,
}

impl<T: Real> Collected<T> {
    pub(super) fn new(case: &Case, grid: &PathGrid) -> Self {
        let start = case.start();
        let saved = vec![vec![T::NAN; start.len() * grid.paths]; grid.saved.len()];
        let (paths, summaries) = (grid.paths, vec![]);
        Self { start, saved, summaries, paths, path_steps: 0, cancel_after: u64::MAX }
    }
}

#[derive(Debug)]
pub(super) enum Ended {
    Gpu(GpuError),
    Cancelled,
}

impl From<GpuError> for Ended {
    fn from(error: GpuError) -> Self {
        Self::Gpu(error)
    }
}

impl<T: Real> PathObserver<T> for Collected<T> {
    type Error = Ended;

    fn start(&mut self, _: usize, lanes: usize, rows: &mut [T]) -> Result<(), Ended> {
        rows.chunks_exact_mut(lanes).zip(&self.start).for_each(|(row, x)| row.fill(*x));
        Ok(())
    }

    fn record(&mut self, time: usize, path: usize, lanes: usize, rows: &[T]) -> Result<(), Ended> {
        for (component, row) in rows.chunks_exact(lanes).enumerate() {
            self.saved[time][component * self.paths + path..][..lanes].copy_from_slice(row);
        }
        Ok(())
    }

    fn summary(
        &mut self,
        time: usize,
        path: usize,
        _: usize,
        summary: &PathSummary,
    ) -> Result<(), Ended> {
        self.summaries.push((time, path, summary.clone()));
        Ok(())
    }

    fn pause(&mut self, path_steps: u64) -> Result<(), Ended> {
        self.path_steps += path_steps;
        if self.path_steps > self.cancel_after { Err(Ended::Cancelled) } else { Ok(()) }
    }
}

pub(super) fn solve<P: Precision>(
    solver: &PathSolver<P>,
    case: &Case,
    grid: &PathGrid,
) -> Vec<Vec<P::Host>> {
    let mut collected = Collected::new(case, grid);
    solver.solve(grid, &mut collected).unwrap();
    let steps = u64::from(*grid.saved.last().unwrap());
    assert_eq!(collected.path_steps, steps * grid.paths as u64);
    collected.saved
}

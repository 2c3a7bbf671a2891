use hpfracc_equation::{Equation, Execute, Graph, Id, Input, Program, ProgramError};
use hpfracc_lanes::{Rows, RowsMut};
use pulp::Arch;

/// Program of expressions of an equation, with the values of its parameters.
#[derive(Debug)]
pub(super) struct SharedProgram<T> {
    program: Program<T>,
    arch: Arch,
    parameters: Vec<f64>,
}

impl<T: Execute> SharedProgram<T> {
    pub(super) fn new(
        equation: &Equation,
        graph: &Graph,
        roots: &[Id],
        inputs: &[Input],
    ) -> Result<Self, ProgramError> {
        let parameters = equation.parameters().iter().map(|parameter| parameter.value()).collect();
        let program = Program::new(graph, roots, inputs)?;
        Ok(Self { program, arch: Arch::new(), parameters })
    }

    /// Number of parameters.
    pub(super) fn parameters(&self) -> usize {
        self.parameters.len()
    }

    /// Number of expressions.
    pub(super) fn roots(&self) -> usize {
        self.program.roots()
    }

    /// Values at time t.
    pub(super) fn run(&self, t: f64, rows: Rows<'_, T>, out: RowsMut<'_, T>) {
        let none = RowsMut::new(&mut [], out.lanes());
        self.run_into(t, rows, [out, none]);
    }

    /// Values at time t, the first ones and all others.
    pub(super) fn run_into(&self, t: f64, rows: Rows<'_, T>, out: [RowsMut<'_, T>; 2]) {
        self.program.run_shared(self.arch, rows, (t, &self.parameters), out);
    }
}

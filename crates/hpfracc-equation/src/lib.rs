//! Equations as data: a right-hand side is a [`Graph`], which can be read from text, differentiated,
//! compared, printed and compiled to vector code.
//!
//! A graph has the operations as they are written. Nothing is contracted or reordered, so that every
//! way of evaluation gives the same bits: [`evaluate()`], one node after the other, is the reference.
#![forbid(unsafe_code)]

mod build;
pub mod catalogue;
pub mod derive;
mod equation;
mod evaluate;
mod graph;
mod network;
mod print;
mod program;
pub mod simplify;
pub mod structure;
mod text;
pub mod wgsl;

pub use build::{Builder, Expression, Operand};
pub use equation::{
    Action, Applied, Calculus, Correlation, Derivative, Direction, Distribution, Equation, Event,
    FieldEquation, FieldVariables, Formula, Jump, Named, Net, NoComplexFunction, NoiseSource,
    NoiseTerm, OrderTerm, Orders, Parameter, ParameterError, Process, RandomStart, Range,
    Reduction, SpatialOperation, State, Symbol, TableOfData,
};
pub use evaluate::{Values, evaluate};
pub use graph::{
    Affine, Binary, Graph, Id, Interpolation, NetworkError, Node, Table, TableError, Ternary, Unary,
};
pub use network::{Activation, Network};
pub use print::{Diagram, DiagramEdge, DiagramKind, DiagramNode};
pub use program::{Execute, Input, Program, ProgramError, Scratch};
pub use simplify::Simplify;
pub use text::{EquationError, ErrorKind, Files, NoFiles, nearest};

// What [`Program::run`] takes.
pub use hpfracc_lanes::pulp::Arch;
pub use hpfracc_lanes::{Rows, RowsMut};

/// Compiles and runs the example of the README with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

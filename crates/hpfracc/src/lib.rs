//! Fractional calculus: derivatives, integrals and differential equations of any real order.
//!
//! Operators, by more than thirty definitions:
//!
//! ```
//! use hpfracc::prelude::*;
//!
//! let machine = Machine::detect();
//! let grid = Grid::uniform(2000, 0.01)?;
//! let half = Caputo::l1(Order::new(0.5)?)?.on(grid, &machine)?;
//!
//! let signal: Array1<f64> = grid.points().map(f64::sin).collect();
//! let derivative = half.apply(signal.view())?;
//! assert_eq!(derivative.len(), 2000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Differential equations, in [`ode`]:
//!
//! ```
//! use hpfracc::prelude::*;
//!
//! // D^1/2 y = -y, y(0) = 1: y = exp(t) erfc(sqrt t)
//! let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_t, y, dydt| dydt[0] = -y[0])?;
//! let steps = Steps::adaptive(1e-12, 1e-12);
//! let solution = solve(&problem, &Collocation::default(), &steps, Options::default())?;
//! assert!((solution.last()[0] - 0.427583576155807).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Ensembles of stochastic equations, in [`sde`]: ready-made [models](sde::models), or any
//! [system](sde::StochasticSystem) with any [`noise`], as paths or as moments in
//! constant memory. The same seed gives the same bits:
//!
//! ```
//! use hpfracc::prelude::*;
//! use hpfracc::sde::models::FractionalLangevin;
//!
//! // A particle in a viscoelastic bath: E x^2 = 2 kT/gamma t^alpha / Gamma(1+alpha)
//! let model = FractionalLangevin::default().alpha(0.5)?;
//! let ensemble = Ensemble::new(20_000, 100)?; // paths, steps
//! let moments = model.simulate::<f32, _>(&ensemble, (0.0, 4.0), 7, &Moments)?;
//! let exact = model.variance(4.0)?;
//! let error = exact * (2.0f64 / 20_000.0).sqrt();
//! assert!((moments.covariance[[0, 0, 0]] - exact).abs() < 4.0 * error);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Orders can be learned: operators and solves have exact gradients with respect to the order
//! too, and [`nn`] has networks, neural equations and their training.
//!
//! ```
//! use hpfracc::prelude::*;
//!
//! // A signal and its derivative of order 0.7, which is treated as unknown.
//! let machine = Machine::detect();
//! let grid = Grid::uniform(500, 0.02)?;
//! let signal: Array1<f64> = grid.points().map(|t| (3.0 * t).sin() + t).collect();
//! let observed = Caputo::l1(Order::new(0.7)?)?.on(grid, &machine)?.apply(signal.view())?;
//! // Gradient descent on the mean square error.
//! let mut alpha = 0.5;
//! for _ in 0..100 {
//!     let operator = Caputo::l1(Order::new(alpha)?)?.on(grid, &machine)?;
//!     let residual = operator.apply(signal.view())? - &observed;
//!     alpha -= 0.02 * operator.vjp_order(signal.view(), residual.view())? / 500.0;
//! }
//! assert!((alpha - 0.7).abs() < 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Orders, parameters and initial values of models are fitted to data in [`fit`], with exact derivatives, bounds and
//! uncertainties; [`series`] differences time series by any order and estimates their Hurst exponent.
//! Operators on fields, Laplacians of boxes and graphs and the fractional Laplacian in its definitions, are in
//! [`spatial`], with their powers, exponentials and Mittag-Leffler functions; time- and space-fractional partial
//! differential equations with them in [`pde`]. Functions of the Laplacian of a box are products in sines and cosines, which a
//! [`Machine`] computes by the fastest of its backends, those of GPUs among them:
//!
//! ```
//! use hpfracc::Machine;
//! use hpfracc::spatial::{Axis, Boundary, BoxGrid, Function, Laplacian, OperatorFunction};
//! use std::f64::consts::PI;
//!
//! // The square root of minus the Laplacian, of sin(pi x).
//! let x = Axis::new(0.0, 1.0, 100, [Boundary::Dirichlet; 2])?;
//! let y = Axis::periodic(0.0, 1.0, 30)?;
//! let grid = BoxGrid::new(vec![x, y])?;
//! let u = grid.sample(|p| (PI * p[0]).sin());
//! let laplacian = Laplacian::new(grid, &[1.0, 1.0])?;
//! let root = OperatorFunction::on(&laplacian, Function::Power(0.5), &Machine::detect())?;
//! let mut v = vec![0.0; u.len()];
//! root.apply(&u, &mut v)?;
//! assert!(v.iter().zip(&u).all(|(v, u)| (v - PI * u).abs() < 1e-3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate composes the others and adds one value, [`Machine`]: all backends of this computer as
//! one, an autotuner that passes each workload to the fastest. A program that needs only a part of
//! it depends on less:
//!
//! | part | crate |
//! |---|---|
//! | Mittag-Leffler, gamma and their relatives | `hpfracc-special` |
//! | operators on the CPU | `hpfracc-operators` and `hpfracc-cpu` |
//! | equations as text: parsed, differentiated, compiled | `hpfracc-equation` |
//! | fractional differential equations | `hpfracc-ode` |
//! | fractional partial differential equations on boxes and graphs | `hpfracc-pde` |
//! | stochastic equations, noise, ensembles | `hpfracc-sde` |
//! | networks, neural fractional equations and their training | `hpfracc-nn` |
//! | fits of formulas, functions and fractional differential equations, ordinary and partial, to data | `hpfracc-fit` |
//! | time series with long memory | `hpfracc-series` |
//! | Laplacians of boxes and graphs, their fractional powers and other functions | `hpfracc-spatial` |
//! | fractional Fourier transforms, chirp-z | `hpfracc-transforms` |
//! | all of it | `hpfracc` |
//!
//! [Which derivative do I want?][which], a chapter of the [book], helps to choose a definition;
//! [`operators::CATALOGUE`] lists all of them.
//!
//! [which]: https://github.com/hpfracc/hpfracc/blob/HEAD/docs/which-derivative.md
//! [book]: https://github.com/hpfracc/hpfracc/blob/HEAD/docs/start.md
//!
//! Arrays are those of [`ndarray`], complex numbers those of [`num_complex`], matrices those of
//! `nalgebra`, re-exported here in the versions that the functions take. [`Error`] is any error of
//! these crates.
//! Orders, grids, workloads, stochastic models and the states of streams are serialisable with serde.
//! Feature `sparse` adds sparse factorisations to [`spatial`]; feature
//! `plot` writes results to files, see `Export`; feature
//! `gpu` adds backends on a GPU, which a machine chooses where they are faster; they are also
//! available by name (`Machine::only("wgpu-fft")`) and as values of the module `gpu`, on a device
//! of the application too. Feature `webgpu` is the part of it that compiles for browsers: ensembles without blocking.
#![forbid(unsafe_code)]

mod backends;
mod ensembles;
mod environment;
mod error;
mod error_chain;
#[cfg(feature = "plot")]
mod export;
mod machine;
mod reports;
mod settings;
mod simulate;

pub use error::{Error, MachineError};
pub use error_chain::error_chain;
#[cfg(feature = "plot")]
pub use export::{Export, SampledPaths};
pub use hpfracc_backend as backend;
pub use hpfracc_communicator as ranks;
pub use hpfracc_cpu as cpu;
pub use hpfracc_equation as equation;
pub use hpfracc_fit as fit;
pub use hpfracc_nn as nn;
pub use hpfracc_ode as ode;
pub use hpfracc_operators as operators;
pub use hpfracc_operators::{ndarray, num_complex};
pub use hpfracc_pde as pde;
#[cfg(feature = "plot")]
pub use hpfracc_plot as plot;
pub use hpfracc_sde as sde;
pub use hpfracc_sde::noise;
pub use hpfracc_selector as selector;
pub use hpfracc_series as series;
pub use hpfracc_spatial as spatial;
pub use hpfracc_special as special;
pub use hpfracc_special::nalgebra;
pub use hpfracc_transforms as transforms;
pub use hpfracc_types as types;
#[cfg(feature = "webgpu")]
pub use hpfracc_wgpu as gpu;
pub use machine::Machine;
pub use settings::Settings;
#[cfg(feature = "gpu")]
pub use simulate::OnGpu;
#[cfg(feature = "webgpu")]
pub use simulate::OnGpuAsync;
pub use simulate::{
    EnsembleScalar, SimulationBackend, SimulationChoice, SimulationError, UnknownSimulationBackend,
};

/// Names that most programs use: operators, problems, schemes, ensembles, and the arrays that they
/// take.
pub mod prelude {
    #[cfg(feature = "plot")]
    pub use crate::{Export, SampledPaths};
    pub use crate::{Machine, MachineError, Settings};
    pub use hpfracc_equation::{Equation, EquationError};
    pub use hpfracc_ode::history::HistoryChoice;
    pub use hpfracc_ode::{
        AdamsBashforthMoulton, Collocation, DelayProblem, EquationProblem, Event, L1,
        LinearMultistep, MultiTerm, OdeError, Options, Problem, ProductTrapezoid, SaveNodes,
        Scheme, Solution, Steps, System, solve,
    };
    pub use hpfracc_operators::ndarray::{Array1, Array2, Array3};
    pub use hpfracc_operators::{
        Bound, Caputo, Chunked, ErdelyiKober, FractionalLaplacian, GrunwaldLetnikov, Hadamard,
        Katugampola, MeshMemory, Operator, OperatorError, RiemannLiouville, Riesz, RlIntegral,
        Stream, Weyl,
    };
    #[cfg(feature = "plot")]
    pub use hpfracc_plot::Table;
    pub use hpfracc_sde::models::Model;
    pub use hpfracc_sde::noise::{Brownian, FractionalBrownian, Noise};
    pub use hpfracc_sde::{
        Ensemble, EquationModel, EulerMaruyama, FractionalEulerMaruyama, Moments, NoiseKind, Paths,
        Quantiles, Rows, RowsMut, SdeError, StochasticProblem, StochasticScheme, StochasticSystem,
    };
    pub use hpfracc_types::{Grid, Mesh, Order, Real};
}

/// Compiles and runs the example of the README with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! Named fractional differential equations of `hpfracc solve`, with named parameters.
//!
//! ```
//! use hpfracc::prelude::*;
//! use hpfracc_cli::systems::named;
//!
//! let relaxation = named("relaxation")?.case().with("rate", 2.0)?;
//! let scheme = AdamsBashforthMoulton::default();
//! let solution = relaxation.solve(&scheme, &Steps::Uniform(1000), Options::default())?;
//! let exact = relaxation.exact(10.0).expect("a Mittag-Leffler function");
//! assert!((solution.last()[0] - exact[0]).abs() < 1e-4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bagley_torvik;
mod brusselator;
mod case;
mod delay_logistic;
mod lorenz;
mod oscillator;
mod relaxation;
mod robertson;
pub(crate) mod schemes;
mod sir;

use crate::Error;

pub use case::Case;

/// All named equations.
pub const SYSTEMS: [&Named; 8] = [
    &relaxation::RELAXATION,
    &oscillator::OSCILLATOR,
    &brusselator::BRUSSELATOR,
    &lorenz::LORENZ,
    &sir::SIR,
    &robertson::ROBERTSON,
    &bagley_torvik::BAGLEY_TORVIK,
    &delay_logistic::DELAY_LOGISTIC,
];

/// Named equation.
#[derive(Debug)]
pub struct Named {
    /// Name on the command line.
    pub name: &'static str,
    /// Title.
    pub title: &'static str,
    /// Equation, a line per component.
    pub equation: &'static [&'static str],
    /// Names of the components.
    pub components: &'static [&'static str],
    /// Names and default values of the parameters, including initial values.
    pub parameters: &'static [(&'static str, f64)],
    /// Range of the order, without the lower and with the upper end.
    pub orders: (f64, f64),
    /// Default order, interval and scheme.
    pub defaults: Defaults,
    initial: fn(&[f64]) -> Vec<Vec<f64>>,
    form: Form,
    /// Exact solution at t for equal orders, where it is known.
    exact: Option<Exact>,
}

/// Default order, interval and steps, chosen to show the behaviour of the equation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Defaults {
    /// Order of all components.
    pub alpha: f64,
    /// End of the interval, which starts at 0.
    pub t1: f64,
    /// Number of steps, or of output intervals with adaptive steps.
    pub n: usize,
    /// Exponent of graded steps; 1 means equal steps.
    pub grading: f64,
    /// Name of the scheme on the command line.
    pub scheme: &'static str,
}

/// `(alpha, parameters, t)` to the state.
type Exact = fn(f64, &[f64], f64) -> Option<Vec<f64>>;

/// Form of the right-hand side.
#[derive(Debug)]
enum Form {
    /// `D^alpha y = f(y)`: functions that write f, and the Jacobian row by row, from the parameters
    /// and y.
    Autonomous { rhs: fn(&[f64], &[f64], &mut [f64]), jacobian: fn(&[f64], &[f64], &mut [f64]) },
    /// `D^2 y = f(y, D^alpha y)` for one y: the value of f from the parameters and these two.
    SecondOrder { rhs: fn(&[f64], f64, f64) -> f64 },
    /// `D^alpha y = f(y, y(t - tau))` for one y that was constant before 0; `tau` finds the delay.
    Delay { rhs: fn(&[f64], f64, f64) -> f64, tau: fn(&[f64]) -> f64 },
}

/// Equation with this name.
///
/// # Errors
/// [`Error::Unknown`].
pub fn named(name: &str) -> Result<&'static Named, Error> {
    let found = SYSTEMS.into_iter().find(|system| system.name == name);
    found.ok_or_else(|| Error::unknown("", "system", name, SYSTEMS.map(|system| system.name)))
}

impl Named {
    /// Equation with its default parameters, order and interval.
    pub fn case(&'static self) -> Case {
        Case::with_defaults(self)
    }

    /// Index of a component.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub fn component(&self, name: &str) -> Result<usize, Error> {
        self.components.iter().position(|known| *known == name).ok_or_else(|| {
            let (owner, known) = (format!("{} has ", self.name), self.components.iter().copied());
            Error::unknown(owner, "component", name, known)
        })
    }
}

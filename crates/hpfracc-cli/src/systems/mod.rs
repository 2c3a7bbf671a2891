//! Equations known by name, with parameters by name: what `hpfracc solve` solves.
//!
//! ```
//! use hpfracc::prelude::*;
//! use hpfracc_cli::systems::named;
//!
//! let relaxation = named("relaxation")?.case().with("rate", 2.0)?;
//! let scheme = AdamsBashforthMoulton::default();
//! let solution = relaxation.solve(&scheme, &Steps::Uniform(1000), Options::default())?;
//! let exact = relaxation.exact(10.0).expect("a function of Mittag-Leffler");
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

/// All of them.
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

/// An equation with a name.
#[derive(Debug)]
pub struct Named {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its name in a sentence.
    pub title: &'static str,
    /// The equation, a line for each component.
    pub equation: &'static [&'static str],
    /// What the components are called.
    pub components: &'static [&'static str],
    /// Its parameters, initial values among them.
    pub parameters: &'static [Parameter],
    /// The range of its orders: above the first, up to the second.
    pub orders: (f64, f64),
    /// What it is solved with unless told otherwise.
    pub usual: Usual,
    initial: fn(&[f64]) -> Vec<Vec<f64>>,
    form: Form,
    /// The solution at t for all orders equal, if it is known for them.
    exact: Option<Exact>,
}

/// A number that an equation is given by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its value unless told otherwise.
    pub value: f64,
}

/// An order, an interval and steps that show what an equation does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Usual {
    /// The order of all components.
    pub alpha: f64,
    /// The end of the interval, which starts at 0.
    pub t1: f64,
    /// Steps, or values of a scheme that chooses its own steps.
    pub n: usize,
    /// The exponent of graded steps; 1 is equal steps.
    pub grading: f64,
    /// The scheme's name on the command line.
    pub scheme: &'static str,
}

/// `(alpha, parameters, t)` to the state.
type Exact = fn(f64, &[f64], f64) -> Option<Vec<f64>>;

/// What the right-hand side needs to know.
#[derive(Debug)]
enum Form {
    /// `D^alpha y = f(y)`: functions that write f, and the Jacobian row by row, from the parameters and y.
    Autonomous { rhs: fn(&[f64], &[f64], &mut [f64]), jacobian: fn(&[f64], &[f64], &mut [f64]) },
    /// `D^2 y = f(y, D^alpha y)` for one y: the value of f from the parameters and these two.
    SecondOrder { rhs: fn(&[f64], f64, f64) -> f64 },
    /// `D^alpha y = f(y, y(t - tau))` for one y that was constant before 0; `tau` finds the delay.
    Delay { rhs: fn(&[f64], f64, f64) -> f64, tau: fn(&[f64]) -> f64 },
}

/// The equation of a name.
///
/// # Errors
/// [`Error::UnknownSystem`].
pub fn named(name: &str) -> Result<&'static Named, Error> {
    SYSTEMS.into_iter().find(|system| system.name == name).ok_or_else(|| Error::UnknownSystem {
        name: name.to_owned(),
        known: SYSTEMS.map(|system| system.name).join(", "),
    })
}

impl Named {
    /// The equation with its usual parameters, order and interval.
    pub fn case(&'static self) -> Case {
        Case::usual(self)
    }

    /// The number of a component.
    ///
    /// # Errors
    /// [`Error::UnknownComponent`].
    pub fn component(&self, name: &str) -> Result<usize, Error> {
        self.components.iter().position(|known| *known == name).ok_or_else(|| {
            Error::UnknownComponent {
                system: self.name,
                name: name.to_owned(),
                known: self.components.join(", "),
            }
        })
    }
}

/// A parameter as the systems write it.
const fn parameter(name: &'static str, value: f64) -> Parameter {
    Parameter { name, value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc::prelude::*;

    /// Jacobians against central differences, where the solution goes.
    #[test]
    fn jacobians_are_derivatives() {
        for system in SYSTEMS {
            let case = system.case();
            let Form::Autonomous { rhs, jacobian } = system.form else { continue };
            let (p, dim) = (case.values(), system.components.len());
            let y: Vec<f64> = (0..dim).map(|k| 0.3 + 0.2 * k as f64).collect();
            let mut exact = vec![f64::NAN; dim * dim];
            jacobian(p, &y, &mut exact);
            for j in 0..dim {
                let shifted = |by: f64| {
                    let (mut y, mut f) = (y.clone(), vec![0.0; dim]);
                    y[j] += by;
                    rhs(p, &y, &mut f);
                    f
                };
                let (above, below) = (shifted(1e-5), shifted(-1e-5));
                // What rounding leaves in a difference of numbers of this size.
                let size = above.iter().fold(1.0, |size: f64, f| size.max(f.abs()));
                for i in 0..dim {
                    let difference = (above[i] - below[i]) / 2e-5;
                    let error = (difference - exact[i * dim + j]).abs();
                    assert!(
                        error < 1e-10 * size + 1e-7 * difference.abs(),
                        "{} {i} {j}",
                        system.name
                    );
                }
            }
        }
    }

    /// Exact solutions by collocation, over the usual interval.
    #[test]
    fn exact_solutions_solve_the_equations() {
        let steps = Steps::Adaptive { relative: 1e-10, absolute: 1e-10, shortest: 0.0 };
        for system in SYSTEMS.into_iter().filter(|system| system.exact.is_some()) {
            let case = system.case();
            let solution = case.solve(&Collocation::default(), &steps, Options::default()).unwrap();
            for share in [1e-3, 0.1, 0.37, 1.0] {
                let t = share * case.t1;
                let (found, exact) = (solution.at(t).unwrap(), case.exact(t).unwrap());
                let error = (found[0] - exact[0]).abs();
                assert!(error < 1e-8, "{} {t}: {error:e}", system.name);
            }
        }
    }

    #[test]
    fn names_and_their_parts() {
        for system in SYSTEMS {
            assert_eq!(named(system.name).unwrap().equation, system.equation);
            assert_eq!(system.components.len(), (system.initial)(system.case().values())[0].len());
            assert!(system.orders.0 < system.usual.alpha && system.usual.alpha <= system.orders.1);
        }
        assert!(matches!(named("lorentz"), Err(Error::UnknownSystem { .. })));
        let lorenz = named("lorenz").unwrap();
        assert_eq!(lorenz.component("z").unwrap(), 2);
        assert!(matches!(lorenz.component("w"), Err(Error::UnknownComponent { .. })));
        assert!(matches!(lorenz.case().with("w", 1.0), Err(Error::UnknownParameter { .. })));
    }
}

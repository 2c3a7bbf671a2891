//! Shown quantities and events of texts.

use super::FieldProblem;
use crate::error::Result;
use crate::text::parts::Parts;
use crate::text::pointwise::Pointwise;
use crate::text::term::TextTerm;
use crate::{Points, State};
use hpfracc_equation::{Action, Direction, Id};
use hpfracc_ode::Event;

/// Expressions of fields, compiled.
struct Watched {
    term: TextTerm,
    roots: usize,
    n: usize,
    theta: Vec<f64>,
}

impl Watched {
    fn new(problem: &FieldProblem, roots: &[Id]) -> Result<Self> {
        let text = &problem.equation;
        let parts = Parts::new(text);
        let pointwise = Pointwise::of_values(&parts.graph, roots, &text.variables())?;
        let term = problem.term_of(&parts, (roots, pointwise))?;
        let theta = text.parameters().iter().map(|parameter| parameter.value()).collect();
        Ok(Self { term, roots: roots.len(), n: problem.n(), theta })
    }

    /// A row of values at all points for each expression.
    fn at(&self, t: f64, u: &[f64]) -> Vec<f64> {
        let (theta, n) = (&self.theta, self.n);
        self.term.values(&State { t, u, theta, points: &Points::default(), n }, self.roots)
    }
}

/// Quantities that a text shows, `show mass = integral(u)`.
pub struct Shown {
    names: Vec<String>,
    watched: Watched,
}

impl Shown {
    /// Their names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// A row of values at all points for each of them, from the values of all fields at a time.
    ///
    /// # Panics
    /// If there are not as many values as the problem has.
    pub fn at(&self, t: f64, u: &[f64]) -> Vec<Vec<f64>> {
        self.watched.at(t, u).chunks_exact(self.watched.n).map(<[f64]>::to_vec).collect()
    }
}

impl FieldProblem {
    /// The quantities that the text shows, at points or of whole fields.
    ///
    /// ```
    /// use hpfracc_equation::FieldEquation;
    /// use hpfracc_pde::FieldProblem;
    /// use hpfracc_spatial::{Axis, BoxGrid};
    ///
    /// let text = "D u = lap(u); show mass = integral(u); show energy = integral(u^2/2)";
    /// let grid = BoxGrid::new(vec![Axis::periodic(0.0, 2.0, 8)?])?;
    /// let problem = FieldProblem::on_box(FieldEquation::parse(text, &["x"])?, grid)?;
    /// let shown = problem.shown()?;
    /// assert_eq!(shown.names(), ["mass", "energy"]);
    /// assert_eq!(shown.at(0.0, &[3.0; 8]), [[6.0; 8], [9.0; 8]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Text`](crate::PdeError::Text) for what cannot be computed on these points.
    pub fn shown(&self) -> Result<Shown> {
        let shown = self.equation.shown();
        let roots: Vec<Id> = shown.iter().map(|shown| shown.value()).collect();
        let names = shown.iter().map(|shown| shown.name().to_owned()).collect();
        Ok(Shown { names, watched: Watched::new(self, &roots)? })
    }

    /// The events of the text, observers of one [`solve`](crate::solve) each.
    ///
    /// ```
    /// use hpfracc_equation::FieldEquation;
    /// use hpfracc_pde::{FieldProblem, Settings, solve};
    /// use hpfracc_spatial::{Axis, Boundary, BoxGrid};
    ///
    /// let text = "D^0.8 u = 0.1 lap(u); u(0) = sin(pi x); when max(u) = 0.5 falling: stop";
    /// let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, 50, [Boundary::Dirichlet; 2])?])?;
    /// let problem = FieldProblem::on_box(FieldEquation::parse(text, &["x"])?, grid)?;
    /// let mut events = problem.events()?;
    /// let observers = events.iter_mut().map(|event| event as _).collect();
    /// let solution = solve(&problem.equation()?, 10.0, Settings { observers, ..Settings::default() })?;
    /// assert!((solution.last()[25] - 0.5).abs() < 1e-2 && solution.end() < 10.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Text`](crate::PdeError::Text) for what cannot be computed on these points.
    pub fn events(&self) -> Result<Vec<Event<'static>>> {
        self.equation.events().iter().map(|event| self.event(event)).collect()
    }

    fn event(&self, event: &hpfracc_equation::Event) -> Result<Event<'static>> {
        let expression = Watched::new(self, &[event.expression()])?;
        // The expression is the same at all points.
        let located = Event::new(move |t, u| expression.at(t, u)[0]);
        let located = match event.direction() {
            Direction::Rising => located.rising(),
            Direction::Falling => located.falling(),
            Direction::Either => located,
        };
        let Action::Assign(assigned) = event.action() else { return Ok(located.stopping()) };
        let (states, roots): (Vec<usize>, Vec<Id>) = assigned.iter().copied().unzip();
        let fields: Vec<usize> =
            states.into_iter().map(|state| self.equation.jumping_field(state)).collect();
        let values = Watched::new(self, &roots)?;
        Ok(located.jumping(move |t, u| {
            let rows = values.at(t, u);
            for (field, row) in fields.iter().zip(rows.chunks_exact(values.n)) {
                u[field * values.n..][..values.n].copy_from_slice(row);
            }
        }))
    }
}

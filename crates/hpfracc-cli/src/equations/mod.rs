//! Equations of the command line: of the catalogue, or written by its user.

mod fields;
mod files;
pub(crate) mod schemes;

use crate::Error;
pub(crate) use fields::{has_operators, is_ready_field};
pub(crate) use files::FilesIn;
use hpfracc::equation::Equation;
use hpfracc::equation::catalogue::{self, ENTRIES, Entry};
use hpfracc::ode::EquationProblem;
use std::path::Path;

/// Equation with values of its parameters, and what suits to solve it.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    /// Name in the catalogue, or `equation`.
    pub(crate) name: String,
    /// Title of pictures.
    pub(crate) title: String,
    pub(crate) equation: Equation,
    /// Default scheme by its name, number of steps and grading.
    pub(crate) scheme: &'static str,
    pub(crate) steps: usize,
    pub(crate) grading: f64,
    /// Whether the orders are those of the equation, for which exact solutions hold.
    pub(crate) own_orders: bool,
}

/// Default number of steps, or of output intervals, of a written equation.
const STEPS: usize = 1000;

/// Longest text of an equation, in bytes.
const LONGEST: u64 = 1 << 20;

impl Case {
    /// Equation of the catalogue.
    pub(crate) fn named(name: &str) -> Result<Self, Error> {
        let entry = catalogue::named(name).ok_or_else(|| {
            Error::unknown("", "system", name, ENTRIES.iter().map(|entry| entry.name))
        })?;
        Self::of_entry(entry, "")
    }

    fn of_entry(entry: &'static Entry, further: &str) -> Result<Self, Error> {
        let equation = match further {
            "" => entry.equation(),
            further => Equation::parse(&(entry.text.to_owned() + further)),
        };
        let equation = equation.map_err(|source| Error::equation(entry.name, source))?;
        Ok(Self {
            name: entry.name.to_owned(),
            title: entry.title.to_owned(),
            equation,
            scheme: entry.scheme,
            steps: entry.steps,
            grading: entry.grading,
            own_orders: true,
        })
    }

    /// Equation of a text, or of the file of this name.
    pub(crate) fn written(text_or_file: &str) -> Result<Self, Error> {
        Self::written_with(text_or_file, "")
    }

    fn written_with(text_or_file: &str, further: &str) -> Result<Self, Error> {
        let is_file = !text_or_file.contains(['=', '\n']);
        let path = Path::new(text_or_file);
        // Files that the text names lie beside it.
        let folder = path.parent().filter(|_| is_file).unwrap_or(Path::new(""));
        let (name, text) = if is_file {
            let stem = path.file_stem().map_or("equation".into(), |stem| stem.to_string_lossy());
            (stem.into_owned(), read(path)?)
        } else {
            ("equation".to_owned(), text_or_file.to_owned())
        };
        let place = if is_file { text_or_file } else { "--equation" };
        let equation = Equation::parse_with(&(text + further), &FilesIn(folder))
            .map_err(|source| Error::equation(place, source))?;
        // Elements adapt to stiffness, kinks and events.
        let (title, scheme) = (name.clone(), "collocation");
        Ok(Self { name, title, equation, scheme, steps: STEPS, grading: 1.0, own_orders: true })
    }

    /// Equation of a name of the catalogue, a text, or a file.
    pub(crate) fn any(text: &str) -> Result<Self, Error> {
        Self::any_with(text, "")
    }

    /// The same with further statements at the end.
    pub(crate) fn any_with(text: &str, further: &str) -> Result<Self, Error> {
        match catalogue::named(text) {
            Some(entry) => Self::of_entry(entry, further),
            None => Self::written_with(text, further),
        }
    }

    /// The one that is given: a name of the catalogue, or a text or file.
    pub(crate) fn chosen(name: Option<&str>, written: Option<&str>) -> Result<Self, Error> {
        match (name, written) {
            (Some(name), _) => Self::named(name),
            (None, Some(written)) => Self::written(written),
            (None, None) => Err(Error::NoEquation),
        }
    }

    /// Sets parameters.
    pub(crate) fn set(&mut self, values: &[(&str, f64)]) -> Result<(), Error> {
        for &(name, value) in values {
            if self.equation.parameter(name).is_none() {
                let known = self.equation.parameters().iter().map(|parameter| parameter.name());
                return Err(Error::unknown(
                    format!("{} has ", self.name),
                    "parameter",
                    name,
                    known,
                ));
            }
            self.equation.set(name, value).map_err(Error::library)?;
        }
        Ok(())
    }

    /// Sets the orders: the parameter alpha if there is one, else those of the components.
    pub(crate) fn set_orders(&mut self, orders: &[f64]) -> Result<(), Error> {
        match *orders {
            [] => Ok(()),
            [alpha] if self.equation.parameter("alpha").is_some() => self.set(&[("alpha", alpha)]),
            _ => {
                self.own_orders = false;
                let changed = self.equation.clone().with_orders(orders);
                self.equation = changed.map_err(Error::library)?;
                Ok(())
            }
        }
    }

    /// Sets the end of the interval; the start is that of the equation, or 0.
    pub(crate) fn set_end(&mut self, t1: f64) {
        let ends = self.equation.interval().map(|ends| self.equation.values(&ends));
        let t0 = ends.map_or(0.0, |ends| ends[0]);
        self.equation = self.equation.clone().with_interval((t0, t1));
    }

    /// Problem of the equation.
    pub(crate) fn problem(&self) -> Result<EquationProblem, Error> {
        EquationProblem::new(&self.equation).map_err(Error::library)
    }

    /// Names of the states.
    pub(crate) fn components(&self) -> Vec<String> {
        self.equation.states().iter().map(|state| state.name().to_owned()).collect()
    }

    /// Index of a component.
    pub(crate) fn component(&self, name: &str) -> Result<usize, Error> {
        self.equation.state_index(name).ok_or_else(|| {
            let known = self.equation.states().iter().map(|state| state.name());
            Error::unknown(format!("{} has ", self.name), "component", name, known)
        })
    }

    /// Orders of the components, as text.
    pub(crate) fn orders(&self) -> Vec<f64> {
        self.equation.orders()
    }
}

/// Text of a file.
pub(crate) fn read(path: &Path) -> Result<String, Error> {
    let failed = |source| Error::Read { name: path.display().to_string(), source };
    let bytes = std::fs::metadata(path).map_err(failed)?.len();
    if bytes > LONGEST {
        let reason = format!("the file has {bytes} bytes, an equation at most {LONGEST}");
        let value = path.display().to_string();
        return Err(Error::OptionUnused { option: "--equation", value, reason });
    }
    std::fs::read_to_string(path).map_err(failed)
}

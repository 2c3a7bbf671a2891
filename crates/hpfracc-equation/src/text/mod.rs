//! Text to equation.

mod data;
mod definitions;
mod equations;
mod events;
mod expression;
mod fields;
mod finish;
mod noises;
mod starts;
mod statements;
mod syntax;

pub(crate) use definitions::ABBREVIATION;
pub(crate) use expression::{LARGEST_POWER, binding, unary_name};
pub(crate) use finish::is_default;
pub use syntax::{EquationError, ErrorKind, Files, NoFiles, nearest};

use crate::equation::{Equation, Formula, Named, Parameter, Symbol};
use expression::{DefinitionDraft, Leaf, Meaning, Parser, StateDraft, Uses};
use statements::{Sort, Statement};
use std::str::FromStr;
use syntax::{Kind, Parsed, problem, tokens};

impl Equation {
    /// Reads an equation.
    ///
    /// Statements end with a line or `;`, comments begin with `#`. A product is a space, `*` or a
    /// number before a name: `sigma (y - x)`, `2x`.
    ///
    /// | statement | example |
    /// |---|---|
    /// | equation | `D^alpha x = f`, `x' = f`, `dx/dt = f`, `D^2 y + 0.5 D^1.5 y + y = f` |
    /// | with noise | `dX = f dt + g dW`, `dX = f dt + g o dW` (Stratonovich), `D^alpha X = f + g dW/dt` |
    /// | other derivatives | `RL D^alpha x`, `CF D^alpha x`, `AB D^alpha x` |
    /// | parameter | `rho = 28 in [0, 200]`, `tau = 1 in (0, inf) [s]` |
    /// | definition | `r = sqrt(x^2 + y^2)` |
    /// | initial value | `x(0) = 1`, `x'(0) = 0`, random `x(0) = normal(1, 0.2)`, `uniform(0, 1)`, `lognormal(0, 0.5)` |
    /// | history | `y(t) = cos(t) for t <= 0` |
    /// | interval | `t in [0, 50]` |
    /// | noise | `B = fbm(H)`, `L = stable(1.7)`, `N = poisson(rate, normal(0, 0.1))`, `corr(W, B) = rho` |
    /// | table of data | `table load: [0, 1, 2] -> [0, 3, 1]`, `table load: time -> force from "drive.csv"` |
    /// | event | `when x = 1 rising: stop`, `when v = 0: v = -0.8 v` |
    /// | network | `net f: x, v, t -> 64 tanh -> 2 from "drift.json"`, whose outputs are `f_1` and `f_2` |
    /// | shown quantity | `show s = exp(x)` |
    ///
    /// ```
    /// use hpfracc_equation::{Equation, Symbol};
    ///
    /// let text = "
    ///     D^alpha x = sigma (y - x)        # the Lorenz system with memory
    ///     D^alpha y = x (rho - z) - y
    ///     D^alpha z = x y - beta z
    ///     sigma = 10; rho = 28 in [0, 200]; beta = 8/3; alpha = 0.995 in (0, 1]
    ///     x(0) = 1; y(0) = 1; z(0) = 1; t in [0, 50]";
    /// let lorenz = Equation::parse(text)?;
    /// assert_eq!(lorenz.states().len(), 3);
    /// assert_eq!(lorenz.symbols()[1], Symbol::State(0));
    /// assert_eq!(Equation::parse(&lorenz.to_string())?, lorenz);
    /// # Ok::<(), hpfracc_equation::EquationError>(())
    /// ```
    ///
    /// Files are not read: see [`parse_with`](Self::parse_with).
    ///
    /// # Errors
    /// If the text is no equation: see [`ErrorKind`]. A text that names a file is one of
    /// [`parse_with`](Self::parse_with).
    pub fn parse(text: &str) -> Result<Self, EquationError> {
        Self::parse_with(text, &NoFiles)
    }

    /// Reads an equation, and the [files](Files) that it names.
    ///
    /// # Errors
    /// As [`parse`](Self::parse), and [`ErrorKind::File`] for a file that cannot be read or is not what the
    /// text expects there.
    pub fn parse_with(text: &str, files: &dyn Files) -> Result<Self, EquationError> {
        read(text, files).map_err(|problem| problem.in_text(text))
    }
}

impl Formula {
    /// Reads a formula of these columns.
    ///
    /// # Errors
    /// If the text is no formula: see [`ErrorKind`].
    pub fn parse(text: &str, columns: &[&str]) -> Result<Self, EquationError> {
        read_formula(text, columns).map_err(|problem| problem.in_text(text))
    }
}

impl FromStr for Equation {
    type Err = EquationError;

    fn from_str(text: &str) -> Result<Self, EquationError> {
        Self::parse(text)
    }
}

fn read(text: &str, files: &dyn Files) -> Parsed<Equation> {
    let (tokens, names) = tokens(text)?;
    let mut parser = Parser::new(text, files, tokens, names);
    parser.read_statements()?;
    parser.finish()
}

/// Reads a formula: columns are states without equations, and the first statement is a shown quantity.
fn read_formula(text: &str, columns: &[&str]) -> Parsed<Formula> {
    let (tokens, names) = tokens(text)?;
    let mut parser = Parser::new(text, &NoFiles, tokens, names);
    for (k, name) in columns.iter().enumerate() {
        let id = parser.names.number(name);
        parser.draft.states.push(StateDraft { name: (*name).to_owned(), ..StateDraft::default() });
        parser.scope.set(id, Meaning::State(k), &parser.names);
    }
    let first = parser.tokens.iter().position(|token| token.kind == Kind::End).unwrap_or(0);
    for statement in parser.statements(first + 1)? {
        if !matches!(statement.sort, Sort::Definition) {
            let at = parser.token(statement.tokens.start).range();
            let what = "no statement of a formula";
            return Err(problem(ErrorKind::Unsupported, at, what)
                .help("write a formula, and after `;` its parameters and definitions"));
        }
    }
    let response = parser.response();
    parser.declare_unknown_names(if response.is_some() { 2 } else { 0 });
    parser.read_definitions()?;
    parser.at = if response.is_some() { 2 } else { 0 };
    parser.read_first_statement()?;
    Ok(Formula { equation: parser.numbered(), response })
}

impl Parser<'_> {
    /// Reads all statements of an equation.
    fn read_statements(&mut self) -> Parsed<()> {
        let statements = self.statements(0)?;
        for statement in &statements {
            if let Sort::Table(index) = statement.sort {
                self.read_table(statement, index)?;
            }
        }
        self.read_definitions()?;
        let of_sort =
            |sort: Sort| statements.iter().filter(move |statement| statement.sort == sort);
        for statement in of_sort(Sort::Header) {
            self.read_header(statement)?;
        }
        for statement in of_sort(Sort::Noise) {
            self.read_noise(statement)?;
        }
        for statement in of_sort(Sort::Interval) {
            self.read_interval(statement)?;
        }
        for statement in &statements {
            match &statement.sort {
                Sort::Equation(states) => self.read_equation(statement, states)?,
                Sort::Differential(state) => self.read_differential(statement, *state)?,
                Sort::Initial(derivative) => self.read_initial(statement, *derivative)?,
                Sort::History => self.read_history(statement)?,
                Sort::Event => self.read_event(statement)?,
                Sort::Shown => self.read_shown(statement)?,
                _ => {}
            }
        }
        of_sort(Sort::Correlation).try_for_each(|statement| self.read_correlation(statement))
    }

    /// Name on the left side of the first statement.
    fn response(&self) -> Option<String> {
        let Kind::Name(id) = self.token(0).kind else { return None };
        let named = self.tokens.len() > 2 && self.token(1).kind == Kind::Equal;
        named.then(|| self.names.name(id).to_owned())
    }

    /// Reads the expression of a formula.
    fn read_first_statement(&mut self) -> Parsed<()> {
        let start = self.peek().start;
        let value = self.expression()?;
        let at = self.since(start);
        self.expect(Kind::End, "an operator or the end of the statement")?;
        let differential = self.builder.facts(value).uses.any(Uses::INCREMENT);
        if differential || !(self.draft.delays.is_empty() && self.draft.derivatives.is_empty()) {
            let what = "a formula of derivatives, delays or noises of columns";
            return Err(problem(ErrorKind::Unsupported, at, what)
                .help("write functions of columns and parameters"));
        }
        if self.builder.facts(value).uses.any(Uses::TIME) {
            let what = "`t` is no column of the data";
            return Err(problem(ErrorKind::UnknownName, at, what));
        }
        self.draft.shown.push(Named { name: String::new(), value });
        Ok(())
    }

    /// Names without a meaning, from a token on, become parameters without a value.
    fn declare_unknown_names(&mut self, first: usize) {
        let mut facts = false;
        for k in first..self.tokens.len() {
            // Ranges and units end a statement.
            facts = match self.token(k).kind {
                Kind::End => false,
                Kind::OpenSquare => true,
                _ => facts || self.is_word(k, "in"),
            };
            let Kind::Name(id) = self.token(k).kind else { continue };
            if facts {
                continue;
            }
            let call = self.token(k + 1).kind == Kind::Open && !self.token(k + 1).space;
            if self.meaning(id) != Meaning::Unknown || call {
                continue;
            }
            let number = self.draft.definitions.len();
            let leaf = self.builder.leaf(Leaf::Symbol(Symbol::Parameter(number)));
            let name = self.names.name(id).to_owned();
            let parameter = Parameter { name, value: f64::NAN, range: None, unit: None };
            self.draft.definitions.push(DefinitionDraft {
                name: id,
                value: Some(leaf),
                parameter: Some(parameter),
                ..DefinitionDraft::default()
            });
            self.scope.set(id, Meaning::Definition(number), &self.names);
        }
    }
}

impl Parser<'_> {
    /// `hpfracc equation 1`
    fn read_header(&mut self, statement: &Statement) -> Parsed<()> {
        self.at = statement.tokens.start + 1;
        let version = self.token(self.at + 1);
        let is_version = self.is_word(self.at, "equation") && statement.tokens.len() == 4;
        match version.kind {
            Kind::Number(1.0) if is_version => Ok(()),
            Kind::Number(found) if is_version => {
                let what = format!("the text is of version {found} of the language, expected 1");
                Err(problem(ErrorKind::Unsupported, version.range(), what))
            }
            _ => Err(self.expected("`hpfracc equation 1`")),
        }
    }
}

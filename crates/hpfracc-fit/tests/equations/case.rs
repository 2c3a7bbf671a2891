//! Equations with known solutions, of `xtask/references/equation_solutions.py`.

use hpfracc_equation::Equation;
use hpfracc_testkit::Table;

pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// With starts away from the truth.
    text: &'static str,
    /// Values of the parameters.
    pub(crate) truth: &'static [(&'static str, f64)],
}

pub(crate) const RELAXATION: Case = Case {
    name: "relaxation",
    text: "D^alpha y = f - lambda y; alpha = 0.9; f = 1; lambda = 1; a = 0.5; y(0) = a",
    truth: &[("alpha", 0.7), ("f", 1.2), ("lambda", 0.9), ("a", 0.4)],
};

pub(crate) const AT_POWERS: Case = Case { name: "relaxation at powers", ..RELAXATION };

pub(crate) const LOGISTIC: Case = Case {
    name: "logistic",
    text: "D^alpha y = r y (1 - y); alpha = 0.9; r = 1; a = 0.15; y(0) = a",
    truth: &[("alpha", 0.72), ("r", 1.3), ("a", 0.1)],
};

pub(crate) const OSCILLATION: Case = Case {
    name: "oscillation",
    text: "D^alpha y = -k y; alpha = 1.8; k = 1.8; a = 1.1; b = 0; y(0) = a; y'(0) = b",
    truth: &[("alpha", 1.65), ("k", 2.0), ("a", 1.0), ("b", 0.3)],
};

impl Case {
    pub(crate) fn equation(&self) -> Equation {
        Equation::parse(self.text).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Times and exact values.
    pub(crate) fn data(&self) -> (Vec<f64>, Vec<f64>) {
        let table = Table::parse(include_str!("data/equation_solutions.csv"));
        let rows = table.rows().filter(|row| row.text("case") == self.name);
        rows.map(|row| (row.number("t"), row.number("y"))).unzip()
    }
}

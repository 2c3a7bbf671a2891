/// Parameter of a sort of elements.
pub(super) struct ElementParameter {
    /// Symbol in the formulas; the name is that of the element where both are equal.
    pub(super) symbol: &'static str,
    pub(super) unit: &'static str,
    pub(super) meaning: &'static str,
    pub(super) example: f64,
    /// Ratio of the examples of two elements, so that their arcs lie apart.
    pub(super) ratio: f64,
    /// Whether the impedance is linear in it.
    pub(super) linear: bool,
    pub(super) search: &'static str,
}

/// Sort of elements; in the formulas each parameter is in braces.
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) impedance: &'static str,
    pub(super) admittance: &'static str,
    pub(super) parameters: &'static [ElementParameter],
}

const fn parameter(
    (symbol, unit, meaning): (&'static str, &'static str, &'static str),
    (example, ratio): (f64, f64),
    linear: bool,
    search: &'static str,
) -> ElementParameter {
    ElementParameter { symbol, unit, meaning, example, ratio, linear, search }
}

const RESISTANCE: ElementParameter =
    parameter(("R", "Ohm", "resistance"), (100.0, 1.5), true, "size");
const TIME: ElementParameter =
    parameter(("tau", "s", "time constant"), (0.1, 0.01), false, "omega^-1");
const EXPONENT: ElementParameter =
    parameter(("n", "", "exponent"), (0.85, 1.0), false, "0.6 0.8 1");

/// All sorts.
pub(super) const KINDS: [Kind; 9] = [
    Kind { name: "R", impedance: "{R}", admittance: "1/{R}", parameters: &[RESISTANCE] },
    Kind {
        name: "C",
        impedance: "1/(i omega {C})",
        admittance: "i omega {C}",
        parameters: &[parameter(
            ("C", "F", "capacitance"),
            (1e-4, 0.01),
            false,
            "size^-1 omega^-1",
        )],
    },
    Kind {
        name: "L",
        impedance: "i omega {L}",
        admittance: "1/(i omega {L})",
        parameters: &[parameter(("L", "H", "inductance"), (1e-3, 0.1), true, "size omega^-1")],
    },
    Kind {
        name: "CPE",
        impedance: "1/({Q} (i omega)^{n})",
        admittance: "{Q} (i omega)^{n}",
        parameters: &[
            parameter(("Q", "S s^n", "coefficient"), (1e-3, 0.01), false, "size^-1 omega^-0.8"),
            EXPONENT,
        ],
    },
    Kind {
        name: "W",
        impedance: "{A} (1 - i)/sqrt(omega)",
        admittance: "sqrt(omega)/({A} (1 - i))",
        parameters: &[parameter(
            ("A", "Ohm/sqrt(s)", "coefficient"),
            (20.0, 0.1),
            true,
            "size omega^0.5",
        )],
    },
    Kind {
        name: "Wo",
        impedance: "{R}/(sqrt(i omega {tau}) tanh(sqrt(i omega {tau})))",
        admittance: "sqrt(i omega {tau}) tanh(sqrt(i omega {tau}))/{R}",
        parameters: &[RESISTANCE, TIME],
    },
    Kind {
        name: "Ws",
        impedance: "{R} tanh(sqrt(i omega {tau}))/sqrt(i omega {tau})",
        admittance: "sqrt(i omega {tau})/({R} tanh(sqrt(i omega {tau})))",
        parameters: &[RESISTANCE, TIME],
    },
    Kind {
        name: "G",
        impedance: "{R}/sqrt(1 + i omega {tau})",
        admittance: "sqrt(1 + i omega {tau})/{R}",
        parameters: &[RESISTANCE, TIME],
    },
    Kind {
        name: "ZARC",
        impedance: "{R}/(1 + (i omega {tau})^{n})",
        admittance: "(1 + (i omega {tau})^{n})/{R}",
        parameters: &[RESISTANCE, TIME, EXPONENT],
    },
];

/// Element of a circuit.
pub(super) struct Element {
    pub(super) kind: &'static Kind,
    /// Digits of its number.
    pub(super) number: String,
}

impl Element {
    /// Name of a parameter.
    pub(super) fn parameter(&self, symbol: &str) -> String {
        let name = format!("{}{}", self.kind.name, self.number);
        if symbol == self.kind.name { name } else { format!("{name}_{symbol}") }
    }

    /// Formula with the names of the parameters.
    pub(super) fn formula(&self, formula: &str) -> String {
        self.kind.parameters.iter().fold(formula.to_owned(), |formula, parameter| {
            let braces = format!("{{{}}}", parameter.symbol);
            formula.replace(&braces, &self.parameter(parameter.symbol))
        })
    }
}

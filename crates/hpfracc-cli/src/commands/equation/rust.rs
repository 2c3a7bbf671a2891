//! Right-hand sides as Rust functions.

use crate::Error;
use hpfracc::equation::{Binary, Equation, Id, Node, Symbol, Ternary, Unary};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// A function of t and the state that writes its slope, with a line for each operation.
///
/// # Errors
/// [`Error::OptionUnused`] for right-hand sides with anything but time, states and parameters.
pub(super) fn function(name: &str, equation: &Equation) -> Result<String, Error> {
    let (graph, states) = (equation.graph(), equation.states());
    let drifts: Vec<Id> = states.iter().map(|state| state.drift()).collect();
    let needed = graph.needed(&drifts);
    let nodes = || graph.nodes().iter().enumerate().filter(|(k, _)| needed[*k]);
    if let Some(reason) = nodes().find_map(|(_, node)| refused(equation, *node)) {
        let (option, value) = ("--rust", name.to_owned());
        return Err(Error::OptionUnused { option, value, reason: reason.to_owned() });
    }
    let function = Function { equation, names: identifiers(equation) };
    let mut text = String::from("fn rhs(t: f64, state: &[f64], slope: &mut [f64]) {\n");
    for parameter in equation.parameters() {
        let name = &function.names[parameter.name()];
        let _ = writeln!(text, "    let {name} = {:?}_f64;", parameter.value());
    }
    for (k, state) in states.iter().enumerate() {
        let _ = writeln!(text, "    let {} = state[{k}];", function.names[state.name()]);
    }
    for (k, node) in nodes() {
        if !matches!(node, Node::Constant(_) | Node::Variable(_)) {
            let _ = writeln!(text, "    let v{k} = {};", function.operation(*node));
        }
    }
    for (k, drift) in drifts.iter().enumerate() {
        let _ = writeln!(text, "    slope[{k}] = {};", function.operand(*drift));
    }
    Ok(text + "}\n")
}

/// Why a node cannot stand in a function of t and the state.
fn refused(equation: &Equation, node: Node) -> Option<&'static str> {
    let symbol = match node {
        Node::Variable(number) => equation.symbols().get(number as usize),
        Node::Table(..) => {
            return Some("the right-hand side has a table of data, which the function has not");
        }
        Node::Affine(..) => {
            return Some("the right-hand side has a network, whose weights are those of a file");
        }
        _ => None,
    };
    match symbol? {
        Symbol::Lagged { .. } => Some(
            "the right-hand side has a lagged state, but the function is one of t and the state",
        ),
        Symbol::LowerDerivative { .. } => {
            Some("the right-hand side has a derivative, but the function is one of t and the state")
        }
        Symbol::Time | Symbol::State(_) | Symbol::Parameter(_) => None,
    }
}

/// Identifiers of Rust for the parameters and states: their names, with `_` after those that have a
/// meaning in Rust or in the function.
fn identifiers(equation: &Equation) -> HashMap<String, String> {
    let parameters = equation.parameters().iter().map(|parameter| parameter.name());
    let names = parameters.chain(equation.states().iter().map(|state| state.name()));
    let mut used: HashSet<String> = names.clone().map(str::to_owned).collect();
    let is_value = |name: &str| {
        let number = name.strip_prefix('v').unwrap_or("");
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    let identifier = |name: &str| {
        let mut free = name.to_owned();
        if TAKEN.contains(&name) || is_value(name) {
            while used.contains(&free) {
                free.push('_');
            }
            used.insert(free.clone());
        }
        (name.to_owned(), free)
    };
    names.map(identifier).collect()
}

/// Keywords of Rust, values of its prelude, and the names in the function.
const TAKEN: [&str; 60] = [
    "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
    "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield", "Err", "None", "Ok", "Some",
    "rhs", "slope", "state", "_",
];

struct Function<'a> {
    equation: &'a Equation,
    names: HashMap<String, String>,
}

impl Function<'_> {
    fn operand(&self, id: Id) -> String {
        let equation = self.equation;
        match equation.graph().node(id) {
            Node::Constant(bits) => format!("({:?}_f64)", f64::from_bits(bits)),
            Node::Variable(number) => match equation.symbols().get(number as usize) {
                Some(Symbol::State(k)) => self.names[equation.states()[*k].name()].clone(),
                Some(Symbol::Parameter(k)) => self.names[equation.parameters()[*k].name()].clone(),
                _ => "t".to_owned(),
            },
            _ => format!("v{}", id.index()),
        }
    }

    fn operation(&self, node: Node) -> String {
        let of = |id: Id| self.operand(id);
        match node {
            // None is an operation of the function.
            Node::Constant(_) | Node::Variable(_) | Node::Table(..) => String::new(),
            Node::Empty | Node::List(..) | Node::Affine(..) => String::new(),
            Node::Unary(function, a) => unary(function, &of(a)),
            Node::Binary(function, a, b) => binary(function, &of(a), &of(b)),
            Node::Ternary(Ternary::Select, a, b, c) => {
                format!("if {} != 0.0 {{ {} }} else {{ {} }}", of(a), of(b), of(c))
            }
            Node::Ternary(Ternary::MittagLeffler, a, b, c) => {
                let of = [a, b, c].map(of).join(", ");
                format!("hpfracc::special::mittag_leffler({of}).unwrap_or(f64::NAN)")
            }
            Node::Ternary(partial, a, b, c) => {
                let field = match partial {
                    Ternary::MittagLefflerByArgument => "z",
                    Ternary::MittagLefflerByAlpha => "alpha",
                    Ternary::MittagLefflerByBeta => "beta",
                    _ => "value",
                };
                let (a, b, c) = (of(a), of(b), of(c));
                format!(
                    "hpfracc::special::MittagLefflerGradient::new({a}, {b}).map_or(f64::NAN, |e| e.eval({c}).{field})"
                )
            }
        }
    }
}

fn unary(function: Unary, a: &str) -> String {
    let special = |name: &str| format!("hpfracc::special::{name}({a})");
    let method = |name: &str| format!("{a}.{name}()");
    match function {
        Unary::Negate => format!("-{a}"),
        Unary::Absolute => method("abs"),
        Unary::Sign => format!("if {a} == 0.0 {{ {a} }} else {{ {a}.signum() }}"),
        Unary::Floor => method("floor"),
        Unary::SquareRoot => method("sqrt"),
        Unary::Exp => method("exp"),
        Unary::ExpM1 => method("exp_m1"),
        Unary::Ln => method("ln"),
        Unary::Ln1p => method("ln_1p"),
        Unary::Sin => method("sin"),
        Unary::Cos => method("cos"),
        Unary::Atan => method("atan"),
        Unary::Sinh => method("sinh"),
        Unary::Cosh => method("cosh"),
        Unary::Tanh => method("tanh"),
        Unary::Erf => special("erf"),
        Unary::Gamma => special("gamma"),
        Unary::Digamma => special("digamma"),
        Unary::Trigamma => special("trigamma"),
    }
}

fn binary(function: Binary, a: &str, b: &str) -> String {
    let truth = |operator: &str| format!("f64::from(u8::from({a} {operator} {b}))");
    match function {
        Binary::Add => format!("{a} + {b}"),
        Binary::Subtract => format!("{a} - {b}"),
        Binary::Multiply => format!("{a} * {b}"),
        Binary::Divide => format!("{a} / {b}"),
        Binary::Power => format!("{a}.powf({b})"),
        Binary::Minimum => format!("if {a} < {b} {{ {a} }} else {{ {b} }}"),
        Binary::Maximum => format!("if {a} > {b} {{ {a} }} else {{ {b} }}"),
        Binary::Less => truth("<"),
        Binary::LessOrEqual => truth("<="),
        Binary::Equal => truth("=="),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Result<Vec<String>, String> {
        let equation = Equation::parse(text).unwrap();
        let text = function("equation", &equation).map_err(|error| error.to_string())?;
        Ok(text.lines().map(|line| line.trim().to_owned()).collect())
    }

    /// Names with a meaning in Rust or in the function get another one, which no other name is.
    #[test]
    fn names_are_identifiers() {
        let text = "type' = -fn type + v2 + slope; v2' = None; type(0) = 1; v2(0) = 1
            fn = 2; fn_ = 3; slope = 4; None = 5";
        assert_eq!(
            lines(text).unwrap(),
            [
                "fn rhs(t: f64, state: &[f64], slope: &mut [f64]) {",
                "let fn__ = 2.0_f64;",
                "let fn_ = 3.0_f64;",
                "let slope_ = 4.0_f64;",
                "let None_ = 5.0_f64;",
                "let type_ = state[0];",
                "let v2_ = state[1];",
                "let v4 = -fn__;",
                "let v6 = v4 * type_;",
                "let v8 = v6 + v2_;",
                "let v9 = v8 + slope_;",
                "slope[0] = v9;",
                "slope[1] = None_;",
                "}"
            ]
        );
    }

    #[test]
    fn other_right_hand_sides_are_refused() {
        for (text, reason) in [
            (
                "y' = -y(t - 1); y(t) = 1 for t <= 0",
                "the right-hand side has a lagged state, but the function is one of t and the state",
            ),
            (
                "y'' + D^0.5 y = 1; y(0) = 1; y'(0) = 0",
                "the right-hand side has a derivative, but the function is one of t and the state",
            ),
            (
                "y' = g(t); y(0) = 1; table g: [0, 1] -> [1, 2]",
                "the right-hand side has a table of data, which the function has not",
            ),
        ] {
            assert_eq!(lines(text), Err(format!("--rust equation: {reason}")));
        }
    }
}

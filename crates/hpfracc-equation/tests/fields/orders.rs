//! Several, variable and distributed orders of the derivatives in time of fields.

use super::parse;
use hpfracc_equation::{FieldEquation, Id, Orders, Values, evaluate};

/// Value of an expression of time and parameters.
fn at(equation: &FieldEquation, root: Id, t: f64) -> f64 {
    let variables = equation.variables();
    let count = 1 + variables.coordinates.len() + variables.fields.len() + variables.applied.len();
    let mut inputs = vec![Values::Uniform(f64::NAN); count + variables.parameters.len()];
    inputs[0] = Values::Uniform(t);
    for (number, parameter) in variables.parameters.iter().zip(equation.parameters()) {
        inputs[*number as usize] = Values::Uniform(parameter.value());
    }
    evaluate::<f64>(equation.graph(), &[root], &inputs)[0]
}

/// Weights and orders of a field whose derivatives have one order each.
fn terms(equation: &FieldEquation, field: usize) -> Vec<(f64, f64)> {
    let term = |term: &hpfracc_equation::OrderTerm| match term.orders {
        Orders::Single(order) => (equation.values(&[term.weight])[0], equation.values(&[order])[0]),
        other => panic!("{other:?}"),
    };
    equation.time_derivative(field).iter().map(term).collect()
}

#[test]
fn several_orders_have_weights() {
    let equation = parse("D^0.8 u + 0.5 D^0.3 u = lap(u); u(0) = 1", &["x"]);
    assert_eq!(terms(&equation, 0), [(1.0, 0.8), (0.5, 0.3)]);
    assert_eq!(equation.expression(equation.fields()[0].drift()), "lap(u)");
    assert!(!equation.has_single_orders());
    // A factor of the highest one divides all; on the right the sign turns; equal orders are one.
    let text = "2 D u + b D^c u + 3 D^c u = 4 lap(u) - u - 5 D^0.2 u; b = 1; c = 0.4; u(0) = 1";
    let equation = parse(text, &["x"]);
    assert_eq!(terms(&equation, 0), [(1.0, 1.0), (2.0, 0.4), (2.5, 0.2)]);
    let moved = equation.with_value("c", 0.5).unwrap().with_orders(&[0.9]).unwrap();
    assert_eq!(terms(&moved, 0), [(1.0, 0.9), (2.0, 0.5), (2.5, 0.2)]);
    // Each field has its own.
    let text = "D^2 u + 0.1 D^1.5 u = lap(u) + v; D v = lap(v) - v; u(0) = 1; u'(0) = 0; v(0) = 0";
    let equation = parse(text, &["x"]);
    assert_eq!(terms(&equation, 0), [(1.0, 2.0), (0.1, 1.5)]);
    assert_eq!(terms(&equation, 1), [(1.0, 1.0)]);
    assert!(parse("D^0.5 u = lap(u)", &["x"]).has_single_orders());
}

#[test]
fn an_order_may_depend_on_time() {
    let text = "alpha = a + b t; D^alpha u = lap(u) - u; a = 0.6; b = 0.2; u(0) = x";
    let equation = parse(text, &["x"]);
    let [term] = equation.time_derivative(0)[..] else { panic!("one derivative") };
    let Orders::Variable(order) = term.orders else { panic!("{term:?}") };
    assert_eq!([0.0, 0.5].map(|t| at(&equation, order, t)), [0.6, 0.7]);
    let moved = equation.clone().with_value("a", 0.5).unwrap();
    assert_eq!(at(&moved, order, 0.5), 0.6);
    assert!(!equation.has_single_orders());
    assert_eq!(terms(&equation.with_orders(&[0.4]).unwrap(), 0), [(1.0, 0.4)]);
    // Also as it stands.
    parse("D^(0.6 + 0.2 exp(-t)) u = lap(u); u(0) = 1", &["x"]);
}

#[test]
fn orders_may_be_distributed() {
    let text = "D u + c int(2 a k D^a u, a in [b, 0.9]) = lap(u); b = 0.1; c = 3; k = 5; u(0) = 1";
    let equation = parse(text, &["x"]);
    let [first, second] = equation.time_derivative(0)[..] else { panic!("two derivatives") };
    assert!(matches!(first.orders, Orders::Single(_)));
    let Orders::Distributed { density, from, to } = second.orders else { panic!("{second:?}") };
    assert_eq!(equation.values(&[second.weight, from, to]), [3.0, 0.1, 0.9]);
    assert_eq!(at(&equation, density, 0.4), 4.0);
    // Alone, and with the weight on it; the same name may be used again.
    let text = "4 int(D^a u, a in [0, 1]) = lap(u); D v + int(D^a v, a in [0, 1]) = u; u(0) = x";
    let equation = parse(text, &["x"]);
    let [only] = equation.time_derivative(0)[..] else { panic!("one derivative") };
    assert!(matches!(only.orders, Orders::Distributed { .. }));
    assert_eq!(equation.values(&[only.weight]), [1.0]);
    assert_eq!(equation.expression(equation.fields()[0].drift()), "lap(u)/4");
    assert_eq!(equation.time_derivative(1).len(), 2);
    assert_eq!(equation, parse(text, &["x"]));
}

#[test]
fn orders_that_make_no_sense_are_refused() {
    for (text, message) in [
        ("D u - 0.5 D^0.3 u = lap(u)", "the weight of a derivative in time is -0.5"),
        ("D u + t D^0.3 u = lap(u)", "the weight of a derivative in time depends on time"),
        ("D u + x D^0.3 u = lap(u)", "the weight of a derivative in time depends on"),
        ("D u = lap(u) - (D^0.3 u)^2", "in a nonlinear place"),
        ("D u = lap(u) - D^0.3 v; D v = u", "a derivative in time of `v` in the equation of `u`"),
        ("D u = lap(u) - D^1.3 u", "order 1.3 of `u`, whose equation is for order 1"),
        ("D u = lap(D^0.5 u)", "an operator in space of a noise or of a derivative in time"),
        ("D u = lap(u); show w = D^0.5 u", "outside of the equations of fields"),
        ("D u = lap(u) - D^0.5 x", "a derivative in time of `x`, which is no field"),
        ("D^(0.5 + t) u + D^0.2 u = lap(u)", "depends on time next to other derivatives"),
        ("D^0.2 u + D^(0.5 + t) u = lap(u)", "depends on time next to other derivatives"),
        ("D^(0.5 + u) u = lap(u)", "the order of a derivative depends on"),
        ("D^(0.5 + x t) u = lap(u)", "the order of a derivative depends on"),
        ("int(D^a u, a in [0.5, 0.2]) = lap(u)", "orders from 0.5 to 0.2"),
        ("int(D^a u, a in [0, 2.5]) = lap(u)", "orders from 0 to 2.5"),
        ("int(D^a u) = lap(u)", "an integral over orders without its variable"),
        ("int(D^a u + u, a in [0, 1]) = lap(u)", "no density times one derivative"),
        ("int(D^a u + D^0.5 u, a in [0, 1]) = lap(u)", "no density times one derivative"),
        ("int(x D^a u, a in [0, 1]) = lap(u)", "no density times one derivative"),
        ("int(t D^a u, a in [0, 1]) = lap(u)", "`t` is a reserved name"),
        ("int((D^a u)^2, a in [0, 1]) = lap(u)", "no density times one derivative"),
        ("int(D^k u, k in [0, 1]) = lap(u); k = 2", "`k` has another meaning"),
        ("int(D^a u, a in [0, x]) = lap(u)", "an end of the orders depends on"),
        ("D u + 0.2 int(D^a u, a in [0, 1] = lap(u)", "`(` is not closed"),
    ] {
        let error = FieldEquation::parse(text, &["x"]).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    for text in ["D^t y = -y; y(0) = 1", "int(D^a y, a in [0, 1]) = -y; y(0) = 1"] {
        assert!(hpfracc_equation::Equation::parse(text).is_err(), "{text}");
    }
}

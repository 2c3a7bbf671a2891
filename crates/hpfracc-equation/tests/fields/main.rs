//! Equations of fields: operators in space, coordinates, what is refused.

mod orders;

use hpfracc_equation::{Action, FieldEquation, Reduction, SpatialOperation, Values, evaluate};

fn parse(text: &str, coordinates: &[&str]) -> FieldEquation {
    FieldEquation::parse(text, coordinates).unwrap_or_else(|error| panic!("{error}"))
}

/// Names of the operators, in their order.
fn names(equation: &FieldEquation) -> Vec<&str> {
    (0..equation.applied().len()).map(|k| equation.applied_name(k)).collect()
}

/// Right-hand side of a field by values of coordinates, fields and applied operators.
fn value(equation: &FieldEquation, field: usize, values: [&[f64]; 3]) -> f64 {
    let variables = equation.variables();
    let lists = [&variables.coordinates, &variables.fields, &variables.applied];
    let count = 1 + lists.map(Vec::len).iter().sum::<usize>() + variables.parameters.len();
    let mut inputs = vec![Values::Path(f64::NAN); count];
    for (numbers, values) in lists.iter().zip(values) {
        for (number, value) in numbers.iter().zip(values) {
            inputs[*number as usize] = Values::Path(*value);
        }
    }
    for (number, parameter) in variables.parameters.iter().zip(equation.parameters()) {
        inputs[*number as usize] = Values::Uniform(parameter.value());
    }
    evaluate::<f64>(equation.graph(), &[equation.fields()[field].drift()], &inputs)[0]
}

#[test]
fn operators_become_variables() {
    let text = "D^0.6 u = k lap(u) + u - u^3; k = 0.1; u(0) = sin(pi x)";
    let equation = parse(text, &["x"]);
    assert_eq!(names(&equation), ["lap(u)"]);
    assert_eq!(value(&equation, 0, [&[0.3], &[2.0], &[10.0]]), 0.1 * 10.0 + 2.0 - 8.0);
    let start = equation.fields()[0].initial()[0].unwrap();
    assert_eq!(equation.expression(start), "sin(pi x)");
    assert_eq!(equation.coordinates(), ["x"]);
    assert_eq!(equation.with_value("k", 2.0).unwrap().parameters()[0].value(), 2.0);
}

#[test]
fn powers_have_the_sign_of_diffusion() {
    let equation = parse("D u = -2 (-lap)^s(u) + 3 lap^s(u); s = 0.7; u(0) = 1", &["x", "y"]);
    assert_eq!(names(&equation).len(), 1, "the same operator");
    assert_eq!(value(&equation, 0, [&[0.0, 0.0], &[1.0], &[5.0]]), 2.0 * 5.0 + 3.0 * 5.0);
    let SpatialOperation::Laplacian { exponent } = equation.applied()[0].operation else {
        panic!("a Laplacian")
    };
    assert_eq!(equation.values(&[exponent]), [0.7]);
    let plain = parse("D u = -(-lap)(u) - (-lap)^(1)(u); u(0) = 1", &["x"]);
    assert_eq!(value(&plain, 0, [&[0.0], &[1.0], &[5.0]]), 10.0);
}

#[test]
fn divergences_of_gradients_are_diffusion() {
    let text = "D u = div((1 + x^2) grad(u)) + div(u^2 grad(u) - 3 v grad(lap(v)))
        D v = div([u v, 2]) ; u(0) = 1; v(0) = 0";
    let error = FieldEquation::parse(text, &["x", "y"]).unwrap_err().to_string();
    assert!(error.contains("the same everywhere"), "{error}");
    let equation = parse(&text.replace(", 2]", ", 2 x]"), &["x", "y"]);
    let kinds: Vec<_> = equation.applied().iter().map(|a| a.operation).collect();
    let SpatialOperation::Diffusion { coefficient } = kinds[0] else { panic!("{kinds:?}") };
    assert_eq!(equation.expression(coefficient), "1 + x^2");
    assert!(matches!(kinds[1], SpatialOperation::Laplacian { .. }), "{kinds:?}");
    let SpatialOperation::Diffusion { coefficient } = kinds[3] else { panic!("{kinds:?}") };
    assert_eq!(equation.expression(coefficient), "-(3 v)");
    assert_eq!(kinds[4], SpatialOperation::Gradient { axis: 0 });
    assert_eq!(kinds[5], SpatialOperation::Gradient { axis: 1 });
    // Three diffusions in u, two derivatives in v.
    let values: [&[f64]; 3] = [&[0.0; 2], &[1.0; 2], &[1.0, 100.0, 10.0, 4.0, 5.0, 6.0]];
    assert_eq!(value(&equation, 0, values), 15.0);
    assert_eq!(value(&equation, 1, values), 11.0);
}

#[test]
fn one_dimension_has_plain_gradients() {
    let equation = parse("D u = -u grad(u) + 0.1 lap(u) - div(u^2) + grad_x(u); u(0) = x", &["x"]);
    let kinds: Vec<_> = equation.applied().iter().map(|a| a.operation).collect();
    assert_eq!(kinds[0], SpatialOperation::Gradient { axis: 0 });
    assert_eq!(kinds.len(), 3, "grad(u) and grad_x(u) are the same: {kinds:?}");
}

#[test]
fn numbers_of_whole_fields() {
    let text = "D u = lap(u) + k (1 - mean(u^2)) + 0.1 dW/dt; D v = max(v, 0) + b dB/dt
        k = 2; b = 0.3; B = brownian(); u(0) = 1; v(0) = x
        when max(u - v) = 2 rising: stop; when t = 1: u = u + x, v = 0
        show mass = integral(u); show low = min(v) + mean(u^2); show w = u v";
    let equation = parse(text, &["x"]);
    let kinds: Vec<_> = equation.applied().iter().map(|a| a.operation).collect();
    let reduction = |kind| SpatialOperation::Reduction(kind);
    let of = [Reduction::Mean, Reduction::Largest, Reduction::Integral, Reduction::Smallest];
    assert_eq!(kinds[1..], of.map(reduction), "mean(u^2) is one operator");
    assert_eq!(value(&equation, 0, [&[0.0], &[1.0, 0.0], &[10.0, 3.0, 0.0, 0.0, 0.0]]), 6.0);
    let factor = |field| equation.values(&[equation.noise(field).unwrap()])[0];
    assert_eq!([factor(0), factor(1)], [0.1, 0.3]);
    assert_eq!((equation.events().len(), equation.shown().len()), (2, 3));
    let Action::Assign(assigned) = equation.events()[1].action() else { panic!("a jump") };
    assert_eq!(assigned.iter().map(|a| equation.jumping_field(a.0)).collect::<Vec<_>>(), [0, 1]);
    assert!(parse("du = lap(u) dt + 0.1 dW; u(0) = 1", &[]).noise(0).is_some());
    assert!(FieldEquation::parse("D u = lap(u)", &["sin"]).is_err(), "a function is no coordinate");
}

#[test]
fn what_fields_do_not_have_is_refused() {
    for (text, message) in [
        ("D u = lap(u); u(0) = t", "depends on time, a coordinate or a state"),
        ("D^x u = lap(u); u(0) = 1", "depends on time, a coordinate or a state"),
        ("D u = lap(u) - u(t - 1); u(t) = 1 for t <= 0", "delays of fields"),
        ("RL D^0.5 u = lap(u); u(0) = 1", "derivatives other than Caputo's"),
        ("du = lap(u) dt + u dW; u(0) = 1", "the factor of `dW` in the equation of a field"),
        ("D u = lap(u) + (1 + x) dW/dt; u(0) = 1", "the factor of `dW` in the equation of a field"),
        ("D u = lap(u) + dB/dt; B = fbm(0.3); u(0) = 1", "is fractional Brownian motion"),
        ("D u = lap(u) + dW/dt + dB/dt; B = brownian(); u(0) = 1", "two noises in the equation"),
        ("D u = lap(u) + dW/dt; D v = dW/dt; u(0) = 1", "`dW` in the equations of two fields"),
        ("D u = lap(u); u(0) = normal(0, 1)", "random starts"),
        ("D u = lap(u); u(0) = 1; when u = 1: stop", "an event of `u`, which differs"),
        ("D u = lap(u); u(0) = 1; when max(u) = x: stop", "an event of `x`, which differs"),
        ("D u = lap(u); u(0) = 1; when lap(u) = 1: stop", "an event of `lap(u)`, which differs"),
        ("D u = lap(u); u(0) = 1; when t = 1: x = 2", "`x` is no field"),
        ("D u = lap(u) + max(u); u(0) = 1", "`max(u)` in an equation or an operator"),
        ("D u = lap(u min(u)); u(0) = 1", "`min(u)` in an equation or an operator"),
        ("D u = lap(u) + max(u, 1, 2); u(0) = 1", "`max` has 2 arguments, found 3"),
        ("D u = lap(u) + mean(3); u(0) = 1", "the same everywhere"),
        ("mean = 1; D u = lap(u); u(0) = 1", "`mean` is an operator in space"),
        ("D u = lap; u(0) = 1", "`lap` is an operator in space"),
        ("D u = lap^2(u); u(0) = 1", "can be read in two ways"),
        ("D u = lap^1.5(u); u(0) = 1", "exponent of the Laplacian is 1.5"),
        ("D u = -(-lap)^x(u); u(0) = 1", "expected a number or a parameter"),
        ("D u = -(-lap)^(x + 1)(u); u(0) = 1", "the exponent of the Laplacian depends on"),
        ("D u = lap(3); u(0) = 1", "the same everywhere"),
        ("D u = div(grad(u)^2); u(0) = 1", "multiplied and added in a divergence"),
        ("D x = lap(x); x(0) = 1", "`x` is a coordinate"),
        ("lap = 1; D u = lap(u); u(0) = 1", "`lap` is an operator in space"),
        ("k = 1", "no equation of a field"),
    ] {
        let error = FieldEquation::parse(text, &["x"]).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    let start = FieldEquation::parse("D u = lap(u)", &["x"]).unwrap();
    assert!(start.fields()[0].initial().is_empty(), "a start that is given as numbers");
    let error = FieldEquation::parse("D u = grad(u); u(0) = 1", &[]).unwrap_err().to_string();
    assert!(error.contains("points without coordinates"), "{error}");
    for (text, message) in [
        ("D u = grad(u); u(0) = 1", "`grad(u)` is a vector"),
        ("D u = div(u); u(0) = 1", "the divergence of a number"),
        ("D u = div([u]); u(0) = 1", "a vector of 1 in 2 dimensions"),
        ("D u = div([u, u, u]); u(0) = 1", "a vector of 3 in 2 dimensions"),
    ] {
        let error = FieldEquation::parse(text, &["x", "y"]).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    let error = hpfracc_equation::Equation::parse("y' = lap(y); y(0) = 1").unwrap_err();
    assert!(error.to_string().contains("equations of fields"), "{error}");
}

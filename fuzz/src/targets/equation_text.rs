use crate::{Bytes, Target};
use hpfracc::equation::Equation;
use hpfracc::ode::EquationProblem;
use hpfracc::sde::EquationModel;

/// Equations as text: what parses is printed and parsed again, its parameters are set, and its problem
/// and its model are made.
pub(super) const TARGET: Target = Target {
    name: "equation_text",
    about: "texts of equations, their parameters and problems",
    run,
};

/// Parameters of an equation that are set.
const PARAMETERS: usize = 6;

fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match Equation::parse(&text) {
        Ok(equation) => parsed(equation, data),
        Err(error) => {
            assert!(text.get(error.range()).is_some(), "{error}");
            assert!(error.line() > 0 && error.column() > 0, "{error}");
            assert!(!error.to_string().is_empty());
        }
    }
}

fn parsed(equation: Equation, data: &[u8]) {
    let printed = equation.to_string();
    match Equation::parse(&printed) {
        Ok(again) => assert!(again == equation, "another equation is printed:\n{printed}"),
        Err(error) => panic!("{error}\nis the error of what is printed:\n{printed}"),
    }
    let parameters: Vec<(String, f64)> = equation
        .parameters()
        .iter()
        .take(PARAMETERS)
        .map(|parameter| (parameter.name().to_owned(), parameter.value()))
        .collect();
    // Bytes of the text choose the values, the last ones first: comments at the end of a text.
    let reversed: Vec<u8> = data.iter().rev().copied().collect();
    let mut bytes = Bytes::new(&reversed);
    for (name, value) in parameters {
        let same = equation.clone().with_value(&name, value).map(|same| same == equation);
        assert_eq!(same, Ok(true), "{name} = {value}");
        match equation.clone().with_value(&name, bytes.real()) {
            Ok(other) => solvers(&other),
            Err(error) => drop(error.to_string()),
        }
    }
    solvers(&equation);
}

/// Makes the problem and the model: results or errors.
fn solvers(equation: &Equation) {
    if let Err(error) = EquationProblem::new(equation) {
        drop(error.to_string());
    }
    match EquationModel::new(equation) {
        Ok(model) => {
            drop(model.problem::<f32>(1).map_err(|error| error.to_string()));
            drop(model.noise::<f64>(1).map_err(|error| error.to_string()));
        }
        Err(error) => drop(error.to_string()),
    }
}

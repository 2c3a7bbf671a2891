use crate::{Bytes, Target};
use hpfracc::equation::Formula;
use hpfracc::fit::{Fit, FormulaModel, Set};

/// Formulas as text: what parses is printed and parsed again, and fitted to a few rows.
pub(super) const TARGET: Target =
    Target { name: "formula_text", about: "texts of formulas, and fits of a few rows", run };

const COLUMNS: [&str; 2] = ["t", "y"];
/// Rows of a fit.
const ROWS: usize = 6;
/// Parameters of a formula that is fitted.
const PARAMETERS: usize = 4;

fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let formula = match Formula::parse(&text, &COLUMNS) {
        Ok(formula) => formula,
        Err(error) => {
            assert!(text.get(error.range()).is_some(), "{error}");
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let printed = formula.to_string();
    match Formula::parse(&printed, &COLUMNS) {
        Ok(again) => assert_eq!(again.to_string(), printed),
        Err(error) => panic!("{error}\nis the error of what is printed:\n{printed}"),
    }
    let Ok(model) = FormulaModel::new(&[formula]) else { return };
    // Bytes of the text choose the rows and the starts, the last ones first.
    let reversed: Vec<u8> = data.iter().rev().copied().collect();
    let mut bytes = Bytes::new(&reversed);
    let column = |bytes: &mut Bytes<'_>| (0..ROWS).map(|_| bytes.real()).collect::<Vec<f64>>();
    let columns = [column(&mut bytes), column(&mut bytes)];
    fit(&model, &columns, &mut bytes);
}

fn fit(model: &FormulaModel, [t, y]: &[Vec<f64>; 2], bytes: &mut Bytes<'_>) {
    use hpfracc::fit::Model;
    if model.parameters().len() > PARAMETERS {
        return;
    }
    let mut set = Set::new("rows", model).response(y).skip_not_finite();
    for name in model.columns() {
        set = set.input(if name == "t" { t } else { y });
    }
    let Ok(mut fit) = Fit::new(set) else { return };
    for parameter in model.parameters() {
        fit = match fit.start(&parameter.name, bytes.real()) {
            Ok(fit) => fit,
            Err(error) => panic!("{error}"),
        };
    }
    match fit.max_passes(50).run() {
        Ok(found) => {
            assert!(found.cost() >= 0.0 && found.values().iter().all(|value| value.is_finite()));
            assert!(!found.to_string().is_empty());
        }
        Err(error) => drop(error.to_string()),
    }
}

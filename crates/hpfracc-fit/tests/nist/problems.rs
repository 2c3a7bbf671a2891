//! Problems of the Statistical Reference Datasets of NIST (StRD): files, models, answers.
//!
//! The files are in the public domain. `reference.json` has the answers computed again with 50 digits, of which it has
//! 22; they agree with the certified ones to the last digit of these.

use hpfracc_equation::Formula;
use hpfracc_fit::FormulaModel;

const MODELS: [(&str, &str); 18] = [
    ("Bennett5", "b1 (b2 + x)^(-1/b3)"),
    ("BoxBOD", "b1 (1 - exp(-b2 x))"),
    ("Chwirut1", "exp(-b1 x)/(b2 + b3 x)"),
    (
        "ENSO",
        "b1 + b2 cos(2 pi x/12) + b3 sin(2 pi x/12) + b5 cos(2 pi x/b4) + b6 sin(2 pi x/b4) + b8 cos(2 pi x/b7) + b9 sin(2 pi x/b7)",
    ),
    ("Eckerle4", "(b1/b2) exp(-0.5 ((x - b3)/b2)^2)"),
    ("Gauss1", "b1 exp(-b2 x) + b3 exp(-((x - b4)/b5)^2) + b6 exp(-((x - b7)/b8)^2)"),
    ("Gauss3", "b1 exp(-b2 x) + b3 exp(-((x - b4)/b5)^2) + b6 exp(-((x - b7)/b8)^2)"),
    ("Hahn1", "(b1 + b2 x + b3 x^2 + b4 x^3)/(1 + b5 x + b6 x^2 + b7 x^3)"),
    ("Lanczos1", "b1 exp(-b2 x) + b3 exp(-b4 x) + b5 exp(-b6 x)"),
    ("Lanczos3", "b1 exp(-b2 x) + b3 exp(-b4 x) + b5 exp(-b6 x)"),
    ("MGH09", "b1 (x^2 + x b2)/(x^2 + x b3 + b4)"),
    ("MGH17", "b1 + b2 exp(-x b4) + b3 exp(-x b5)"),
    ("Misra1a", "b1 (1 - exp(-b2 x))"),
    ("Misra1b", "b1 (1 - (1 + b2 x/2)^(-2))"),
    ("Misra1c", "b1 (1 - (1 + 2 b2 x)^(-0.5))"),
    ("Nelson", "b1 - b2 x exp(-b3 x2)"),
    ("Rat43", "b1/(1 + exp(b2 - b3 x))^(1/b4)"),
    ("Roszman1", "b1 - b2 x - atan(b3/(x - b4))/pi"),
];

pub(crate) struct Problem {
    pub(crate) name: &'static str,
    pub(crate) model: FormulaModel,
    pub(crate) starts: [Vec<f64>; 2],
    pub(crate) inputs: Vec<Vec<f64>>,
    pub(crate) response: Vec<f64>,
    pub(crate) parameters: Vec<f64>,
    pub(crate) standard_errors: Vec<f64>,
    pub(crate) cost: f64,
}

/// Name of the parameter of this index.
pub(crate) fn parameter(k: usize) -> String {
    format!("b{}", k + 1)
}

pub(crate) fn all() -> Vec<Problem> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/nist");
    let read = |file: &str| std::fs::read_to_string(format!("{folder}/{file}")).unwrap();
    let reference: serde_json::Value = serde_json::from_str(&read("reference.json")).unwrap();
    let problem = |(name, formula): (&'static str, &str)| {
        let text = read(&format!("{name}.dat"));
        let answer = &reference[name];
        let list = |key: &str| -> Vec<f64> {
            answer[key]
                .as_array()
                .unwrap()
                .iter()
                .map(|v| v.as_str().unwrap().parse().unwrap())
                .collect()
        };
        let (starts, columns) = (starts(&text), columns(name, &text));
        let formula = Formula::parse(formula, &["x", "x2"]).unwrap();
        Problem {
            name,
            model: FormulaModel::new(&[formula]).unwrap(),
            starts,
            inputs: columns[1..].to_vec(),
            response: columns[0].clone(),
            parameters: list("parameters"),
            standard_errors: list("stderr"),
            cost: answer["rss"].as_str().unwrap().parse().unwrap(),
        }
    };
    MODELS.into_iter().map(problem).collect()
}

fn starts(text: &str) -> [Vec<f64>; 2] {
    let mut starts = [vec![], vec![]];
    for line in text.lines().take(60) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.len() == 6 && words[0].starts_with('b') && words[1] == "=" {
            starts[0].push(words[2].parse().unwrap());
            starts[1].push(words[3].parse().unwrap());
        }
    }
    starts
}

/// The response, then the inputs. The response of Nelson's model is the logarithm of the column.
fn columns(name: &str, text: &str) -> Vec<Vec<f64>> {
    let mut columns: Vec<Vec<f64>> = vec![];
    let data = text.lines().skip_while(|line| !line.starts_with("Data:")).skip(1);
    // The first `Data:` describes the data, the second begins them.
    for line in data.skip_while(|line| !line.starts_with("Data:")).skip(1) {
        let numbers: Vec<f64> = line.split_whitespace().map(|word| word.parse().unwrap()).collect();
        columns.resize(columns.len().max(numbers.len()), vec![]);
        columns.iter_mut().zip(numbers).for_each(|(column, number)| column.push(number));
    }
    if name == "Nelson" {
        columns[0].iter_mut().for_each(|y| *y = y.ln());
    }
    columns
}

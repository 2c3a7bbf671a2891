//! Random truths: the minimum from the grid is that of a start at the truth.

use super::random::Random;
use hpfracc_equation::{Formula, Values, evaluate};
use hpfracc_fit::{
    Bound, Declared, Fit, FitError, Function, FunctionModel, Grid, Model, Set, catalogue,
};

fn equal_ratios(low: f64, high: f64, count: usize) -> Vec<f64> {
    (0..count).map(|k| low * (high / low).powf(k as f64 / (count - 1) as f64)).collect()
}

/// The minimum of each of `count` truths is found without a start. All four models find 100 of 100, which were run once.
fn check(
    count: u64,
    (model, inputs): (&dyn Model, &[Vec<f64>]),
    noise: impl Fn(&[f64]) -> f64,
    truth: impl Fn(&mut Random) -> Vec<f64>,
) {
    for seed in 0..count {
        let mut numbers = Random(seed);
        let truth = truth(&mut numbers);
        let (rows, responses) = (inputs[0].len(), model.responses());
        let mut data = vec![0.0; rows * responses];
        let flat = inputs.concat();
        let bound = model.at(&truth).unwrap();
        bound.values(
            hpfracc_equation::Rows::new(&flat, rows),
            hpfracc_equation::RowsMut::new(&mut data, rows),
        );
        data.iter_mut().for_each(|y| *y += noise(&truth) * numbers.normal());
        let set = || {
            let set = inputs.iter().fold(Set::new("data", model), |set, column| set.input(column));
            data.chunks_exact(rows).fold(set, |set, column| set.response(column))
        };
        let mut fit = Fit::new(set()).unwrap();
        for (declared, value) in model.parameters().iter().zip(&truth) {
            fit = fit.start(&declared.name, *value).unwrap();
        }
        let expected = fit.run().unwrap();
        let found = Fit::new(set()).unwrap().run().unwrap();
        let reached = found.cost() <= expected.cost() * (1.0 + 1e-5);
        assert!(reached, "{truth:?}\n{expected}\n{found}");
    }
}

/// Mittag-Leffler relaxation by differences.
#[derive(Debug)]
struct Relaxation {
    model: FunctionModel<'static>,
    parameters: Vec<Declared>,
}

impl Relaxation {
    fn new() -> Self {
        let formula = Formula::parse("c + a E(s, -(t/tau)^s)", &["t"]).unwrap();
        let names = ["a", "tau", "s", "c"];
        let number = |name: &str| {
            let place = formula.parameters().iter().position(|known| known.name() == name);
            formula.parameter_variables()[place.unwrap()] as usize
        };
        let of_names = names.map(number);
        let of_column = formula.column_variables()[0] as usize;
        let value = move |x: &[f64], p: &[f64]| {
            let mut variables = [Values::Uniform(0.0); 16];
            variables[of_column] = Values::Uniform(x[0]);
            of_names.iter().zip(p).for_each(|(k, p)| variables[*k] = Values::Uniform(*p));
            evaluate::<f64>(formula.graph(), &[formula.root()], &variables)[0]
        };
        let model = Function::new(1, &names, value).differences(&[1.0, 0.01, 0.1, 1.0]).unwrap();
        let mut parameters = model.parameters().to_vec();
        parameters[1] = Declared {
            lower: 0.0,
            logarithmic: true,
            grid: Some(Grid::Like { input: 0 }),
            ..parameters[1].clone()
        };
        let grid = Some(Grid::Values(vec![0.3, 0.5, 0.7, 0.9, 1.2, 1.6]));
        parameters[2] = Declared { lower: 0.01, upper: 1.99, grid, ..parameters[2].clone() };
        Self { model, parameters }
    }
}

impl Model for Relaxation {
    fn parameters(&self) -> &[Declared] {
        &self.parameters
    }

    fn inputs(&self) -> usize {
        1
    }

    fn responses(&self) -> usize {
        1
    }

    fn linear(&self) -> &[usize] {
        &[0, 3]
    }

    fn at<'m>(&'m self, parameters: &[f64]) -> Result<Box<dyn Bound + 'm>, FitError> {
        self.model.at(parameters)
    }
}

#[test]
fn mittag_leffler_relaxation() {
    let inputs = [equal_ratios(0.01, 100.0, 60)];
    let noise = |truth: &[f64]| 0.005 * truth[0].abs().max(truth[3].abs());
    check(4, (&Relaxation::new(), &inputs), noise, |numbers| {
        let (a, c) = (numbers.between(0.5, 5.0), numbers.between(-1.0, 1.0));
        vec![a, 10f64.powf(numbers.between(-1.5, 1.5)), numbers.between(0.25, 0.98), c]
    });
}

#[test]
fn cole_cole() {
    let (model, inputs) = (catalogue::find("cole-cole").unwrap(), [equal_ratios(1e-3, 1e3, 31)]);
    let noise = |truth: &[f64]| 0.005 * truth[1].max(truth[0]);
    check(100, (&model, &inputs), noise, |numbers| {
        let (offset, delta) = (numbers.between(1.0, 5.0), numbers.between(2.0, 50.0));
        vec![offset, delta, 10f64.powf(numbers.between(-2.5, 2.5)), numbers.between(0.3, 1.0)]
    });
}

#[test]
fn havriliak_negami() {
    let model = catalogue::find("havriliak-negami").unwrap();
    let inputs = [equal_ratios(1e-3, 1e3, 31)];
    let noise = |truth: &[f64]| 0.005 * truth[1].max(truth[0]);
    check(100, (&model, &inputs), noise, |numbers| {
        let (offset, delta) = (numbers.between(1.0, 5.0), numbers.between(2.0, 50.0));
        let tau = 10f64.powf(numbers.between(-2.0, 2.0));
        vec![offset, delta, tau, numbers.between(0.4, 1.0), numbers.between(0.4, 1.0)]
    });
}

#[test]
fn two_time_correlations() {
    let model = catalogue::find("xpcs-two-time").unwrap().with("q", 1.0).unwrap();
    let pairs =
        (1..=24).flat_map(|i| (i + 1..=24).map(move |k| (0.5 * f64::from(i), 0.5 * f64::from(k))));
    let (first, second): (Vec<f64>, Vec<f64>) = pairs.unzip();
    check(
        20,
        (&model, &[first, second]),
        |_| 0.01,
        |numbers| {
            let (contrast, d) = (numbers.between(0.1, 0.5), 10f64.powf(numbers.between(-2.0, 0.3)));
            let (alpha, late) =
                (numbers.between(-0.8, 1.2), 10f64.powf(numbers.between(-3.0, -0.5)));
            vec![1.0, contrast, d, alpha, late]
        },
    );
}

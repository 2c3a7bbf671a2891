//! Measured records: a frequency sweep of a soft material (from the project RHEOS) and the impedance of a battery (from
//! impedance.py), with their licences in `tests/data`.

use hpfracc_fit::{CatalogueModel, Fit, Found, Set, catalogue};

/// Columns of a file.
fn columns(text: &str) -> Vec<Vec<f64>> {
    let rows: Vec<Vec<f64>> = text
        .lines()
        .map(|line| line.split(',').map(|number| number.parse().unwrap()).collect())
        .collect();
    (0..rows[0].len()).map(|k| rows.iter().map(|row| row[k]).collect()).collect()
}

struct Sweep {
    omega: Vec<f64>,
    storage: Vec<f64>,
    loss: Vec<f64>,
    /// Inverse squares: relative residuals.
    weights: [Vec<f64>; 2],
}

impl Sweep {
    fn new() -> Self {
        let mut columns = columns(include_str!("../data/rheology/frequency.csv"));
        let (loss, storage) = (columns.pop().unwrap(), columns.pop().unwrap());
        let weights = [&storage, &loss].map(|column| column.iter().map(|y| y.powi(-2)).collect());
        Self { omega: columns.remove(0), storage, loss, weights }
    }

    fn fit<'a>(&'a self, model: &'a CatalogueModel, starts: &[(&str, f64)]) -> Found<'a> {
        let set = Set::new("sweep", model).input(&self.omega);
        let set = set.response(&self.storage).weight(&self.weights[0]);
        let set = set.response(&self.loss).weight(&self.weights[1]);
        let fit = Fit::new(set).unwrap();
        let fit = starts.iter().fold(fit, |fit, (name, value)| fit.start(name, *value).unwrap());
        fit.run().unwrap()
    }
}

/// Root of the mean square of the relative residuals.
fn rms(found: &Found<'_>) -> f64 {
    (found.cost() / found.data() as f64).sqrt()
}

/// Criterion of Akaike for few data, without constants that all models share.
fn aicc(found: &Found<'_>, parameters: f64) -> f64 {
    let (n, k) = (found.data() as f64, parameters + 1.0);
    n * (found.cost() / n).ln() + 2.0 * k + 2.0 * k * (k + 1.0) / (n - k - 1.0)
}

#[test]
fn two_springpots_describe_the_sweep_best() {
    let sweep = Sweep::new();
    let model = catalogue::find("parallel-springpots-modulus").unwrap();
    let starts = [("c_a", 0.01), ("alpha", 0.7), ("c_b", 1.0), ("beta", 0.1)];
    let found = sweep.fit(&model, &starts);
    println!("{found}rms {:.3}, AICc {:.1}", rms(&found), aicc(&found, 4.0));
    assert!(found.outcome().is_success());
    assert!((rms(&found) - 0.134).abs() < 5e-4 && (aicc(&found, 4.0) + 57.3).abs() < 0.05);
    for (name, value, error) in [("alpha", 0.78, 0.11), ("beta", 0.101, 0.013)] {
        let estimate = found.estimate(name).unwrap();
        assert!((estimate.value - value).abs() < 5e-3, "{found}");
        assert!((estimate.standard_error.unwrap() - error).abs() < 0.05 * error, "{found}");
    }
}

#[test]
fn kelvin_voigt_describes_the_sweep_badly() {
    let sweep = Sweep::new();
    let model = catalogue::find("fractional-kelvin-voigt-modulus").unwrap();
    let found = sweep.fit(&model, &[("E", 0.8), ("c", 0.05), ("alpha", 0.5)]);
    println!("{found}rms {:.3}, AICc {:.1}", rms(&found), aicc(&found, 3.0));
    assert!(found.outcome().is_success());
    assert!((rms(&found) - 0.255).abs() < 5e-4 && (aicc(&found, 3.0) + 38.1).abs() < 0.05);
}

/// The sweep does not reach the plateau at high frequencies: the second spring is not determined.
#[test]
fn the_sweep_does_not_determine_a_zener_model() {
    let sweep = Sweep::new();
    let model = catalogue::find("fractional-zener-modulus").unwrap();
    let starts = [("E0", 0.8), ("E1", 60.0), ("tau", 1e-8), ("alpha", 0.4)];
    let found = sweep.fit(&model, &starts);
    println!("{found}rms {:.3}, AICc {:.1}", rms(&found), aicc(&found, 4.0));
    assert!((aicc(&found, 4.0) + 33.8).abs() < 0.5);
    let spring = found.estimate("E1").unwrap();
    assert!(spring.standard_error.is_none_or(|error| error > spring.value), "{found}");
    assert!(!found.weak_directions().is_empty(), "{found}");
}

/// Above the real axis the wires count, which the circuit does not have.
#[test]
fn randles_circuit_describes_the_battery() {
    let mut columns = columns(include_str!("../data/impedance/example.csv"));
    let below: Vec<bool> = columns[2].iter().map(|im| *im < 0.0).collect();
    for column in &mut columns {
        let mut keep = below.iter();
        column.retain(|_| *keep.next().unwrap());
    }
    let model = catalogue::circuit("R0-p(R1,CPE1)-p(R2-Wo1,CPE2)").unwrap().in_hertz().unwrap();
    let set = Set::new("battery", &model).input(&columns[0]);
    let set = set.response(&columns[1]).response(&columns[2]);
    let starts = [
        ("R0", 0.01),
        ("R1", 0.01),
        ("CPE1_Q", 10.0),
        ("CPE1_n", 0.9),
        ("R2", 0.01),
        ("Wo1_R", 0.05),
        ("Wo1_tau", 100.0),
        ("CPE2_Q", 1.0),
        ("CPE2_n", 0.9),
    ];
    let fit = Fit::new(set).unwrap();
    let fit = starts.iter().fold(fit, |fit, (name, value)| fit.start(name, *value).unwrap());
    let found = fit.run().unwrap();
    println!("{found}");
    assert!(found.outcome().is_success(), "{found}");
    // The minimum that SciPy's `least_squares` finds from there.
    assert!((found.cost() / 9.554_221_266e-6 - 1.0).abs() < 1e-8, "{}", found.cost());
}

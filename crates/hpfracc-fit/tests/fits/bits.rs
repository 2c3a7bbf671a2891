use super::{model, noise};
use hpfracc_fit::{Fit, Set};

/// Rows of several tasks of threads.
const ROWS: usize = 300_001;

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let x: Vec<f64> = (0..ROWS).map(|k| k as f64 * 1e-5).collect();
    let y: Vec<f64> =
        x.iter().enumerate().map(|(k, x)| 2.0 * (-x / 0.8).exp() + 0.5 + 0.1 * noise(k)).collect();
    let model = model("a exp(-x/tau) + c; a = 1; tau = 1 in (0, inf); c = 0");
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let set = Set::new("decay", &model).input(&x).response(&y);
        pool.install(|| Fit::new(set).unwrap().run().unwrap().values())
    };
    let one = run(1);
    let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<u64>>();
    for threads in [2, 3] {
        assert_eq!(bits(&run(threads)), bits(&one));
    }
    for (value, expected) in one.iter().zip([2.0, 0.8, 0.5]) {
        assert!((value - expected).abs() < 0.01, "{one:?}");
    }
}

/// Rows that are skipped change nothing but the count.
#[test]
fn skipped_rows() {
    let x: Vec<f64> = (0..2000).map(|k| k as f64 * 1e-3).collect();
    let y: Vec<f64> = x.iter().enumerate().map(|(k, x)| 1.0 + 3.0 * x + noise(k)).collect();
    let (mut holes, mut short, mut short_x) = (y.clone(), vec![], vec![]);
    for k in 0..2000 {
        if k % 13 == 5 {
            holes[k] = f64::NAN;
        } else {
            short.push(y[k]);
            short_x.push(x[k]);
        }
    }
    let model = model("a + b x; a = 0; b = 0");
    let set = Set::new("holes", &model).input(&x).response(&holes).skip_not_finite();
    let found = Fit::new(set).unwrap().run().unwrap();
    let set = Set::new("short", &model).input(&short_x).response(&short);
    let expected = Fit::new(set).unwrap().run().unwrap();
    assert_eq!(found.data(), expected.data());
    for name in ["a", "b"] {
        let (found, expected) = (found.estimate(name).unwrap(), expected.estimate(name).unwrap());
        assert!((found.value - expected.value).abs() < 1e-12, "{found:?} {expected:?}");
        let errors = found.standard_error.unwrap() / expected.standard_error.unwrap();
        assert!((errors - 1.0).abs() < 1e-11, "{errors}");
    }
}

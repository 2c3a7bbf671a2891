//! Starts of formulas: linear parameters, bounds, further starts; what has no start.

use super::random::Random;
use hpfracc_equation::Formula;
use hpfracc_fit::{Fit, FitError, FormulaModel, Found, Model, Outcome, Set};
use std::sync::atomic::AtomicBool;

fn model(text: &str) -> FormulaModel {
    FormulaModel::new(&[Formula::parse(text, &["x"]).unwrap()]).unwrap()
}

fn points(count: usize, y: impl Fn(f64) -> f64) -> [Vec<f64>; 2] {
    let x: Vec<f64> = (0..count).map(|k| 0.02 * k as f64).collect();
    let mut numbers = Random(1);
    let y = x.iter().map(|x| y(*x) + 0.01 * numbers.normal()).collect();
    [x, y]
}

fn fit<'a>(model: &'a FormulaModel, [x, y]: &'a [Vec<f64>; 2]) -> Fit<'a> {
    Fit::new(Set::new("data", model).input(x).response(y)).unwrap()
}

fn bits(found: &Found<'_>) -> Vec<u64> {
    found.values().iter().map(|value| value.to_bits()).collect()
}

#[test]
fn parameters_in_which_a_formula_is_jointly_linear() {
    let names = |text: &str| -> Vec<String> {
        let model = model(text);
        model.linear().iter().map(|k| model.parameters()[*k].name.clone()).collect()
    };
    for (text, linear) in [
        ("a + b x", &["a", "b"][..]),
        ("a exp(-x/tau) + c", &["a", "c"]),
        ("a b exp(-x) + c", &["a", "c"]),
        // b excludes a and c, which do not exclude each other.
        ("b (a x + c)", &["a", "c"]),
        ("(a + b x)/(1 + c x)", &["a", "b"]),
        ("exp(a x) + b^2", &[]),
    ] {
        assert_eq!(names(text), linear, "{text}");
    }
}

/// The one pass of a linear model is exact: bounds hold, too.
#[test]
fn linear_parameters_need_no_start() {
    let data = points(200, |x| 2.0 - 0.7 * x + 0.3 * (5.0 * x).sin());
    let free = model("a + b x + d sin(5 x)");
    let found = fit(&free, &data).run().unwrap();
    assert!(matches!(found.outcome(), Outcome::Converged { .. }), "{found}");
    assert!((found.estimate("d").unwrap().value - 0.3).abs() < 0.01, "{found}");
    let search = found.start_search().unwrap();
    assert_eq!((search.rows, search.points, search.minimisations), (200, 1, 0));
    assert!(
        found.passes() < 6 && found.to_string().contains("by projection on 200 data"),
        "{found}"
    );
    let bounded = model("a + b x + d sin(5 x); b = 0 in [-0.5, 3]; a = 0; d = 0");
    let expected = fit(&bounded, &data).run().unwrap();
    let fit = fit(&free, &data).bounds("b", -0.5, 3.0).unwrap();
    let found = fit.run().unwrap();
    assert!(found.estimate("b").unwrap().value == -0.5 && found.passes() < 10, "{found}");
    assert!((found.cost() / expected.cost() - 1.0).abs() < 1e-10, "{found}\n{expected}");
}

#[test]
fn starts_and_bounds_of_other_parameters() {
    let data = points(400, |x| 2.0 * (-x / 0.4).exp() + 0.5);
    let decay = model("a exp(-x/tau) + c");
    let error = fit(&decay, &data).run().unwrap_err();
    assert_eq!(error, FitError::NoStart { name: "tau".to_owned() });
    let bounded = fit(&decay, &data).bounds("tau", 0.01, 100.0).unwrap().run().unwrap();
    let begun = fit(&decay, &data).start("tau", 1.0).unwrap().run().unwrap();
    assert_eq!(bounded.start_search().unwrap().points, 5);
    assert_eq!(begun.start_search().unwrap().points, 1);
    for found in [bounded, begun] {
        assert!((found.estimate("tau").unwrap().value - 0.4).abs() < 0.01, "{found}");
    }
    // A start of every parameter needs no search; one that is no number is an error.
    let fit = fit(&decay, &data).start("tau", 1.0).unwrap().start("a", 1.0).unwrap();
    let fit = fit.start("c", 0.0).unwrap();
    assert_eq!(fit.run().unwrap().start_search(), None);
}

/// A tied parameter takes the linear parameters that it depends on out of the projection.
#[test]
fn ties_are_not_linear() {
    let data = points(400, |x| 2.0 * (-x / 0.4).exp() + 0.5);
    let decay = model("a exp(-x/tau) + c; tau = 1");
    let tied = || fit(&decay, &data).tie("c", "2.5 - a").unwrap();
    assert_eq!(tied().run().unwrap_err(), FitError::NoStart { name: "a".to_owned() });
    let found = tied().start("a", 1.0).unwrap().run().unwrap();
    assert!((found.estimate("a").unwrap().value - 2.0).abs() < 0.02, "{found}");
}

fn wave() -> (FormulaModel, [Vec<f64>; 2]) {
    (model("a sin(w x) + c; w = 28 in [0.5, 30]"), points(300, |x| 2.0 * (11.0 * x).sin() + 0.5))
}

/// From one start a wrong frequency; of 40 further starts at least one has the right one.
#[test]
fn further_starts_find_a_frequency() {
    let (model, data) = wave();
    let frequency = |found: &Found<'_>| found.estimate("w").unwrap().value;
    let alone = fit(&model, &data).run().unwrap();
    assert!((frequency(&alone) - 11.0).abs() > 1.0, "{alone}");
    let mut counts = vec![];
    for seed in 0..5 {
        let found = fit(&model, &data).starts(40, seed).run().unwrap();
        assert!((frequency(&found) - 11.0).abs() < 0.01, "{found}");
        let search = found.start_search().unwrap();
        assert!(search.minimisations == 41 && (1..41).contains(&search.at_best), "{search:?}");
        assert!(found.to_string().contains("of 41 minimisations"), "{found}");
        counts.push(search.at_best);
    }
    assert!(counts.iter().any(|count| *count != counts[0]), "the seed does not matter");
    let error = fit(&model, &data).bounds("w", 0.0, f64::INFINITY).unwrap().starts(3, 0).run();
    assert_eq!(error.unwrap_err(), FitError::NoRange { starts: 3 });
}

/// More rows than a search takes, by several threads, from columns in memory and from an array.
#[test]
fn threads_and_sources_do_not_change_bits() {
    let (model, data) = (wave().0, points(200_000, |x| 2.0 * (11.0 * x).sin() + 0.5));
    let run = || fit(&model, &data).starts(5, 2).run().unwrap();
    let expected = run();
    assert_eq!(expected.start_search().unwrap().rows, 4096);
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| bits(&run())), bits(&expected), "{threads}");
    }
    let table = ndarray::Array2::from_shape_fn((200_000, 2), |(row, k)| data[k][row]);
    let columns = [0, 1].map(|k| hpfracc_fit::Column::of(&table, k));
    let set = Set::new("data", &model).input(columns[0]).response(columns[1]);
    let found = Fit::new(set).unwrap().starts(5, 2).run().unwrap();
    assert_eq!(bits(&found), bits(&expected));
}

/// A fit with a search and projected parameters goes on from its checkpoints to the same bits.
#[test]
fn interruptions_do_not_show() {
    let (model, data) = wave();
    let run = |folder: &std::path::Path, passes: usize| {
        let fit = fit(&model, &data).starts(10, 2).max_passes(passes);
        fit.checkpoints(folder, std::time::Duration::ZERO).run().unwrap()
    };
    let folder = || tempfile::tempdir().unwrap();
    let whole = run(folder().path(), 1000);
    let folder = folder();
    for passes in 1..whole.passes() {
        assert!(run(folder.path(), passes).passes() <= passes + 1);
    }
    let found = run(folder.path(), 1000);
    assert_eq!((bits(&found), found.passes()), (bits(&whole), whole.passes()));
}

/// A search that is cancelled keeps no state, as it has another end than a whole one.
#[test]
fn a_cancelled_search_keeps_no_state() {
    let (model, data) = wave();
    let folder = tempfile::tempdir().unwrap();
    let run = |cancel: &AtomicBool| {
        let fit = fit(&model, &data).starts(10, 2).cancel(cancel);
        let found = fit.checkpoints(folder.path(), std::time::Duration::ZERO).run().unwrap();
        (found.outcome(), bits(&found))
    };
    assert_eq!(run(&AtomicBool::new(true)).0, Outcome::Cancelled);
    let whole = fit(&model, &data).starts(10, 2).run().unwrap();
    assert_eq!(run(&AtomicBool::new(false)).1, bits(&whole));
}

/// Linear parameters that are projected out, and the same ones with wide bounds, which are not.
#[test]
fn projection_does_not_change_minima() {
    let model = model("a exp(-x/tau) + b exp(-x/(4 tau)) + c + d sin(e x); e = 5; tau = 0.3");
    let of = |shift: f64| {
        points(500, |x| {
            shift + 2.0 * (-x / 0.4).exp() + 0.7 * (-x / 1.6).exp() + 0.2 * (5.3 * x).sin()
        })
    };
    let (data, other, sigma) = (of(0.5), of(1.5), vec![0.01; 500]);
    let one = || {
        let set = Set::new("one", &model).input(&data[0]).response(&data[1]).sigma(&sigma);
        Fit::new(set).unwrap()
    };
    let two = || {
        let first = Set::new("one", &model).input(&data[0]).response(&data[1]).sigma(&sigma);
        let second = Set::new("two", &model).input(&other[0]).response(&other[1]).sigma(&sigma);
        Fit::of(vec![first, second]).unwrap()
    };
    type Case<'a> = (&'a str, Box<dyn Fn() -> Fit<'a> + 'a>, Vec<&'a str>);
    let cases: [Case<'_>; 6] = [
        ("plain", Box::new(one), vec!["a", "b", "c", "d"]),
        ("a bound", Box::new(|| one().bounds("b", 0.0, 10.0).unwrap()), vec!["a", "c", "d"]),
        (
            "priors",
            Box::new(|| one().prior("tau", 0.5, 0.001).unwrap().prior("d", 0.1, 0.001).unwrap()),
            vec!["a", "b", "c"],
        ),
        ("a logarithm", Box::new(|| one().logarithmic("tau").unwrap()), vec!["a", "b", "c", "d"]),
        ("a tie", Box::new(|| one().tie("e", "2 tau + 4.5").unwrap()), vec!["a", "b", "c", "d"]),
        ("two sets", Box::new(|| two().own("c").unwrap()), vec!["a", "b", "c@one", "c@two", "d"]),
    ];
    for (name, fit, linear) in cases {
        let projected = fit().run().unwrap();
        let mut plain = fit();
        for parameter in linear {
            plain = plain.bounds(parameter, -1e9, 1e9).unwrap();
        }
        let plain = plain.run().unwrap();
        for (found, expected) in projected.estimates().iter().zip(plain.estimates()) {
            let (value, error) =
                (found.value / expected.value, found.standard_error.zip(expected.standard_error));
            assert!((value - 1.0).abs() < 1e-8, "{name}\n{projected}\n{plain}");
            let ratio = error.map_or(1.0, |(found, expected)| found / expected);
            assert!((ratio - 1.0).abs() < 1e-6, "{name}\n{projected}\n{plain}");
        }
        assert!(projected.passes() < plain.passes() + 3, "{name}\n{projected}\n{plain}");
    }
}

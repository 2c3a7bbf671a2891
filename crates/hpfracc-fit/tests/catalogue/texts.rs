//! Circuits, sums and transfer functions: their formulas, and what belongs to the text of every model.

use super::models;
use hpfracc_fit::{Grid, Model, catalogue};

#[test]
fn formulas_of_circuits() {
    for (text, formula) in [
        ("R0", "Z = R0"),
        (" R0 - C1 ", "Z = R0 + 1/(i omega C1)"),
        ("p(R1,C1-R2)", "Z = 1/(1/R1 + 1/(1/(i omega C1) + R2))"),
        ("p(R1,p(C1,L1))", "Z = 1/(1/R1 + i omega C1 + 1/(i omega L1))"),
        ("CPE12", "Z = 1/(CPE12_Q (i omega)^CPE12_n)"),
    ] {
        assert_eq!(catalogue::circuit(text).unwrap().entry().formula(), formula);
    }
}

/// What is in series with all others is linear; everything else is a positive scale.
#[test]
fn scales_of_circuits() {
    let model = catalogue::circuit("R0-p(R1,CPE1)-W1").unwrap();
    let of = |name: &str| model.parameters().iter().find(|known| known.name == name).unwrap();
    for (name, logarithmic) in
        [("R0", false), ("R1", true), ("CPE1_Q", true), ("CPE1_n", false), ("W1_A", false)]
    {
        assert_eq!(of(name).logarithmic, logarithmic, "{name}");
    }
    assert_eq!(of("R1").unit.as_deref(), Some("Ohm"));
}

#[test]
fn circuits_of_a_frequency() {
    let omega = catalogue::circuit("R0-p(R1,CPE1)").unwrap();
    let hertz = omega.clone().in_hertz().unwrap().in_hertz().unwrap();
    let turns = |f: f64| std::f64::consts::TAU * f;
    let [a, b] = [(omega, turns(3.0)), (hertz, 3.0)]
        .map(|(model, x)| model.values(&model.example(), &[vec![x]]).unwrap());
    assert_eq!(a, b);
}

#[test]
fn a_sum_is_the_sum_of_its_terms() {
    let sum = catalogue::sum("cole-cole + ohmic-conductivity").unwrap();
    let parts = ["cole-cole", "ohmic-conductivity"].map(|name| {
        let model = catalogue::find(name).unwrap();
        model.values(&model.example(), &[vec![0.3]]).unwrap()
    });
    let found = sum.values(&sum.example(), &[vec![0.3]]).unwrap();
    // The offset is in both.
    assert!((found[0][0] - (parts[0][0][0] + parts[1][0][0] - 2.0)).abs() < 1e-14);
    assert!((found[1][0] - (parts[0][1][0] + parts[1][1][0])).abs() < 1e-14);
}

#[test]
fn a_transfer_function_is_its_ratio() {
    let model = catalogue::transfer("b0 + b1 s", "1 + a1 s^(2 alpha)").unwrap();
    let orders: Vec<f64> = model.parameters().iter().map(|known| known.upper).collect();
    assert_eq!(orders, [f64::INFINITY, f64::INFINITY, f64::INFINITY, 4.0]);
    // (3 + 4 i)/(1 - 2) at omega = 1.
    let values = model.values(&[3.0, 4.0, 2.0, 1.0], &[vec![1.0]]).unwrap();
    assert!((values[0][0] + 3.0).abs() < 1e-14 && (values[1][0] + 4.0).abs() < 1e-14);
}

#[test]
fn constants_change_the_search() {
    let model = catalogue::find("xpcs-two-time").unwrap().with("q", 0.1).unwrap();
    let grid = model.parameters().iter().find(|known| known.name == "D0").unwrap().grid.clone();
    let Some(Grid::Powers { factor, input: 1, power: -1.0, response_power: 0.0 }) = grid else {
        panic!("{grid:?}");
    };
    assert!((factor - 100.0).abs() < 1e-9);
    assert!(model.parameters().iter().all(|known| known.name != "q"));
}

/// Parameters have a meaning and an example inside of their bounds; nonlinear ones have a place where a search begins.
#[test]
fn every_text_is_complete() {
    for model in models() {
        let (entry, inputs) = (model.entry(), model.example_inputs(5));
        assert!(!entry.title.is_empty() && !entry.about.is_empty() && !entry.source.is_empty());
        for (declared, example) in model.parameters().iter().zip(model.example()) {
            let note = entry.notes.iter().find(|note| note.name == declared.name);
            let meaning = note.map_or("", |note| note.meaning.as_str());
            assert!(!meaning.is_empty(), "{} {}", entry.name, declared.name);
            assert!(example >= declared.lower && example <= declared.upper, "{}", entry.name);
            assert!(declared.start.is_none());
        }
        let values = model.values(&model.example(), &inputs).unwrap();
        assert_eq!((inputs.len(), values.len()), (model.inputs(), model.responses()));
        assert!(values.iter().flatten().all(|value| value.is_finite()), "{}", entry.name);
    }
}

/// Every file of the folder is in the list.
#[test]
fn the_list_has_every_file() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/catalogue");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<String> =
        files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    // The others are circuits with a name.
    let is_file = |name: &&str| !catalogue::entry(name).unwrap().formula().starts_with("Z = ");
    let mut names: Vec<&str> = catalogue::names().filter(is_file).collect();
    files.sort();
    names.sort_unstable();
    assert_eq!(names, files);
}

//! Programs of the chapter "Fitting models to data": `cargo run --example book_fitting`.

use pictures::Outcome;

fn main() -> Outcome<()> {
    println!("{}", formula()?);
    let [alpha, error] = equation()?;
    println!("order {alpha:.3} +- {error:.3}");
    println!("rows of a file: {}", file()?);
    Ok(())
}

/// Numbers that scatter around 0 with a standard deviation of 1.
fn scatter(k: usize) -> f64 {
    ((k as f64 * 12.9898).sin() * 43_758.545_3).fract() * 12f64.sqrt() / 2.0
}

fn formula() -> Outcome<String> {
    let t: Vec<f64> = (0..40).map(|k| 0.1 * 1.15f64.powi(k)).collect();
    let of = |(k, t): (usize, &f64)| 2.0 * (-(t / 1.5).powf(0.6)).exp() + 0.1 + 0.01 * scatter(k);
    let y: Vec<f64> = t.iter().enumerate().map(of).collect();
    // ANCHOR: formula
    use hpfracc::equation::Formula;
    use hpfracc::fit::{Fit, FormulaModel, Set};

    let text = "y = a exp(-(t/tau)^s) + c; a = 1; tau = 1 in (0, inf); s = 0.8 in (0, 1]; c = 0";
    let model = FormulaModel::new(&[Formula::parse(text, &["t", "y"])?])?;
    let found = Fit::new(Set::new("decay", &model).input(&t).response(&y))?.run()?;

    let s = found.estimate("s").unwrap();
    assert!((s.value - 0.6).abs() < 2.0 * s.standard_error.unwrap());
    // Intervals: symmetric ones, and those of the profile likelihood.
    let (low, high) = found.interval("s", 0.95)?.unwrap();
    let profile = found.profile("s", 0.95)?;
    assert!((profile.interval.0.unwrap() - low).abs() < 0.1 * (high - low));
    // An expression of the parameters with its standard error.
    let (half, error) = found.derived("tau*ln(2)^(1/s)")?;
    assert!(half > 0.0 && error.unwrap() < half);
    // ANCHOR_END: formula
    Ok(found.to_string())
}

fn equation() -> Outcome<[f64; 2]> {
    // ANCHOR: equation
    use hpfracc::equation::Equation;
    use hpfracc::fit::{EquationModel, Fit, Set};

    let text = "D^alpha y = -y/tau; alpha = 0.9; tau = 1 in (0, inf); y(0) = a; a = 1";
    let equation = Equation::parse(text)?;
    let t = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0];
    let y = [2.00, 1.32, 1.06, 0.88, 0.76, 0.68, 0.61];
    let model = EquationModel::new(&equation, &["y"], &t)?;
    let found = Fit::new(Set::new("relaxation", &model).input(&t).response(&y))?.run()?;
    let alpha = found.estimate("alpha").unwrap();
    assert!((alpha.value - 0.7).abs() < 2.0 * alpha.standard_error.unwrap());
    // ANCHOR_END: equation
    Ok([alpha.value, alpha.standard_error.unwrap()])
}

fn file() -> Outcome<u64> {
    let folder = std::env::temp_dir().join(format!("hpfracc-book-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let path = folder.join("rows.f64");
    let row = |k: usize| {
        let t = k as f64 * 1e-4;
        [t, (-t / 0.8).exp() + 0.1 * scatter(k)]
    };
    let rows: Vec<u8> = (0..20_000).flat_map(row).flat_map(f64::to_le_bytes).collect();
    std::fs::write(&path, rows)?;
    // ANCHOR: file
    use hpfracc::equation::Formula;
    use hpfracc::fit::{Column, Fit, FormulaModel, RawFile, Set};

    // Rows of t and y in double precision, one after the other.
    let file = RawFile::open(&path, 2)?;
    let text = "y = a exp(-t/tau); a = 1; tau = 1 in (0, inf)";
    let model = FormulaModel::new(&[Formula::parse(text, &["t", "y"])?])?;
    let set = Set::new("file", &model).input(Column::of(&file, 0)).response(Column::of(&file, 1));
    let found = Fit::new(set)?.run()?;
    assert!((found.estimate("tau").unwrap().value - 0.8).abs() < 0.02);
    // ANCHOR_END: file
    let data = found.data();
    std::fs::remove_dir_all(&folder)?;
    Ok(data)
}

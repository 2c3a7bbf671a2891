//! Programs of the chapter "Fitting models to data": `cargo run --example book_fitting`.

use pictures::Outcome;

fn main() -> Outcome<()> {
    println!("{}", formula()?);
    let [alpha, error] = equation()?;
    println!("order {alpha:.3} +- {error:.3}");
    println!("order of a field {:.3}", fields()?);
    println!("rows of a file: {}", file()?);
    println!("times of decay: {:.3?}", batch()?);
    Ok(())
}

fn formula() -> Outcome<String> {
    // ANCHOR: formula
    use hpfracc::equation::Formula;
    use hpfracc::fit::{Fit, FormulaModel, Set};

    let t = [0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0];
    let y = [1.748, 1.573, 1.376, 1.171, 1.006, 0.839, 0.697, 0.547, 0.435, 0.297, 0.24, 0.155];
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

fn fields() -> Outcome<f64> {
    // ANCHOR: fields
    use hpfracc::equation::FieldEquation;
    use hpfracc::fit::{FieldModel, Fit, Set};
    use hpfracc::pde::FieldProblem;
    use hpfracc::spatial::{Axis, Boundary, BoxGrid};

    let text = "D^alpha u = kappa lap(u); alpha = 0.9; kappa = 0.2; u(0) = sin(pi x)";
    let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, 50, [Boundary::Dirichlet; 2])?])?;
    let problem = FieldProblem::on_box(FieldEquation::parse(text, &["x"])?, grid)?;
    // Two sensors, at x = 0.5 and at x = 0.2.
    let t = [0.1, 0.3, 0.6, 1.0, 0.1, 0.3, 0.6, 1.0];
    let x = [0.5, 0.5, 0.5, 0.5, 0.2, 0.2, 0.2, 0.2];
    let u = [0.811, 0.649, 0.512, 0.404, 0.477, 0.381, 0.301, 0.237];
    let model = FieldModel::new(problem, &["u"], &t, &[&x])?;
    let found = Fit::new(Set::new("sensors", &model).input(&t).input(&x).response(&u))?.run()?;
    let alpha = found.estimate("alpha").unwrap();
    assert!((alpha.value - 0.7).abs() < 0.02);
    // ANCHOR_END: fields
    Ok(alpha.value)
}

fn file() -> Outcome<u64> {
    // ANCHOR: file
    use hpfracc::equation::Formula;
    use hpfracc::fit::{Column, Fit, FormulaModel, RawFile, Set};

    // Rows of t and y in double precision, one after the other.
    let row = |k: usize| [0.001 * k as f64, (-0.001 * k as f64 / 0.8).exp()];
    let bytes: Vec<u8> = (0..20_000).flat_map(row).flat_map(f64::to_le_bytes).collect();
    let path = std::env::temp_dir().join("hpfracc-decay.f64");
    std::fs::write(&path, bytes)?;

    let file = RawFile::open(&path, 2)?;
    let text = "y = a exp(-t/tau); a = 1; tau = 1 in (0, inf)";
    let model = FormulaModel::new(&[Formula::parse(text, &["t", "y"])?])?;
    let set = Set::new("file", &model).input(Column::of(&file, 0)).response(Column::of(&file, 1));
    let found = Fit::new(set)?.run()?;
    assert!((found.estimate("tau").unwrap().value - 0.8).abs() < 1e-12);
    // ANCHOR_END: file
    Ok(found.data())
}

fn batch() -> Outcome<Vec<f64>> {
    // ANCHOR: batch
    use hpfracc::equation::Formula;
    use hpfracc::fit::{Batch, FormulaModel};
    use hpfracc::ndarray::Array2;

    let t: Vec<f64> = (0..64).map(|k| 0.1 * k as f64).collect();
    // A thousand curves, a row each, with decay times of their own.
    let tau = |curve: usize| 0.5 + 0.002 * curve as f64;
    let curves = Array2::from_shape_fn((1000, 64), |(i, k)| 2.0 * (-t[k] / tau(i)).exp() + 0.1);

    let text = "y = a exp(-t/tau) + c; a = 1; tau = 1 in (0, inf); c = 0";
    let model = FormulaModel::new(&[Formula::parse(text, &["t", "y"])?])?;
    let found = Batch::new("decays", &model).input(&t).response(curves.view()).run()?;
    assert!(found.failures().is_empty());
    let taus = found.value("tau")?;
    assert!(taus.iter().enumerate().all(|(curve, found)| (found - tau(curve)).abs() < 1e-9));
    // ANCHOR_END: batch
    Ok(taus.iter().step_by(250).copied().collect())
}

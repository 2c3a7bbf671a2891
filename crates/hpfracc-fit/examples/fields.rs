//! Times of fits of fractional partial differential equations, and of the solves in them.

use hpfracc_equation::FieldEquation;
use hpfracc_fit::{FieldModel, Fit, Model, Set};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_pde::FieldProblem;
use hpfracc_spatial::{Axis, Boundary, BoxGrid};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let linear = "D^alpha u = kappa lap(u); alpha = 0.9; kappa = 0.2; u(0) = exp(-x^2/0.05)";
    let fisher = "D^alpha u = kappa lap(u) + r u (1 - u); alpha = 0.95; kappa = 0.05; r = 2
                  u(0) = 1/(1 + exp((x + 0.6)/0.05))";
    for (name, text, truth) in
        [("linear", linear, vec![0.7, 0.1]), ("Fisher", fisher, vec![0.85, 0.02, 3.0])]
    {
        let axis = Axis::new(-1.0, 1.0, 200, [Boundary::Neumann; 2])?;
        let grid = BoxGrid::new(vec![axis])?;
        let problem = FieldProblem::on_box(FieldEquation::parse(text, &["x"])?, grid.clone())?;
        let times: Vec<f64> = (1..=10).map(|k| 0.1 * f64::from(k)).collect();
        let columns = FieldModel::points(&grid, &times);
        let model = FieldModel::new(problem, &["u"], &columns[0], &[&columns[1]])?;
        let lanes = columns[0].len();
        let (inputs, mut u) = (columns.concat(), vec![0.0; lanes]);
        let values = |out: &mut [f64]| -> Result<f64, Box<dyn std::error::Error>> {
            let begin = Instant::now();
            model.at(&truth)?.values(Rows::new(&inputs, lanes), RowsMut::new(out, lanes));
            Ok(begin.elapsed().as_secs_f64())
        };
        values(&mut u)?;
        let solve = values(&mut u)?;
        for (k, u) in u.iter_mut().enumerate() {
            *u += 0.01 * ((k as f64 * 12.9898).sin() * 43_758.545_3).fract();
        }
        let set = Set::new("fields", &model).input(&columns[0]).input(&columns[1]).response(&u);
        let begin = Instant::now();
        let found = Fit::new(set)?.run()?;
        let seconds = begin.elapsed().as_secs_f64();
        println!(
            "{name}: solve with evaluation {:.2} ms, fit {:.1} ms in {} passes, {:.1} solves a pass",
            1e3 * solve,
            1e3 * seconds,
            found.passes(),
            seconds / solve / found.passes() as f64
        );
        for of in found.estimates() {
            println!("  {} = {} +- {:?}", of.name, of.value, of.standard_error);
        }
    }
    Ok(())
}

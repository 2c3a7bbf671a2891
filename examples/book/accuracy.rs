//! Programs of the chapter "Accuracy": `cargo run --example book_accuracy`.

use hpfracc::prelude::*;
use pictures::Outcome;

fn main() -> Outcome<()> {
    order()?;
    against_loops()?;
    conformance_suite()?;
    precision()
}

fn order() -> Outcome<()> {
    // ANCHOR: order
    use hpfracc::special::gamma;

    // D^0.4 t^2 = Gamma(3)/Gamma(2.6) t^1.6. L1 is of order 2 - alpha: 1.6.
    let alpha = 0.4;
    let exact = gamma(3.0) / gamma(3.0 - alpha); // at t = 1
    let mut errors = Vec::new();
    for n in [1000, 4000] {
        let grid = Grid::uniform(n + 1, 1.0 / n as f64)?;
        let caputo = Caputo::l1(Order::new(alpha)?)?.on(grid, &Machine::detect())?;
        let square: Array1<f64> = grid.points().map(|t| t * t).collect();
        errors.push((caputo.apply(square.view())?[n] - exact).abs());
    }
    let order = (errors[0] / errors[1]).log(4.0);
    assert!((order - 1.6).abs() < 0.05);
    // ANCHOR_END: order
    println!("errors {errors:?}: order {order:.2}");
    Ok(())
}

fn against_loops() -> Outcome<()> {
    // ANCHOR: reference
    use hpfracc::backend::Reference;

    let largest = |x: &Array1<f64>| x.fold(0.0f64, |largest, value| largest.max(value.abs()));
    let grid = Grid::uniform(3000, 0.001)?;
    let signal: Array1<f64> = grid.points().map(|t| (9.0 * t).sin() + t).collect();
    let caputo = Caputo::l1(Order::new(0.5)?)?;
    let by_loops = caputo.on(grid, &Reference)?.apply(signal.view())?;
    let by_transforms = caputo.on(grid, &Machine::only("cpu-fft")?)?.apply(signal.view())?;
    let error = largest(&(&by_loops - &by_transforms));
    assert!(error < 1e-13 * largest(&by_loops));
    // ANCHOR_END: reference
    println!("loops and transforms differ by {error:.1e}");
    Ok(())
}

fn conformance_suite() -> Outcome<()> {
    // ANCHOR: conformance
    use hpfracc::backend::{Kind, conformance};

    let claims = [Kind::CausalConvolution, Kind::SpectralMultiplier, Kind::TrigonometricMultiplier];
    let report = conformance::verify::<f64>(&Machine::only("cpu-fft")?, &claims, 1e-13)?;
    println!("{} maps compared, worst {:.1e}", report.maps, report.worst);
    // ANCHOR_END: conformance
    assert!(report.maps > 30 && report.worst < 1e-14);
    Ok(())
}

fn precision() -> Outcome<()> {
    // ANCHOR: single
    let grid = Grid::uniform(3000, 0.001)?;
    let signal: Array1<f64> = grid.points().map(|t| (9.0 * t).sin()).collect();
    let caputo = Caputo::l1(Order::new(0.5)?)?;
    let double = caputo.on(grid, &Machine::detect())?.apply(signal.view())?;
    let single = caputo.on(grid, &Machine::detect())?.apply(signal.mapv(|x| x as f32).view())?;
    let largest = |x: &Array1<f64>| x.fold(0.0f64, |largest, value| largest.max(value.abs()));
    let error = largest(&(&double - &single.mapv(f64::from))) / largest(&double);
    assert!(error < 1e-4);
    // ANCHOR_END: single
    println!("f32 differs from f64 by {error:.1e} of the largest value");
    assert!(error > 1e-9);
    Ok(())
}

pictures::runs_with_the_tests!();

//! The programs of the chapter "Accuracy, and how we know": `cargo run --example book_accuracy`.

use hpfracc::backend::{Kind, Reference, conformance};
use hpfracc::ndarray::Array1;
use hpfracc::prelude::*;
use hpfracc::special::gamma;
use pictures::{Outcome, largest};

fn main() -> Outcome<()> {
    order()?;
    against_loops()?;
    rounding()?;
    precision()
}

fn order() -> Outcome<()> {
    // ANCHOR: order
    // D^0.4 t^2 = Gamma(3)/Gamma(2.6) t^1.6. L1 is of order 2 - alpha: 1.6.
    let alpha = 0.4;
    let error = |n: usize| -> Outcome<f64> {
        let grid = Grid::uniform(n + 1, 1.0 / n as f64)?;
        let derivative = Caputo::l1(Order::new(alpha)?)?.on(grid, &Machine::detect())?;
        let found =
            derivative.apply(grid.points().map(|t| t * t).collect::<Array1<f64>>().view())?;
        Ok((found[n] - gamma(3.0) / gamma(3.0 - alpha)).abs())
    };
    let (coarse, fine) = (error(1000)?, error(4000)?);
    let order = (coarse / fine).log(4.0);
    assert!((order - 1.6).abs() < 0.05);
    // ANCHOR_END: order
    println!("errors {coarse:.1e} and {fine:.1e}: order {order:.2}");
    Ok(())
}

fn against_loops() -> Outcome<()> {
    // ANCHOR: reference
    let grid = Grid::uniform(3000, 0.001)?;
    let record: Array1<f64> = grid.points().map(|t| (9.0 * t).sin() + t).collect();
    let caputo = Caputo::l1(Order::new(0.5)?)?;
    let by_loops = caputo.on(grid, &Reference)?.apply(record.view())?;
    let by_transforms = caputo.on(grid, &Machine::only("cpu-fft")?)?.apply(record.view())?;
    let error = largest((&by_loops - &by_transforms).as_slice().unwrap_or_default());
    assert!(error < 1e-13 * largest(by_loops.as_slice().unwrap_or_default()));
    // ANCHOR_END: reference
    println!("loops and transforms differ by {error:.1e}");
    Ok(())
}

fn rounding() -> Outcome<()> {
    // ANCHOR: conformance
    let claims = [Kind::CausalConvolution, Kind::SpectralMultiplier];
    let report = conformance::verify::<f64>(&Machine::only("cpu-fft")?, &claims, 1e-13)?;
    println!("{} maps compared, worst {:.1e}", report.maps, report.worst);
    // ANCHOR_END: conformance
    assert!(report.maps > 30 && report.worst < 1e-14);
    Ok(())
}

fn precision() -> Outcome<()> {
    // ANCHOR: single
    let grid = Grid::uniform(3000, 0.001)?;
    let record: Array1<f64> = grid.points().map(|t| (9.0 * t).sin()).collect();
    let caputo = Caputo::l1(Order::new(0.5)?)?;
    let double = caputo.on(grid, &Machine::detect())?.apply(record.view())?;
    let single = caputo.on(grid, &Machine::detect())?.apply(record.mapv(|x| x as f32).view())?;
    let errors: Vec<f64> =
        double.iter().zip(&single).map(|(d, s)| (d - f64::from(*s)).abs()).collect();
    let error = largest(&errors) / largest(double.as_slice().unwrap_or_default());
    // ANCHOR_END: single
    println!("f32 differs from f64 by {error:.1e} of the largest value");
    assert!(error > 1e-9 && error < 1e-4);
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_the_chapter_says_holds() {
        super::main().unwrap();
    }
}

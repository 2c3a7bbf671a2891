//! Programs of the chapter "Functions and transforms": `cargo run --example book_functions`.

use hpfracc::prelude::*;
use pictures::Outcome;

fn main() -> Outcome<()> {
    functions()?;
    transform()
}

fn functions() -> Outcome<()> {
    // ANCHOR: mittag_leffler
    use hpfracc::special::{Complex64, MittagLeffler, erfcx, mittag_leffler};

    let e = MittagLeffler::new(0.5, 1.0)?; // alpha and beta, for any number of arguments
    assert!((e.eval(-1.0) - erfcx(1.0)).abs() < 1e-15); // E_1/2(-x) = exp(x^2) erfc(x)
    let mut values = [0.0; 3];
    e.eval_slice(&[-0.1, -10.0, -1000.0], &mut values)?; // on all threads if the slice is long
    let complex = e.eval_complex(Complex64::new(0.0, 2.0));
    let slope = e.derivative(-1.0, 1); // the first derivative in the argument

    let once = mittag_leffler(0.8, 1.0, -1.0)?; // alpha, beta, argument
    // ANCHOR_END: mittag_leffler
    println!("{values:?}, {complex}, slope {slope}, E_0.8(-1) = {once}");
    assert!((values[1] - erfcx(10.0)).abs() < 1e-15);
    assert!((complex.re - (-4f64).exp()).abs() < 1e-15); // E_1/2(iy) = exp(-y^2) (1 + i ..)
    assert!((slope - (std::f64::consts::FRAC_2_SQRT_PI - 2.0 * erfcx(1.0))).abs() < 1e-14);
    assert!((MittagLeffler::new(0.8, 1.0)?.eval(-1.0) - once).abs() < 1e-15);
    Ok(())
}

fn transform() -> Outcome<()> {
    // ANCHOR: fourier
    use hpfracc::transforms::num_complex::Complex;
    use hpfracc::transforms::{FractionalFourier, Transform};
    use std::f64::consts::PI;

    let half = FractionalFourier::<f64>::new(256, 0.5)?; // samples, order
    let pulse: Array1<Complex<f64>> =
        half.coordinates().mapv(|u| Complex::from((-PI * (u - 1.0) * (u - 1.0)).exp()));
    let twice = half.apply(half.apply(pulse.view())?.view())?;
    let whole = FractionalFourier::<f64>::new(256, 1.0)?.apply(pulse.view())?;
    assert!(twice.iter().zip(&whole).all(|(a, b)| (a - b).norm() < 1e-13));
    // ANCHOR_END: fourier
    // The pulse at u = 1 is a wave under the same Gaussian, here at frequency 0.
    assert!((whole[128] - Complex::from(1.0)).norm() < 1e-13);
    println!("two half transforms are one");
    Ok(())
}

pictures::runs_with_the_tests!();

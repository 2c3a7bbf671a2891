//! After the first call, applying a transform allocates nothing.

use hpfracc_testkit::CountingAllocator;
use hpfracc_transforms::{DiscreteFractionalFourier, FractionalDft, FractionalFourier, Transform};
use ndarray::{Array1, Array2, Axis};
use num_complex::Complex;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

fn check<F: Transform<f64>>(rows: &F, columns: &F) {
    let (n, m) = rows.lens();
    let one = Complex::new(1.0, 0.5);
    let (x, mut y) = (Array1::from_elem(n, one), Array1::from_elem(m, one));
    let (many, mut result) = (Array2::from_elem((n, 3), one), Array2::from_elem((m, 3), one));
    let mut run = || {
        let mut back = x.clone();
        let before = ALLOCATOR.calls();
        rows.apply_into(x.view(), y.view_mut()).unwrap();
        rows.vjp_into(y.view(), back.view_mut()).unwrap();
        columns.apply_into(many.view(), result.view_mut()).unwrap();
        ALLOCATOR.calls() - before
    };
    assert!(run() > 0, "the first call takes its scratch memory");
    assert_eq!(run(), 0);
}

#[test]
fn apply_into_and_vjp_into_allocate_nothing_once_warm() {
    // Odd, even, and a prime that the FFT goes about in another way.
    for n in [100, 101, 1009] {
        for order in [0.3, 1.2] {
            let make = || FractionalFourier::new(n, order).unwrap();
            check(&make(), &make().along(Axis(0)));
        }
        let make = || FractionalDft::zoom(n, 70, 0.1, 0.01).unwrap();
        check(&make(), &make().along(Axis(0)));
    }
    let make = || DiscreteFractionalFourier::new(65, 0.3).unwrap();
    check(&make(), &make().along(Axis(0)));
}

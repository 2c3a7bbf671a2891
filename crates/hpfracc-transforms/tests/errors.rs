//! What is refused, with which words, and that nothing is written then.

use hpfracc_transforms::{
    DiscreteFractionalFourier, FractionalDft, FractionalFourier, Transform, TransformError,
};
use ndarray::{Array1, Array2, ArrayView, Axis, arr0};
use num_complex::Complex;

type C = Complex<f64>;

#[test]
fn orders_and_frequencies_that_are_no_numbers() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let refused = |result: Result<(), TransformError>| {
            assert!(matches!(result, Err(TransformError::NotFinite { .. })), "{value}: {result:?}");
        };
        refused(FractionalFourier::<f64>::new(8, value).map(drop));
        refused(DiscreteFractionalFourier::<f64>::new(8, value).map(drop));
        refused(DiscreteFractionalFourier::<f64>::new(8, 0.5).unwrap().at(value).map(drop));
        refused(FractionalFourier::<f64>::new(8, 0.5).unwrap().at(value).map(drop));
        refused(FractionalDft::<f64>::new(8, value).map(drop));
        refused(FractionalDft::<f64>::zoom(8, 8, value, 0.1).map(drop));
    }
    let error = FractionalFourier::<f32>::new(8, f64::INFINITY).unwrap_err();
    assert_eq!(error.to_string(), "fractional Fourier: order is inf, expected a finite number");
}

#[test]
fn lengths_too_small_or_too_large() {
    let refused = |result: Result<(), TransformError>| {
        assert!(matches!(result, Err(TransformError::Length { .. })), "{result:?}");
    };
    for n in [0, 1, (1 << 25) + 1, usize::MAX] {
        refused(FractionalFourier::<f64>::new(n, 0.5).map(drop));
        refused(DiscreteFractionalFourier::<f64>::new(n, 0.5).map(drop));
    }
    refused(DiscreteFractionalFourier::<f64>::new(2049, 0.5).map(drop));
    for n in [0, (1 << 25) + 1] {
        refused(FractionalDft::<f64>::zoom(n, 1, 0.0, 0.5).map(drop));
        refused(FractionalDft::<f64>::zoom(1, n, 0.0, 0.5).map(drop));
    }
    let error = DiscreteFractionalFourier::<f64>::new(1, 0.5).unwrap_err();
    let text = "discrete fractional Fourier: number of samples is 1, expected 2 to 2048";
    assert_eq!(error.to_string(), text);
}

/// Every array that does not fit, for a transform of 6 samples to m.
fn misfits<F: Transform<f64>>(transform: &F) {
    let (n, m) = transform.lens();
    let mark = C::new(7.0, -7.0);
    let mut out = Array1::from_elem(m, mark);
    let short = Array1::<C>::zeros(n - 1);
    let error = transform.apply_into(short.view(), out.view_mut()).unwrap_err();
    let expected =
        TransformError::AxisLength { argument: "samples", axis: 0, found: n - 1, expected: n };
    assert_eq!(error, expected);
    assert!(transform.apply(short.view()).is_err());
    assert!(out.iter().all(|y| *y == mark), "written");

    let mut wrong = Array1::from_elem(m + 1, mark);
    let x = Array1::<C>::zeros(n);
    let error = transform.apply_into(x.view(), wrong.view_mut()).unwrap_err();
    assert!(matches!(error, TransformError::Shape { argument: "result", .. }), "{error}");
    assert!(transform.forward(x.view(), wrong.view_mut()).is_err());
    let error = transform.vjp_into(wrong.view(), Array1::zeros(n).view_mut()).unwrap_err();
    assert!(matches!(error, TransformError::AxisLength { argument: "result_gradient", .. }));
    assert!(transform.adjoint(wrong.view(), Array1::zeros(n).view_mut()).is_err());
    assert!(wrong.iter().all(|y| *y == mark), "written");

    let error = transform.apply(arr0(mark).view()).unwrap_err();
    assert_eq!(error, TransformError::NoSuchAxis { axis: 0, ndim: 0 });
    // One row seen 2^60 times: the result could not be had.
    let row = Array2::<C>::zeros((1, n));
    let many = row.broadcast((1 << 60, n)).unwrap();
    assert!(matches!(transform.apply(many).unwrap_err(), TransformError::TooLarge { .. }));
    // No signals, no results.
    let none = ArrayView::from_shape((0, n), &[]).unwrap();
    assert_eq!(transform.apply(none).unwrap().shape(), [0, m]);
}

#[test]
fn arrays_that_do_not_fit() {
    misfits(&FractionalFourier::new(6, 0.7).unwrap());
    misfits(&FractionalFourier::new(6, 2.0).unwrap());
    misfits(&DiscreteFractionalFourier::new(6, 0.7).unwrap());
    misfits(&FractionalDft::zoom(6, 4, 0.0, 0.1).unwrap());
    let there_is_one = FractionalFourier::<f64>::new(6, 0.7).unwrap().along(Axis(1));
    let error = there_is_one.apply(Array1::zeros(6).view()).unwrap_err();
    assert_eq!(error.to_string(), "axis 1 of an array with 1 axes");
}

#[test]
fn gradients_of_arrays_that_differ() {
    let (x, ybar) = (Array2::<C>::zeros((2, 6)), Array2::<C>::zeros((3, 6)));
    let sampled = FractionalFourier::new(6, 0.7).unwrap();
    let error = sampled.vjp_order(x.view(), ybar.view()).unwrap_err();
    assert!(matches!(error, TransformError::Shape { argument: "result_gradient", .. }));
    let discrete = DiscreteFractionalFourier::new(6, 0.7).unwrap();
    assert!(discrete.vjp_order(x.view(), ybar.view()).is_err());
    assert!(discrete.vjp_order(x.t(), x.t()).is_err());
}

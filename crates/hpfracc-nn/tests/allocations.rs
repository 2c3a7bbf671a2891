//! After the first pass of a shape no layer allocates, forward or backward.

use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_nn::{
    Activation, Backward, Dense, Forward, FractionalConv1d, FractionalDense, FractionalDerivative,
    FractionalRnn, FractionalScheme, Layer, LayerOrder, Pass, States, Tape,
};
use hpfracc_sde::noise::Normals;
use hpfracc_testkit::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

/// One test: the counter sees the whole process, and two tests run at the same time.
#[test]
fn layers_allocate_nothing() {
    let length = 40;
    for order in [
        LayerOrder::Fixed(0.4),
        LayerOrder::Learnable { lower: 0.0, upper: 1.0, start: 0.5 },
        LayerOrder::LearnableEach { lower: 0.0, upper: 1.0, start: 0.5 },
    ] {
        let scheme = FractionalScheme::IntegralTrapezoid;
        let derivative = FractionalDerivative::new(2, length, 0.1, scheme, order).unwrap();
        let cell = FractionalRnn::new(2, 3, length, 0.1, order).unwrap();
        check("FractionalDerivative", &derivative);
        let long = FractionalDerivative::new(2, 300, 0.1, scheme, order).unwrap();
        check("FractionalDerivative by transforms", &long);
        check("FractionalDense", &FractionalDense::new(derivative, 3, Activation::Gelu));
        check("FractionalConv1d", &FractionalConv1d::new(2, 3, length, 5, order).unwrap());
        check("FractionalRnn", &cell);
        check("FractionalRnn, last", &cell.returning(States::Last));
    }
    check("Dense", &Dense::new(9, 7, Activation::Tanh));
}

fn check(name: &str, layer: &dyn Layer<f64>) {
    let lanes = 5;
    let rows = |rows: usize| vec![0.1; rows * lanes];
    let mut theta = vec![0.0; layer.parameters()];
    layer.initialise(&Normals::new(1), 0, &mut theta);
    let (x, mut y, mut ybar) = (rows(layer.inputs()), rows(layer.outputs()), rows(layer.outputs()));
    let (mut saved, mut scratch, mut xbar) =
        (rows(layer.saved()), rows(layer.scratch()), rows(layer.inputs()));
    let mut thetabar = theta.clone();
    let mut pass = || {
        let x = Rows::new(&x, lanes);
        let (own, out) = (RowsMut::new(&mut saved, lanes), RowsMut::new(&mut y, lanes));
        layer.forward(Forward { pass: Pass::Evaluate, theta: &theta, x, saved: own, y: out });
        let tape = Tape { x, saved: Rows::new(&saved, lanes), y: Rows::new(&y, lanes) };
        layer.vjp(Backward {
            theta: &theta,
            tape,
            ybar: RowsMut::new(&mut ybar, lanes),
            xbar: Some(RowsMut::new(&mut xbar, lanes)),
            thetabar: &mut thetabar,
            scratch: RowsMut::new(&mut scratch, lanes),
        });
    };
    pass();
    let before = ALLOCATOR.calls();
    (0..3).for_each(|_| pass());
    assert_eq!(ALLOCATOR.calls() - before, 0, "{name}");
}

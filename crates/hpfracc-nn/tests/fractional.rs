//! Layers with a memory in time: against the operators, in their limits, learning an order.

use hpfracc_backend::{Backend, BackendError, Plan, Reference, Workload};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_nn::{
    Activation, Backward, BoundedOrder, Forward, FractionalConv1d, FractionalDense,
    FractionalDerivative, FractionalRnn, FractionalScheme, Layer, LayerOrder, Network,
    NetworkError, OperatorLayer, Pass, Scalar, States, Tape,
};
use hpfracc_operators::ndarray::Array2;
use hpfracc_operators::{Caputo, GrunwaldLetnikov, Operator, RlIntegral};
use hpfracc_sde::noise::{Normals, Purpose, Stream};
use hpfracc_types::{Grid, Order};
use std::sync::Arc;

use FractionalScheme::{CaputoL1, GrunwaldLetnikov as Letnikov, IntegralTrapezoid};

/// A layer with its parameters and rows.
struct Run<'a, T: Scalar> {
    layer: &'a dyn Layer<T>,
    theta: Vec<T>,
    lanes: usize,
    saved: Vec<T>,
    y: Vec<T>,
    scratch: Vec<T>,
    thetabar: Vec<T>,
}

impl<'a, T: Scalar> Run<'a, T> {
    fn new(layer: &'a dyn Layer<T>, lanes: usize) -> Self {
        let zeros = |rows: usize| vec![T::zero(); rows * lanes];
        let mut theta = vec![T::zero(); layer.parameters()];
        layer.initialise(&Normals::new(5), 0, &mut theta);
        let (saved, y, scratch) =
            (zeros(layer.saved()), zeros(layer.outputs()), zeros(layer.scratch()));
        let thetabar = vec![T::zero(); theta.len()];
        Self { layer, theta, lanes, saved, y, scratch, thetabar }
    }

    fn forward(&mut self, x: &[T]) -> &[T] {
        let (lanes, x) = (self.lanes, Rows::new(x, self.lanes));
        let (saved, y) = (RowsMut::new(&mut self.saved, lanes), RowsMut::new(&mut self.y, lanes));
        self.layer.forward(Forward { pass: Pass::Evaluate, theta: &self.theta, x, saved, y });
        &self.y
    }

    fn back(&mut self, x: &[T], ybar: &mut [T], xbar: Option<&mut [T]>) {
        let lanes = self.lanes;
        let (saved, y) = (Rows::new(&self.saved, lanes), Rows::new(&self.y, lanes));
        self.layer.vjp(Backward {
            theta: &self.theta,
            tape: Tape { x: Rows::new(x, lanes), saved, y },
            ybar: RowsMut::new(ybar, lanes),
            xbar: xbar.map(|xbar| RowsMut::new(xbar, lanes)),
            thetabar: &mut self.thetabar,
            scratch: RowsMut::new(&mut self.scratch, lanes),
        });
    }
}

fn derivative(
    length: usize,
    dt: f64,
    scheme: FractionalScheme,
    alpha: f64,
) -> FractionalDerivative {
    FractionalDerivative::new(1, length, dt, scheme, LayerOrder::Fixed(alpha)).unwrap()
}

/// Powers of t on each lane, from t^0 on.
fn powers(length: usize, dt: f64, lanes: usize) -> Vec<f64> {
    let exponent = |lane: usize| [0.0, 0.5, 1.0, 2.0, 3.3][lane % 5];
    let row = |n: usize| (0..lanes).map(move |lane| (n as f64 * dt).powf(exponent(lane)));
    (0..length).flat_map(row).collect()
}

#[test]
fn derivatives_are_those_of_the_operators() {
    // Sums, and transforms, whose rounding is relative to the largest sample and weight of two lanes:
    // which ones depends on the width of registers.
    for (length, bound) in [(2, 1e-14), (100, 1e-14), (300, 1e-13), (513, 1e-13)] {
        against_operators(length, bound);
    }
}

fn against_operators(length: usize, bound: f64) {
    let lanes = 5;
    let (alpha, dt) = (0.7, 1.0 / 64.0);
    let order = Order::new(alpha).unwrap();
    let operators: [(FractionalScheme, Arc<dyn Operator>); 3] = [
        (Letnikov, Arc::new(GrunwaldLetnikov::new(order))),
        (CaputoL1, Arc::new(Caputo::l1(order).unwrap())),
        (IntegralTrapezoid, Arc::new(RlIntegral::trapezoid(order).unwrap())),
    ];
    let x = powers(length, dt, lanes);
    for (scheme, operator) in operators {
        let layer = derivative(length, dt, scheme, alpha);
        let y = Run::new(&layer, lanes).forward(&x).to_vec();
        let operator = operator.on(Grid::uniform(length, dt).unwrap(), &Reference).unwrap();
        let signals = Array2::from_shape_vec((length, lanes), x.clone()).unwrap();
        let exact = operator.along(hpfracc_operators::ndarray::Axis(0)).unwrap();
        let exact = exact.apply(signals.view()).unwrap();
        let of_lane = |lane| exact.column(lane).iter().fold(0.0f64, |a, b| a.max(b.abs()));
        let of_all = (0..lanes).map(of_lane).fold(0.0f64, f64::max);
        for lane in 0..lanes {
            let largest = if length < 256 { of_lane(lane) } else { of_all };
            for (n, exact) in exact.column(lane).iter().enumerate() {
                let error = (y[n * lanes + lane] - exact).abs();
                assert!(error <= bound * largest, "{scheme:?} {n} {lane}: {error:e}");
            }
        }
    }
}

/// Where transforms take over, for which differences along every input would take long: the
/// transpose by `<y, D x> = <D' y, x>`, the gradient in the order by differences.
#[test]
fn gradients_of_long_series() {
    for scheme in [Letnikov, CaputoL1, IntegralTrapezoid] {
        for (length, lanes) in [(64, 33), (300, 2), (513, 17)] {
            let order = LayerOrder::Learnable { lower: 0.0, upper: 1.0, start: 0.6 };
            let layer = FractionalDerivative::new(1, length, 0.1, scheme, order).unwrap();
            let mut run = Run::new(&layer, lanes);
            let number = |i: usize| ((i * 7919 + 13) % 1009) as f64 / 504.5 - 1.0;
            let x: Vec<f64> = (0..length * lanes).map(number).collect();
            let c: Vec<f64> = (0..x.len()).map(|i| number(i + 77)).collect();
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let loss = dot(run.forward(&x), &c);
            let mut xbar = vec![0.0; x.len()];
            run.back(&x, &mut c.clone(), Some(&mut xbar));
            assert!((dot(&xbar, &x) - loss).abs() < 1e-11 * x.len() as f64, "{scheme:?} {length}");
            let found = run.thetabar[0];
            let (r, h) = (run.theta[0], 1e-3);
            let mut at = |r: f64| {
                run.theta[0] = r;
                dot(run.forward(&x), &c)
            };
            let near = (at(r + h) - at(r - h)) / (2.0 * h);
            let far = (at(r + 2.0 * h) - at(r - 2.0 * h)) / (4.0 * h);
            let expected = (4.0 * near - far) / 3.0;
            let error = (found - expected).abs() / expected.abs().max(1.0);
            assert!(error < 1e-8, "{scheme:?} {length}: {found} {expected}");
        }
    }
}

#[test]
fn whole_orders_are_differences_and_sums() {
    let (length, dt) = (9, 0.5);
    let x: Vec<f64> = (0..length).map(|n| ((n * n * 7) % 11) as f64).collect();
    let of =
        |scheme, alpha| Run::new(&derivative(length, dt, scheme, alpha), 1).forward(&x).to_vec();
    let before = |n: usize| if n == 0 { 0.0 } else { x[n - 1] };
    let differences: Vec<f64> = (0..length).map(|n| (x[n] - before(n)) / dt).collect();
    let sums: Vec<f64> =
        (0..length).map(|n| (1..=n).map(|j| dt * (x[j] + x[j - 1]) / 2.0).sum()).collect();
    assert_eq!(of(Letnikov, 0.0), x);
    assert_eq!(of(Letnikov, 1.0), differences);
    assert_eq!(of(IntegralTrapezoid, 0.0), x);
    let close = |found: Vec<f64>, exact: &[f64]| {
        found.iter().zip(exact).for_each(|(a, b)| assert!((a - b).abs() < 1e-13, "{a} {b}"));
    };
    close(of(IntegralTrapezoid, 1.0), &sums);
    // L1 starts at the first sample, whatever that is.
    let changes: Vec<f64> = x.iter().map(|x_n| x_n - x[0]).collect();
    assert_eq!(of(CaputoL1, 0.0), changes);
    let mut slopes = differences;
    slopes[0] = 0.0;
    close(of(CaputoL1, 1.0), &slopes);
}

/// A learned order may come to the ends of its range by rounding, where gradients stay finite.
#[test]
fn gradients_at_the_ends_are_finite() {
    for (scheme, upper) in [(Letnikov, 2.0), (CaputoL1, 1.0), (IntegralTrapezoid, 1.0)] {
        let order = LayerOrder::Learnable { lower: 0.0, upper, start: 0.5 };
        let layer = FractionalDerivative::new(1, 20, 0.1, scheme, order).unwrap();
        let x = powers(20, 0.1, 1);
        for r in [-800.0, 800.0] {
            let mut run = Run::new(&layer, 1);
            run.theta[0] = r;
            let y = run.forward(&x).to_vec();
            let mut xbar = vec![0.0; 20];
            run.back(&x, &mut y.clone(), Some(&mut xbar));
            let all = y.iter().chain(&xbar).chain(&run.thetabar);
            assert!(all.clone().all(|v| v.is_finite()), "{scheme:?} {r}");
        }
        // An order that is no number makes results that are none.
        let mut run = Run::new(&layer, 1);
        run.theta[0] = f64::NAN;
        assert!(run.forward(&x)[19].is_nan(), "{scheme:?}");
    }
}

/// One signal at a time, and no more.
#[derive(Clone)]
struct OneSignal;

impl Backend<f64> for OneSignal {
    fn name(&self) -> &str {
        "one-signal"
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<f64>>, BackendError> {
        if workload.batch() == 1 {
            return Reference.plan(workload);
        }
        let (backend, reason) = (Backend::name(self).to_owned(), "more than one signal");
        Err(BackendError::Unsupported { backend, workload, reason })
    }
}

#[test]
fn the_failure_of_a_backend_is_reported() {
    let grid = Grid::uniform(8, 0.1).unwrap();
    let half = GrunwaldLetnikov::new(Order::new(0.5).unwrap());
    let layer = OperatorLayer::new(half, 1, grid, &OneSignal).unwrap();
    assert!(Run::new(&layer, 1).forward(&[1.0; 8]).iter().all(|y| y.is_finite()));
    assert!(layer.failure().is_none());
    assert!(Run::new(&layer, 2).forward(&[1.0; 16]).iter().all(|y| y.is_nan()));
    assert!(layer.failure().unwrap().to_string().contains("more than one signal"));
    let half = GrunwaldLetnikov::new(Order::new(0.5).unwrap());
    assert!(OperatorLayer::<f64>::new(half, 0, grid, &OneSignal).is_err());
}

#[test]
fn caputo_of_constants_is_zero_in_single_precision() {
    let layer = derivative(200, 0.01, CaputoL1, 0.6);
    let y = Run::<f32>::new(&layer, 3).forward(&[1e6; 600]).to_vec();
    assert!(y.iter().all(|y| *y == 0.0));
}

/// With order 0 the recurrent cell is that of Elman, with order 1 an Euler step.
#[test]
fn limits_of_the_recurrent_cell() {
    let (length, dt) = (21, 0.25);
    let x: Vec<f64> = (0..length).map(|n| ((n * 5) % 7) as f64 / 7.0 - 0.3).collect();
    for (alpha, saved, step) in [(0.0, 0.0, 1.0), (1.0, 1.0, dt)] {
        let layer = FractionalRnn::new(1, 1, length, dt, LayerOrder::Fixed(alpha)).unwrap();
        let mut run = Run::new(&layer, 1);
        run.theta.copy_from_slice(&[0.8, -0.7, 0.1]);
        let mut h = 0.0;
        for (x, y) in x.iter().zip(run.forward(&x)) {
            h = saved * h + step * (0.8 * x - 0.7 * h + 0.1f64).tanh();
            assert!((h - y).abs() < 1e-14, "{h} {y}");
        }
        let last = layer.returning(States::Last);
        let mut last = Run::new(&last, 1);
        last.theta.copy_from_slice(&[0.8, -0.7, 0.1]);
        assert!((last.forward(&x)[0] - h).abs() < 1e-14);
    }
}

/// The recurrent cell with a constant right-hand side: `D^alpha h = 1` has `h =
/// t^alpha/Gamma(1+alpha)`, with the order 1 of the scheme.
#[test]
fn the_recurrent_cell_solves_a_fractional_equation() {
    let error = |length: usize| {
        let dt = 1.0 / length as f64;
        let layer = FractionalRnn::new(1, 1, length, dt, LayerOrder::Fixed(0.5)).unwrap();
        let layer = layer.activated(Activation::Identity).returning(States::Last);
        let mut run = Run::new(&layer, 1);
        run.theta.copy_from_slice(&[0.0, 0.0, 1.0]);
        (run.forward(&vec![0.0; length])[0] - 2.0 / std::f64::consts::PI.sqrt()).abs()
    };
    let order = (error(64) / error(256)).log2() / 2.0;
    assert!((order - 1.0).abs() < 0.2, "{order}");
}

/// With as many taps as times and unit gains the convolution is the derivative.
#[test]
fn a_whole_kernel_is_the_derivative() {
    let (length, lanes) = (40, 3);
    let x = powers(length, 1.0, lanes);
    let layer = FractionalConv1d::new(1, 1, length, length, LayerOrder::Fixed(0.3)).unwrap();
    let mut run = Run::new(&layer, lanes);
    run.theta.copy_from_slice(&[1.0, 0.0]);
    let whole = Run::new(&derivative(length, 1.0, Letnikov, 0.3), lanes).forward(&x).to_vec();
    assert_eq!(run.forward(&x), whole);
}

fn layers(order: LayerOrder) -> Vec<Network> {
    let derivative = FractionalDerivative::new(2, 50, 0.1, CaputoL1, order).unwrap();
    let cell = FractionalRnn::new(2, 3, 50, 0.1, order).unwrap();
    let convolution = FractionalConv1d::new(2, 3, 50, 7, order).unwrap();
    vec![
        Network::FractionalDerivative(derivative),
        Network::FractionalDense(FractionalDense::new(derivative, 3, Activation::Tanh)),
        Network::FractionalConv1d(convolution.activated(Activation::Silu)),
        Network::FractionalRnn(cell),
        Network::FractionalRnn(cell.activated(Activation::Gelu).returning(States::Last)),
    ]
}

const LEARNED: LayerOrder = LayerOrder::Learnable { lower: 0.0, upper: 1.0, start: 0.4 };
const EACH: LayerOrder = LayerOrder::LearnableEach { lower: 0.1, upper: 0.9, start: 0.4 };

/// Values and gradients of a layer, one behind the other.
fn all<T: Scalar>(layer: &Network, lanes: usize) -> Vec<f64>
where
    Network: Layer<T>,
{
    let number = |i: usize| T::narrow(((i * 7919 + 13) % 1009) as f64 / 504.5 - 1.0);
    let mut run = Run::<T>::new(layer, lanes);
    let x: Vec<T> = (0..run.layer.inputs() * lanes).map(number).collect();
    let mut found = run.forward(&x).to_vec();
    let mut ybar: Vec<T> = (0..found.len()).map(|i| number(i + 77)).collect();
    let mut xbar = vec![T::zero(); x.len()];
    run.back(&x, &mut ybar, Some(&mut xbar));
    found.extend(xbar);
    found.extend(run.thetabar);
    found.iter().map(|v| v.widen()).collect()
}

#[test]
fn single_precision_is_double_precision_rounded() {
    for order in [LayerOrder::Fixed(0.4), LEARNED, EACH] {
        for layer in layers(order) {
            for lanes in [1, 19] {
                let (single, double) = (all::<f32>(&layer, lanes), all::<f64>(&layer, lanes));
                let largest = double.iter().fold(1.0f64, |a, b| a.max(b.abs()));
                for (a, b) in single.iter().zip(&double) {
                    assert!((a - b).abs() < 5e-6 * largest, "{layer:?} {lanes}: {a} {b}");
                }
            }
        }
    }
}

#[test]
fn layers_come_back_from_text() {
    for order in [LayerOrder::Fixed(0.4), LEARNED, EACH] {
        for layer in layers(order) {
            let text = serde_json::to_string(&layer).unwrap();
            assert_eq!(serde_json::from_str::<Network>(&text).unwrap(), layer, "{text}");
        }
    }
    let text = r#"{"fractional-rnn": {"inputs": 1, "hidden": 2, "length": 3,
        "order": {"learnable": {"lower": 0.1, "upper": 1, "start": 0.5}}}}"#;
    assert!(matches!(serde_json::from_str(text), Ok(Network::FractionalRnn(_))));
}

#[test]
fn bad_input_is_named() {
    let derivative = r#"{"fractional-derivative": {"channels": 1, "length": LENGTH, "dt": DT,
        "scheme": "caputo-l1", "order": ORDER}}"#;
    let cases = [
        ("0", "1", r#"{"fixed": 0.5}"#, "length is 0"),
        ("4", "-2", r#"{"fixed": 0.5}"#, "dt is -2"),
        ("4", "1", r#"{"fixed": 1.5}"#, "order is 1.5, expected 0 to 1"),
        ("4", "1", r#"{"learnable": {"lower": 0.5, "upper": 0.2, "start": 0.3}}"#, "lower is 0.5"),
        ("4", "1", r#"{"learnable": {"lower": 0.5, "upper": 1.2, "start": 0.7}}"#, "upper is 1.2"),
        (
            "4",
            "1",
            r#"{"learnable-each": {"lower": 0.5, "upper": 1, "start": 0.2}}"#,
            "alpha is 0.2",
        ),
        ("4", "1", r#"{"learnable": {"lower": 0, "upper": 1, "start": 0.2, "r": 1}}"#, "field `r`"),
    ];
    for (length, dt, order, expected) in cases {
        let text = derivative.replace("LENGTH", length).replace("DT", dt).replace("ORDER", order);
        let error = serde_json::from_str::<Network>(&text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let fixed = LayerOrder::Fixed(0.5);
    let messages = [
        FractionalConv1d::new(1, 1, 4, 0, fixed).unwrap_err().to_string(),
        FractionalRnn::new(1, 0, 4, 1.0, fixed).unwrap_err().to_string(),
        FractionalRnn::new(1, 1, 4, f64::NAN, fixed).unwrap_err().to_string(),
        FractionalRnn::new(1, 1, 4, 1.0, LayerOrder::Fixed(-0.5)).unwrap_err().to_string(),
        FractionalConv1d::new(1, 1, 4, 2, LayerOrder::Fixed(f64::NAN)).unwrap_err().to_string(),
    ];
    let expected = [
        "FractionalConv1d: taps is 0, expected at least 1",
        "FractionalRnn: hidden is 0, expected at least 1",
        "FractionalRnn: dt is NaN, expected positive and finite",
        "FractionalRnn: order is -0.5, expected 0 to 2",
        "FractionalConv1d: order is NaN, expected -20 to 20",
    ];
    assert_eq!(messages, expected);
    let large = 1 << 40;
    let sizes = [
        FractionalConv1d::new(1, 1, 4, usize::MAX, fixed).map(|_| ()),
        FractionalConv1d::new(large, 1, large, 2, fixed).map(|_| ()),
        FractionalRnn::new(1, large, 4, 1.0, fixed).map(|_| ()),
        FractionalRnn::new(large, 1, large, 1.0, fixed).map(|_| ()),
        FractionalDerivative::new(large, large, 1.0, CaputoL1, fixed).map(|_| ()),
    ];
    for found in sizes {
        assert!(matches!(found, Err(NetworkError::TooLarge { .. })), "{found:?}");
    }
    let dense = |outputs: &str| {
        let text = derivative.replace("LENGTH", "4").replace("DT", "1");
        let text = text.replace("ORDER", r#"{"fixed": 0.5}"#);
        let text = text.replacen("\"fractional-derivative\"", "\"derivative\"", 1);
        let inner = &text[..text.len() - 1];
        let text = format!(r#"{{"fractional-dense": {inner}, "outputs": {outputs}}}}}"#);
        serde_json::from_str::<Network>(&text).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(dense("2"), Ok(()));
    assert!(dense("0").unwrap_err().contains("Dense: outputs is 0, expected at least 1"));
    assert!(dense("18446744073709551615").unwrap_err().contains("Dense: more rows"));
}

/// Pairs of x and D^0.6 x with one percent of noise: forty plain gradient steps
/// on the mean square.
#[test]
fn an_order_is_recovered_from_noisy_data() {
    let (length, lanes, dt) = (100, 16, 0.05f64);
    let normals = Normals::new(11);
    let noise = |stream: u32, i: usize| -> f64 {
        normals.at(Stream::new(Purpose::Parameters, stream).unwrap(), i as u64, 0)
    };
    // Paths of a random walk.
    let mut x: Vec<f64> = (0..length * lanes).map(|i| noise(1, i) * dt.sqrt()).collect();
    (lanes..x.len()).for_each(|i| x[i] += x[i - lanes]);
    let mut data = Run::new(&derivative(length, dt, CaputoL1, 0.6), lanes).forward(&x).to_vec();
    let deviation = (data.iter().map(|y| y * y).sum::<f64>() / data.len() as f64).sqrt();
    data.iter_mut().enumerate().for_each(|(i, y)| *y += 0.01 * deviation * noise(2, i));

    let order = LayerOrder::Learnable { lower: 0.0, upper: 1.0, start: 0.2 };
    let layer = FractionalDerivative::new(1, length, dt, CaputoL1, order).unwrap();
    let mut run = Run::new(&layer, lanes);
    let rate = 4.0 / (deviation * deviation);
    for _ in 0..40 {
        let y = run.forward(&x).to_vec();
        let mut ybar: Vec<f64> =
            y.iter().zip(&data).map(|(y, d)| (y - d) / data.len() as f64).collect();
        run.thetabar.fill(0.0);
        run.back(&x, &mut ybar, None);
        run.theta[0] -= rate * run.thetabar[0];
    }
    let alpha = BoundedOrder::new(0.0, 1.0).unwrap().order(run.theta[0]);
    assert!((alpha - 0.6).abs() < 0.02, "{alpha}");
}

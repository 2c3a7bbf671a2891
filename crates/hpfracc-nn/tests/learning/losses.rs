use crate::{near, number, numbers, slopes};
use hpfracc_backend::Reference;
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_nn::{
    Cotangent, FractionalPenalty, Loss, LossError, Observations, Scalar, cross_entropy_of_classes,
    gaussian_kl, path_kl,
};
use hpfracc_operators::{Caputo, GrunwaldLetnikov, Operator};
use hpfracc_types::{Grid, Order};

/// Runs over all lane counts about the width of the kernels.
const LANES: [usize; 6] = [1, 2, 31, 32, 33, 70];

const LOSSES: [Loss; 7] = [
    Loss::MeanSquare,
    Loss::MeanAbsolute,
    Loss::Huber { delta: 0.4 },
    Loss::Huber { delta: 5.0 },
    Loss::CrossEntropy,
    Loss::GaussianLikelihood { floor: 0.0 },
    Loss::GaussianLikelihood { floor: 0.8 },
];

/// The formula for one lane.
fn formula(loss: Loss, y: &[f64], x: &[f64], w: &[f64]) -> f64 {
    let n = x.len();
    let lse = y.iter().map(|y| y.exp()).sum::<f64>().ln();
    let of_row = |i: usize| match loss {
        Loss::MeanSquare => (y[i] - x[i]).powi(2),
        Loss::MeanAbsolute => (y[i] - x[i]).abs(),
        Loss::Huber { delta } if (y[i] - x[i]).abs() > delta => {
            delta * ((y[i] - x[i]).abs() - 0.5 * delta)
        }
        Loss::Huber { .. } => 0.5 * (y[i] - x[i]).powi(2),
        Loss::GaussianLikelihood { floor } => {
            let v = y[n + i].exp().powi(2) + floor * floor;
            let density = (-(x[i] - y[i]).powi(2) / (2.0 * v)).exp();
            -(density / (2.0 * std::f64::consts::PI * v).sqrt()).ln()
        }
        _ => x[i] * (lse - y[i]),
    };
    if loss == Loss::CrossEntropy {
        return w[0] * (0..n).map(of_row).sum::<f64>();
    }
    let sum: f64 = w.iter().sum();
    if sum == 0.0 {
        return 0.0;
    }
    (0..n).filter(|i| w[*i] != 0.0).map(|i| w[i] * of_row(i)).sum::<f64>() / sum
}

fn lane(values: &[f64], lanes: usize, lane: usize) -> Vec<f64> {
    values.iter().skip(lane).step_by(lanes).copied().collect()
}

struct Case {
    y: Vec<f64>,
    x: Vec<f64>,
    w: Option<Vec<f64>>,
    lanes: usize,
}

impl Case {
    fn new(loss: Loss, rows: usize, lanes: usize, weighted: bool) -> Self {
        let mut x = numbers(3, rows * lanes);
        if loss == Loss::CrossEntropy {
            x.iter_mut().for_each(|p| *p = p.abs());
        }
        let weights = if loss == Loss::CrossEntropy { 1 } else { rows };
        let weight = |i: usize| if i.is_multiple_of(3) { 0.0 } else { number(i + 17).abs() };
        let w = weighted.then(|| (0..weights * lanes).map(weight).collect::<Vec<_>>());
        for (i, x) in x.iter_mut().enumerate() {
            if w.as_ref().is_some_and(|w| w.len() > i && w[i] == 0.0 && w.len() > lanes) {
                *x = f64::NAN;
            }
        }
        Self { y: numbers(400, loss.predictions(rows) * lanes), x, w, lanes }
    }

    fn evaluate<T: Scalar>(&self, loss: Loss, scale: f64, y: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let narrow = |values: &[f64]| values.iter().map(|x| T::narrow(*x)).collect::<Vec<_>>();
        let (y, x, w) = (narrow(y), narrow(&self.x), self.w.as_ref().map(|w| narrow(w)));
        let lanes = self.lanes;
        let weights = w.as_ref().map(|w| Rows::new(w, lanes));
        let x = Observations { values: Rows::new(&x, lanes), weights };
        let (mut losses, mut ybar) = (vec![T::NAN; lanes], vec![T::NAN; y.len()]);
        let cotangent = Cotangent::new(T::narrow(scale), &mut ybar, lanes);
        loss.evaluate(Rows::new(&y, lanes), x, &mut losses, Some(cotangent)).unwrap();
        let mut without = vec![T::NAN; lanes];
        loss.evaluate(Rows::new(&y, lanes), x, &mut without, None).unwrap();
        assert_eq!(losses, without);
        let widen = |values: Vec<T>| values.into_iter().map(T::widen).collect();
        (widen(losses), widen(ybar))
    }
}

#[test]
fn values_and_gradients() {
    for loss in LOSSES {
        for lanes in LANES {
            for (rows, weighted) in [(1, false), (3, false), (4, true), (2, true)] {
                let name = format!("{loss:?} {lanes} {rows} {weighted}");
                let case = Case::new(loss, rows, lanes, weighted);
                let (losses, ybar) = case.evaluate::<f64>(loss, 0.3, &case.y);
                let ones = vec![1.0; rows * lanes];
                let expected: Vec<f64> = (0..lanes)
                    .map(|l| {
                        let [y, x, w] = [&case.y, &case.x, case.w.as_ref().unwrap_or(&ones)]
                            .map(|values| lane(values, lanes, l));
                        formula(loss, &y, &x, &w)
                    })
                    .collect();
                near(&name, &losses, &expected, 1e-13);
                let differences = slopes(&case.y, |y| {
                    0.3 * case.evaluate::<f64>(loss, 1.0, y).0.iter().sum::<f64>()
                });
                near(&name, &ybar, &differences, 1e-8);
                let (single, singlebar) = case.evaluate::<f32>(loss, 0.3, &case.y);
                near(&name, &single, &expected, 2e-6);
                near(&name, &singlebar, &ybar, 2e-6);
            }
        }
    }
}

#[test]
fn classes() {
    for lanes in LANES {
        let logits: Vec<f64> = numbers(9, 5 * lanes).iter().map(|y| 3.0 * y).collect();
        let classes: Vec<usize> = (0..lanes).map(|l| (l * 3 + 1) % 5).collect();
        let weights: Vec<f64> = (0..lanes).map(|l| (l % 4) as f64).collect();
        let evaluate = |y: &[f64], weights: Option<&[f64]>| {
            let (mut losses, mut ybar) = (vec![f64::NAN; lanes], vec![f64::NAN; y.len()]);
            let bar = Some(Cotangent::new(0.7, &mut ybar, lanes));
            let logits = Rows::new(y, lanes);
            cross_entropy_of_classes(logits, &classes, weights, &mut losses, bar).unwrap();
            (losses, ybar)
        };
        for weights in [None, Some(&weights[..])] {
            let (losses, ybar) = evaluate(&logits, weights);
            let expected: Vec<f64> = (0..lanes)
                .map(|l| {
                    let y = lane(&logits, lanes, l);
                    let sum: f64 = y.iter().map(|y| y.exp()).sum();
                    -weights.map_or(1.0, |w| w[l]) * (y[classes[l]].exp() / sum).ln()
                })
                .collect();
            near("classes", &losses, &expected, 1e-13);
            let differences = slopes(&logits, |y| 0.7 * evaluate(y, weights).0.iter().sum::<f64>());
            near("gradient of classes", &ybar, &differences, 1e-8);
        }
    }
}

/// Logits and deviations that a formula without care would not survive.
#[test]
fn extremes() {
    let mut losses = [f32::NAN; 2];
    let mut ybar = [f32::NAN; 4];
    // Lanes: one class is certain and right; one is certain and wrong.
    let logits = [1e4f32, -1e4, -1e4, 1e4];
    let bar = Some(Cotangent::new(1.0, &mut ybar, 2));
    cross_entropy_of_classes(Rows::new(&logits, 2), &[0, 0], None, &mut losses, bar).unwrap();
    assert_eq!(losses, [0.0, 2e4]);
    assert_eq!(ybar, [0.0, -1.0, 0.0, 1.0]);
    // A class that cannot be, at minus infinity.
    let logits = [0.0f32, f32::NEG_INFINITY];
    let certain = Observations::new(Rows::new(&[1.0f32, 0.0], 1));
    let mut ybar = [f32::NAN; 2];
    let bar = Some(Cotangent::new(1.0, &mut ybar, 1));
    let loss = &mut losses[..1];
    Loss::CrossEntropy.evaluate(Rows::new(&logits, 1), certain, loss, bar).unwrap();
    assert_eq!((losses[0], ybar), (0.0, [0.0, 0.0]));
    // A deviation of exp(-200) is the floor's, one of exp(50) its own.
    let predictions = [1.0f32, 1.0, -200.0, 50.0];
    let x = Observations::new(Rows::new(&[1.0f32, 1.0], 2));
    let floored = Loss::GaussianLikelihood { floor: 1e-3 };
    floored.evaluate(Rows::new(&predictions, 2), x, &mut losses, None).unwrap();
    let constant = 0.5 * (2.0 * std::f64::consts::PI).ln();
    assert!((losses[0] - (constant + 1e-3f64.ln()) as f32).abs() < 1e-6);
    assert!((losses[1] - (constant + 50.0) as f32).abs() < 1e-5);
    // NaN in an observation that counts stays in its lane.
    let mut losses = [0.0; 2];
    let (y, x) = ([0.0, 1.0], [f64::NAN, 3.0]);
    for loss in [Loss::MeanSquare, Loss::MeanAbsolute, Loss::Huber { delta: 1.0 }] {
        let mut ybar = [0.0; 2];
        let (x, bar) = (Observations::new(Rows::new(&x, 2)), Cotangent::new(1.0, &mut ybar, 2));
        loss.evaluate(Rows::new(&y, 2), x, &mut losses, Some(bar)).unwrap();
        assert!(losses[0].is_nan() && ybar[0].is_nan() && losses[1] > 0.0 && ybar[1] < 0.0);
    }
}

#[test]
fn divergence_of_normal_laws() {
    for lanes in LANES {
        let (q, p) = (numbers(5, 6 * lanes), numbers(900, 6 * lanes));
        for p in [None, Some(&p)] {
            let evaluate = |q: &[f64], p: Option<&Vec<f64>>| {
                let mut losses = vec![f64::NAN; lanes];
                let mut bars = [vec![f64::NAN; q.len()], vec![f64::NAN; q.len()]];
                let [of_q, of_p] = &mut bars;
                let [of_q, of_p] = [of_q, of_p].map(|bar| Some(Cotangent::new(0.7, bar, lanes)));
                let p = p.map(|p| Rows::new(p, lanes));
                gaussian_kl(Rows::new(q, lanes), p, &mut losses, of_q, of_p).unwrap();
                (losses, bars)
            };
            let (losses, [of_q, of_p]) = evaluate(&q, p);
            let expected: Vec<f64> = (0..lanes)
                .map(|l| {
                    let q = lane(&q, lanes, l);
                    let p = p.map_or(vec![0.0; 6], |p| lane(p, lanes, l));
                    let of = |i: usize| {
                        let (v_q, v_p) = ((2.0 * q[3 + i]).exp(), (2.0 * p[3 + i]).exp());
                        0.5 * ((v_p / v_q).ln() + (v_q + (q[i] - p[i]).powi(2)) / v_p - 1.0)
                    };
                    (0..3).map(of).sum()
                })
                .collect();
            near("divergence", &losses, &expected, 1e-13);
            let by_q = slopes(&q, |q| 0.7 * evaluate(q, p).0.iter().sum::<f64>());
            near("gradient in q", &of_q, &by_q, 1e-8);
            let zero = vec![0.0; 6 * lanes];
            let by_p = slopes(p.unwrap_or(&zero), |p| {
                0.7 * evaluate(&q, Some(&p.to_vec())).0.iter().sum::<f64>()
            });
            near("gradient in p", &of_p, &by_p, 1e-8);
        }
    }
}

#[test]
fn divergence_of_paths() {
    for lanes in LANES {
        let (a, b) = (numbers(5, 3 * lanes), numbers(900, 3 * lanes));
        let sigma: Vec<f64> = numbers(50, 3 * lanes).iter().map(|s| s.abs() + 0.3).collect();
        let evaluate = |a: &[f64], b: &[f64], sigma: &[f64]| {
            let mut losses = vec![f64::NAN; lanes];
            let (mut abar, mut sbar) = (vec![f64::NAN; a.len()], vec![f64::NAN; a.len()]);
            let of_a = Some(Cotangent::new(0.7, &mut abar, lanes));
            let of_sigma = Some(Cotangent::new(0.7, &mut sbar, lanes));
            let [a, b, sigma] = [a, b, sigma].map(|values| Rows::new(values, lanes));
            path_kl(a, b, sigma, &mut losses, of_a, of_sigma).unwrap();
            (losses, abar, sbar)
        };
        let sum = |losses: Vec<f64>| 0.7 * losses.iter().sum::<f64>();
        let (losses, abar, sbar) = evaluate(&a, &b, &sigma);
        let expected: Vec<f64> = (0..lanes)
            .map(|l| {
                let of = |i: usize| ((a[i] - b[i]) / sigma[i]).powi(2) / 2.0;
                (0..3).map(|i| of(i * lanes + l)).sum()
            })
            .collect();
        near("growth", &losses, &expected, 1e-13);
        near("in a", &abar, &slopes(&a, |a| sum(evaluate(a, &b, &sigma).0)), 1e-8);
        near("in sigma", &sbar, &slopes(&sigma, |s| sum(evaluate(&a, &b, s).0)), 1e-8);
        let minus: Vec<f64> = abar.iter().map(|bar| -bar).collect();
        near("in b", &minus, &slopes(&b, |b| sum(evaluate(&a, b, &sigma).0)), 1e-8);
    }
}

#[test]
fn fractional_penalty() {
    let (channels, length, dt) = (2, 9, 0.25);
    let (grid, order) = (Grid::uniform(length, dt).unwrap(), Order::new(0.6).unwrap());
    let operators = [
        GrunwaldLetnikov::new(order).on(grid, &Reference).unwrap(),
        Caputo::l1(order).unwrap().on(grid, &Reference).unwrap(),
    ];
    for operator in operators {
        let matrix = operator.to_matrix().unwrap();
        let penalty = FractionalPenalty::<f64>::new(operator, length).unwrap();
        for lanes in [1, 5] {
            let y = numbers(40, channels * length * lanes);
            let evaluate = |y: &[f64]| {
                let (mut losses, mut ybar) = (vec![f64::NAN; lanes], vec![f64::NAN; y.len()]);
                let mut scratch = vec![f64::NAN; y.len()];
                let scratch = RowsMut::new(&mut scratch, lanes);
                let bar = Some(Cotangent::new(0.7, &mut ybar, lanes));
                penalty.evaluate(Rows::new(y, lanes), &mut losses, bar, scratch).unwrap();
                (losses, ybar)
            };
            let (losses, ybar) = evaluate(&y);
            let expected: Vec<f64> = (0..lanes)
                .map(|l| {
                    let series = lane(&y, lanes, l);
                    let derivative = |row: usize| {
                        let of = &series[row / length * length..];
                        (0..length).map(|k| matrix[(row % length, k)] * of[k]).sum::<f64>()
                    };
                    let sum: f64 = (0..channels * length).map(|i| derivative(i).powi(2)).sum();
                    sum / (channels * length) as f64
                })
                .collect();
            near("penalty", &losses, &expected, 1e-13);
            near(
                "its gradient",
                &ybar,
                &slopes(&y, |y| 0.7 * evaluate(y).0.iter().sum::<f64>()),
                1e-8,
            );
        }
    }
    let operator = GrunwaldLetnikov::new(order).on(grid, &Reference).unwrap();
    let penalty = FractionalPenalty::<f64>::new(operator, length + 1).unwrap();
    let (y, mut losses, mut scratch) = (vec![0.0; length + 1], [0.0], vec![0.0; length + 1]);
    let scratch = RowsMut::new(&mut scratch, 1);
    let error = penalty.evaluate(Rows::new(&y, 1), &mut losses, None, scratch).unwrap_err();
    assert!(matches!(error, LossError::Operator(_)), "{error}");
}

#[test]
fn what_does_not_fit() {
    let (y, x) = ([0.0; 6], [0.0; 6]);
    let observations = |lanes| Observations::new(Rows::new(&x, lanes));
    let refuse = |loss: Loss, lanes, losses: usize| {
        let mut losses = vec![7.0; losses];
        let y = Rows::new(&y, 3);
        let error = loss.evaluate(y, observations(lanes), &mut losses, None).unwrap_err();
        assert!(losses.iter().all(|loss| *loss == 7.0));
        error.to_string()
    };
    let square = Loss::MeanSquare;
    assert_eq!(refuse(square, 2, 3), "`observations` has 2 lanes, expected 3");
    assert_eq!(refuse(square, 3, 2), "`losses` has 2 numbers, expected 3");
    let likelihood = Loss::GaussianLikelihood { floor: 0.0 };
    assert_eq!(refuse(likelihood, 3, 3), "`predictions` has 6 numbers, expected 12");
    let huber = Loss::Huber { delta: 0.0 };
    assert_eq!(refuse(huber, 3, 3), "delta is 0, expected positive and finite");
    let mut losses = [0.0; 3];
    let logits = Rows::new(&y, 3);
    let error = cross_entropy_of_classes(logits, &[0, 2, 1], None, &mut losses, None).unwrap_err();
    assert_eq!(error.to_string(), "the class of lane 1 is 2, expected less than 2");
    let weights = [1.0, 0.0, 1.0];
    let weights = Some(&weights[..]);
    cross_entropy_of_classes(logits, &[0, 2, 1], weights, &mut losses, None).unwrap();
    // Nothing to predict, no lanes.
    let zeros = Some(&[0.0; 3][..]);
    let nothing = Rows::new(&y[..0], 3);
    assert!(cross_entropy_of_classes(nothing, &[0; 3], zeros, &mut losses, None).is_err());
    let none = Observations::new(Rows::new(&x[..0], 3));
    assert!(square.evaluate(Rows::new(&y[..0], 3), none, &mut losses, None).is_err());
    let none = Observations::new(Rows::new(&x[..0], 0));
    assert!(square.evaluate(Rows::new(&y[..0], 0), none, &mut losses[..0], None).is_err());
}

#[test]
fn in_a_configuration() {
    for loss in LOSSES {
        let text = serde_json::to_string(&loss).unwrap();
        assert_eq!(serde_json::from_str::<Loss>(&text).unwrap(), loss, "{text}");
    }
    assert_eq!(serde_json::from_str::<Loss>("\"mean-square\"").unwrap(), Loss::MeanSquare);
    let unknown = r#"{"huber": {"delta": 1.0, "epsilon": 2.0}}"#;
    assert!(serde_json::from_str::<Loss>(unknown).is_err());
}

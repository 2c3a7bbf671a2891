//! Bad input is answered with the value and the place.

use hpfracc_backend::Reference;
use hpfracc_operators::{
    Bound, Caputo, Discrete, Discretisation, FractionalLaplacian, GrunwaldLetnikov, Marchaud,
    MeshMemory, MillerRoss, Number, Operator, OperatorError, Past, RiemannLiouville, Riesz,
    RlIntegral, Toeplitz, Weights, catalogue, named,
};
use hpfracc_types::{Grid, Mesh, Order, OrderError};
use ndarray::{Array1, Array2, Axis};

fn order(alpha: f64) -> Order {
    Order::new(alpha).unwrap()
}

fn l1_on(n: usize) -> Bound<f64> {
    Caputo::l1(order(0.5)).unwrap().on(Grid::uniform(n, 0.1).unwrap(), &Reference).unwrap()
}

#[test]
fn orders_outside_the_range_of_a_scheme() {
    let refused = [
        (Caputo::bdf(order(20.5), 2).unwrap_err(), 20.5),
        (Caputo::l1(order(0.0)).unwrap_err(), 0.0),
        (Caputo::l1(order(1.0)).unwrap_err(), 1.0),
        (Caputo::l1(order(1.7)).unwrap_err(), 1.7),
        (Caputo::l1_2(order(0.0)).unwrap_err(), 0.0),
        (Caputo::l1_2(order(1.2)).unwrap_err(), 1.2),
        (Caputo::l2_1_sigma(order(0.0)).unwrap_err(), 0.0),
        (Caputo::l2_1_sigma(order(1.0)).unwrap_err(), 1.0),
        (Marchaud::linear(order(0.0), Past::Zero).unwrap_err(), 0.0),
        (Marchaud::quadratic(order(1.0), Past::Held).unwrap_err(), 1.0),
        (MillerRoss::caputo(order(1.0), 2).unwrap_err(), 1.0),
        (MillerRoss::riemann_liouville(order(0.0), 2).unwrap_err(), 0.0),
        (RlIntegral::simpson(order(0.0)).unwrap_err(), 0.0),
        (RlIntegral::simpson(order(20.5)).unwrap_err(), 20.5),
        (Caputo::l2_midpoint(order(1.0)).unwrap_err(), 1.0),
        (Caputo::l2_midpoint(order(2.0)).unwrap_err(), 2.0),
        (RiemannLiouville::l1(order(1.5)).unwrap_err(), 1.5),
        (RlIntegral::rectangle(order(0.0)).unwrap_err(), 0.0),
        (RlIntegral::trapezoid(order(0.0)).unwrap_err(), 0.0),
        (Riesz::ortigueira(order(2.5)).unwrap_err(), 2.5),
        (FractionalLaplacian::ortigueira(order(0.0)).unwrap_err(), 0.0),
    ];
    for (error, expected) in refused {
        let text = error.to_string();
        assert!(
            matches!(error, OperatorError::OutOfRange { alpha, .. } if alpha == expected),
            "{text}"
        );
        assert!(text.contains(&format!("alpha = {expected}")), "{text}");
    }
    for p in [0, 7] {
        for error in [
            Caputo::bdf(order(0.5), p).unwrap_err(),
            RiemannLiouville::bdf(order(0.5), p).unwrap_err(),
            GrunwaldLetnikov::bdf(order(0.5), p).unwrap_err(),
        ] {
            assert!(matches!(error, OperatorError::BdfOrder { p: q } if q == p));
        }
    }
}

#[test]
fn orders_that_are_none_do_not_reach_an_operator() {
    assert_eq!(Order::new(-0.5), Err(OrderError::Negative { alpha: -0.5 }));
    assert!(matches!(Order::new(f64::NAN), Err(OrderError::NotFinite { .. })));
}

#[test]
fn grids_too_short_for_a_scheme() {
    let grid = Grid::uniform(2, 0.1).unwrap();
    for entry in catalogue() {
        let alpha = entry.range.examples[0];
        let bound = entry.example(order(alpha)).unwrap().on::<f64, _>(grid, &Reference);
        match bound {
            Ok(operator) => {
                assert_eq!(operator.apply(Array1::zeros(2).view()).unwrap().len(), 2);
            }
            Err(OperatorError::TooFewSamples { n, needed, .. }) => {
                assert!(n == 2 && needed > 2);
            }
            Err(other) => panic!("{entry:?}: {other}"),
        }
    }
}

#[test]
fn numbers_of_factors_that_are_none() {
    for times in [-1.0, 0.0, 2.5, 9.0, 1e300, f64::INFINITY, f64::NAN] {
        for scheme in ["caputo", "riemann-liouville"] {
            let given = [("times", times)];
            let refused = named("miller-ross", Some(scheme), order(0.5), &given).err().unwrap();
            let OperatorError::Parameter { what: "times", value, .. } = refused else {
                panic!("{refused}");
            };
            assert!(value == times || value.is_nan() && times.is_nan());
        }
    }
    assert!(matches!(
        MillerRoss::riemann_liouville(order(0.5), 9),
        Err(OperatorError::Parameter { what: "times", value: 9.0, .. })
    ));
    // A third Caputo factor would start with what the samples do not tell; Riemann-Liouville
    // factors do not.
    assert!(named("miller-ross", Some("riemann-liouville"), order(0.5), &[("times", 3.0)]).is_ok());
    let refused = MillerRoss::caputo(order(0.5), 3).unwrap_err();
    assert!(matches!(refused, OperatorError::Parameter { what: "times", value: 3.0, .. }));
    assert!(refused.to_string().contains("times is 3, expected 1 or 2 with Caputo"), "{refused}");
    assert!(named("miller-ross", Some("caputo"), order(0.5), &[("times", 3.0)]).is_err());
}

#[test]
fn steps_too_small_for_the_scalar() {
    let derivative = GrunwaldLetnikov::new(order(2.0));
    let tiny = Grid::uniform(10, 1e-20).unwrap();
    assert!(derivative.on::<f64, _>(tiny, &Reference).is_ok());
    let refused = derivative.on::<f32, _>(tiny, &Reference).err().unwrap();
    assert!(matches!(refused, OperatorError::Overflow { scalar: "f32", .. }), "{refused}");
    let tiniest = Grid::uniform(10, 1e-200).unwrap();
    assert!(derivative.on::<f64, _>(tiniest, &Reference).is_err());
}

/// An operator of a user whose weights do not fit each other.
#[derive(Clone)]
struct Made(Toeplitz);

impl Discretisation for Made {
    fn name(&self) -> (&'static str, &'static str) {
        ("made", "up")
    }
    fn order(&self) -> Order {
        order(0.5)
    }
    fn weights_at<N: Number>(&self, _: N, _: Grid) -> Result<Weights<N>, OperatorError> {
        Ok(Weights::from(self.0.clone()).constant())
    }
}

#[test]
fn weights_that_do_not_fit_each_other() {
    let grid = Grid::uniform(4, 0.1).unwrap();
    let lags = || vec![1.0; 4];
    for malformed in [
        Toeplitz::of_differences(5, lags()),
        Toeplitz::causal(lags()).with_start(vec![1.0; 3], vec![1.0]),
        Toeplitz::causal(lags()).with_start(vec![1.0; 4], vec![1.0; 5]),
        {
            let mut both = Toeplitz::two_sided(lags());
            both.differences = 1;
            both
        },
    ] {
        let refused = Made(malformed).on::<f64, _>(grid, &Reference).err().unwrap();
        assert!(matches!(refused, OperatorError::Malformed { .. }), "{refused}");
    }
    assert!(Made(Toeplitz::of_differences(4, lags())).on::<f64, _>(grid, &Reference).is_ok());
}

#[test]
fn views_larger_than_memory() {
    let one = Array2::from_elem((1, 4), 1.0);
    let huge = one.broadcast((1 << 60, 4)).unwrap();
    let refused = l1_on(4).apply(huge).unwrap_err();
    assert!(matches!(refused, OperatorError::Memory(_)), "{refused}");
}

#[test]
fn weights_larger_than_memory() {
    let l1 = Caputo::l1(Order::new(0.5).unwrap()).unwrap();
    let grid = Grid::uniform(1 << 40, 1e-9).unwrap();
    let refused = l1.on::<f64, _>(grid, &Reference).unwrap_err();
    assert!(matches!(refused, OperatorError::Memory(_)), "{refused}");
    let mesh = Mesh::graded(3_000_000, 1.0, 1.0).unwrap();
    let refused = l1.on_mesh_with::<f64, _>(&mesh, MeshMemory::Exact, &Reference).unwrap_err();
    assert!(matches!(refused, OperatorError::Memory(_)), "{refused}");
}

#[test]
fn arrays_that_do_not_fit() {
    let operator = l1_on(8);
    assert!(matches!(
        operator.apply(Array1::zeros(7).view()),
        Err(OperatorError::AxisLength { axis: 0, found: 7, expected: 8 })
    ));
    assert!(matches!(
        operator.apply(Array2::zeros((8, 3)).view()),
        Err(OperatorError::AxisLength { axis: 1, found: 3, expected: 8 })
    ));
    assert!(matches!(
        operator.apply(Array2::zeros((0, 8)).view()),
        Err(OperatorError::Empty { shape }) if shape == [0, 8]
    ));
    assert!(matches!(
        operator.apply(ndarray::arr0(1.0).view()),
        Err(OperatorError::NoSuchAxis { axis: 0, ndim: 0 })
    ));
    let mut short = Array1::from_elem(7, 0.25);
    let refused = operator.apply_into(Array1::zeros(8).view(), short.view_mut());
    assert!(matches!(refused, Err(OperatorError::Shape { argument: "result", .. })));
    assert!(short.iter().all(|&v| v == 0.25), "wrote although it refused");
    assert!(matches!(
        operator.vjp_order(Array1::zeros(8).view(), Array1::zeros(9).view()),
        Err(OperatorError::Shape { .. })
    ));
    let across = l1_on(8).along(Axis(2)).unwrap();
    assert!(matches!(
        across.apply(Array2::zeros((8, 8)).view()),
        Err(OperatorError::NoSuchAxis { axis: 2, ndim: 2 })
    ));
}

#[test]
fn boxes_without_or_with_too_many_axes() {
    let laplacian = FractionalLaplacian::spectral(order(1.0));
    let grid = Grid::uniform(4, 1.0).unwrap();
    for axes in [&[][..], &[grid; 5]] {
        let refused = laplacian.on_box::<f64, _>(axes, &Reference);
        assert!(matches!(refused, Err(OperatorError::Backend(_))));
    }
    let bound = laplacian.on_box::<f64, _>(&[grid, grid], &Reference).unwrap();
    assert!(matches!(
        bound.apply(Array1::zeros(4).view()),
        Err(OperatorError::NoSuchAxis { axis: 1, ndim: 1 })
    ));
    assert!(matches!(bound.along(Axis(0)), Err(OperatorError::BoxAxis { rank: 2 })));
    let line = FractionalLaplacian::ortigueira(order(1.0)).unwrap();
    let refused = line.on_box::<f64, _>(&[grid, grid], &Reference);
    assert!(matches!(refused, Err(OperatorError::LineOnly { .. })));
}

#[test]
fn unknown_names_list_the_available_ones() {
    let operator = named("kaputo", None, order(0.5), &[]).err().unwrap().to_string();
    for name in ["kaputo", "caputo", "riemann-liouville", "fractional-laplacian"] {
        assert!(operator.contains(name), "{operator}");
    }
    let scheme = named("caputo", Some("l7"), order(0.5), &[]).err().unwrap().to_string();
    for name in ["l7", "l1", "l2-midpoint", "bdf6"] {
        assert!(scheme.contains(name), "{scheme}");
    }
    let range = named("caputo", Some("l1"), order(1.5), &[]).err().unwrap().to_string();
    assert!(range.contains("1.5") && range.contains("0 < alpha < 1"), "{range}");
    let none = named("caputo", None, order(25.0), &[]).err().unwrap().to_string();
    assert!(none.contains("25") && none.contains("0 <= alpha <= 20"), "{none}");
    let own_name = named("riesz", Some("ortigueira"), order(2.5), &[]).err().unwrap().to_string();
    assert!(own_name.starts_with("riesz"), "{own_name}");
}

#[test]
fn schemes_that_need_equal_steps() {
    let mesh = Mesh::graded(8, 1.0, 2.0).unwrap();
    let bdf = Caputo::bdf(order(0.5), 2).unwrap();
    let refused = bdf.on_mesh::<f64, _>(&mesh, &Reference).err().unwrap();
    let names = ("caputo", "bdf2");
    assert!(
        matches!(refused, OperatorError::UniformOnly { operator, scheme } if (operator, scheme) == names),
        "{refused}"
    );
    assert!(bdf.order_derivative(&Discrete::Mesh(mesh, MeshMemory::default())).is_err());
}

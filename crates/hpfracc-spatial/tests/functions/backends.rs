//! Functions of box operators through backends: the values of the operator's own transforms.

use crate::operators::{distance, norm, numbers};
use hpfracc_backend::{Backend, Kind, Plan, Reference, Workload};
use hpfracc_spatial::{
    Axis, Boundary, BoxGrid, Contour, Discretisation, Function, Graph, GraphLaplacian, Laplacian,
    LinearDatum, Modes, ModesMultiplier, OperatorFunction, PlusConstant, Power, SpatialError,
    SpatialOperator, TimeDerivative, Way, remove_null_space,
};
use std::sync::Arc;

use Boundary::{Dirichlet, Neumann, Periodic};

fn axis(n: usize, boundaries: [Boundary; 2]) -> Axis {
    Axis::new(0.0, 1.0 + n as f64 / 10.0, n, boundaries).unwrap()
}

fn laplacian(axes: Vec<Axis>) -> Laplacian {
    let kappa: Vec<f64> = (0..axes.len()).map(|d| 0.5 + d as f64).collect();
    Laplacian::new(BoxGrid::new(axes).unwrap(), &kappa).unwrap()
}

/// Boxes with every pair of boundaries that has a transform, with even and odd lengths.
fn boxes() -> Vec<Laplacian> {
    let fourth = axis(9, [Dirichlet; 2]).with(Discretisation::Fourth).unwrap();
    vec![
        laplacian(vec![axis(7, [Neumann; 2]), axis(10, [Dirichlet; 2])]),
        laplacian(vec![axis(8, [Neumann, Dirichlet]), axis(5, [Dirichlet, Neumann])]),
        laplacian(vec![axis(5, [Dirichlet, Neumann]), axis(8, [Periodic; 2])]),
        laplacian(vec![axis(6, [Periodic; 2]), axis(7, [Periodic; 2])]),
        laplacian(vec![axis(4, [Neumann; 2]), axis(3, [Periodic; 2]), axis(6, [Neumann; 2])]),
        laplacian(vec![fourth]),
    ]
}

const FUNCTIONS: [Function; 5] = [
    Function::Power(0.7),
    Function::Power(2.0),
    Function::Power(-0.5),
    Function::Exponential { t: 0.3 },
    Function::MittagLeffler { alpha: 0.6, t: 0.2 },
];

fn close(found: &[f64], expected: &[f64], what: &str) {
    let error = distance(found, expected) / norm(expected);
    assert!(error < 2e-13, "{what}: {error:.1e}");
}

#[test]
fn backends_give_the_values_of_the_transforms() {
    for a in boxes() {
        let mut x = numbers(a.len(), 0.3);
        remove_null_space(&a, &mut x).unwrap();
        for function in FUNCTIONS {
            let own = OperatorFunction::new(&a, function, Way::Modes, 1e-10).unwrap();
            let other = OperatorFunction::on(&a, function, &Reference).unwrap();
            let (mut expected, mut found) = (vec![0.0; x.len()], vec![f64::NAN; x.len()]);
            own.apply(&x, &mut expected).unwrap();
            other.apply(&x, &mut found).unwrap();
            close(&found, &expected, &other.explain());
            other.apply_transpose(&x, &mut found).unwrap();
            close(&found, &expected, &other.explain());
            if let Function::Power(_) = function {
                own.apply_exponent_derivative(&x, &mut expected).unwrap();
                for _ in 0..2 {
                    other.apply_exponent_derivative(&x, &mut found).unwrap();
                    close(&found, &expected, &other.explain());
                }
            }
            assert_eq!((other.way(), other.function()), (Way::Modes, own.function()));
            assert!(other.explain().contains("on the backend reference"), "{}", other.explain());
        }
    }
}

/// Constants of a Neumann box stay as they are, and are no part of a power.
#[test]
fn null_spaces_are_split_off() {
    let a = laplacian(vec![axis(7, [Neumann; 2]), axis(6, [Periodic; 2])]);
    let (ones, mut y) = (vec![1.0; a.len()], vec![f64::NAN; a.len()]);
    let root = OperatorFunction::on(&a, Function::Power(0.1), &Reference).unwrap();
    root.apply(&ones, &mut y).unwrap();
    assert!(y.iter().all(|y| y.abs() < 1e-15), "{y:?}");
    let inverse = OperatorFunction::on(&a, Function::Power(-1.0), &Reference).unwrap();
    let refused = inverse.apply(&ones, &mut y);
    assert!(matches!(refused, Err(SpatialError::NotOrthogonal { component: 0, .. })));
}

#[test]
fn powers_and_sums_go_through_backends() {
    let a = laplacian(vec![axis(8, [Dirichlet, Neumann]), axis(9, [Neumann; 2])]);
    let sum = PlusConstant::new(&a, 0.7).unwrap();
    let power = Power::new(&sum, 0.4, Way::Auto, 1e-12).unwrap();
    let function = Function::Exponential { t: 0.2 };
    let x = numbers(a.len(), 0.8);
    let (mut expected, mut found) = (vec![0.0; x.len()], vec![f64::NAN; x.len()]);
    OperatorFunction::new(&power, function, Way::Modes, 1e-10)
        .and_then(|f| f.apply(&x, &mut expected))
        .unwrap();
    OperatorFunction::on(&power, function, &Reference)
        .and_then(|f| f.apply(&x, &mut found))
        .unwrap();
    close(&found, &expected, "a power of a sum");
}

#[test]
fn contours_are_products_in_modes() {
    let a = laplacian(vec![axis(9, [Dirichlet; 2]), axis(6, [Neumann, Dirichlet])]);
    let derivative = TimeDerivative::multi_term(&[(1.0, 0.3), (0.5, 0.8)]).unwrap();
    let highest = a.spectrum().highest;
    let contour = Contour::of_derivative(derivative, [0.2, 0.4], 1e-9, highest).unwrap();
    let x = numbers(a.len(), 0.1);
    let solves = contour.solve(&a, &x).unwrap();
    for t in [0.2, 0.35] {
        let values = contour.values(LinearDatum::Start, t, a.eigenvalues()).unwrap();
        let map = ModesMultiplier::new(&a, &values, &Reference).unwrap();
        let (mut expected, mut found) = (vec![0.0; x.len()], vec![f64::NAN; x.len()]);
        solves.at(t, &mut expected).unwrap();
        map.apply(&x, &mut found).unwrap();
        close(&found, &expected, "a contour");
    }
    let late = contour.values(LinearDatum::Start, 0.5, &[1.0]);
    assert!(matches!(late, Err(SpatialError::OutOfRange { what: "time t", .. })));
    let nan = contour.values(LinearDatum::Source, 0.3, &[1.0, f64::NAN]);
    assert!(matches!(nan, Err(SpatialError::NotFinite { index: 1, .. })));
}

#[test]
fn operators_with_other_modes_are_refused() {
    let robin = laplacian(vec![axis(6, [Boundary::Robin(1.0), Neumann])]);
    let legendre = axis(6, [Dirichlet; 2]).with(Discretisation::Legendre).unwrap();
    let legendre = laplacian(vec![legendre, axis(5, [Neumann; 2])]);
    let graph = GraphLaplacian::combinatorial(&Graph::ring(6).unwrap()).unwrap();
    let operators: [&dyn SpatialOperator; 3] = [&robin, &legendre, &graph];
    for operator in operators {
        let refused = OperatorFunction::on(operator, Function::Power(0.5), &Reference).err();
        let message = refused.map(|error| error.to_string()).unwrap_or_default();
        assert!(message.contains("a backend cannot compute A^0.5"), "{message}");
        let multipliers = vec![1.0; operator.len()];
        let refused = ModesMultiplier::new(operator, &multipliers, &Reference).err();
        assert!(matches!(refused, Some(SpatialError::Unsupported { .. })));
    }
}

#[test]
fn wrong_multipliers_and_fields_are_refused() {
    let a = laplacian(vec![axis(5, [Neumann; 2])]);
    let of = |multipliers: &[f64]| ModesMultiplier::new(&a, multipliers, &Reference);
    assert!(matches!(of(&[1.0; 4]).err(), Some(SpatialError::Length { expected: 5, .. })));
    let infinite = [1.0, f64::INFINITY, 1.0, 1.0, 1.0];
    assert!(matches!(of(&infinite).err(), Some(SpatialError::NotFinite { index: 1, .. })));
    let map = of(&[1e308; 5]).unwrap();
    let mut y = [0.0; 5];
    let short = map.apply(&[1.0; 4], &mut y);
    assert!(matches!(short, Err(SpatialError::Length { what: "x", found: 4, .. })));
    let nan = map.apply(&[1.0, 1.0, f64::NAN, 1.0, 1.0], &mut y);
    assert!(matches!(nan, Err(SpatialError::NotFinite { what: "x", index: 2, .. })));
    let overflow = map.apply(&[1e10; 5], &mut y);
    assert!(matches!(overflow, Err(SpatialError::NotFinite { .. })));
}

/// A backend that has convolutions only.
struct Convolutions;

impl Backend<f64> for Convolutions {
    fn name(&self) -> &str {
        "convolutions"
    }

    fn plan(
        &self,
        workload: Workload,
    ) -> Result<Arc<dyn Plan<f64>>, hpfracc_backend::BackendError> {
        match workload.kind() {
            Kind::CausalConvolution => Reference.plan(workload),
            _ => Err(hpfracc_backend::BackendError::unsupported(
                "convolutions",
                workload,
                "it is no convolution",
            )),
        }
    }
}

#[test]
fn errors_of_a_backend_are_reported() {
    let a = laplacian(vec![axis(5, [Neumann; 2])]);
    let refused = OperatorFunction::on(&a, Function::Power(0.5), &Convolutions).err();
    let expected = "backend `convolutions` cannot plan trigonometric multiplier, 1 x (5 dct2): it \
                    is no convolution";
    assert_eq!(refused, Some(SpatialError::Backend { message: expected.to_owned() }));
    assert!(OperatorFunction::on(&a, Function::Exponential { t: -1.0 }, &Reference).is_err());
}

//! Texts with zero outside of a domain, and on the nodes of graphs.

use super::{NAMES, difference};
use hpfracc_equation::FieldEquation;
use hpfracc_pde::{FieldProblem, Settings, ZeroOutside, solve, solve_linear};
use hpfracc_spatial::{
    Graph, GraphLaplacian, IntegralLaplacian, IntegralLaplacian1d, SpatialOperator,
};
use std::sync::Arc;

fn zero_outside(text: &str, domain: ZeroOutside) -> FieldProblem {
    let equation = FieldEquation::parse(text, &NAMES[..domain.axes().len()]).unwrap();
    FieldProblem::zero_outside(equation, domain).unwrap()
}

fn disk(n: usize) -> ZeroOutside {
    let inside = |x: &[f64]| x[0] * x[0] + x[1] * x[1] < 1.0;
    ZeroOutside::inside(&[(-1.0, 1.0, n), (-1.0, 1.0, n)], inside).unwrap()
}

/// The limit of `D^a u = -(-lap)^s u + 1` is the solution of the Poisson equation.
#[test]
fn fields_are_zero_outside() {
    let line = ZeroOutside::on(&[(-1.0, 1.0, 63)]).unwrap();
    let exact = IntegralLaplacian1d::new(1.2, (-1.0, 1.0), 63).unwrap().with_boundary_correction();
    let exact = exact.poisson(&[1.0; 63]).unwrap().values;
    let text = "D u = -(-lap)^s(u) + 1; s = 0.6; u(0) = 0";
    let problem = zero_outside(text, line.clone());
    assert!(problem.is_linear() && problem.grid().is_none() && problem.n() == 63);
    let tolerance = problem.default_tolerance();
    let equation = problem.linear_equation().unwrap();
    let linear = solve_linear(&equation, &[50.0], tolerance).unwrap();
    assert!(difference(&linear[0], &exact) < 1e-9);
    // By steps, where the operator is a term as well: -u + u does not end its linear part.
    let text = "D^0.8 u = -0.5 (-lap)^0.6(u) - 0.5 (-lap)^0.6(u + 0 u^2) + cos(0 x); u(0) = 0";
    let steps = solve(&zero_outside(text, line).equation().unwrap(), 1.0, Settings::default());
    let linear = zero_outside(
        "D^0.8 u = lap^0.6(u) + 1; u(0) = 0",
        ZeroOutside::on(&[(-1.0, 1.0, 63)]).unwrap(),
    );
    let linear = solve_linear(&linear.linear_equation().unwrap(), &[1.0], 1e-10).unwrap();
    assert!(difference(steps.unwrap().last(), &linear[0]) < 1e-4);

    let disk = disk(15);
    let operator = IntegralLaplacian::inside(0.8, disk.axes(), |x| x[0] * x[0] + x[1] * x[1] < 1.0);
    let exact = operator.unwrap().poisson(&vec![1.0; disk.len()]).unwrap().values;
    let problem = zero_outside("D u = lap^0.4(u) + 1; u(0) = x y", disk);
    let u = solve_linear(&problem.linear_equation().unwrap(), &[60.0], 1e-9).unwrap();
    assert!(difference(&u[0], &exact) < 1e-8);
}

#[test]
fn a_domain_knows_its_nodes() {
    let disk = disk(7);
    let nodes = disk.nodes();
    assert!(nodes.iter().all(|x| x[0] * x[0] + x[1] * x[1] < 1.0) && nodes.len() == disk.len());
    let field: Vec<f64> = nodes.iter().map(|x| x[0] + 3.0 * x[1]).collect();
    let whole = disk.on_box(&field, 0.0);
    assert_eq!((whole.len(), whole[0]), (49, 0.0));
    assert_eq!(disk.of_box(&whole).unwrap(), field);
    let [x, y] = &disk.coordinates()[..] else { panic!("two axes") };
    assert_eq!(whole[2 * 7 + 4], x[2] + 3.0 * y[4]);
    assert!((disk.integral(&vec![1.0; disk.len()]) - std::f64::consts::PI).abs() < 0.4);
    let start = zero_outside("D u = lap^0.4(u); u(0) = x + 3 y", disk);
    assert_eq!(start.initial(0, 0).unwrap().unwrap(), field);
}

#[test]
fn what_domains_do_not_have_is_refused() {
    let line = || ZeroOutside::on(&[(-1.0, 1.0, 9)]).unwrap();
    for (text, message) in [
        (
            "D u = lap(u); u(0) = 1",
            "the exponent of an integral Laplacian is 1, expected 0 < s < 1",
        ),
        ("D u = -(-lap)^1.5(u); u(0) = 1", "the exponent of an integral Laplacian is 1.5"),
        ("D u = lap^0.5(u) + grad(u); u(0) = 1", "`grad(u)` needs a box with boundary conditions"),
        ("D u = div((1 + x) grad(u)); u(0) = 1", "needs a box with boundary conditions"),
    ] {
        let error = zero_outside(text, line()).equation().err().unwrap().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    let plane = FieldEquation::parse("D u = lap^0.5(u); u(0) = 1", &["x", "y"]).unwrap();
    assert!(FieldProblem::zero_outside(plane, line()).is_err(), "two coordinates on a line");
    for (axes, message) in [
        (&[][..], "the number of axes is 0"),
        (&[(0.0, 0.0, 5)][..], "the length of an axis is 0"),
        (&[(0.0, f64::NAN, 5)][..], "the upper end of an axis is NaN"),
        (&[(0.0, 1.0, 0)][..], "the number of nodes of an axis is 0"),
        (&[(0.0, 1.0, 1 << 15), (0.0, 1.0, 1 << 15)][..], "the number of nodes is 1073741824"),
    ] {
        let error = ZeroOutside::on(axes).err().unwrap().to_string();
        assert!(error.contains(message), "{error}");
    }
    assert!(ZeroOutside::masked(&[(0.0, 1.0, 3)], &[true; 2]).is_err());
    let nothing = ZeroOutside::masked(&[(0.0, 1.0, 3)], &[false; 3]).err().unwrap().to_string();
    assert!(nothing.contains("the number of nodes of a domain is 0"), "{nothing}");
    assert!(line().of_box(&[1.0]).is_err());
}

/// Attributes of nodes are the coordinates of a text, and powers are those of the eigenvectors.
#[test]
fn nodes_have_attributes() {
    let graph = Graph::ring(8).unwrap();
    let laplacian: Arc<dyn SpatialOperator> =
        Arc::new(GraphLaplacian::combinatorial(&graph).unwrap());
    let phase: Vec<f64> = (0..8).map(|k| std::f64::consts::TAU * f64::from(k) / 8.0).collect();
    let of = |text: &str| {
        let equation = FieldEquation::parse(text, &["p"]).unwrap();
        FieldProblem::on_points(equation, laplacian.clone(), &[&phase]).unwrap()
    };
    // cos p has the eigenvalue 2 - 2 cos(pi/4).
    let eigenvalue = 2.0 - 2f64.sqrt();
    for (text, factor) in [
        ("D u = lap(u); u(0) = cos(p)", eigenvalue),
        ("D u = lap^0.5(u); u(0) = cos(p)", eigenvalue.sqrt()),
        ("D u = -2 (-lap)^1.5(u); u(0) = cos(p)", 2.0 * eigenvalue.powf(1.5)),
    ] {
        let problem = of(text);
        let u = solve_linear(&problem.linear_equation().unwrap(), &[0.7], 1e-10).unwrap();
        let exact: Vec<f64> = phase.iter().map(|p| p.cos() * (-0.7 * factor).exp()).collect();
        assert!(difference(&u[0], &exact) < 1e-9, "{text}");
    }
    // Growth that differs from node to node, by steps.
    let u = solve(&of("D u = cos(p) u; u(0) = 1").equation().unwrap(), 1.0, Settings::default());
    let exact: Vec<f64> = phase.iter().map(|p| p.cos().exp()).collect();
    assert!(difference(u.unwrap().last(), &exact) < 1e-4);

    let equation = || FieldEquation::parse("D u = lap(u); u(0) = p", &["p"]).unwrap();
    let refused = |coordinates: &[&[f64]]| {
        let refused = FieldProblem::on_points(equation(), laplacian.clone(), coordinates);
        refused.err().unwrap().to_string()
    };
    assert!(refused(&[]).contains("the list of coordinates has 0 values"));
    assert!(refused(&[&[1.0; 3]]).contains("a coordinate has 3 values, expected 8"));
    let mut phase = phase.clone();
    phase[5] = f64::NAN;
    assert!(refused(&[&phase]).contains("NaN at index 5"));
    let error = of("D u = lap(u) + grad(u); u(0) = p").equation().err().unwrap().to_string();
    assert!(error.contains("`grad(u)` needs a box"), "{error}");
}

//! Texts that cannot be computed on some points.

use super::{NAMES, grid};
use hpfracc_equation::FieldEquation;
use hpfracc_pde::FieldProblem;
use hpfracc_spatial::{
    Axis, Boundary, BoxGrid, Discretisation, End, Face, Graph, GraphLaplacian, SpatialOperator,
};
use std::sync::Arc;

fn error(text: &str, grid: &BoxGrid) -> String {
    let equation = FieldEquation::parse(text, &NAMES[..grid.dim()]).unwrap();
    let problem = FieldProblem::on_box(equation, grid.clone()).unwrap();
    problem.equation().err().unwrap_or_else(|| panic!("{text}")).to_string()
}

#[test]
fn what_points_do_not_have() {
    let line = grid(&[(8, Boundary::Dirichlet)]);
    let equation = || FieldEquation::parse("D u = lap(u); u(0) = 1", &["x"]).unwrap();
    let plane = grid(&[(4, Boundary::Dirichlet), (4, Boundary::Dirichlet)]);
    assert!(FieldProblem::on_box(equation(), plane).is_err(), "two axes for one coordinate");
    let ring: Arc<dyn SpatialOperator> =
        Arc::new(GraphLaplacian::combinatorial(&Graph::ring(5).unwrap()).unwrap());
    assert!(FieldProblem::with_operator(equation(), ring).is_err(), "a graph has no coordinates");

    let message = error("D u = lap(u) + 1/x - 1/x + ln(x - 2); u(0) = ln(x - 2)", &line);
    assert!(message.contains("NaN"), "{message}");
    let robin = grid(&[(8, Boundary::Robin(1.0))]);
    let message = error("D u = lap(u^2); u(0) = 1", &robin);
    assert!(message.contains("Robin"), "{message}");
    let axis = Axis::new(0.0, 1.0, 8, [Boundary::Dirichlet; 2]).unwrap();
    let points = BoxGrid::new(vec![axis.with(Discretisation::Legendre).unwrap()]).unwrap();
    let message = error("D u = lap(u) + grad(u); u(0) = 1", &points);
    assert!(message.contains("between cells"), "{message}");

    let power = FieldEquation::parse("D u = lap^0.5(u); u(0) = 1", &["x"]).unwrap();
    let problem = FieldProblem::on_box(power, line).unwrap();
    let face = Face { axis: 0, end: End::Lower };
    let problem = problem.boundary(0, face, |_, _| 1.0).unwrap();
    let message = problem.equation().err().unwrap().to_string();
    assert!(message.contains("power of the Laplacian"), "{message}");
    assert!(problem.boundary(1, face, |_, _| 1.0).is_err(), "no second field");
    // Nor do powers in terms take them.
    let text = "D u = lap(u) - 0.1 (-lap)^0.4(u); u(0) = 1";
    let both = super::problem(text, &grid(&[(8, Boundary::Dirichlet)]));
    let message = both.boundary(0, face, |_, _| 1.0).unwrap().equation().err().unwrap();
    assert!(message.to_string().contains("takes no boundary values"), "{message}");
    // Nor periodic axes, axes that do not exist, and graphs.
    let ring = super::problem("D u = lap(u); u(0) = 1", &grid(&[(8, Boundary::Periodic)]));
    let message = ring.boundary(0, face, |_, _| 1.0).err().unwrap().to_string();
    assert!(message.contains("periodic"), "{message}");
    let line = super::problem("D u = lap(u); u(0) = 1", &grid(&[(8, Boundary::Neumann)]));
    assert!(line.boundary(0, Face { axis: 1, end: End::Lower }, |_, _| 1.0).is_err());
    let graph = FieldEquation::parse("D u = lap(u); u(0) = 1", &[]).unwrap();
    let ring = GraphLaplacian::combinatorial(&Graph::ring(5).unwrap()).unwrap();
    let graph = FieldProblem::with_operator(graph, Arc::new(ring)).unwrap();
    assert!(graph.boundary(0, face, |_, _| 1.0).is_err());
}

//! After the first call, right-hand sides, derivatives and linear solves allocate nothing.

use hpfracc_ode::{Differentiable, System};
use hpfracc_pde::{Equation, FieldProblem, Flux, MethodOfLines, Reaction};
use hpfracc_spatial::{
    AdvectionDiffusion, AdvectionScheme, Axis, Boundary, BoxGrid, Diffusion, End, Face, Laplacian,
};
use hpfracc_testkit::CountingAllocator;
use std::sync::Arc;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

const N: usize = 6000;

/// Number of allocations of the second call.
fn second(mut work: impl FnMut()) -> usize {
    work();
    let before = ALLOCATOR.calls();
    work();
    ALLOCATOR.calls() - before
}

fn grid() -> BoxGrid {
    BoxGrid::new(vec![Axis::new(0.0, 1.0, N, [Boundary::Dirichlet; 2]).unwrap()]).unwrap()
}

fn cube() -> impl hpfracc_pde::Term {
    Reaction::new(
        |_, [u]: &[f64; 1], [a]: &[f64; 1]| [a * u * u * u],
        |_, [u], [a]| ([[3.0 * a * u * u]], [[u * u * u]]),
    )
}

/// Terms at points, a source and a boundary value: direct solves.
fn reaction() -> Equation<'static> {
    let laplacian = Arc::new(Laplacian::new(grid(), &[1.0]).unwrap());
    let face = Face { axis: 0, end: End::Upper };
    let equation = Equation::on_box(laplacian).term(cube(), &[-1.0]).unwrap();
    let equation = equation.boundary(0, face, |t, _| t).unwrap();
    equation.source(0, |at| at.x[0] * at.t).unwrap()
}

/// A flux: iterative solves.
fn flux() -> Equation<'static> {
    let laplacian = Arc::new(Laplacian::new(grid(), &[1e-5]).unwrap());
    Equation::new(laplacian.clone()).term(Flux::new(laplacian, cube()), &[1.0]).unwrap()
}

/// Two fields that react, one with advection: iterative solves.
fn coupled() -> Equation<'static> {
    let diffusion = Diffusion::new(grid(), |_| 1e-5).unwrap();
    let velocity = vec![0.1; N + 1];
    let scheme = AdvectionScheme::Upwind;
    let advection = Arc::new(AdvectionDiffusion::new(&diffusion, &velocity, scheme).unwrap());
    let exchange = Reaction::new(
        |_, [u, v]: &[f64; 2], _: &[f64; 0]| [v - u * u, u - v],
        |_, [u, _], _| ([[-2.0 * u, 1.0], [1.0, -1.0]], [[], []]),
    );
    let laplacian = Arc::new(Laplacian::new(grid(), &[1e-5]).unwrap());
    Equation::coupled(vec![laplacian, advection]).unwrap().term(exchange, &[]).unwrap()
}

/// A text with operators in space, a boundary value and a parameter.
fn text() -> Equation<'static> {
    let text =
        "D u = 1e-5 lap(u) + a div(u^2 grad(u)) + u (1 - u) - grad(u)/100 + lap(u^2)/1e6; a = 1e-6";
    let text = hpfracc_equation::FieldEquation::parse(text, &["x"]).unwrap();
    let face = Face { axis: 0, end: End::Upper };
    let problem = FieldProblem::on_box(text, grid()).unwrap();
    problem.boundary(0, face, |t, _| t).unwrap().equation().unwrap()
}

/// In a pool of one thread, whose start is over: threads allocate where they hand out work.
#[test]
fn calls_after_the_first_allocate_nothing() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        check("reaction", reaction());
        check("flux", flux());
        check("coupled", coupled());
        check("text", text());
    });
}

fn check(name: &str, equation: Equation<'_>) {
    let system = MethodOfLines::new(equation);
    let len = system.equation().len();
    let theta = system.parameters().to_vec();
    let u: Vec<f64> = (0..len).map(|i| 1.0 + 0.3 * (0.01 * i as f64).sin()).collect();
    let (mut f, mut bars, mut x) = (vec![0.0; len], vec![0.0; theta.len()], u.clone());
    let check = |what: &str, count: usize| assert_eq!(count, 0, "{name}: {what}");
    check("rhs", second(|| system.rhs(0.5, &u, &mut f)));
    check("jvp", second(|| system.jvp(0.5, &u, &u, &theta, &mut f)));
    check("vjp", second(|| system.vjp(0.5, &u, &u, &mut f, &mut bars)));
    let mut jacobian = system.shifted_jacobian().unwrap();
    check("linearise", second(|| jacobian.linearise(0.5, &u)));
    assert!(jacobian.shift(&vec![0.1; len]));
    let mut solve = |transposed: bool| {
        x.copy_from_slice(&u);
        let solved =
            if transposed { jacobian.solve_transposed(&mut x) } else { jacobian.solve(&mut x) };
        assert!(solved, "{name}");
    };
    check("solve", second(|| solve(false)));
    check("transposed solve", second(|| solve(true)));
}

//! Programs of the chapter "Fields in space": `cargo run --example book_pde`.

use pictures::Outcome;

fn main() -> Outcome<()> {
    first()?;
    text()?;
    definitions()?;
    table_of_definitions()?;
    jumps()?;
    boundary_values()?;
    start()?;
    table_of_schemes()?;
    table_of_grids()?;
    single_precision()?;
    graph()?;
    several_orders()?;
    variable_orders()?;
    noise()?;
    texts_of_orders()?;
    zero_outside()?;
    nodes()?;
    watched()?;
    noisy_text()?;
    matern()
}

fn first() -> Outcome<()> {
    // ANCHOR: first
    use hpfracc::pde::{models::Diffusion, solve_linear};
    use hpfracc::spatial::{Axis, Boundary, BoxGrid};

    let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, 200, [Boundary::Neumann; 2])?])?;
    let equation = Diffusion { alpha: 0.6, kappa: 0.1 }.equation(grid.clone())?;
    let equation = equation.start_from(|x| (-((x[0] - 0.5) / 0.1).powi(2)).exp())?;
    let fields = solve_linear(&equation, &[0.1, 0.5, 1.0], 1e-10)?; // one for each time
    // ANCHOR_END: first
    // ANCHOR: first_picture
    use hpfracc::plot::{Axis as PlotAxis, Chart, Curve, Format, Sheet};

    let x = grid.axes()[0].points();
    let curves = [
        Curve::line("t = 0.1", x, &fields[0], 0),
        Curve::line("t = 0.5", x, &fields[1], 1),
        Curve::line("t = 1", x, &fields[2], 2),
    ];
    let (x, y) = (PlotAxis::linear("x"), PlotAxis::linear("u"));
    let chart = Chart { title: "", x, y, curves: &curves, equal: false };
    let picture = Sheet { title: "Subdiffusion", columns: &[&[chart]] }.draw(Format::Svg)?; // bytes
    // ANCHOR_END: first_picture
    println!("picture of {} bytes", picture.len());
    let mass = grid.integral(&fields[2])?;
    println!("mass at t = 1: {mass:.10}, {:.10} at the start", grid.integral(&fields[0])?);
    Ok(())
}

fn text() -> Outcome<()> {
    // ANCHOR: text
    use hpfracc::equation::FieldEquation;
    use hpfracc::pde::{FieldProblem, Settings, solve};
    use hpfracc::spatial::{Axis, BoxGrid};

    let text = "D^0.8 u = 0.001 lap(u) + u - u^3; u(0) = 0.1 sin(6 pi x) cos(4 pi y)";
    let axis = || Axis::periodic(0.0, 1.0, 64);
    let grid = BoxGrid::new(vec![axis()?, axis()?])?;
    let problem = FieldProblem::on_box(FieldEquation::parse(text, &["x", "y"])?, grid)?;
    let settings = Settings { save: vec![1.0, 5.0, 10.0], ..Settings::default() };
    let solution = solve(&problem.equation()?, 10.0, settings)?;
    let at_five = solution.field(1, 0); // second saved time, first field
    // ANCHOR_END: text
    let largest = at_five.iter().fold(0.0f64, |most, u| most.max(u.abs()));
    println!("largest |u| at t = 5: {largest:.3}");
    assert!((0.5..1.0).contains(&largest));
    Ok(())
}

fn definitions() -> Outcome<()> {
    // ANCHOR: definitions
    use hpfracc::pde::models::FractionalPoisson;
    use hpfracc::spatial::{Axis, Boundary, BoxGrid, IntegralLaplacian1d};

    // (-Lap)^1/2 u = 1 on (-1, 1), in two definitions.
    let n = 2001;
    let grid = BoxGrid::new(vec![Axis::new(-1.0, 1.0, n, [Boundary::Dirichlet; 2])?])?;
    let spectral = FractionalPoisson { s: 0.5 }.solve(grid, &vec![1.0; n])?;
    let operator = IntegralLaplacian1d::new(1.0, (-1.0, 1.0), n)?.with_boundary_correction();
    let integral = operator.poisson(&vec![1.0; n])?.values; // order alpha = 2 s
    assert!((spectral[n / 2] - 0.742).abs() < 1e-3); // 8 G / pi^2, G Catalan's constant
    assert!((integral[n / 2] - 1.0).abs() < 1e-9); // sqrt(1 - x^2)
    // ANCHOR_END: definitions
    Ok(())
}

fn table_of_definitions() -> Outcome<()> {
    use hpfracc::pde::models::FractionalPoisson;
    use hpfracc::spatial::{Axis, Boundary, BoxGrid, IntegralLaplacian1d};
    use hpfracc::special::gamma;

    let n = 2001;
    println!("s      spectral   integral");
    for s in [0.25, 0.5, 0.75, 0.9] {
        let grid = BoxGrid::new(vec![Axis::new(-1.0, 1.0, n, [Boundary::Dirichlet; 2])?])?;
        let spectral = FractionalPoisson { s }.solve(grid, &vec![1.0; n])?[n / 2];
        let operator =
            IntegralLaplacian1d::new(2.0 * s, (-1.0, 1.0), n)?.with_boundary_correction();
        let integral = operator.poisson(&vec![1.0; n])?.values[n / 2];
        println!("{s:<6} {spectral:<10.4} {integral:.4}");
        assert!((integral - 1.0 / gamma(2.0 * s + 1.0)).abs() < 1e-6);
    }
    Ok(())
}

fn jumps() -> Outcome<()> {
    // ANCHOR: jumps
    use hpfracc::pde::{Equation, Settings, solve};
    use hpfracc::spatial::SkewedLaplacian1d;
    use std::sync::Arc;

    // u_t = D_left^1.5 u on (0, 10): particles that jump far, all in one direction.
    let operator = SkewedLaplacian1d::grunwald_letnikov(1.5, [1.0, 0.0], (0.0, 10.0), 500)?;
    let start: Vec<f64> = operator.nodes().iter().map(|x| (-(x - 3.0).powi(2)).exp()).collect();
    let equation = Equation::new(Arc::new(operator)).start(&start)?;
    let solution = solve(&equation, 1.0, Settings::default())?;
    // ANCHOR_END: jumps
    assert!(solution.last().iter().all(|u| *u > -1e-3));
    Ok(())
}

fn boundary_values() -> Outcome<()> {
    // ANCHOR: boundary
    use hpfracc::pde::{models::Diffusion, solve_linear};
    use hpfracc::spatial::{Axis, Boundary, BoxGrid, End, Face};

    // u = 1 at the left end, no flux through the right one.
    let ends = [Boundary::Dirichlet, Boundary::Neumann];
    let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, 100, ends)?])?;
    let left = Face { axis: 0, end: End::Lower };
    let equation = Diffusion { alpha: 0.7, kappa: 1.0 }.equation(grid)?.start(&[0.0; 100])?;
    let equation = equation.constant_boundary(0, left, 1.0)?;
    let u = solve_linear(&equation, &[0.1, 100.0], 1e-10)?;
    assert!(u[0][99] < 0.5 && u[1][99] > 0.9); // the approach to 1 is slow, 1/t^0.7
    // ANCHOR_END: boundary
    println!("far from the boundary value 1: {:.3}, {:.3}", u[0][99], u[1][99]);
    Ok(())
}

fn start() -> Outcome<()> {
    // ANCHOR: steps
    use hpfracc::pde::{Settings, TimeScheme, graded_steps, models::Diffusion};
    use hpfracc::pde::{solve, solve_linear};
    use hpfracc::prelude::Steps;
    use hpfracc::spatial::{Axis, Boundary, BoxGrid};

    // u(0) = 1 disagrees with u = 0 at the ends: the start is singular in time and in space.
    let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, 100, [Boundary::Dirichlet; 2])?])?;
    let equation = Diffusion { alpha: 0.5, kappa: 1.0 }.equation(grid)?.start(&[1.0; 100])?;
    let exact = &solve_linear(&equation, &[1.0], 1e-12)?[0];
    let error = |scheme, steps| -> Result<f64, hpfracc::pde::PdeError> {
        let settings = Settings { scheme, steps: Some(steps), ..Settings::default() };
        let u = solve(&equation, 1.0, settings)?;
        Ok(u.last().iter().zip(exact).map(|(u, e)| (u - e).abs()).fold(0.0, f64::max))
    };
    let graded = error(TimeScheme::ProductTrapezoid, graded_steps(0.5, 128)?)?;
    let equal = error(TimeScheme::L1, Steps::Graded { n: 128, exponent: 1.0 })?;
    assert!(graded < equal / 10.0);
    // ANCHOR_END: steps
    println!("128 steps: {graded:.1e} graded, {equal:.1e} equal, L1");
    Ok(())
}

/// Largest errors at t = 1 and at the nodes from t = 0.01 on, root mean square in space.
fn table_of_schemes() -> Outcome<()> {
    use hpfracc::pde::{Quantity, Settings, TimeScheme, models::Diffusion};
    use hpfracc::pde::{solve, solve_linear};
    use hpfracc::prelude::Steps;
    use hpfracc::spatial::{Axis, Boundary, BoxGrid};

    println!("alpha  scheme                     errors of 64, 128, 256 steps and the last order");
    for alpha in [0.3, 0.5, 0.8] {
        let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, 100, [Boundary::Dirichlet; 2])?])?;
        let equation = Diffusion { alpha, kappa: 1.0 }.equation(grid)?.start(&[1.0; 100])?;
        let schemes = [
            ("product trapezoid, graded", TimeScheme::ProductTrapezoid, (2.0 / alpha).min(5.0)),
            ("product trapezoid, equal", TimeScheme::ProductTrapezoid, 1.0),
            ("L1, graded", TimeScheme::L1, (2.0 - alpha) / alpha),
            ("L1, equal", TimeScheme::L1, 1.0),
        ];
        for (name, scheme, exponent) in schemes {
            let mut errors = Vec::new();
            for n in [64, 128, 256] {
                let mut error = Quantity::new(|t, u| {
                    let exact = solve_linear(&equation, &[t], 1e-12);
                    exact.map_or(f64::NAN, |exact| {
                        let squares = u.iter().zip(&exact[0]).map(|(u, e)| (u - e).powi(2));
                        (squares.sum::<f64>() / 100.0).sqrt()
                    })
                });
                let settings = Settings {
                    scheme,
                    steps: Some(Steps::Graded { n, exponent }),
                    observers: vec![&mut error],
                    ..Settings::default()
                };
                solve(&equation, 1.0, settings)?;
                let at_nodes = error.times().iter().zip(error.values());
                let later = at_nodes.filter(|(t, _)| **t >= 0.01).map(|(_, error)| *error);
                errors.push([error.values()[n], later.fold(0.0, f64::max)]);
            }
            let shown: Vec<String> =
                errors.iter().map(|[end, later]| format!("{end:.1e}/{later:.1e}")).collect();
            let orders = [0, 1].map(|k| (errors[1][k] / errors[2][k]).log2());
            println!("{alpha:<6} {name:<26} {} {orders:.2?}", shown.join("  "));
            if name.ends_with("trapezoid, graded") {
                assert!((orders[0] - 2.0).abs() < 0.1);
            }
        }
    }
    Ok(())
}

/// Errors in space for smooth and for singular solutions.
fn table_of_grids() -> Outcome<()> {
    use hpfracc::spatial::{
        Axis, Boundary, BoxGrid, Complex64, Discretisation, IntegralLaplacian1d, Laplacian,
        SpatialOperator,
    };
    use hpfracc::special::gamma;
    use std::f64::consts::PI;

    println!("-u'' = pi^2 sin(pi x)");
    for (name, kind, sizes) in [
        ("second order", Discretisation::Second, [50, 100, 200]),
        ("fourth order", Discretisation::Fourth, [50, 100, 200]),
        ("Legendre", Discretisation::Legendre, [6, 10, 14]),
    ] {
        let mut errors = Vec::new();
        for n in sizes {
            let axis = Axis::new(0.0, 1.0, n, [Boundary::Dirichlet; 2])?.with(kind)?;
            let grid = BoxGrid::new(vec![axis])?;
            let exact = grid.sample(|x| (PI * x[0]).sin());
            let mut u: Vec<f64> = exact.iter().map(|u| PI * PI * u).collect();
            Laplacian::new(grid, &[1.0])?.shifted(Complex64::ZERO)?.solve_real(&mut u)?;
            errors.push(largest(&u, &exact, |_| true));
        }
        let shown: Vec<String> = errors.iter().map(|e| format!("{e:.1e}")).collect();
        println!("  {name:<14} {sizes:?} {shown:?} order {:.2}", (errors[1] / errors[2]).log2());
    }
    println!("(-Lap)^s u = x on (-1, 1), u = 0 outside: anywhere, |x| < 1/2");
    for s in [0.25, 0.5, 0.75] {
        for corrected in [false, true] {
            let mut errors = Vec::new();
            for n in [255, 511, 1023] {
                let mut operator = IntegralLaplacian1d::new(2.0 * s, (-1.0, 1.0), n)?;
                if corrected {
                    operator = operator.with_boundary_correction();
                }
                let x = operator.nodes();
                let u = operator.poisson(&x)?.values;
                let exact: Vec<f64> =
                    x.iter().map(|x| x * (1.0 - x * x).powf(s) / gamma(2.0 * s + 2.0)).collect();
                errors.push([
                    largest(&u, &exact, |_| true),
                    largest(&u, &exact, |k| x[k].abs() < 0.5),
                ]);
            }
            let orders = [0, 1].map(|k| (errors[1][k] / errors[2][k]).log2());
            let shown: Vec<String> =
                errors.iter().map(|[all, inside]| format!("{all:.1e} {inside:.1e}")).collect();
            println!("  s = {s:<5} corrected {corrected:<6} {shown:?} orders {orders:.2?}");
        }
    }
    Ok(())
}

fn largest(u: &[f64], exact: &[f64], counts: impl Fn(usize) -> bool) -> f64 {
    let errors = (0..u.len()).filter(|k| counts(*k)).map(|k| (u[k] - exact[k]).abs());
    errors.fold(0.0, f64::max)
}

fn single_precision() -> Outcome<()> {
    // ANCHOR: history
    use hpfracc::pde::{Settings, TimeScheme, models::AllenCahn, solve};
    use hpfracc::prelude::HistoryChoice;
    use hpfracc::spatial::{Axis, BoxGrid};

    let axis = || Axis::periodic(0.0, 1.0, 64);
    let model = AllenCahn { alpha: 0.7, epsilon: 0.05 };
    let equation = model.equation(BoxGrid::new(vec![axis()?, axis()?])?)?;
    let equation = equation.start_from(|x| 0.1 * (12.0 * x[0]).sin() * (9.0 * x[1]).cos())?;
    let settings = Settings {
        scheme: TimeScheme::ImplicitExplicit, // one linear equation a step
        history: HistoryChoice::SingleExponentials { tolerance: 1e-6 }, // half of the memory
        ..Settings::default()
    };
    let solution = solve(&equation, 5.0, settings)?;
    // ANCHOR_END: history
    assert!(solution.last().iter().all(|u| u.abs() < 1.01));
    Ok(())
}

fn graph() -> Outcome<()> {
    // ANCHOR: graph
    use hpfracc::pde::{Equation, solve_linear};
    use hpfracc::spatial::{Graph, GraphLaplacian, Power, SpatialOperator, Way};
    use std::sync::Arc;

    // Six nodes; edges are (from, to, weight), each once.
    let edges = [(0, 1, 1.0), (1, 2, 1.0), (2, 3, 0.5), (3, 4, 1.0), (4, 5, 1.0), (5, 3, 2.0)];
    let graph = Graph::undirected(6, &edges)?;
    let laplacian = Arc::new(GraphLaplacian::combinatorial(&graph)?);

    // The square root of the Laplacian joins nodes that no edge joins.
    let root = Power::new(&*laplacian, 0.5, Way::Auto, 1e-12)?;
    let mut y = [0.0; 6];
    root.apply(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0], &mut y);
    assert!(y[0] > 0.0 && y[5] < 0.0);

    // D^0.7 u = -2 L u from node 0, without time steps.
    let equation = Equation::new(laplacian.clone()).order(0.7)?.coefficient(2.0)?;
    let equation = equation.start(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0])?;
    let u = solve_linear(&equation, &[0.1, 1.0, 10.0], 1e-10)?;
    assert!(u.iter().all(|u| (u.iter().sum::<f64>() - 1.0).abs() < 1e-9));
    // ANCHOR_END: graph
    println!("on the graph at t = 10: {:.3?}", u[2]);
    Ok(())
}

fn matern() -> Outcome<()> {
    // ANCHOR: matern
    use hpfracc::spatial::{Graph, GraphLaplacian, PlusConstant, matern_field};

    // (kappa^2 + L)^(nu/2) u = white noise: correlation length 1/kappa.
    let laplacian = GraphLaplacian::combinatorial(&Graph::torus(&[32, 32])?)?;
    let operator = PlusConstant::new(&laplacian, 0.04)?; // kappa = 0.2
    let field = matern_field(&operator, 3.0, 1e-8)?;
    let noise: Vec<f64> = (0..1024).map(|k| f64::from(k * 7919 % 1024) / 512.0 - 1.0).collect();
    let mut u = vec![0.0; 1024];
    field.apply(&noise, &mut u)?;
    println!("{}", field.explain()); // the method and its error
    // ANCHOR_END: matern
    Ok(())
}

fn several_orders() -> Outcome<()> {
    // ANCHOR: orders
    use hpfracc::pde::{Equation, solve_linear};
    use hpfracc::spatial::{Axis, Boundary, BoxGrid, Laplacian, TimeDerivative};
    use std::sync::Arc;

    // D u + 2 D^0.4 u = u_xx: particles that wait in traps, with a fast start and a slow end.
    let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, 200, [Boundary::Dirichlet; 2])?])?;
    let laplacian = Arc::new(Laplacian::new(grid, &[1.0])?);
    let derivative = TimeDerivative::multi_term(&[(1.0, 1.0), (2.0, 0.4)])?;
    let equation = Equation::on_box(laplacian).time_derivative(0, derivative)?;
    let equation = equation.start_from(|x| (std::f64::consts::PI * x[0]).sin())?;
    let u = solve_linear(&equation, &[1.0, 10.0], 1e-10)?;
    // It ends as t^-0.4, not as an exponential.
    assert!((u[0][100] / u[1][100] - 10f64.powf(0.4)).abs() < 0.3);
    // ANCHOR_END: orders
    println!("two orders: {:.6} at t = 1, {:.6} at t = 10", u[0][100], u[1][100]);
    Ok(())
}

fn variable_orders() -> Outcome<()> {
    // ANCHOR: variable_orders
    use hpfracc::pde::{Settings, TimeScheme, models::AllenCahn, solve};
    use hpfracc::spatial::{Axis, BoxGrid, TimeDerivative};

    let grid = BoxGrid::new(vec![Axis::periodic(0.0, 1.0, 128)?])?;
    let equation = AllenCahn { alpha: 1.0, epsilon: 0.05 }.equation(grid)?;
    let equation = equation.start_from(|x| 0.1 * (std::f64::consts::TAU * x[0]).sin())?;
    // All orders of (0.2, 1) with equal weights; and an order that falls from 0.9 to 0.4.
    let all = TimeDerivative::distributed((0.2, 1.0), |_| 1.0)?;
    let distributed = equation.clone().time_derivative(0, all)?;
    let falling = equation.variable_order(0, |t| 0.4 + 0.5 * (-t).exp())?;
    for equation in [distributed, falling] {
        let settings =
            Settings { scheme: TimeScheme::L1, save: vec![1.0, 5.0], ..Settings::default() };
        let solution = solve(&equation, 5.0, settings)?;
        assert!(solution.saved().iter().flatten().all(|u| u.abs() <= 1.0));
    }
    // ANCHOR_END: variable_orders
    Ok(())
}

fn noise() -> Outcome<()> {
    // ANCHOR: noise
    use hpfracc::pde::{SpaceTimeNoise, models::Diffusion, solve_path};
    use hpfracc::spatial::{Axis, Boundary, BoxGrid};

    let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, 100, [Boundary::Dirichlet; 2])?])?;
    let equation = Diffusion { alpha: 0.8, kappa: 0.1 }.equation(grid.clone())?;
    let equation = equation.start(&[0.0; 100])?;
    let noise = SpaceTimeNoise::new(0.2, 42)?.on_grid(&grid)?; // amplitude, seed
    let path = solve_path(&equation, 1.0, 200, &noise, 0)?; // the fields at all nodes
    let last = path.last();
    // ANCHOR_END: noise
    let square: f64 = last.iter().map(|u| u * u).sum::<f64>() / 100.0;
    println!("noise: root mean square {:.3} at t = 1", square.sqrt());
    Ok(())
}

pictures::runs_with_the_tests!();

fn texts_of_orders() -> Outcome<()> {
    // ANCHOR: texts_of_orders
    use hpfracc::equation::FieldEquation;
    use hpfracc::pde::{FieldProblem, Settings, solve};
    use hpfracc::spatial::{Axis, Boundary, BoxGrid};

    let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, 100, [Boundary::Dirichlet; 2])?])?;
    for left in ["D u + 2 D^0.4 u", "D^(0.9 - 0.1 t) u", "int(2 a D^a u, a in [0.2, 1])"] {
        let text = format!("{left} = 0.1 lap(u) + u - u^3; u(0) = sin(pi x)");
        let problem = FieldProblem::on_box(FieldEquation::parse(&text, &["x"])?, grid.clone())?;
        let scheme = problem.default_scheme(); // L1
        let settings = Settings { scheme, ..Settings::default() };
        let solution = solve(&problem.equation()?, 2.0, settings)?;
        assert!(solution.last().iter().all(|u| (0.0..=1.0).contains(u)));
    }
    // ANCHOR_END: texts_of_orders
    Ok(())
}

fn zero_outside() -> Outcome<()> {
    // ANCHOR: zero_outside
    use hpfracc::equation::FieldEquation;
    use hpfracc::pde::{FieldProblem, ZeroOutside, solve_linear};

    // Animals that leave a round patch by long jumps are lost.
    let text = "D^0.9 u = -(-lap)^0.7(u); u(0) = 1";
    let inside = |x: &[f64]| x[0] * x[0] + x[1] * x[1] < 1.0;
    let patch = ZeroOutside::inside(&[(-1.0, 1.0, 31), (-1.0, 1.0, 31)], inside)?;
    let problem =
        FieldProblem::zero_outside(FieldEquation::parse(text, &["x", "y"])?, patch.clone())?;
    let u = solve_linear(&problem.linear_equation()?, &[0.1, 1.0], 1e-9)?;
    assert!(patch.integral(&u[1]) < 0.5 * patch.integral(&u[0]));
    // ANCHOR_END: zero_outside
    Ok(())
}

fn nodes() -> Outcome<()> {
    // ANCHOR: nodes
    use hpfracc::equation::FieldEquation;
    use hpfracc::pde::{FieldProblem, Settings, solve};
    use hpfracc::spatial::{Graph, GraphLaplacian};
    use std::sync::Arc;

    // A ring of towns: infections travel along the roads and grow at the rate r of each town.
    let roads = Arc::new(GraphLaplacian::combinatorial(&Graph::ring(6)?)?);
    let text = "D^0.8 u = 0.2 lap(u) + r u (1 - u); u(0) = 0.01";
    let rates = [0.5, 0.5, 2.0, 0.5, 0.5, 0.5];
    let equation = FieldEquation::parse(text, &["r"])?;
    let problem = FieldProblem::on_points(equation, roads, &[&rates])?;
    let solution = solve(&problem.equation()?, 4.0, Settings::default())?;
    assert!(solution.last()[2] > solution.last()[5]);
    // ANCHOR_END: nodes
    Ok(())
}

fn watched() -> Outcome<()> {
    // ANCHOR: watched
    use hpfracc::equation::FieldEquation;
    use hpfracc::pde::{FieldProblem, Settings, solve};
    use hpfracc::spatial::{Axis, Boundary, BoxGrid};

    let text = "D^0.8 u = 0.01 lap(u) + u (1 - u); u(0) = exp(-(x/0.1)^2)
        show mass = integral(u)
        when mean(u) = 0.5 rising: stop";
    let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, 100, [Boundary::Neumann; 2])?])?;
    let problem = FieldProblem::on_box(FieldEquation::parse(text, &["x"])?, grid)?;
    let mut events = problem.events()?;
    let observers = events.iter_mut().map(|event| event as _).collect();
    let settings = Settings { observers, ..Settings::default() };
    let solution = solve(&problem.equation()?, 20.0, settings)?;
    let mass = problem.shown()?.at(solution.end(), solution.last())[0][0];
    assert!((mass - 0.5).abs() < 1e-9 && events[0].hits()[0].t == solution.end());
    // ANCHOR_END: watched
    Ok(())
}

fn noisy_text() -> Outcome<()> {
    // ANCHOR: noisy_text
    use hpfracc::equation::FieldEquation;
    use hpfracc::pde::{FieldProblem, solve_path};
    use hpfracc::spatial::{Axis, BoxGrid};

    let text = "D^0.8 u = 0.01 lap(u) + u - u^3 + 0.02 dW/dt; u(0) = 0";
    let grid = BoxGrid::new(vec![Axis::periodic(0.0, 1.0, 128)?])?;
    let problem = FieldProblem::on_box(FieldEquation::parse(text, &["x"])?, grid)?;
    let (equation, noise) = problem.noisy(42)?; // seed
    let path = solve_path(&equation, 10.0, 200, &noise, 0)?;
    // ANCHOR_END: noisy_text
    assert_eq!(path.saved().len(), 201);
    Ok(())
}

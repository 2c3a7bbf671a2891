//! Equations of fields on N cells of [0, 1], up to t = 1.
//!
//! Subdiffusion: `D^0.6 u = 0.1 u_xx`, u = 0 at the ends, u(0) = sin(pi x); the largest error at the end.
//! Reaction and diffusion: `u' = 4e-4 u_xx + u - u^3`, insulated ends, u(0) = cos(7 x + 0.3).

use crate::row::{INSIDE, Measured};
use hpfracc::pde::models::{AllenCahn, Diffusion};
use hpfracc::pde::{Equation, Settings, TimeScheme, graded_steps, solve, solve_linear};
use hpfracc::spatial::{Axis, Boundary, BoxGrid};
use hpfracc_special::MittagLeffler;
use std::f64::consts::PI;

const ALPHA: f64 = 0.6;
const KAPPA: f64 = 0.1;
const STEPS: usize = 500;

fn grid(n: usize, boundary: Boundary) -> BoxGrid {
    let axis = Axis::new(0.0, 1.0, n, [boundary; 2]).expect(INSIDE);
    BoxGrid::new(vec![axis]).expect(INSIDE)
}

fn stepped(equation: &Equation<'_>, alpha: f64, scheme: TimeScheme) -> Vec<f64> {
    let steps = Some(graded_steps(alpha, STEPS).expect(INSIDE));
    let settings = Settings { scheme, steps, ..Settings::default() };
    solve(equation, 1.0, settings).expect(INSIDE).last().to_vec()
}

pub(crate) fn subdiffusion(method: &str, seconds: f64, n: usize) -> Option<Measured> {
    let grid = grid(n, Boundary::Dirichlet);
    let equation = Diffusion { alpha: ALPHA, kappa: KAPPA }.equation(grid.clone());
    let equation = equation.and_then(|e| e.start_from(|x| (PI * x[0]).sin())).expect(INSIDE);
    let mut last = Vec::new();
    let measured = match method {
        "trapezoid" => Measured::of(seconds, || {
            last = stepped(&equation, ALPHA, TimeScheme::ProductTrapezoid);
        }),
        "without-steps" => Measured::of(seconds, || {
            last = solve_linear(&equation, &[1.0], 1e-10).expect(INSIDE).remove(0);
        }),
        _ => return None,
    };
    let decay = MittagLeffler::new(ALPHA, 1.0).map(|e| e.eval(-KAPPA * PI * PI));
    let decay = decay.expect(INSIDE);
    let exact = grid.sample(|x| decay * (PI * x[0]).sin());
    let errors = last.iter().zip(exact).map(|(u, exact)| (u - exact).abs());
    Some(measured.with_error(errors.fold(0.0, f64::max)))
}

pub(crate) fn allen_cahn(method: &str, seconds: f64, n: usize) -> Option<Measured> {
    let scheme = match method {
        "trapezoid" => TimeScheme::ProductTrapezoid,
        "implicit-explicit" => TimeScheme::ImplicitExplicit,
        _ => return None,
    };
    let model = AllenCahn { alpha: 1.0, epsilon: 0.02 };
    let equation = model.equation(grid(n, Boundary::Neumann));
    let equation = equation.and_then(|e| e.start_from(|x| (7.0 * x[0] + 0.3).cos()));
    let equation = equation.expect(INSIDE);
    Some(Measured::of(seconds, || drop(stepped(&equation, 1.0, scheme))))
}

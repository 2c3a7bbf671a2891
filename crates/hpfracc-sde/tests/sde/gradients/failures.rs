//! Bad input is answered with the value and the place.

use super::case::{Case, PATHS, loss};
use super::systems::mixed;
use crate::systems::differentiable;
use hpfracc_sde::SdeError;
use hpfracc_sde::noise::Brownian;
use hpfracc_sde::{
    Cotangents, DifferentiableStochasticSystem, DriftImplicit, Ensemble, EnsembleGradient,
    EulerMaruyama, FractionalEulerMaruyama, NoiseKind, ReversibleHeun, SavedStates,
    StochasticSystem, Vjp,
};
use hpfracc_sde::{Rows, RowsMut};
use ndarray::Array3;

#[test]
fn cotangents_of_another_shape() {
    let case = Case::new(mixed(), &[1.0]);
    let gradient = EnsembleGradient::new(case.ensemble());
    for (shape, named) in
        [((PATHS - 1, 4, 2), "paths"), ((PATHS, 3, 2), "times"), ((PATHS, 4, 1), "components")]
    {
        let bar = Array3::<f64>::zeros(shape);
        let loss = Cotangents(bar.view());
        let refused = gradient.solve(&case.problem(), &EulerMaruyama, &case.noise(), &loss);
        let error = refused.unwrap_err();
        assert!(matches!(error, SdeError::Length { .. }), "{error}");
        assert!(error.to_string().contains(named), "{error}");
    }
}

#[test]
fn cotangents_and_losses_that_are_not_finite() {
    let case = Case::new(mixed(), &[1.0]);
    let gradient = EnsembleGradient::new(case.ensemble());
    let mut bar = Array3::<f64>::zeros((PATHS, 4, 2));
    bar[[69, 2, 1]] = f64::NAN;
    let of = |bar: &Array3<f64>| {
        let loss = Cotangents(bar.view());
        gradient.solve(&case.problem(), &EulerMaruyama, &case.noise(), &loss).unwrap_err()
    };
    // The loss, x times it, is the first to show it.
    assert!(matches!(of(&bar), SdeError::PathValueNotFinite { what: "loss", path: 169, .. }));
    let only = |saved: SavedStates<'_, f64>, _: &mut [f64], mut xbar: RowsMut<'_, f64>| {
        if saved.path == 64 {
            xbar[5][5] = f64::INFINITY;
        }
    };
    let refused = gradient.solve(&case.problem(), &EulerMaruyama, &case.noise(), &only);
    let Err(SdeError::CotangentNotFinite { path: 169, component: 1, step: 18, t }) = refused else {
        panic!("{refused:?}")
    };
    assert!((t - (0.5 + 18.0 * 1.5 / 24.0)).abs() < 1e-14);
}

/// Finite itself, but with derivatives that are not: in x from t = 0.42 downwards for values above
/// 0.3, or in its parameter.
struct Breaks {
    in_x: bool,
}

impl StochasticSystem<f64> for Breaks {
    fn dim(&self) -> usize {
        1
    }
    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Scalar
    }
    fn drift(&self, _: f64, _: Rows<'_, f64>, mut f: RowsMut<'_, f64>) {
        f[0].fill(0.0);
    }
    fn diffusion(&self, _: f64, _: Rows<'_, f64>, mut g: RowsMut<'_, f64>) {
        g[0].fill(0.5);
    }
}

impl DifferentiableStochasticSystem<f64> for Breaks {
    fn parameters(&self) -> usize {
        2
    }
    fn drift_vjp(&self, t: f64, x: Rows<'_, f64>, _: Rows<'_, f64>, to: Vjp<'_, f64>) {
        let Vjp { mut xbar, thetabar } = to;
        if t < 0.42 {
            if self.in_x {
                for (xbar, x) in xbar[0].iter_mut().zip(&x[0]) {
                    *xbar += if *x > 0.3 { f64::NAN } else { 0.0 };
                }
            } else {
                thetabar[1] = f64::NAN;
            }
        }
    }
    fn diffusion_vjp(&self, _: f64, _: Rows<'_, f64>, _: Rows<'_, f64>, _: Vjp<'_, f64>) {}
}

#[test]
fn derivatives_that_are_not_finite() {
    let noise = Brownian::new(1, 1).unwrap();
    let end =
        |_: SavedStates<'_, f64>, _: &mut [f64], mut xbar: RowsMut<'_, f64>| xbar[0].fill(1.0);
    let gradient = || EnsembleGradient::new(Ensemble::new(10, 100).unwrap().starting_at(1000));
    let problem = |in_x| differentiable(Breaks { in_x }, (0.0, 1.0), &[0.0]).unwrap();
    let refused = gradient().solve(&problem(true), &EulerMaruyama, &noise, &end);
    let Err(SdeError::CotangentNotFinite { path, component: 0, step, t }) = refused else {
        panic!("{refused:?}")
    };
    assert!((1000..1010).contains(&path) && step <= 41 && t == step as f64 * 0.01);
    let refused = gradient().solve(&problem(false), &EulerMaruyama, &noise, &end);
    assert!(matches!(
        refused,
        Err(SdeError::ParameterGradientNotFinite {
            parameter: 1,
            first_path: 1000,
            last_path: 1009,
            step: 41,
            ..
        })
    ));
}

/// No drift, but a derivative of it for which `1 - h f_x` is 0 on steps of 1/128.
struct Singular;

impl StochasticSystem<f64> for Singular {
    fn dim(&self) -> usize {
        1
    }
    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Scalar
    }
    fn drift(&self, _: f64, _: Rows<'_, f64>, mut f: RowsMut<'_, f64>) {
        f[0].fill(0.0);
    }
    fn diffusion(&self, _: f64, _: Rows<'_, f64>, mut g: RowsMut<'_, f64>) {
        g[0].fill(0.5);
    }
}

impl DifferentiableStochasticSystem<f64> for Singular {
    fn parameters(&self) -> usize {
        0
    }
    fn drift_vjp(&self, t: f64, _: Rows<'_, f64>, fbar: Rows<'_, f64>, to: Vjp<'_, f64>) {
        let Vjp { mut xbar, .. } = to;
        let slope = if t < 0.4 { 128.0 } else { 0.0 };
        xbar[0].iter_mut().zip(&fbar[0]).for_each(|(xbar, fbar)| *xbar += slope * fbar);
    }
    fn diffusion_vjp(&self, _: f64, _: Rows<'_, f64>, _: Rows<'_, f64>, _: Vjp<'_, f64>) {}
}

/// Of the step from 50/128 to 51/128 < 0.4.
#[test]
fn a_singular_system_of_an_implicit_step() {
    let problem = differentiable(Singular, (0.0, 1.0), &[0.0]).unwrap();
    let end =
        |_: SavedStates<'_, f64>, _: &mut [f64], mut xbar: RowsMut<'_, f64>| xbar[0].fill(1.0);
    let gradient = EnsembleGradient::new(Ensemble::new(3, 128).unwrap().starting_at(40));
    let noise = Brownian::new(1, 1).unwrap();
    let refused = gradient.solve(&problem, &DriftImplicit::default(), &noise, &end);
    assert!(
        matches!(
            refused,
            Err(SdeError::CotangentNotFinite { path: 40, component: 0, step: 50, .. })
        ),
        "{refused:?}"
    );
}

#[test]
fn what_a_scheme_does_not_have() {
    let case = Case::new(mixed(), &[1.0]);
    let solve = |gradient: EnsembleGradient<'_>| {
        gradient.solve(&case.problem(), &EulerMaruyama, &case.noise(), &loss::<f64>)
    };
    let new = || EnsembleGradient::new(case.ensemble());
    let refused = solve(new().with_orders());
    assert!(matches!(refused, Err(SdeError::NoDerivative { scheme: "euler-maruyama", .. })));
    assert!(matches!(solve(new().in_segments_of(0)), Err(SdeError::OutOfRange { .. })));
    assert!(matches!(solve(new().with_checkpoints(0)), Err(SdeError::OutOfRange { .. })));
    let with_memory = |scheme: FractionalEulerMaruyama, gradient: EnsembleGradient<'_>| {
        let problem = case.problem().of_orders(&[0.7]).unwrap();
        gradient.solve(&problem, &scheme, &case.noise(), &loss::<f64>)
    };
    let refused = with_memory(FractionalEulerMaruyama::default(), new().in_segments_of(5));
    assert!(matches!(refused, Err(SdeError::OutOfRange { value: 5.0, .. })));
    let refused = with_memory(FractionalEulerMaruyama::default(), new().with_checkpoints(6));
    assert!(matches!(refused, Err(SdeError::OutOfRange { value: 6.0, .. })));
    let problem = case.problem().stratonovich();
    let reversible =
        new().with_orders().solve(&problem, &ReversibleHeun, &case.noise(), &loss::<f64>);
    assert!(matches!(reversible, Err(SdeError::NoDerivative { .. })));
    let reversible =
        new().in_segments_of(4).solve(&problem, &ReversibleHeun, &case.noise(), &loss::<f64>);
    assert!(matches!(reversible, Err(SdeError::OutOfRange { value: 4.0, .. })));
    let noise = Brownian::new(1, 2).unwrap();
    let refused = new().solve(&case.problem(), &EulerMaruyama, &noise, &loss::<f64>);
    assert!(matches!(refused, Err(SdeError::Length { what: "the noise", .. })));
}

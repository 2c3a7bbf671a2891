//! Features of the right-hand side that adaptive schemes have to find, and tolerances that they
//! cannot meet.

use hpfracc_ode::{
    AdamsBashforthMoulton, Collocation, OdeError, Options, Problem, ProductTrapezoid, Scheme,
    Steps, solve,
};
use hpfracc_special::recip_gamma;

const CENTRE: f64 = 50.3;

fn for_each_adaptive(check: impl Fn(&dyn Scheme)) {
    check(&Collocation::default());
    check(&ProductTrapezoid);
    check(&AdamsBashforthMoulton::default());
}

/// `D^0.6 y = pulse - rate y` on [0, 100], at the end.
fn after_pulse(scheme: &dyn Scheme, steps: &Steps, width: f64, rate: f64) -> f64 {
    let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| {
        dydt[0] = (-((t - CENTRE) / width).powi(2)).exp() - rate * y[0];
    };
    let problem = Problem::new(&[0.6], (0.0, 100.0), &[&[0.0]], rhs).unwrap();
    solve(&problem, scheme, steps, Options::default()).unwrap().last()[0]
}

/// Half-widths from 2 down to half a hundredth of the interval.
#[test]
fn a_pulse_of_a_hundredth_of_the_interval_is_seen() {
    for width in [2.0, 1.0, 0.5] {
        for rate in [0.0, 1.0] {
            let breaks = vec![CENTRE - 8.0 * width, CENTRE, CENTRE + 8.0 * width];
            let declared = Collocation { breaks, ..Collocation::default() };
            let exact = after_pulse(&declared, &Steps::adaptive(1e-12, 1e-12), width, rate);
            for_each_adaptive(|scheme| {
                let found = after_pulse(scheme, &Steps::adaptive(1e-5, 1e-6), width, rate);
                let error = (found - exact).abs();
                assert!(error < 1e-5, "{} {width} {rate}: {found} {exact}", scheme.name());
            });
        }
    }
}

/// A sum over the pulse is exact for its integral with the kernel.
#[test]
fn a_narrow_pulse_is_seen_with_max_step() {
    let width: f64 = 0.02;
    let terms = (-100..=100).map(|j| {
        let s = f64::from(j) * 0.1 * width;
        0.1 * width * (-(s / width).powi(2)).exp() * (100.0 - CENTRE - s).powf(-0.4)
    });
    let exact = recip_gamma(0.6) * terms.sum::<f64>();
    for_each_adaptive(|scheme| {
        let steps =
            Steps::Adaptive { rtol: 1e-6, atol: 1e-7, min_step: 0.0, max_step: 2.0 * width };
        let found = after_pulse(scheme, &steps, width, 0.0);
        assert!((found - exact).abs() < 1e-6, "{}: {found} {exact}", scheme.name());
    });
}

#[test]
fn no_step_is_longer_than_max_step() {
    let problem = Problem::new(&[0.7], (0.0, 3.0), &[&[1.0]], |_, _, dydt| dydt[0] = 1.0).unwrap();
    for_each_adaptive(|scheme| {
        for max_step in [0.3, 0.011] {
            let steps = Steps::Adaptive { rtol: 1e-3, atol: 1e-3, min_step: 0.0, max_step };
            let solution = solve(&problem, scheme, &steps, Options::default()).unwrap();
            let longest =
                solution.times().windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
            assert!(longest <= max_step * 1.001, "{} {max_step}: {longest}", scheme.name());
        }
    });
}

/// `I^alpha cos(omega t)`: its oscillation, and what the start leaves far away from it.
#[test]
fn thousands_of_oscillations() {
    const OMEGA: f64 = 400.0;
    for alpha in [0.3, 0.8, 1.0, 1.6] {
        let rhs = |t: f64, _: &[f64], dydt: &mut [f64]| dydt[0] = (OMEGA * t).cos();
        let rows = [&[0.0][..], &[0.0]];
        let rows = &rows[..f64::ceil(alpha) as usize];
        let problem = Problem::new(&[alpha], (0.0, 10.0), rows, rhs).unwrap();
        let steps = Steps::adaptive(1e-11, 1e-11);
        let solution = solve(&problem, &Collocation::default(), &steps, Options::default());
        let solution = solution.unwrap();
        for t in [1.0, 3.3, 7.77, 10.0] {
            let phase = OMEGA * t - alpha * std::f64::consts::FRAC_PI_2;
            let start = t.powf(alpha - 2.0) * OMEGA.powi(-2) * recip_gamma(alpha - 1.0)
                - t.powf(alpha - 4.0) * OMEGA.powi(-4) * recip_gamma(alpha - 3.0);
            let exact = OMEGA.powf(-alpha) * phase.cos() + start;
            let found = solution.at(t).unwrap()[0];
            assert!((found - exact).abs() < 1e-11, "{alpha} at {t}: {found} {exact}");
        }
    }
}

/// A solution far below the rounding of its start: the error names the component and what it can
/// have, after few steps.
#[test]
fn a_tolerance_below_rounding_is_named() {
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| (dydt[0], dydt[1]) = (0.0, -50.0 * y[1]);
    let problem = Problem::new(&[1.0], (0.0, 20.0), &[&[1.0, 1.0]], rhs).unwrap();
    for_each_adaptive(|scheme| {
        let steps = Steps::adaptive(1e-3, 1e-30);
        let failure = solve(&problem, scheme, &steps, Options::default()).unwrap_err();
        let OdeError::ToleranceBelowRounding { t, component, tolerance, rounding } = failure.error
        else {
            panic!("{}: {failure}", scheme.name());
        };
        assert!((0.3..3.0).contains(&t) && component == 1, "{failure}");
        assert!(tolerance < 100.0 * rounding && rounding == f64::EPSILON, "{failure}");
        let partial = failure.partial.unwrap();
        assert!(partial.statistics().steps < 20_000, "{:?}", partial.statistics());
        let enough = Steps::adaptive(1e-3, 1e-6);
        let solution = solve(&problem, scheme, &enough, Options::default()).unwrap();
        assert!(solution.last()[1].abs() < 1e-6, "{}", scheme.name());
    });
}

//! `D^1/2 y = -y`, y(0) = 1, to t = 10 in N steps of the Adams-Bashforth-Moulton method (PECE); the
//! error at the end.

use crate::row::{INSIDE, Measured};
use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{AdamsBashforthMoulton, Options, Problem, Steps, solve};
use hpfracc_special::erfcx;

pub(crate) fn run(method: &str, seconds: f64, n: usize) -> Option<Measured> {
    let history = match method {
        "default" => HistoryChoice::default(),
        "direct" => HistoryChoice::Direct,
        _ => return None,
    };
    let f = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -y[0];
    let problem = Problem::new(&[0.5], (0.0, 10.0), &[&[1.0]], f).expect(INSIDE);
    let mut last = f64::NAN;
    let measured = Measured::of(seconds, || {
        let options = Options { history, ..Options::default() };
        let scheme = AdamsBashforthMoulton::default();
        let solution = solve(&problem, &scheme, &Steps::Uniform(n), options).expect(INSIDE);
        last = solution.last()[0];
    });
    let exact = erfcx(10f64.sqrt());
    Some(measured.with_error((last - exact).abs() / exact))
}

use super::{Defaults, Form, Named};
use hpfracc::special::mittag_leffler;

/// `y = y0 E_alpha(-omega^2 t^alpha) + v0 t E_{alpha,2}(-omega^2 t^alpha)`: between relaxation and
/// wave.
pub(super) const OSCILLATOR: Named = Named {
    name: "oscillator",
    title: "Oscillator",
    equation: &["D^alpha y = -omega^2 y"],
    components: &["y"],
    parameters: &[("omega", 1.0), ("y0", 1.0), ("v0", 0.0)],
    orders: (1.0, 2.0),
    defaults: Defaults { alpha: 1.8, t1: 40.0, n: 2000, grading: 1.0, scheme: "pece" },
    initial: |p| vec![vec![p[1]], vec![p[2]]],
    form: Form::Autonomous {
        rhs: |p, y, dydt| dydt[0] = -p[0] * p[0] * y[0],
        jacobian: |p, _, out| out[0] = -p[0] * p[0],
    },
    exact: Some(|alpha, p, t| {
        let e = |beta| mittag_leffler(alpha, beta, -p[0] * p[0] * t.powf(alpha)).ok();
        Some(vec![p[1] * e(1.0)? + p[2] * t * e(2.0)?])
    }),
};

use super::{Defaults, Form, Named};
use hpfracc::special::mittag_leffler;

/// `y = y0 E_alpha(-rate t^alpha)`.
pub(super) const RELAXATION: Named = Named {
    name: "relaxation",
    title: "Relaxation",
    equation: &["D^alpha y = -rate y"],
    components: &["y"],
    parameters: &[("rate", 1.0), ("y0", 1.0)],
    orders: (0.0, 1.0),
    defaults: Defaults { alpha: 0.6, t1: 10.0, n: 1000, grading: 1.0, scheme: "pece" },
    initial: |p| vec![vec![p[1]]],
    form: Form::Autonomous {
        rhs: |p, y, dydt| dydt[0] = -p[0] * y[0],
        jacobian: |p, _, out| out[0] = -p[0],
    },
    exact: Some(|alpha, p, t| {
        let e = mittag_leffler(alpha, 1.0, -p[0] * t.powf(alpha)).ok()?;
        Some(vec![p[1] * e])
    }),
};

use super::{Defaults, Form, Named};

/// Logistic growth limited by the delayed population (Hutchinson). At order 1 the equilibrium
/// y = capacity loses stability to a cycle at rate tau = pi/2.
pub(super) const DELAY_LOGISTIC: Named = Named {
    name: "delay-logistic",
    title: "Logistic growth with a delay",
    equation: &["D^alpha y = rate y (1 - y(t - tau)/capacity),  y = y0 up to t = 0"],
    components: &["y"],
    parameters: &[("rate", 1.0), ("capacity", 1.0), ("tau", 2.0), ("y0", 0.5)],
    orders: (0.0, 1.0),
    defaults: Defaults { alpha: 0.95, t1: 60.0, n: 6000, grading: 1.0, scheme: "pece" },
    initial: |p| vec![vec![p[3]]],
    form: Form::Delay { rhs: |p, y, lagged| p[0] * y * (1.0 - lagged / p[1]), tau: |p| p[2] },
    exact: None,
};

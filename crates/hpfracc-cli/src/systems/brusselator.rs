use super::{Defaults, Form, Named};

/// Chemical oscillator: limit cycle for b > 1 + a^2 at orders close enough to 1.
pub(super) const BRUSSELATOR: Named = Named {
    name: "brusselator",
    title: "Brusselator",
    equation: &["D^alpha x = a - (b+1) x + x^2 y", "D^alpha y = b x - x^2 y"],
    components: &["x", "y"],
    parameters: &[("a", 1.0), ("b", 3.0), ("x0", 1.2), ("y0", 2.8)],
    orders: (0.0, 1.0),
    defaults: Defaults { alpha: 0.8, t1: 50.0, n: 10_000, grading: 1.0, scheme: "pece" },
    initial: |p| vec![p[2..4].to_vec()],
    form: Form::Autonomous {
        rhs: |p, y, dydt| {
            let reaction = y[0] * y[0] * y[1];
            dydt[0] = p[0] - (p[1] + 1.0) * y[0] + reaction;
            dydt[1] = p[1] * y[0] - reaction;
        },
        jacobian: |p, y, out| {
            let (in_x, in_y) = (2.0 * y[0] * y[1], y[0] * y[0]);
            out.copy_from_slice(&[in_x - p[1] - 1.0, in_y, p[1] - in_x, -in_y]);
        },
    },
    exact: None,
};

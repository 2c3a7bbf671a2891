use super::{Defaults, Form, Named};

/// Convection in three modes: chaotic down to orders of about 0.99 at the default parameters.
pub(super) const LORENZ: Named = Named {
    name: "lorenz",
    title: "Lorenz system",
    equation: &[
        "D^alpha x = sigma (y - x)",
        "D^alpha y = x (rho - z) - y",
        "D^alpha z = x y - beta z",
    ],
    components: &["x", "y", "z"],
    parameters: &[
        ("sigma", 10.0),
        ("rho", 28.0),
        ("beta", 8.0 / 3.0),
        ("x0", 1.0),
        ("y0", 1.0),
        ("z0", 1.0),
    ],
    orders: (0.0, 1.0),
    defaults: Defaults { alpha: 0.995, t1: 50.0, n: 10_000, grading: 1.0, scheme: "pece" },
    initial: |p| vec![p[3..6].to_vec()],
    form: Form::Autonomous {
        rhs: |p, y, dydt| {
            dydt[0] = p[0] * (y[1] - y[0]);
            dydt[1] = y[0] * (p[1] - y[2]) - y[1];
            dydt[2] = y[0] * y[1] - p[2] * y[2];
        },
        jacobian: |p, y, out| {
            out.copy_from_slice(&[-p[0], p[0], 0.0, p[1] - y[2], -1.0, -y[0], y[1], y[0], -p[2]]);
        },
    },
    exact: None,
};

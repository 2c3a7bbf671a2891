use super::{Defaults, Form, Named};

/// Stiff kinetics of three reactions whose rates span nine orders of magnitude.
pub(super) const ROBERTSON: Named = Named {
    name: "robertson",
    title: "Robertson's reactions",
    equation: &[
        "D^alpha y1 = -k1 y1 + k3 y2 y3",
        "D^alpha y2 = k1 y1 - k3 y2 y3 - k2 y2^2",
        "D^alpha y3 = k2 y2^2",
    ],
    components: &["y1", "y2", "y3"],
    parameters: &[("k1", 0.04), ("k2", 3e7), ("k3", 1e4)],
    orders: (0.0, 1.0),
    defaults: Defaults { alpha: 0.9, t1: 1e6, n: 1000, grading: 5.0, scheme: "collocation" },
    initial: |_| vec![vec![1.0, 0.0, 0.0]],
    form: Form::Autonomous {
        rhs: |p, y, dydt| {
            let (slow, square, back) = (p[0] * y[0], p[1] * y[1] * y[1], p[2] * y[1] * y[2]);
            dydt.copy_from_slice(&[back - slow, slow - back - square, square]);
        },
        jacobian: |p, y, out| {
            let (square, in_2, in_3) = (2.0 * p[1] * y[1], p[2] * y[2], p[2] * y[1]);
            let last = [0.0, square, 0.0];
            out[..3].copy_from_slice(&[-p[0], in_2, in_3]);
            out[3..6].copy_from_slice(&[p[0], -in_2 - square, -in_3]);
            out[6..].copy_from_slice(&last);
        },
    },
    exact: None,
};

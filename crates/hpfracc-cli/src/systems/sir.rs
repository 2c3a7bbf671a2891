use super::{Defaults, Form, Named};

/// An epidemic with memory, in shares of the population. The sum stays 1 for any order, because a
/// constant has the derivative 0.
pub(super) const SIR: Named = Named {
    name: "sir",
    title: "SIR epidemic",
    equation: &[
        "D^alpha susceptible = -beta susceptible infected",
        "D^alpha infected = beta susceptible infected - gamma infected",
        "D^alpha recovered = gamma infected",
    ],
    components: &["susceptible", "infected", "recovered"],
    parameters: &[("beta", 0.4), ("gamma", 0.1), ("i0", 0.01)],
    orders: (0.0, 1.0),
    defaults: Defaults { alpha: 0.9, t1: 120.0, n: 2000, grading: 1.0, scheme: "pece" },
    initial: |p| vec![vec![1.0 - p[2], p[2], 0.0]],
    form: Form::Autonomous {
        rhs: |p, y, dydt| {
            let (infections, recoveries) = (p[0] * y[0] * y[1], p[1] * y[1]);
            dydt.copy_from_slice(&[-infections, infections - recoveries, recoveries]);
        },
        jacobian: |p, y, out| {
            let (in_s, in_i) = (p[0] * y[1], p[0] * y[0]);
            out.copy_from_slice(&[-in_s, -in_i, 0.0, in_s, in_i - p[1], 0.0, 0.0, p[1], 0.0]);
        },
    },
    exact: None,
};

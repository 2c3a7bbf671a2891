//! Systems as graphs, and the same by hand.

use hpfracc_equation::{Binary, Graph, Id, Input, Unary};

/// System of equations.
#[derive(Debug, Clone, Copy)]
pub(super) struct System {
    pub(super) name: &'static str,
    /// Names of the rows.
    rows: &'static str,
    /// Names of the uniform inputs with their values.
    pub(super) uniforms: &'static [(&'static str, f64)],
    /// Roots in reverse Polish notation.
    roots: &'static [&'static str],
}

impl System {
    pub(super) fn uniforms(&self) -> Vec<f64> {
        self.uniforms.iter().map(|(_, value)| *value).collect()
    }

    /// Graph with roots and inputs.
    pub(super) fn graph(&self) -> (Graph, Vec<Id>, Vec<Input>) {
        let rows = self.rows.split(' ');
        let names: Vec<&str> =
            rows.clone().chain(self.uniforms.iter().map(|(name, _)| *name)).collect();
        let rows = rows.count();
        let input = |k| if k < rows { Input::Row(k) } else { Input::Uniform(k - rows) };
        let mut graph = Graph::new();
        let roots = self.roots.iter().map(|text| root(&mut graph, &names, text)).collect();
        (graph, roots, (0..names.len()).map(input).collect())
    }
}

fn root(graph: &mut Graph, names: &[&str], text: &str) -> Id {
    let mut stack: Vec<Id> = Vec::new();
    for word in text.split(' ') {
        let mut pop = || stack.pop().expect("operations have operands");
        let binary = match word {
            "+" => Some(Binary::Add),
            "-" => Some(Binary::Subtract),
            "*" => Some(Binary::Multiply),
            "/" => Some(Binary::Divide),
            "max" => Some(Binary::Maximum),
            _ => None,
        };
        let unary = match word {
            "sqrt" => Some(Unary::SquareRoot),
            "exp" => Some(Unary::Exp),
            "tanh" => Some(Unary::Tanh),
            "cos" => Some(Unary::Cos),
            "neg" => Some(Unary::Negate),
            _ => None,
        };
        let id = if let Some(operation) = binary {
            let y = pop();
            let x = pop();
            graph.binary(operation, x, y)
        } else if let Some(operation) = unary {
            let x = pop();
            graph.unary(operation, x)
        } else if let Some(number) = names.iter().position(|name| *name == word) {
            graph.variable(number as u32)
        } else {
            graph.constant(word.parse().expect("a name or a number"))
        };
        stack.push(id);
    }
    stack.pop().expect("a root")
}

pub(super) const LORENZ: System = System {
    name: "Lorenz",
    rows: "x y z",
    uniforms: &[("sigma", 10.0), ("rho", 28.0), ("beta", 8.0 / 3.0)],
    roots: &["sigma y x - *", "x rho z - * y -", "x y * beta z * -"],
};

pub(super) const BRUSSELATOR: System = System {
    name: "Brusselator",
    rows: "x y",
    uniforms: &[("a", 1.0), ("b", 3.0), ("c", 4.0)],
    roots: &["a c x * - x x * y * +", "b x * x x * y * -"],
};

pub(super) const GBM: System = System {
    name: "geometric Brownian motion",
    rows: "x",
    uniforms: &[("mu", 0.05), ("sigma", 0.2)],
    roots: &["mu x *", "sigma x *"],
};

pub(super) const HESTON: System = System {
    name: "Heston",
    rows: "x v",
    uniforms: &[("kappa", 1.5), ("theta", 0.04), ("nu", 0.3)],
    roots: &["-0.5 v 0 max *", "kappa theta v - *", "v 0 max sqrt", "nu v 0 max sqrt *"],
};

pub(super) const FITZHUGH_NAGUMO: System = System {
    name: "FitzHugh-Nagumo",
    rows: "v w",
    uniforms: &[("i", 0.5), ("e", 0.08), ("a", 0.7), ("b", 0.8)],
    roots: &["v v v * v * 3 / - w - i +", "e v a + b w * - *"],
};

pub(super) const SIR: System = System {
    name: "SIR",
    rows: "s i r",
    uniforms: &[("beta", 0.3), ("gamma", 0.1)],
    roots: &["beta s * i * neg", "beta s * i * gamma i * -", "gamma i *"],
};

pub(super) const DUFFING: System = System {
    name: "Duffing",
    rows: "x v",
    uniforms: &[("t", 2.5), ("omega", 1.2), ("g", 0.3), ("d", 0.2), ("a", -1.0), ("b", 1.0)],
    roots: &["v", "g omega t * cos * d v * - a x * - b x x * x * * -"],
};

pub(super) const MORRIS_LECAR: System = System {
    name: "Morris-Lecar",
    rows: "v n",
    uniforms: &[
        ("c", 20.0),
        ("gca", 4.4),
        ("gk", 8.0),
        ("gl", 2.0),
        ("vca", 120.0),
        ("vk", -84.0),
        ("vl", -60.0),
        ("v1", -1.2),
        ("v2", 18.0),
        ("v3", 2.0),
        ("v4", 30.0),
        ("phi", 0.04),
        ("i", 90.0),
    ],
    roots: &[
        "i gl v vl - * - gca 0.5 * 1 v v1 - v2 / tanh + * v vca - * - gk n * v vk - * - c /",
        "0.5 1 v v3 - v4 / tanh + * n - phi 0.5 * v v3 - v4 / 0.5 * exp 1 v v3 - v4 / 0.5 * exp / + * *",
    ],
};

/// Right-hand sides by hand: calls a macro with each system, its rows, its uniform inputs, and its
/// roots with their values.
macro_rules! by_hand {
    ($go:ident, $bench:ident) => {
        $go!($bench, LORENZ, (x, y, z), (sigma, rho, beta), {
            dx: sigma * (y - x),
            dy: x * (rho - z) - y,
            dz: x * y - beta * z,
        });
        $go!($bench, BRUSSELATOR, (x, y), (a, b, c), {
            dx: a - c * x + x * x * y,
            dy: b * x - x * x * y,
        });
        $go!($bench, GBM, (x), (mu, sigma), { f: mu * x, g: sigma * x });
        $go!($bench, HESTON, (_x, v), (kappa, theta, nu), {
            f: -0.5 * if v > 0.0 { v } else { 0.0 },
            h: kappa * (theta - v),
            g: (if v > 0.0 { v } else { 0.0 }).sqrt(),
            k: nu * (if v > 0.0 { v } else { 0.0 }).sqrt(),
        });
        $go!($bench, FITZHUGH_NAGUMO, (v, w), (i, e, a, b), {
            dv: v - v * v * v / 3.0 - w + i,
            dw: e * (v + a - b * w),
        });
        $go!($bench, SIR, (s, i, _r), (beta, gamma), {
            ds: -(beta * s * i),
            di: beta * s * i - gamma * i,
            dr: gamma * i,
        });
        $go!($bench, DUFFING, (x, v), (t, omega, g, d, a, b), {
            dx: v,
            dv: g * Elementary::cos(omega * t) - d * v - a * x - b * (x * x * x),
        });
        $go!($bench, MORRIS_LECAR, (v, n), (c, gca, gk, gl, vca, vk, vl, v1, v2, v3, v4, phi, i), {
            dv: (i
                - gl * (v - vl)
                - gca * 0.5 * (1.0 + Elementary::tanh((v - v1) / v2)) * (v - vca)
                - gk * n * (v - vk))
                / c,
            dn: (0.5 * (1.0 + Elementary::tanh((v - v3) / v4)) - n)
                * (phi
                    * 0.5
                    * (Elementary::exp((v - v3) / v4 * 0.5)
                        + 1.0 / Elementary::exp((v - v3) / v4 * 0.5))),
        });
    };
}

pub(super) use by_hand;

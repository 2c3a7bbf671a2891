//! What is measured: problems, their sizes, and who solves them by which method.

use serde_json::{Value, json};

/// A problem that several libraries solve.
pub(super) struct Problem {
    /// What the programs call it.
    pub(super) name: &'static str,
    /// The problem itself, and what the error is.
    pub(super) says: &'static str,
    /// What the sizes count.
    pub(super) size: &'static str,
    pub(super) sizes: &'static [usize],
    /// How many of the sizes a quick run has.
    pub(super) quick: usize,
    /// What there are how many of in a unit of the size, to be shown by the second.
    pub(super) work: Option<(&'static str, f64)>,
    /// Ours, which the others are compared with, and further ones of ours.
    pub(super) ours: &'static [Method],
    pub(super) peers: &'static [Contender],
}

impl Problem {
    /// What readers are told of it.
    pub(super) fn json(&self) -> Value {
        let work = self.work.map(|(unit, per)| json!({"unit": unit, "per": per}));
        json!({"says": self.says, "size": self.size, "work": work})
    }
}

/// A method by the name that the program knows it by, and for readers.
pub(super) type Method = (&'static str, &'static str);

/// Somebody else's solution.
pub(super) struct Contender {
    /// The package or program that does the work.
    pub(super) peer: &'static str,
    pub(super) program: Program,
    pub(super) method: Method,
}

/// A file of benches/peers.
#[derive(Debug, Clone, Copy)]
pub(super) enum Program {
    Python(&'static str),
    Octave(&'static str),
}

const fn python(
    peer: &'static str,
    file: &'static str,
    method: &'static str,
    label: &'static str,
) -> Contender {
    Contender { peer, program: Program::Python(file), method: (method, label) }
}

const fn octave(file: &'static str, method: &'static str, label: &'static str) -> Contender {
    Contender { peer: "octave", program: Program::Octave(file), method: (method, label) }
}

/// A layer or network in torch and in jax.
const fn both(file: &'static str) -> [Contender; 2] {
    [python("torch", file, "torch", "eager"), python("jax", file, "jax", "compiled")]
}

const LAYERS: &[Contender] = &both("layers.py");
const PERCEPTRONS: &[Contender] = &both("perceptron.py");
const TILES: &[Method] =
    &[("tiles", "tiles of 64 samples"), ("kept", "the same, output kept between calls")];
const ROUNDING: &str = "Forward, f32; error: rounding, against the same layer in f64.";

pub(super) const PROBLEMS: &[Problem] = &[
    Problem {
        name: "derivative",
        says: "Caputo's derivative of order 1/2 of t^2 on N nodes of [0, 1], f64, weights made in the \
               call; error: the largest behind the first node, relative to the largest value.",
        size: "N",
        sizes: &[1000, 10_000, 100_000],
        quick: 2,
        work: None,
        ours: &[("l1", "L1, all in the call"), ("bound", "L1, operator kept between calls")],
        peers: &[
            python("scipy", "derivative.py", "l1", "L1, padded transforms, eight lines"),
            python("pycaputo", "derivative.py", "pycaputo-l1", "L1, sums"),
            python("differint", "derivative.py", "differint-gl", "GL, transforms without padding"),
            python("differint", "derivative.py", "differint-rl", "RL, a dense matrix"),
        ],
    },
    Problem {
        name: "mittag-leffler-negative",
        says: "E_{0.7, 1} at so many negative arguments from -1e-3 to -1e4; error: the largest over the \
               committed table's negative arguments (alpha 0.1 to 2.5), relative to |E| + |z E'|.",
        size: "values",
        sizes: &[4096],
        quick: 1,
        work: Some(("values", 1.0)),
        ours: &[
            ("default", "slice of reals, all in the call"),
            ("kept", "function and memory kept between calls"),
        ],
        peers: &[python("pymittagleffler", "mittag_leffler.py", "default", "array of reals")],
    },
    Problem {
        name: "mittag-leffler-complex",
        says: "E_{0.7, 1} at so many complex arguments, |z| up to 50; error: as before, over the table's \
               complex arguments.",
        size: "values",
        sizes: &[4096],
        quick: 1,
        work: Some(("values", 1.0)),
        ours: &[
            ("default", "slice of complex numbers, all in the call"),
            ("kept", "function and memory kept between calls"),
        ],
        peers: &[python("pymittagleffler", "mittag_leffler.py", "default", "complex array")],
    },
    Problem {
        name: "relaxation",
        says: "D^1/2 y = -y to t = 10 in N steps of Adams, Bashforth and Moulton's method with one \
               correction, f64; error: relative, at the end.",
        size: "N",
        sizes: &[1000, 10_000, 100_000],
        quick: 2,
        work: None,
        ours: &[("default", "history by blocks, exact"), ("direct", "plain sums")],
        peers: &[
            octave("relaxation.m", "plain", "plain sums as products of slices"),
            python("numpy", "relaxation.py", "numpy", "plain sums as products of slices"),
            python("pycaputo", "relaxation.py", "pycaputo", "PECE"),
        ],
    },
    Problem {
        name: "geometric-brownian",
        says: "Paths of geometric Brownian motion in 200 steps of Euler and Maruyama's scheme, f32, and \
               their mean; error: that of the mean (its standard error is 0.2 / sqrt(paths)).",
        size: "paths",
        sizes: &[20_000, 100_000],
        quick: 1,
        work: Some(("path-steps", 200.0)),
        ours: &[("euler", "ensemble, moments")],
        peers: &[
            python("numpy", "geometric_brownian.py", "numpy", "in place"),
            python("torch", "geometric_brownian.py", "torch", "in place"),
            python("jax", "geometric_brownian.py", "jax", "scan, compiled"),
            python("diffrax", "geometric_brownian.py", "diffrax-unsafe", "UnsafeBrownianPath"),
            python("diffrax", "geometric_brownian.py", "diffrax-tree", "VirtualBrownianTree"),
            python("torchsde", "geometric_brownian.py", "torchsde", "sdeint, euler"),
            python("stochastic", "geometric_brownian.py", "stochastic", "exact, f64, path by path"),
        ],
    },
    Problem {
        name: "fractional-brownian-f32",
        says: "16 paths of fractional Brownian motion, H = 0.3, in N steps, by Davies and Harte, f32; \
               error: the larger one of mean square and product of neighbours, next to 1.",
        size: "N",
        sizes: &[65_536],
        quick: 1,
        work: Some(("samples", 16.0)),
        ours: &[("davies-harte", "real transforms")],
        peers: &[
            python("numpy", "fractional_brownian.py", "numpy", "complex transforms of scipy"),
            python("torch", "fractional_brownian.py", "torch", "complex transforms"),
        ],
    },
    Problem {
        name: "fractional-brownian-f64",
        says: "The same in f64.",
        size: "N",
        sizes: &[65_536],
        quick: 1,
        work: Some(("samples", 16.0)),
        ours: &[("davies-harte", "real transforms")],
        peers: &[
            python("numpy", "fractional_brownian.py", "numpy", "complex transforms of scipy"),
            python("torch", "fractional_brownian.py", "torch", "complex transforms"),
            python("fbm", "fractional_brownian.py", "fbm", "fgn, path by path"),
            python("stochastic", "fractional_brownian.py", "stochastic", "sample, path by path"),
        ],
    },
    Problem {
        name: "rough-bergomi-f32",
        says: "Rough Bergomi prices in 500 steps by the hybrid scheme, f32, and their mean; error: that \
               of the mean, exactly 1.",
        size: "paths",
        sizes: &[10_000],
        quick: 1,
        work: Some(("path-steps", 500.0)),
        ours: &[("hybrid", "two near cells")],
        peers: &[python("numpy", "rough_bergomi.py", "numpy", "one near cell, whole arrays")],
    },
    Problem {
        name: "rough-bergomi-f64",
        says: "The same in f64.",
        size: "paths",
        sizes: &[10_000],
        quick: 1,
        work: Some(("path-steps", 500.0)),
        ours: &[("hybrid", "two near cells")],
        peers: &[python("numpy", "rough_bergomi.py", "numpy", "one near cell, whole arrays")],
    },
    Problem {
        name: "neural-sde",
        says: "A step of training, gradient and Adam: state 4, drift 4-64-64-4, diagonal diffusion 4-64-4, \
               tanh, batch 256, Euler and Maruyama, f32, loss at the end. All begin with the same weights, and \
               noise of their own: first losses agree but for that.",
        size: "steps",
        sizes: &[100],
        quick: 1,
        work: None,
        ours: &[("default", "states kept"), ("recomputed", "states computed again")],
        peers: &[
            python("jax", "neural_sde.py", "jax-recomputed", "scan, networks computed again"),
            python("jax", "neural_sde.py", "jax", "scan"),
            python("torch", "neural_sde.py", "torch", "loop"),
            python("diffrax", "neural_sde.py", "diffrax-path", "increments drawn beforehand"),
            python("diffrax", "neural_sde.py", "diffrax-tree", "VirtualBrownianTree"),
            python("torchsde", "neural_sde.py", "torchsde", "sdeint, euler"),
        ],
    },
    Problem {
        name: "neural-fractional-ode",
        says: "A step of training, gradient and Adam: order 0.7, state 4, drift 4-64-64-4, tanh, batch 256, \
               product rectangles, f32, loss at the end. All begin with the same weights: first losses agree to \
               rounding.",
        size: "steps",
        sizes: &[200, 1000],
        quick: 1,
        work: None,
        ours: &[("exact", "history by blocks, exact"), ("exponentials", "within 1e-6")],
        peers: &[
            python("jax", "neural_fractional_ode.py", "jax", "scans, sums by blocks"),
            python("torch", "neural_fractional_ode.py", "torch", "loop, sums by blocks"),
        ],
    },
    Problem {
        name: "linear-gelu",
        says: ROUNDING,
        size: "samples, 1024 to 2048",
        sizes: &[512],
        quick: 1,
        work: None,
        ours: TILES,
        peers: LAYERS,
    },
    Problem {
        name: "gelu",
        says: "Exact GELU alone, forward, f32; error: rounding, against the same in f64.",
        size: "samples of 1024",
        sizes: &[4096],
        quick: 1,
        work: None,
        ours: TILES,
        peers: LAYERS,
    },
    Problem {
        name: "layer-norm",
        says: ROUNDING,
        size: "samples of 1024",
        sizes: &[4096],
        quick: 1,
        work: None,
        ours: TILES,
        peers: LAYERS,
    },
    Problem {
        name: "softmax",
        says: ROUNDING,
        size: "samples of 1024",
        sizes: &[4096],
        quick: 1,
        work: None,
        ours: TILES,
        peers: LAYERS,
    },
    Problem {
        name: "attention",
        says: "Softmax attention of 8 heads of 64 features, without projections, forward, f32; error: \
               rounding, against the same in f64.",
        size: "length",
        sizes: &[2048],
        quick: 1,
        work: None,
        ours: &[("tiles", "tiles of keys"), ("kept", "the same, memory kept between calls")],
        peers: LAYERS,
    },
    Problem {
        name: "perceptron-784-128-10",
        says: "A step of training, gradient of the cross-entropy and Adam, tanh, f32, from the same weights: \
               first losses agree to rounding.",
        size: "batch",
        sizes: &[128],
        quick: 1,
        work: None,
        ours: &[("adam", "tiles of samples")],
        peers: PERCEPTRONS,
    },
    Problem {
        name: "perceptron-24-8-2",
        says: "The same in f64, small enough to show overhead.",
        size: "batch",
        sizes: &[200],
        quick: 1,
        work: None,
        ours: &[("adam", "tiles of samples")],
        peers: PERCEPTRONS,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::root;

    #[test]
    fn each_program_is_in_the_tree_and_knows_its_method() {
        let read = |path: &str| {
            let path = root().join(path);
            std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
        };
        let ours = read("benches/src/bin/peers/main.rs");
        for problem in PROBLEMS {
            let name = format!("\"{}\"", problem.name);
            assert!(!problem.ours.is_empty() && ours.contains(&name), "{name}");
            assert!((1..=problem.sizes.len()).contains(&problem.quick), "{name}");
            for contender in problem.peers {
                let (Program::Python(file) | Program::Octave(file)) = contender.program;
                let text = read(&format!("benches/peers/{file}"));
                assert!(text.contains(problem.name), "{file} does not know {name}");
                if matches!(contender.program, Program::Python(_)) {
                    let method = format!("\"{}\"", contender.method.0);
                    assert!(text.contains(&method), "{file} does not know {method}");
                }
            }
        }
    }

    #[test]
    fn no_two_rows_have_one_name() {
        for problem in PROBLEMS {
            let mut methods: Vec<_> = problem.peers.iter().map(|c| (c.peer, c.method.0)).collect();
            methods.sort_unstable();
            let all = methods.len();
            methods.dedup();
            assert_eq!(methods.len(), all, "{}", problem.name);
        }
    }
}

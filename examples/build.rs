//! Makes a function of each Rust block of README and book, as a reader would paste it: after the prelude and
//! nothing else. The test program `tests/blocks.rs` compiles all of them at once.

use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Blocks that need code from elsewhere, by page and first line. The list only gets shorter.
const INCOMPLETE: &[(&str, &str)] = &[
    (
        "docs/accuracy.md",
        r#"// D^0.4 t^2 = Gamma(3)/Gamma(2.6) t^1.6. L1 is of order 2 - alpha: 1.6."#,
    ),
    ("docs/accuracy.md", r#"let grid = Grid::uniform(3000, 0.001)?;"#),
    ("docs/accuracy.md", r#"let grid = Grid::uniform(3000, 0.001)?;"#),
    ("docs/accuracy.md", r#"let claims = [Kind::CausalConvolution, Kind::SpectralMultiplier];"#),
    ("docs/backends.md", r#"let machine = Machine::detect();"#),
    ("docs/backends.md", r#"let machine = Machine::only("cpu-fft")?;"#),
    ("docs/backends.md", r#"let mut settings = Settings::default();"#),
    ("docs/backends.md", r#"let mut settings = Settings::default();"#),
    ("docs/backends.md", r#"use hpfracc::gpu::MemoryLimit;"#),
    ("docs/backends.md", r#"let caputo = Caputo::l1(Order::new(0.5)?)?;"#),
    (
        "docs/backends.md",
        r#"// Clones are handles: there is one device, and the app goes on drawing with it."#,
    ),
    ("docs/backends.md", r#"/// Watts into each square metre, in the precision `T`."#),
    ("docs/backends.md", r#"let single = heat_flux::<f32>(&temperature, grid, &Fft::new(&gpu.f32()))?;"#),
    (
        "docs/coming-from.md",
        r#"let model = OrnsteinUhlenbeck::default(); // dX = -X dt + dW/2, X(0) = 1"#,
    ),
    (
        "docs/coming-from.md",
        r#"let problem = StochasticProblem::new(Returning, (0.0, 1.0), &[1.0])?;"#,
    ),
    ("docs/functions.md", r#"use hpfracc::special::{Complex64, MittagLeffler, mittag_leffler};"#),
    ("docs/functions.md", r#"use hpfracc::transforms::num_complex::Complex;"#),
    ("docs/histories.md", r#"let (n, alpha, h) = (5000, 0.5, 0.01);"#),
    ("docs/histories.md", r#"// t^-1/2 from 1 to 10^6 steps, within 1e-4 of each value."#),
    (
        "docs/learning.md",
        r#"// A record, and its derivative of an order that we pretend not to know."#,
    ),
    (
        "docs/learning.md",
        r#"/// `D^alpha y = -theta y`, y(0) = 1 on [0, 4], with its derivatives."#,
    ),
    (
        "docs/learning.md",
        r#"let (scheme, steps, history) = (ProductTrapezoid, Steps::Uniform(400), HistoryChoice::Exact);"#,
    ),
    (
        "docs/learning.md",
        r#"// Two channels of 50 samples each, 0.1 apart: a derivative whose order is learned, then a dense layer."#,
    ),
    (
        "docs/learning.md",
        r#"// D^alpha X = f(X) + g(X) dW/dt with networks for f and g, and alpha learned."#,
    ),
    (
        "docs/noise.md",
        r#"// A particle in a viscoelastic bath: E x^2 = 2 kT/gamma t^alpha / Gamma(1 + alpha)."#,
    ),
    ("docs/noise.md", r#"let model = RoughBergomi::default().hurst(0.1)?.rho(-0.7)?;"#),
    ("docs/noise.md", r#"let model = FractionalLangevin::default().alpha(0.5)?;"#),
    ("docs/noise.md", r#"let system = Relaxation { theta: 1.0, sigma: 0.5 };"#),
    ("docs/noise.md", r#"let begun = ensemble.run(&problem, &scheme, &noise, &Moments)?;"#),
    (
        "docs/own.md",
        r#"/// `h^-alpha sum_{k < lags} (-1)^k C(alpha, k) f_{n-k}`: Podlubny's short memory."#,
    ),
    ("docs/own.md", r#"let grid = Grid::uniform(2000, 0.01)?;"#),
    (
        "docs/own.md",
        r#"/// `y_n = y_0 + h^alpha f_{n-1} - sum_{k=1}^{n-1} w_k (y_{n-k} - y_0)`, `w_k = (-1)^k C(alpha, k)`."#,
    ),
    (
        "docs/own.md",
        r#"let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_t, y, dydt| dydt[0] = -y[0])?;"#,
    ),
    ("docs/own.md", r#"/// What the inner one does, and how often."#),
    ("docs/own.md", r#"let counted = Counted { inner: Direct::new(), applied: Arc::default() };"#),
    (
        "docs/solving.md",
        r#"let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_t, y, dydt| dydt[0] = -y[0])?;"#,
    ),
    ("docs/solving.md", r#"let alpha = 0.4;"#),
    ("docs/solving.md", r#"// D^1/2 y = -20 y: y(1) = exp(400) erfc(20) = 0.0282"#),
    (
        "docs/solving.md",
        r#"let problem = Problem::new(&[0.5], (0.0, 100.0), &[&[1.0]], |_t, y, dydt| dydt[0] = -y[0])?;"#,
    ),
    (
        "docs/solving.md",
        r#"let problem = Problem::new(&[0.5], (0.0, 2.0), &[&[1.0]], |_t, y, dydt| dydt[0] = -y[0])?;"#,
    ),
    (
        "docs/solving.md",
        r#"// y'' + D^3/2 y + y = 1 + t, y(0) = y'(0) = 1: the solution is y = 1 + t."#,
    ),
    ("docs/solving.md", r#"// D^0.9 y = y (1 - (y(t-1) + y(t-2))/2), and y = 1/2 up to t = 0."#),
    (
        "docs/which-derivative.md",
        r#"/// Half an order of the constant 1 and of t, at t = 1, by the name of an operator."#,
    ),
];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a member of the workspace");
    let docs = root.join("docs");
    let listing = fs::read_dir(&docs).expect("the folder of the book");
    let mut pages: Vec<_> = listing.map(|entry| entry.expect("an entry").path()).collect();
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages.push(root.join("README.md"));
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", docs.display());

    let mut code = String::new();
    let (mut compiled, mut left) = (0, INCOMPLETE.to_vec());
    for page in pages {
        println!("cargo::rerun-if-changed={}", page.display());
        let text = fs::read_to_string(&page).expect("a page of text");
        let name = page.strip_prefix(root).expect("below the root").display().to_string();
        for (line, block) in blocks(&text) {
            let first = block.lines().next().unwrap_or_default();
            if INCOMPLETE.contains(&(&name, first)) {
                left.retain(|row| *row != (&name, first));
                continue;
            }
            compiled += 1;
            let _ = write!(
                code,
                "// {name}:{line}\nmod block_{compiled} {{\nuse hpfracc::prelude::*;\n\
                 fn pasted() -> Result<(), Box<dyn std::error::Error>> {{\n{block}\nOk(())\n}}\n}}\n"
            );
        }
    }
    let _ = writeln!(code, "const COMPILED: usize = {compiled};");
    let _ = writeln!(code, "const ABSENT: &[(&str, &str)] = &{left:?};");
    let out = std::env::var_os("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("blocks.rs"), code).expect("a file of this build");
}

/// The Rust blocks of a page, each with the line of its first line.
fn blocks(text: &str) -> Vec<(usize, String)> {
    let mut lines = (1..).zip(text.lines());
    let mut found = Vec::new();
    while let Some((number, line)) = lines.next() {
        if line == "```rust" {
            let block = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
            found.push((number + 1, block.collect::<Vec<_>>().join("\n")));
        }
    }
    found
}

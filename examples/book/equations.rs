//! Programs of the chapter "Writing an equation", and a check that its texts, functions and errors are
//! those of the language: `cargo run --example book_equations`.

// ANCHOR: prelude
use hpfracc::prelude::*;
// ANCHOR_END: prelude
use pictures::Outcome;

const CHAPTER: &str = include_str!("../../docs/equations.md");
const GRAMMAR: &str = include_str!("../../docs/editors/hpfracc-equation.tmLanguage.json");

fn main() -> Outcome<()> {
    first()?;
    with_solution()?;
    noise()?;
    builder()?;
    catalogue()?;
    networks()?;
    texts()?;
    functions()?;
    refused()?;
    errors()
}

/// The first rows of the table at the head of the chapter.
fn first() -> Outcome<()> {
    let equation = Equation::parse("D^0.7 y = -y^3 + sin(t); y(0) = 1; t in [0, 20]")?;
    let problem = EquationProblem::new(&equation)?;
    let steps = Steps::adaptive(1e-10, 1e-10);
    let solution = problem.solve(&Collocation::default(), &steps, Options::default())?;
    assert!((solution.at(0.02)?[0] - 0.9382775896304218).abs() < 1e-9);
    Ok(())
}

fn with_solution() -> Outcome<()> {
    // ANCHOR: solve
    let text = "
        D^alpha y = -k y^3 + sin(t)    # a nonlinear relaxation
        k = 1 in [0, inf); alpha = 0.7 in (0, 1]; y0 = 1
        y(0) = y0; t in [0, 20]";
    let equation = Equation::parse(text)?;
    let problem = EquationProblem::new(&equation)?;
    let scheme = AdamsBashforthMoulton::default();
    let solution = problem.solve(&scheme, &Steps::Uniform(2000), Options::default())?;
    println!("y(20) = {:.4}", solution.last()[0]);

    // The same with another order.
    let changed = equation.clone().with_value("alpha", 0.9)?;
    let steps = Steps::adaptive(1e-10, 1e-10);
    let accurate = EquationProblem::new(&changed)?.solve(
        &Collocation::default(),
        &steps,
        Options::default(),
    )?;
    println!("y(20) = {:.10}", accurate.last()[0]);
    // ANCHOR_END: solve
    gradient(&equation, &problem, &solution)
}

fn gradient(
    equation: &Equation,
    problem: &EquationProblem,
    solution: &hpfracc::ode::EquationSolution,
) -> Outcome<()> {
    let scheme = AdamsBashforthMoulton::default();
    // ANCHOR: gradient
    use hpfracc::ode::Cotangents;

    // The loss y(20): its derivatives with respect to k, alpha and y0.
    let loss = Cotangents::At(&[(2000, &[1.0])]);
    let gradient = problem.gradient(&scheme, solution, loss, &Options::default())?;
    for (parameter, derivative) in equation.parameters().iter().zip(&gradient) {
        println!("dy(20)/d{} = {derivative:.6}", parameter.name());
    }
    // The derivative of the whole solution with respect to the order, a row for each node.
    let sensitivity = problem.sensitivity(&scheme, solution, "alpha", &Options::default())?;
    assert!((sensitivity[[2000, 0]] - gradient[1]).abs() < 1e-10);
    // ANCHOR_END: gradient
    for (k, parameter) in equation.parameters().iter().enumerate() {
        let last = |by: f64| -> Outcome<f64> {
            let moved = equation.clone().with_value(parameter.name(), parameter.value() + by)?;
            let problem = EquationProblem::new(&moved)?;
            Ok(problem.solve(&scheme, &Steps::Uniform(2000), Options::default())?.last()[0])
        };
        let difference = (last(1e-5)? - last(-1e-5)?) / 2e-5;
        assert!((gradient[k] - difference).abs() < 1e-7, "{}", parameter.name());
    }
    Ok(())
}

fn noise() -> Outcome<()> {
    // ANCHOR: noise
    let text = "
        dX = -theta X dt + sigma dW
        theta = 1; sigma = 0.5; X(0) = 1; t in [0, 1]";
    let model = EquationModel::new(&Equation::parse(text)?)?;
    let (kind, additive, commuting) = model.noise_structure();
    assert!(kind == NoiseKind::Diagonal && additive == [true] && commuting);
    let ensemble = Ensemble::new(10_000, 100)?; // paths, steps
    let moments = model.simulate::<f64, _>(&ensemble, 7, &Moments)?; // 7 is the seed
    assert!((moments.mean[[0, 0]] - (-1f64).exp()).abs() < 0.02);
    // ANCHOR_END: noise
    Ok(())
}

fn builder() -> Outcome<()> {
    // ANCHOR: builder
    use hpfracc::equation::{Builder, Values, derive, evaluate};

    let builder = Builder::new();
    let (x, y) = (builder.variable(0), builder.variable(1));
    let f = x * (1.0 - y) + (2.0 * x).sin();
    let root = f.id();
    let mut graph = builder.finish();

    let at = [0.0, 3.0].map(Values::Path);
    assert_eq!(evaluate::<f64>(&graph, &[root], &at), [0.0]);
    let entries = derive::jacobian(&mut graph, &[root], &[0, 1])?;
    let roots: Vec<_> = entries.iter().map(|entry| entry.value).collect();
    assert_eq!(evaluate::<f64>(&graph, &roots, &at), [0.0, 0.0]); // (1 - y) + 2 cos(2 x), -x
    // ANCHOR_END: builder
    Ok(())
}

fn catalogue() -> Outcome<()> {
    // ANCHOR: catalogue
    use hpfracc::equation::catalogue;

    let entry = catalogue::named("lorenz").ok_or("no such entry")?;
    let lorenz = entry.equation()?;
    println!("{}\n{}\n{lorenz}", entry.title, entry.source);
    assert_eq!(Equation::parse(&lorenz.to_string())?, lorenz);
    // ANCHOR_END: catalogue
    Ok(())
}

fn networks() -> Outcome<()> {
    // ANCHOR: networks
    use hpfracc::equation::{Files, Network};
    use hpfracc::nn::{self, Activation, SavedNetwork, Shape};

    /// Files of the current folder.
    struct Here;

    impl Files for Here {
        fn network(&self, path: &str) -> Result<Network, String> {
            let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
            let saved = SavedNetwork::from_json(&text).map_err(|error| error.to_string())?;
            saved.to_equation().map_err(|error| error.to_string())
        }
    }

    let network = nn::Network::perceptron(&[3, 64, 64, 2], Activation::Tanh)?;
    let theta = vec![0.01f32; network.parameters()]; // those of a training
    let json = SavedNetwork::new(network, &theta)?.to_json()?;
    // ANCHOR_END: networks
    let text = blocks("eq net").first().copied().ok_or("no network")?;
    let folder = std::env::temp_dir().join(format!("book_equations_{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let path = folder.join("drift.json");
    std::fs::write(&path, &json)?;
    let text = text.replace("drift.json", &path.display().to_string());
    let equation = Equation::parse_with(&text, &Here)?;
    assert_eq!(Equation::parse_with(&equation.to_string(), &Here)?, equation);
    let problem = EquationProblem::new(&equation)?;
    let scheme = AdamsBashforthMoulton::default();
    problem.solve(&scheme, &Steps::Uniform(50), Options::default())?;
    std::fs::remove_dir_all(&folder)?;
    let example = blocks("json").first().copied().ok_or("no file")?;
    let example = SavedNetwork::from_json(example)?.to_equation()?;
    assert_eq!(example.to_string(), "1 -> 2 tanh -> 1");
    Ok(())
}

/// Blocks of a language in the chapter.
fn blocks<'a>(language: &str) -> Vec<&'a str> {
    let open = format!("\n```{language}\n");
    let after = CHAPTER.split(&open).skip(1);
    after.map(|rest| rest.split("\n```").next().unwrap_or(rest)).collect()
}

/// Each equation of the chapter is one, and solves or simulates.
fn texts() -> Outcome<()> {
    let texts = blocks("eq");
    assert!(texts.len() >= 7, "{} equations", texts.len());
    for text in texts {
        let equation = Equation::parse(text)?;
        assert_eq!(Equation::parse(&equation.to_string())?, equation, "{text}");
        if equation.noises().is_empty() {
            let equation = equation.with_interval((0.0, 1.0));
            let problem = EquationProblem::new(&equation)?;
            // Equal steps cannot end at an event.
            let (predictor, collocation) =
                (AdamsBashforthMoulton::default(), Collocation::default());
            let (scheme, steps): (&dyn Scheme, _) = match equation.events() {
                [] => (&predictor, Steps::Uniform(100)),
                _ => (&collocation, Steps::adaptive(1e-8, 1e-8)),
            };
            problem.solve(scheme, &steps, Options::default())?;
        } else {
            let model = EquationModel::new(&equation)?;
            model.simulate::<f64, _>(&Ensemble::new(10, 20)?, 1, &Moments)?;
        }
    }
    // The output of `hpfracc equation` ends with canonical text.
    let canonical = blocks("text").into_iter().find(|block| block.starts_with("# form"));
    let (_, canonical) = canonical.and_then(|block| block.split_once("\n\n")).ok_or("no text")?;
    assert_eq!(Equation::parse(canonical)?.to_string().trim_end(), canonical);
    Ok(())
}

/// Each function of the chapter is one, and the grammar of editors knows it.
fn functions() -> Outcome<()> {
    let (_, section) = CHAPTER.split_once("\n### Functions\n").ok_or("no functions")?;
    let (section, _) = section.split_once("\n### ").ok_or("nothing after the functions")?;
    let mut count = 0;
    for row in section.lines().filter(|line| line.starts_with("| `")) {
        let first = row.split(" | ").next().unwrap_or(row);
        for call in first.split('`').skip(1).step_by(2) {
            let text = format!(
                "u' = {call}; x' = 1; y' = 1; alpha = 0.5; beta = 1.5; u(0) = 0; x(0) = 0.5; y(0) = 2"
            );
            Equation::parse(&text).map_err(|error| format!("{call}: {error}"))?;
            let name = call.split('(').next().unwrap_or(call);
            assert!(GRAMMAR.contains(name), "{name} is not in the grammar");
            count += 1;
        }
    }
    assert!(count >= 36, "{count} functions");
    Ok(())
}

/// What the chapter says is refused, is.
fn refused() -> Outcome<()> {
    let rest = "a = 1; b = 2; k = 3; tau = 1; x' = 1; y' = 1; x(0) = 1; y(0) = 1; W = brownian()";
    for wrong in [
        "a/b x",
        "k(x + 1)",
        "sin x",
        "sin^2(x)",
        "log(x)",
        "e^x",
        "if(1 < x < 2, 1, 0)",
        "x 2",
        "xy",
        "|x|",
        "y(t + 1)",
        "sin(dW)",
        "W",
    ] {
        let text = format!("u' = {wrong}; u(0) = 0; {rest}");
        assert!(Equation::parse(&text).is_err(), "{text}");
    }
    for (wrong, right) in [
        ("D^y y = 1; y(0) = 1", "D^(H + 1/2) y = 1; H = 0.1; y(0) = 1"),
        ("x' = -1; x(0) = 1; when x < 0: stop", "x' = -1; x(0) = 1; when x = 0 falling: stop"),
    ] {
        assert!(Equation::parse(wrong).is_err(), "{wrong}");
        Equation::parse(right)?;
    }
    Ok(())
}

/// The errors of the chapter are those of the language.
fn errors() -> Outcome<()> {
    let shown: Vec<_> =
        blocks("text").into_iter().filter(|block| block.starts_with("line ")).collect();
    assert!(shown.len() >= 5, "{} errors", shown.len());
    for error in shown {
        let text = error.lines().nth(1).ok_or("no text below the error")?.trim_start();
        let found = Equation::parse(text).err().ok_or("no error")?;
        assert_eq!(found.to_string(), error);
    }
    Ok(())
}

pictures::runs_with_the_tests!();

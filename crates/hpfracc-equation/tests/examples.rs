//! Equations as they are written: each reads to the trees that are meant, and prints to a text that
//! reads to the same equation.

use hpfracc_equation::Equation;

/// Canonical text, which reads back to the same equation.
fn canonical(text: &str) -> String {
    let equation = Equation::parse(text).unwrap_or_else(|error| panic!("{error}\nin\n{text}"));
    let printed = equation.to_string();
    let again = Equation::parse(&printed).unwrap_or_else(|error| panic!("{error}\nin\n{printed}"));
    assert!(again == equation, "{text}\nprints as\n{printed}\nthen as\n{again}");
    assert_eq!(again.to_string(), printed, "{text}");
    printed
}

#[track_caller]
fn reads(text: &str, expected: &str) {
    let expected: Vec<_> = expected.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    assert_eq!(canonical(text), expected.join("\n"), "{text}");
}

#[test]
fn lorenz_with_memory() {
    reads(
        "D^alpha x = sigma (y - x)
         D^alpha y = x (rho - z) - y
         D^alpha z = x y - beta z
         sigma = 10; rho = 28 in [0, 200]; beta = 8/3; alpha = 0.995 in (0, 1]
         x(0) = 1; y(0) = 1; z(0) = 1; t in [0, 50]",
        "D^alpha x = sigma (y - x)
         D^alpha y = x (rho - z) - y
         D^alpha z = x y - beta z
         sigma = 10
         rho = 28 in [0, 200]
         beta = 2.6666666666666665
         alpha = 0.995 in (0, 1]
         x(0) = 1
         y(0) = 1
         z(0) = 1
         t in [0, 50]",
    );
}

#[test]
fn one_line() {
    reads(
        "D^0.7 y = -y^3 + sin(t); y(0) = 1; t in [0, 20]",
        "D^0.7 y = -y^3 + sin(t)
         y(0) = 1
         t in [0, 20]",
    );
}

#[test]
fn bagley_torvik() {
    reads(
        "D^2 y + 0.5 D^1.5 y + y = 8 if(t < 1, 1, 0)
         y(0) = 0; y'(0) = 0; t in [0, 30]",
        "y'' = 8 if(t < 1, 1, 0) - 0.5 D^1.5 y - y
         y(0) = 0
         y'(0) = 0
         t in [0, 30]",
    );
}

#[test]
fn geometric_brownian_motion() {
    reads(
        "dS = mu S dt + sigma S dW
         mu = 0.05; sigma = 0.2 in [0, inf); S(0) = 1; t in [0, 1]
         show log_return = ln(S)",
        "dS = mu S dt + sigma S dW
         mu = 0.05
         sigma = 0.2 in [0, inf)
         S(0) = 1
         t in [0, 1]
         show log_return = ln(S)",
    );
}

#[test]
fn rough_heston() {
    reads(
        "dX = -pos(V)/2 dt + sqrt(pos(V)) (rho dW + sqrt(1 - rho^2) dB)
         D^(H + 1/2) V = kappa (theta - V) + nu sqrt(pos(V)) dW/dt
         H = 0.1 in (0, 1/2]; kappa = 0.3; theta = 0.02; nu = 0.3; rho = -0.7 in [-1, 1]
         X(0) = 0; V(0) = 0.02; t in [0, 1]; show S = exp(X)",
        "dX = -max(V, 0)/2 dt + sqrt(max(V, 0)) rho dW + sqrt(max(V, 0)) sqrt(1 - rho^2) dB
         D^(H + 1/2) V = kappa (theta - V) + nu sqrt(max(V, 0)) dW/dt
         H = 0.1 in (0, 0.5]
         kappa = 0.3
         theta = 0.02
         nu = 0.3
         rho = -0.7 in [-1, 1]
         X(0) = 0
         V(0) = 0.02
         t in [0, 1]
         show S = exp(X)",
    );
}

#[test]
fn delay_history_event() {
    reads(
        "D^0.9 y = r y (1 - y(t - tau)/c)
         r = 1; c = 1; tau = 1 in (0, inf)
         y(t) = 0.5 for t <= 0
         when y = 1.2 rising: stop",
        "D^0.9 y = r y (1 - y(t - tau)/c)
         r = 1
         c = 1
         tau = 1 in (0, inf)
         y(t) = 0.5 for t <= 0
         when y = 1.2 rising: stop",
    );
}

#[test]
fn fractional_brownian_and_stratonovich_noise() {
    reads(
        "dX = theta (m - X) dt + s dB + q X o dW
         B = fbm(H); H = 0.3 in (0, 1)
         theta = 1; m = 0; s = 0.5; q = 0.1; X(0) = 1; t in [0, 10]",
        "dX = theta (m - X) dt + s dB + q X o dW
         H = 0.3 in (0, 1)
         theta = 1
         m = 0
         s = 0.5
         q = 0.1
         X(0) = 1
         t in [0, 10]
         B = fbm(H)",
    );
}

#[test]
fn vectors() {
    reads(
        "D^alpha [x, v] = [v, -x] + 0.1 dW/dt
         alpha = [0.8, 1]; x(0) = 1; v(0) = 0; t in [0, 5]",
        "D^alpha_1 x = v + 0.1 dW_1/dt
         D^alpha_2 v = -x + 0.1 dW_2/dt
         alpha_1 = 0.8
         alpha_2 = 1
         x(0) = 1
         v(0) = 0
         t in [0, 5]",
    );
}

/// A product is a space, a call has none, and a few more rules of the notation.
#[test]
fn notation() {
    let drift = |text: &str| {
        let rest = "y' = 1; a = 2; sigma = 2 t; alpha1 = t + 1; x(0) = 1; y(0) = 1";
        let equation = Equation::parse(&format!(
            "x' = {text}
{rest}"
        ))
        .unwrap_or_else(|error| panic!("{error}"));
        equation.expression(equation.states()[0].drift())
    };
    for (text, expected) in [
        ("2x", "2 x"),
        ("3x^2 y", "3 x^2 y"),
        ("1/2 x", "1/2 x"),
        ("8/3 x y", "8/3 x y"),
        ("x/2*a", "x/2 a"),
        ("x/a*y", "(x/a) y"),
        ("-x^2", "-x^2"),
        ("(-x)^2", "(-x)^2"),
        ("2^-1", "1/2"),
        ("a^x^y", "a^(x^y)"),
        ("x^(1/2)", "sqrt(x)"),
        ("x^0.3", "x^0.3"),
        ("pow(x, 2)", "pow(x, 2)"),
        ("x*x*x*x", "x^3 x"),
        ("x^5", "x^5"),
        ("x·y × a − 1", "x y a - 1"),
        ("x² + y³ + x⁻¹ + x¹⁰", "x^2 + y^3 + 1/x + x^10"),
        ("σ + α₁", "sigma + alpha1"),
        ("a (x + y)", "a (x + y)"),
        ("tan(x)", "sin(x)/cos(x)"),
        ("pos(x) + step(y)", "max(x, 0) + (0 <= y)"),
        ("if(x > 0 and not (y = 1 or x >= 2), 1, 0)", "if(0 < x and not (y = 1 or 2 <= x), 1, 0)"),
        ("if(x != 1, x, y)", "if(not x = 1, x, y)"),
        ("E(a, -x) + E(a, 1, x) + E(a, a, x)", "E(a, -x) + E(a, x) + E(a, a, x)"),
        ("Gamma(x) - erf(x)", "Gamma(x) - erf(x)"),
        ("x +\n y", "x + y"),
        ("sin(x\n + y) # a comment", "sin(x + y)"),
        ("pi - 2 pi", "pi - 2 pi"),
        ("x - (y - a)", "x - (y - a)"),
        ("x (-2)", "x (-2)"),
        ("1e-300 x + 123456789012345680000 y", "1e-300 x + 1.2345678901234568e20 y"),
    ] {
        assert_eq!(drift(text), expected, "{text}");
    }
}

#[test]
fn left_sides() {
    for (left, printed) in [
        ("D x", "x'"),
        ("D^1 x", "x'"),
        ("dx/dt", "x'"),
        ("D^2 x", "x''"),
        ("D² x", "x''"),
        ("D^3 x", "D^3 x"),
        ("D^α x", "D^alpha x"),
        ("D^(alpha/2 + 1) x", "D^(alpha/2 + 1) x"),
        ("RL D^alpha x", "RL D^alpha x"),
        ("CF D^alpha x", "CF D^alpha x"),
        ("AB D^1 x", "AB D^1 x"),
    ] {
        let starts = "x(0) = 1; x'(0) = 1; x''(0) = 1";
        let count = if printed == "D^3 x" {
            3
        } else {
            1 + usize::from(printed.contains("''") || printed.contains("+ 1"))
        };
        let starts: Vec<_> = starts.split("; ").take(count).collect();
        let text = format!("{left} = t; alpha = 0.5; {}", starts.join("; "));
        let canonical = canonical(&text);
        assert_eq!(canonical.lines().next(), Some(format!("{printed} = t").as_str()), "{left}");
    }
}

#[test]
fn noises_and_events() {
    reads(
        "dX = -X dt + 0.1 dL - X dN + 2 (dW - a X o dB2)
         L = stable(1.7); N = poisson(a, normal(0, 0.1)); corr(W, B2) = -0.5
         a = 3; X(0) = 1
         when X = 0 falling: X = -0.8 X
         when sin(t) = 0: stop",
        "dX = -X dt + 0.1 dL - X dN + 2 dW + 2 (-(a X)) o dB2
         a = 3
         X(0) = 1
         L = stable(1.7, 0)
         N = poisson(a, normal(0, 0.1))
         corr(W, B2) = -0.5
         when X = 0 falling: X = -0.8 X
         when sin(t) = 0: stop",
    );
}

/// CRLF, tabs, a mark of byte order and a header change nothing.
#[test]
fn line_ends() {
    let equation = Equation::parse("x' = -x\nx(0) = 1").unwrap();
    for text in [
        "x' = -x\r\nx(0) = 1\r\n",
        "\u{feff}x' = -x; x(0) = 1",
        "hpfracc equation 1\n\n\tx' =\n\t-x ;; x(0)\u{a0}= 1 # end",
    ] {
        assert!(Equation::parse(text).unwrap() == equation, "{text}");
    }
}

#[test]
fn values_of_parameters() {
    let text = "D^(a + 1/2) x = -x; a = 0.3 in (0, 2); x(0) = 1";
    let mut equation = Equation::parse(text).unwrap();
    let order = equation.states()[0].order();
    assert_eq!(equation.value(order), 0.8);
    equation.set("a", 0.5).unwrap();
    assert_eq!(equation.value(order), 1.0);
    for (name, value, message) in [
        ("b", 1.0, "`b` is no parameter; the parameters are a"),
        ("a", 2.0, "a = 2 is outside its range (0, 2)"),
        ("a", f64::NAN, "a = NaN is outside its range (0, 2)"),
        (
            "a",
            0.6,
            "a = 0.6 makes the order of the derivative of x 1.1, expected an order above 0 and at most 1",
        ),
    ] {
        let error = equation.set(name, value).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(equation.value(order), 1.0);
    }
    assert!(equation.clone().with_value("a", 0.1).unwrap() != equation);
}

/// What depends on time or a state has no value, even if it does not show.
#[test]
fn values_of_what_varies() {
    let text = "x' = min(t, a) + if(t < 1, a, b); a = 1; b = 2; c = max(a, b); x(0) = c";
    let equation = Equation::parse(text).unwrap();
    let graph = equation.graph();
    for operand in graph.node(equation.states()[0].drift()).operands() {
        assert!(equation.value(operand).is_nan());
    }
    assert_eq!(equation.value(equation.states()[0].initial()[0].unwrap()), 2.0);
}

#[test]
fn random_initial_values() {
    let text = "D^H X = -X + dW/dt\ndY = dW\nH = 0.7\nm = 2\nX(0) = normal(m, 0.2)\n\
        Y(0) = uniform(-m, 3 H)\nt in [0, 1]";
    let equation = Equation::parse(text).unwrap();
    assert_eq!(equation.to_string(), text);
    let random = equation.states()[0].random_start().unwrap();
    assert_eq!(random.distribution(), hpfracc_equation::Distribution::Normal);
    assert_eq!(equation.values(&random.numbers()), [2.0, 0.2]);
    assert_eq!(equation.states()[0].initial(), [None]);
    for other in ["normal(m, 0.3)", "lognormal(m, 0.2)", "m"] {
        assert!(Equation::parse(&text.replace("normal(m, 0.2)", other)).unwrap() != equation);
    }
    // A name of one's own is one.
    let own = Equation::parse("x' = 1; normal = 2; x(0) = normal").unwrap();
    assert!(own.states()[0].random_start().is_none());
}

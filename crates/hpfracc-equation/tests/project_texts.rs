//! The equations that the project prints: each reads to the right sides that are meant.

use hpfracc_equation::Equation;

/// Reads texts with the values that they need, and compares drifts and noise coefficients.
#[track_caller]
fn reads(texts: &[&str], values: &str, expected: &[&str]) {
    let text = format!("{}\n{values}", texts.join("\n"));
    let equation = Equation::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let found: Vec<String> = equation
        .states()
        .iter()
        .flat_map(|state| {
            let noise = state.noise().iter().map(|term| equation.expression(term.coefficient()));
            [equation.expression(state.drift())].into_iter().chain(noise)
        })
        .collect();
    assert_eq!(found, expected, "{text}");
    let printed = equation.to_string();
    assert!(Equation::parse(&printed).is_ok_and(|again| again == equation), "{printed}");
}

#[test]
fn systems() {
    reads(
        &["D^alpha x = sigma (y - x)", "D^alpha y = x (rho - z) - y", "D^alpha z = x y - beta z"],
        "alpha = 0.9; sigma = 10; rho = 28; beta = 8/3; x(0) = 1; y(0) = 1; z(0) = 1",
        &["sigma (y - x)", "x (rho - z) - y", "x y - beta z"],
    );
    reads(
        &["D^alpha y = rate y (1 - y(t - tau)/capacity)"],
        "alpha = 0.9; rate = 1; capacity = 1; tau = 2; y0 = 0.5; y(t) = y0 for t <= 0",
        &["rate y (1 - y(t - tau)/capacity)"],
    );
    reads(
        &["a y'' + b D^alpha y + c y = 0"],
        "alpha = 1.5 in (0, 2); a = 1; b = 0.5; c = 1; y0 = 1; y(0) = y0; y'(0) = 0",
        &["(-(b D^alpha y) - c y)/a"],
    );
    reads(
        &[
            "D^alpha susceptible = -beta susceptible infected",
            "D^alpha infected = beta susceptible infected - gamma infected",
            "D^alpha recovered = gamma infected",
        ],
        "alpha = 0.9; beta = 2; gamma = 1; susceptible(0) = 1; infected(0) = 0.1; recovered(0) = 0",
        &[
            "-beta susceptible infected",
            "beta susceptible infected - gamma infected",
            "gamma infected",
        ],
    );
    reads(
        &["D^alpha y = -omega^2 y"],
        "alpha = 1.5; omega = 1; y(0) = 1; y'(0) = 0",
        &["-omega^2 y"],
    );
    reads(&["D^alpha y = -rate y"], "alpha = 0.9; rate = 1; y(0) = 1", &["-rate y"]);
    reads(
        &["D^alpha x = a - (b+1) x + x^2 y", "D^alpha y = b x - x^2 y"],
        "alpha = 0.9; a = 1; b = 3; x(0) = 1.2; y(0) = 2.8",
        &["a - (b + 1) x + x^2 y", "b x - x^2 y"],
    );
    reads(
        &[
            "D^alpha y1 = -k1 y1 + k3 y2 y3",
            "D^alpha y2 = k1 y1 - k3 y2 y3 - k2 y2^2",
            "D^alpha y3 = k2 y2^2",
        ],
        "alpha = 0.9; k1 = 0.04; k2 = 3e7; k3 = 1e4; y1(0) = 1; y2(0) = 0; y3(0) = 0",
        &["-k1 y1 + k3 y2 y3", "k1 y1 - k3 y2 y3 - k2 y2^2", "k2 y2^2"],
    );
}

#[test]
fn stochastic_models() {
    reads(
        &["D^alpha X = theta (mu - X) + sigma dW/dt"],
        "alpha = 0.9; theta = 1; mu = 0; sigma = 0.3; X(0) = 1",
        &["theta (mu - X)", "sigma"],
    );
    reads(
        &["dX = kappa (theta - X) dt + sigma sqrt(X) dW"],
        "kappa = 1; theta = 1; sigma = 0.3; X(0) = 1",
        &["kappa (theta - X)", "sigma sqrt(X)"],
    );
    reads(
        &["gamma D^alpha x = -k x + xi dW/dt"],
        "alpha = 0.5; gamma = 1; k = 1; xi = 1; x(0) = 1",
        &["-k x/gamma", "xi/gamma"],
    );
    reads(
        &["m x'' = -gamma D^alpha x + xi dW/dt"],
        "alpha = 0.5; m = 1; gamma = 1; xi = 1; x(0) = 1; x'(0) = 0",
        &["-gamma D^alpha x/m", "xi/m"],
    );
    reads(
        &["dX = theta (mu - X) dt + sigma dB"],
        "B = fbm(H); H = 0.3; theta = 1; mu = 0; sigma = 0.3; X(0) = 1",
        &["theta (mu - X)", "sigma"],
    );
    reads(&["dS = mu S dt + sigma S dW"], "mu = 0.05; sigma = 0.2; S(0) = 1", &["mu S", "sigma S"]);
    reads(
        &["dX = theta (mu - X) dt + sigma dW"],
        "theta = 1; mu = 0; sigma = 0.3; X(0) = 1",
        &["theta (mu - X)", "sigma"],
    );
    reads(
        &[
            "dS = S sqrt(V) (rho dW + sqrt(1 - rho^2) dB)",
            "D^(H+1/2) V = kappa (theta - V) + nu sqrt(V) dW/dt",
        ],
        "H = 0.1; rho = -0.7; kappa = 0.3; theta = 0.02; nu = 0.3; S(0) = 1; V(0) = 0.02",
        &["0", "S sqrt(V) rho", "S sqrt(V) sqrt(1 - rho^2)", "kappa (theta - V)", "nu sqrt(V)"],
    );
}

/// Integrals and the covariance of a noise are no equations: they are refused.
#[test]
fn prose_is_refused() {
    for text in [
        "E xi(s) xi(t) = gamma kT |t-s|^(-alpha) / Gamma(1-alpha)",
        "V = xi0 exp(eta sqrt(2H) int (t-s)^(H-1/2) dW - eta^2/2 t^(2H))",
        "dX = theta (mu - X) dt + sigma dB, B fractional Brownian of exponent H",
        "D^alpha y = rate y (1 - y(t - tau)/capacity),  y = y0 up to t = 0",
    ] {
        assert!(Equation::parse(text).is_err(), "{text}");
    }
}

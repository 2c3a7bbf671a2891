//! Networks in texts.

use crate::random::{forward, network};
use hpfracc_equation::{Activation, Equation, Files, Network, Symbol, Values, evaluate};

/// Networks by the names of files.
struct Named;

impl Files for Named {
    fn network(&self, path: &str) -> Result<Network, String> {
        match path {
            "drift.json" => Ok(network(&[3, 8, 6, 2], Activation::Tanh, 1)),
            "one.json" => Ok(network(&[1, 4, 1], Activation::Relu, 2)),
            _ => Err(format!("{path}: no such file")),
        }
    }
}

const DRIFT: &str = "net f: x, v, t -> 8 tanh -> 6 tanh -> 2 from \"drift.json\"";

fn parse(text: &str) -> Equation {
    Equation::parse_with(text, &Named).unwrap_or_else(|error| panic!("{error}"))
}

/// Drifts at a time and a state.
fn drifts(equation: &Equation, t: f64, state: &[f64]) -> Vec<f64> {
    let value = |symbol: &Symbol| match symbol {
        Symbol::Time => Values::Uniform(t),
        Symbol::State(k) => Values::Path(state[*k]),
        Symbol::Parameter(k) => Values::Uniform(equation.parameters()[*k].value()),
        other => panic!("{other:?}"),
    };
    let variables: Vec<_> = equation.symbols().iter().map(value).collect();
    let roots: Vec<_> = equation.states().iter().map(|state| state.drift()).collect();
    evaluate(equation.graph(), &roots, &variables)
}

#[test]
fn vectors_and_components() {
    let expected = forward(&Named.network("drift.json").unwrap(), &[0.4, -0.3, 2.0]);
    let start = "; x(0) = 1; v(0) = 0";
    for equations in ["D^0.8 [x, v] = f", "D^0.8 x = f_1; D^0.8 v = f_2"] {
        let equation = parse(&format!("{equations}; {DRIFT}{start}"));
        for (found, expected) in drifts(&equation, 2.0, &[0.4, -0.3]).iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-14, "{equations}");
        }
        let net = &equation.nets()[0];
        assert_eq!((net.name(), net.file(), net.inputs().len()), ("f", "drift.json", 3));
        assert_eq!(net.layers()[1], (6, Activation::Tanh));
        assert_eq!(net.outputs().len(), 2);
    }
}

#[test]
fn prints_are_read_again() {
    let text = "x' = v + f_1 f_2
v' = k sin(f_1) + g
net f: x, v, t -> 8 tanh -> 6 tanh -> 2 from \"drift.json\"
net g: f_1 - 2 a -> 4 relu -> 1 from \"one.json\"
a = x v
b = f_2
k = 3
x(0) = 1
v(0) = 0
show f_1
show s = exp(g)";
    let equation = parse(text);
    assert_eq!(equation.to_string(), text);
    assert_eq!(parse(&equation.to_string()), equation);
    // Other weights are another equation, and so are other inputs.
    let other = text.replace("f_1 - 2 a", "f_1 + 2 a");
    assert_ne!(parse(&other), equation);
    struct Others;
    impl Files for Others {
        fn network(&self, path: &str) -> Result<Network, String> {
            match path {
                "drift.json" => Ok(network(&[3, 8, 6, 2], Activation::Tanh, 9)),
                _ => Named.network(path),
            }
        }
    }
    assert_ne!(Equation::parse_with(text, &Others).unwrap(), equation);
}

#[test]
fn statements_in_any_order_and_over_several_lines() {
    let text = "net f: x,\n v, t -> 8 tanh ->\n 6 tanh → 2 from \"drift.json\" # learned
        dx = f_1 dt + 0.1 dW; dv = f_2 dt; x(0) = 1; v(0) = 0";
    let equation = parse(text);
    assert_eq!(equation.noises().len(), 1);
    assert_eq!(parse(&equation.to_string()), equation);
}

/// Jacobians are written with the layers.
#[test]
fn texts_of_derivatives() {
    let equation = parse("x' = g; net g: x -> 4 relu -> 1 from \"one.json\"; x(0) = 1");
    let mut graph = equation.graph().clone();
    let root = equation.states()[0].drift();
    let entries = hpfracc_equation::derive::jacobian(&mut graph, &[root], &[1]).unwrap();
    let text = equation.expression_in(&graph, entries[0].value);
    assert!(text.contains("layer"), "{text}");
    assert!(text.len() < 2000, "{text}");
    assert_eq!(equation.expression(root), "g");
}

#[test]
fn texts_that_are_refused() {
    let cases: &[(&str, &[&str])] = &[
        (
            "x' = f; x(0) = 1; net f: x -> 4 relu -> 1 from \"other.json\"",
            &[
                "line 1, column 48: other.json: no such file",
                "  x' = f; x(0) = 1; net f: x -> 4 relu -> 1 from \"other.json\"",
                "                                                 ^^^^^^^^^^^^",
            ],
        ),
        (
            "x' = f; x(0) = 1; net f: x -> 5 relu -> 1 from \"one.json\"",
            &[
                "line 1, column 26: `f` is 1 -> 5 relu -> 1 here, and 1 -> 4 relu -> 1 in the file",
                "  x' = f; x(0) = 1; net f: x -> 5 relu -> 1 from \"one.json\"",
                "                           ^^^^^^^^^^^^^^^^ write the inputs and layers of the file",
            ],
        ),
        (
            "x' = f; x(0) = 1; net f: x, t -> 4 tanh -> 1 from \"one.json\"",
            &[
                "line 1, column 26: `f` is 2 -> 4 tanh -> 1 here, and 1 -> 4 relu -> 1 in the file",
                "  x' = f; x(0) = 1; net f: x, t -> 4 tanh -> 1 from \"one.json\"",
                "                           ^^^^^^^^^^^^^^^^^^^ write the inputs and layers of the file",
            ],
        ),
        (
            "x' = f; x(0) = 1; net f: x -> 4 rely -> 1 from \"one.json\"",
            &[
                "line 1, column 33: unknown activation `rely`",
                "  x' = f; x(0) = 1; net f: x -> 4 rely -> 1 from \"one.json\"",
                "                                  ^^^^ did you mean `relu`?",
            ],
        ),
        (
            "x' = f; x(0) = 1; net f: x -> 4 maximum -> 1 from \"one.json\"",
            &[
                "line 1, column 33: unknown activation `maximum`",
                "  x' = f; x(0) = 1; net f: x -> 4 maximum -> 1 from \"one.json\"",
                "                                  ^^^^^^^ the activations are identity, relu, tanh, sigmoid, softplus, silu, gelu, gelu_tanh",
            ],
        ),
        (
            "x' = f; x(0) = 1; net f: x -> 2.5 from \"one.json\"",
            &[
                "line 1, column 31: the width of a layer is 2.5, expected 1, 2, 3, ...",
                "  x' = f; x(0) = 1; net f: x -> 2.5 from \"one.json\"",
                "                                ^^^",
            ],
        ),
        (
            "x' = f; x(0) = 1; net f: x -> n from \"one.json\"",
            &[
                "line 1, column 31: expected the width of a layer, found `n`",
                "  x' = f; x(0) = 1; net f: x -> n from \"one.json\"",
                "                                ^",
            ],
        ),
        (
            "x' = f; x(0) = 1; net f: x from \"one.json\"",
            &[
                "line 1, column 43: expected `->` and the width of a layer, found the end of the statement",
                "  x' = f; x(0) = 1; net f: x from \"one.json\"",
                "                                            ^",
            ],
        ),
        (
            "x' = f; x(0) = 1; net f: x -> 4 relu -> 1",
            &[
                "line 1, column 42: expected an activation, `->` or `from`, found the end of the statement",
                "  x' = f; x(0) = 1; net f: x -> 4 relu -> 1",
                "                                           ^",
            ],
        ),
        (
            "x' = f; x(0) = 1; net f: x -> 1 from one",
            &[
                "line 1, column 38: expected the name of a file in quotation marks, found `one`",
                "  x' = f; x(0) = 1; net f: x -> 1 from one",
                "                                       ^^^",
            ],
        ),
        (
            "x' = f; x(0) = 1; net f x -> 1 from \"one.json\"",
            &[
                "line 1, column 25: expected `:` and the inputs of the network, found `x`",
                "  x' = f; x(0) = 1; net f x -> 1 from \"one.json\"",
                "                          ^",
            ],
        ),
        (
            "x' = f; x(0) = 1; net f: x, -> 1 from \"one.json\"",
            &[
                "line 1, column 29: expected a number, a name or `(`, found `->`",
                "  x' = f; x(0) = 1; net f: x, -> 1 from \"one.json\"",
                "                              ^^",
            ],
        ),
        (
            "x' = f; x(0) = 1; net f: g -> 1 from \"one.json\"; net g: f -> 1 from \"one.json\"",
            &[
                "line 1, column 23: circular definitions: f needs g needs f",
                "  x' = f; x(0) = 1; net f: g -> 1 from \"one.json\"; net g: f -> 1 from \"on",
                "                        ^",
            ],
        ),
        (
            "x' = f; x(0) = 1; f = 1; net f: x -> 4 relu -> 1 from \"one.json\"",
            &[
                "line 1, column 30: `f` is defined twice",
                "  x' = f; x(0) = 1; f = 1; net f: x -> 4 relu -> 1 from \"one.json\"",
                "                               ^",
            ],
        ),
        (
            "dx = f dt + dW; x(0) = 1; net f: x dW -> 4 relu -> 1 from \"one.json\"",
            &[
                "line 1, column 34: a differential or noise in a network",
                "  dx = f dt + dW; x(0) = 1; net f: x dW -> 4 relu -> 1 from \"one.json\"",
                "                                   ^^^^ write noises in the equations themselves",
            ],
        ),
        (
            "x' = f; x(0) = 1; net f: x -> 101 from \"one.json\"",
            &[
                "line 1, column 26: a network of 101 outputs, above 100",
                "  x' = f; x(0) = 1; net f: x -> 101 from \"one.json\"",
                "                           ^^^^^^^^",
            ],
        ),
        (
            "x' = _f; x(0) = 1; net _f: x -> 4 relu -> 1 from \"one.json\"",
            &[
                "line 1, column 24: a network cannot be called `_f`",
                "  x' = _f; x(0) = 1; net _f: x -> 4 relu -> 1 from \"one.json\"",
                "                         ^^ names with `_` in front abbreviate expressions",
            ],
        ),
    ];
    for (text, message) in cases {
        let Err(error) = Equation::parse_with(text, &Named) else { panic!("accepted: {text}") };
        assert_eq!(error.to_string(), message.join("\n"), "{text}");
    }
}

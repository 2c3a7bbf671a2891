use super::refused;
use hpfracc_equation::{Equation, Files};

#[test]
fn statements() {
    refused(&[
        (
            "x' = 1; x(0) = 1; table 2: [0, 1] -> [1, 2]",
            &[
                "line 1, column 25: expected the name of the table, found `2`",
                "  x' = 1; x(0) = 1; table 2: [0, 1] -> [1, 2]",
                "                          ^",
            ],
        ),
        (
            "x' = 1; x(0) = 1; table g = [0, 1] -> [1, 2]",
            &[
                "line 1, column 27: expected `:`, found `=`",
                "  x' = 1; x(0) = 1; table g = [0, 1] -> [1, 2]",
                "                            ^",
            ],
        ),
        (
            "x' = 1; x(0) = 1; table g: \"g.csv\"",
            &[
                "line 1, column 35: expected `->`, found the end of the statement",
                "  x' = 1; x(0) = 1; table g: \"g.csv\"",
                "                                    ^",
            ],
        ),
        (
            "x' = 1; x(0) = 1; table g: 1 -> 2",
            &[
                "line 1, column 28: expected the name of a column, or a list of numbers, found `1`",
                "  x' = 1; x(0) = 1; table g: 1 -> 2",
                "                             ^",
            ],
        ),
        (
            "x' = 1; x(0) = 1; table g: a -> b",
            &[
                "line 1, column 34: expected `from` and the name of a file, such as `from \"drive.csv\"`, \
                 found the end of the statement",
                "  x' = 1; x(0) = 1; table g: a -> b",
                "                                   ^",
            ],
        ),
        (
            "x' = 1; x(0) = 1; table g: a -> b from g",
            &[
                "line 1, column 40: expected the name of a file in quotation marks, found `g`",
                "  x' = 1; x(0) = 1; table g: a -> b from g",
                "                                         ^",
            ],
        ),
        (
            "x' = 1; x(0) = 1; k = 2; table g: [0, k] -> [1, 2]",
            &[
                "line 1, column 39: expected a number, found `k`",
                "  x' = 1; x(0) = 1; k = 2; table g: [0, k] -> [1, 2]",
                "                                        ^",
            ],
        ),
        (
            "x' = 1; x(0) = 1; table g: [0, 1] -> [1, 2] spline",
            &[
                "line 1, column 45: expected `linear` or `cubic`, `extended` or the end of the statement, \
                 found `spline`",
                "  x' = 1; x(0) = 1; table g: [0, 1] -> [1, 2] spline",
                "                                              ^^^^^^",
            ],
        ),
        (
            "x' = 1; x(0) = 1; g = 2; table g: [0, 1] -> [1, 2]",
            &[
                "line 1, column 32: `g` is defined twice",
                "  x' = 1; x(0) = 1; g = 2; table g: [0, 1] -> [1, 2]",
                "                                 ^",
            ],
        ),
        (
            "x' = 1; x(0) = 1; table sin: [0, 1] -> [1, 2]",
            &[
                "line 1, column 25: `sin` is the name of a function",
                "  x' = 1; x(0) = 1; table sin: [0, 1] -> [1, 2]",
                "                          ^^^ choose another name",
            ],
        ),
    ]);
}

#[test]
fn data() {
    refused(&[
        (
            "x' = 1; x(0) = 1; table g: [0] -> [1]",
            &[
                "line 1, column 28: a table has at least 2 rows, found 1",
                "  x' = 1; x(0) = 1; table g: [0] -> [1]",
                "                             ^^^^^^^^^^",
            ],
        ),
        (
            "x' = 1; x(0) = 1; table g: [0, 1, 2] -> [1, 2]",
            &[
                "line 1, column 28: 3 arguments and 2 values: a table has a value for each argument",
                "  x' = 1; x(0) = 1; table g: [0, 1, 2] -> [1, 2]",
                "                             ^^^^^^^^^^^^^^^^^^^",
            ],
        ),
        (
            "x' = 1; x(0) = 1; table g: [0, 1, 1] -> [1, 2, 3]",
            &[
                "line 1, column 28: row 3 has the argument 1 after 1: the arguments have to increase",
                "  x' = 1; x(0) = 1; table g: [0, 1, 1] -> [1, 2, 3]",
                "                             ^^^^^^^^^^^^^^^^^^^^^^",
            ],
        ),
        (
            "x' = 1; x(0) = 1; table g: [0, 1] -> [-1e308, 1e308]",
            &[
                "line 1, column 28: the slope between rows 1 and 2 is above the largest number",
                "  x' = 1; x(0) = 1; table g: [0, 1] -> [-1e308, 1e308]",
                "                             ^^^^^^^^^^^^^^^^^^^^^^^^^",
            ],
        ),
    ]);
}

#[test]
fn calls() {
    refused(&[
        (
            "x' = g; x(0) = 1; table g: [0, 1] -> [1, 2]",
            &[
                "line 1, column 6: `g` is a table",
                "  x' = g; x(0) = 1; table g: [0, 1] -> [1, 2]",
                "       ^ write `g(t)`, or another argument",
            ],
        ),
        (
            "x' = g (t); x(0) = 1; table g: [0, 1] -> [1, 2]",
            &[
                "line 1, column 6: `g` is a table",
                "  x' = g (t); x(0) = 1; table g: [0, 1] -> [1, 2]",
                "       ^ write `g(t)`, or another argument",
            ],
        ),
        (
            "x' = g(t, x); x(0) = 1; table g: [0, 1] -> [1, 2]",
            &[
                "line 1, column 6: `g` has 1 argument, found 2",
                "  x' = g(t, x); x(0) = 1; table g: [0, 1] -> [1, 2]",
                "       ^^^^^^^",
            ],
        ),
        (
            "x' = g(3); x(0) = 1; table g: [0, 1] -> [1, 2]",
            &[
                "line 1, column 6: the table has values from 0 to 1, not at 3",
                "  x' = g(3); x(0) = 1; table g: [0, 1] -> [1, 2]",
                "       ^^^^",
            ],
        ),
        (
            "dX = g(dW); X(0) = 1; table g: [0, 1] -> [1, 2]",
            &[
                "line 1, column 6: a differential or noise can only be multiplied and added",
                "  dX = g(dW); X(0) = 1; table g: [0, 1] -> [1, 2]",
                "       ^^^^^",
            ],
        ),
        (
            "x' = loud(t); x(0) = 1; table load: [0, 1] -> [1, 2]",
            &[
                "line 1, column 6: unknown function `loud`",
                "  x' = loud(t); x(0) = 1; table load: [0, 1] -> [1, 2]",
                "       ^^^^ did you mean `load`?",
            ],
        ),
    ]);
}

/// A file of given columns.
struct Data([Vec<f64>; 2]);

impl Files for Data {
    fn table(&self, path: &str, _: &str, _: &str) -> Result<[Vec<f64>; 2], String> {
        if path == "g.csv" { Ok(self.0.clone()) } else { Err(format!("cannot read {path}")) }
    }
}

#[test]
fn files() {
    let text = |path| format!("x' = g(t); x(0) = 1; table g: a -> b from \"{path}\"");
    let error =
        |found: Result<Equation, hpfracc_equation::EquationError>| found.unwrap_err().to_string();
    assert_eq!(
        error(Equation::parse(&text("g.csv"))),
        "line 1, column 31: the text names the file `g.csv`, which `Equation::parse_with` reads\n\
         \x20 x' = g(t); x(0) = 1; table g: a -> b from \"g.csv\"\n\
         \x20                               ^^^^^^^^^^^^^^^^^^^"
    );
    let parse = |path, data| error(Equation::parse_with(&text(path), &Data(data)));
    assert_eq!(
        parse("h.csv", [vec![0.0, 1.0], vec![1.0, 2.0]]),
        "line 1, column 31: cannot read h.csv\n\
         \x20 x' = g(t); x(0) = 1; table g: a -> b from \"h.csv\"\n\
         \x20                               ^^^^^^^^^^^^^^^^^^^"
    );
    assert_eq!(
        parse("g.csv", [vec![0.0, 2.0, 1.0], vec![1.0, 2.0, 3.0]]),
        "line 1, column 31: `g.csv`: row 3 has the argument 1 after 2: the arguments have to increase\n\
         \x20 x' = g(t); x(0) = 1; table g: a -> b from \"g.csv\"\n\
         \x20                               ^^^^^^^^^^^^^^^^^^^"
    );
    assert_eq!(
        parse("g.csv", [vec![0.0, 1.0], vec![1.0, f64::NAN]]),
        "line 1, column 31: `g.csv`: row 2 is 1 -> NaN, expected finite numbers\n\
         \x20 x' = g(t); x(0) = 1; table g: a -> b from \"g.csv\"\n\
         \x20                               ^^^^^^^^^^^^^^^^^^^"
    );
}

#[test]
fn random_initial_values() {
    refused(&[
        (
            "x' = 1; x(0) = normal(1, -2)",
            &[
                "line 1, column 16: the standard deviation is -2, expected a number from 0 on",
                "  x' = 1; x(0) = normal(1, -2)",
                "                 ^^^^^^^^^^^^^",
            ],
        ),
        (
            "x' = 1; x(0) = uniform(2, 1)",
            &[
                "line 1, column 16: the uniform distribution begins at 2 and ends at 1",
                "  x' = 1; x(0) = uniform(2, 1)",
                "                 ^^^^^^^^^^^^^",
            ],
        ),
        (
            "x' = 1; x(0) = normal(t, 1)",
            &[
                "line 1, column 16: a number of a distribution depends on time or on a state",
                "  x' = 1; x(0) = normal(t, 1)",
                "                 ^^^^^^^^^^^^ write it with numbers and parameters only",
            ],
        ),
        (
            "x' = 1; x(0) = normal(1)",
            &[
                "line 1, column 24: expected `,`, found `)`",
                "  x' = 1; x(0) = normal(1)",
                "                         ^",
            ],
        ),
        (
            "x' = 1; x(0) = 2 normal(0, 1)",
            &[
                "line 1, column 18: unknown function `normal`",
                "  x' = 1; x(0) = 2 normal(0, 1)",
                "                   ^^^^^^",
            ],
        ),
    ]);
}

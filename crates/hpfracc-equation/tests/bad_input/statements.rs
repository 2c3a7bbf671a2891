use super::refused;

#[test]
fn numbers_and_characters() {
    refused(&[
        (
            "x' = 1e400; x(0) = 1",
            &[
                "line 1, column 6: `1e400` is above the largest number, 1.8e308",
                "  x' = 1e400; x(0) = 1",
                "       ^^^^^",
            ],
        ),
        (
            "x' = 1e-400; x(0) = 1",
            &[
                "line 1, column 6: `1e-400` is below the smallest number, 4.9e-324",
                "  x' = 1e-400; x(0) = 1",
                "       ^^^^^^",
            ],
        ),
        (
            "x' = 1.2.3; x(0) = 1",
            &["line 1, column 6: `1.2.3` is no number", "  x' = 1.2.3; x(0) = 1", "       ^^^^^"],
        ),
        (
            "x' = 1_000; x(0) = 1",
            &[
                "line 1, column 6: `_` after a number",
                "  x' = 1_000; x(0) = 1",
                "       ^^ write the digits without `_`",
            ],
        ),
        (
            "x' = х + 1; x(0) = 1",
            &[
                "line 1, column 6: the character `х` (U+0445) has no meaning",
                "  x' = х + 1; x(0) = 1",
                "       ^ it looks like the Latin letter `x`",
            ],
        ),
        (
            "x' = 6 ÷ x; x(0) = 1",
            &[
                "line 1, column 8: the character `÷` (U+00F7) has no meaning",
                "  x' = 6 ÷ x; x(0) = 1",
                "         ^ write `/`",
            ],
        ),
        (
            "x' = x\u{0000}; x(0) = 1",
            &[
                "line 1, column 7: the character U+0000 has no meaning",
                "  x' = x ; x(0) = 1",
                "        ^",
            ],
        ),
        (
            "x' = {x}; x(0) = 1",
            &[
                "line 1, column 6: the character `{` (U+007B) has no meaning",
                "  x' = {x}; x(0) = 1",
                "       ^ write `(` and `)`",
            ],
        ),
        (
            "x' = 你; x(0) = 1",
            &[
                "line 1, column 6: the character `你` (U+4F60) has no meaning",
                "  x' = 你; x(0) = 1",
                "       ^",
            ],
        ),
        (
            "x' = $x; x(0) = 1",
            &[
                "line 1, column 6: the character `$` (U+0024) has no meaning",
                "  x' = $x; x(0) = 1",
                "       ^",
            ],
        ),
        (
            "x' = 1; x(0) = 1\n\u{feff}",
            &["line 2, column 1: the character U+FEFF has no meaning", "   ", "  ^"],
        ),
    ]);
}

#[test]
fn statements() {
    refused(&[
        (
            "",
            &[
                "line 1, column 1: no differential equation",
                "  ",
                "  ^ write one, such as `D^0.7 y = -y; y(0) = 1`",
            ],
        ),
        (
            "# only a comment",
            &[
                "line 1, column 1: no differential equation",
                "  # only a comment",
                "  ^ write one, such as `D^0.7 y = -y; y(0) = 1`",
            ],
        ),
        (
            "a = 1",
            &[
                "line 1, column 1: no differential equation",
                "  a = 1",
                "  ^ write one, such as `D^0.7 y = -y; y(0) = 1`",
            ],
        ),
        ("x + 1", &["line 1, column 1: a statement without `=`", "  x + 1", "  ^^^^^"]),
        (
            "x + y = 2",
            &[
                "line 1, column 1: this left side has no derivative and is no name",
                "  x + y = 2",
                "  ^^^^^ write `D^alpha x = ...`, `x' = ...`, `dX = ... dt + ... dW` or `name = ...`",
            ],
        ),
        (
            "x' + y' = 1; x(0) = 1; y(0) = 1",
            &[
                "line 1, column 1: derivatives of two functions on the left side",
                "  x' + y' = 1; x(0) = 1; y(0) = 1",
                "  ^^^^^^^ keep the highest derivative of one function there",
            ],
        ),
        (
            "x' = 1; x(0) = 1; net f: x -> 2 from \"f.json\"",
            &[
                "line 1, column 38: the text names the file `f.json`, which `Equation::parse_with` reads",
                "  x' = 1; x(0) = 1; net f: x -> 2 from \"f.json\"",
                "                                       ^^^^^^^^",
            ],
        ),
        (
            "hpfracc equation 2; x' = 1; x(0) = 1",
            &[
                "line 1, column 18: the text is of version 2 of the language, expected 1",
                "  hpfracc equation 2; x' = 1; x(0) = 1",
                "                   ^",
            ],
        ),
        (
            "x' = \"f\"; x(0) = 1",
            &[
                "line 1, column 6: expected a number, a name or `(`, found `\"f\"`",
                "  x' = \"f\"; x(0) = 1",
                "       ^^^",
            ],
        ),
    ]);
}

#[test]
fn initial_values() {
    refused(&[
        (
            "x' = -x",
            &["line 1, column 1: `x` has no initial value", "  x' = -x", "  ^^ add `x(0) = 1`"],
        ),
        (
            "D^1.5 x = -x; x(0) = 1",
            &[
                "line 1, column 1: `x'` has no initial value",
                "  D^1.5 x = -x; x(0) = 1",
                "  ^^^^^^^ add `x'(0) = 1`",
            ],
        ),
        (
            "D^0.5 x = -x; x(0) = 1; x'(0) = 1",
            &[
                "line 1, column 25: a superfluous initial value: the order of `x` is 0.5",
                "  D^0.5 x = -x; x(0) = 1; x'(0) = 1",
                "                          ^^^^^ leave `x'` away, or change the order",
            ],
        ),
        (
            "x' = -x; x(0) = 1; y(0) = 1",
            &[
                "line 1, column 20: an initial value of `y`, which has no equation",
                "  x' = -x; x(0) = 1; y(0) = 1",
                "                     ^ give it one: `D^alpha y = ...`",
            ],
        ),
        (
            "x' = -x; x(0) = t",
            &[
                "line 1, column 17: an initial value depends on time or on a state",
                "  x' = -x; x(0) = t",
                "                  ^ write it with numbers and parameters only",
            ],
        ),
        (
            "x' = -x; x(1) = 1",
            &[
                "line 1, column 12: a value at t = 1, but the interval begins at 0",
                "  x' = -x; x(1) = 1",
                "             ^",
            ],
        ),
        (
            "x' = -x; x(0) = 1; t in [2, 1]",
            &[
                "line 1, column 20: the interval begins at 2 and ends at 1",
                "  x' = -x; x(0) = 1; t in [2, 1]",
                "                     ^^^^^^^^^^^",
            ],
        ),
        (
            "x' = -x; x(0) = 1; t in [0, inf]",
            &[
                "line 1, column 29: `inf` is a reserved name",
                "  x' = -x; x(0) = 1; t in [0, inf]",
                "                              ^^^",
            ],
        ),
        (
            "x' = -x(t - 1); x(0) = 1",
            &[
                "line 1, column 7: `x` has no history",
                "  x' = -x(t - 1); x(0) = 1",
                "        ^^^^^^^^ write what it was: `x(t) = 1 for t <= 0`",
            ],
        ),
        (
            "x' = -x(t - 1); x(t) = 1 for t <= 0; x(0) = 1",
            &[
                "line 1, column 38: the history of `x` has this value already",
                "  x' = -x(t - 1); x(t) = 1 for t <= 0; x(0) = 1",
                "                                       ^^^^ end the history before it: `x(t) = ... for t < ...`",
            ],
        ),
        (
            "x' = -x(t - 1); x(t) = 1 for t < 0",
            &[
                "line 1, column 17: `x` has no initial value",
                "  x' = -x(t - 1); x(t) = 1 for t < 0",
                "                  ^^^^^^^^^^^^^^^^^^ write `<=` in the history, or add the value",
            ],
        ),
        (
            "x' = -x(t - 1); x(t) = x for t <= 0",
            &[
                "line 1, column 24: a history that depends on a state or on a noise",
                "  x' = -x(t - 1); x(t) = x for t <= 0",
                "                         ^",
            ],
        ),
        (
            "x' = -x(t - 1); x(t) = 1",
            &[
                "line 1, column 25: expected `for t < 0`, found the end of the statement",
                "  x' = -x(t - 1); x(t) = 1",
                "                          ^",
            ],
        ),
    ]);
}

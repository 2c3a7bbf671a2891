use super::refused;

#[test]
fn names() {
    refused(&[
        (
            "x' = -rat x; rate = 2; x(0) = 1",
            &[
                "line 1, column 7: unknown name `rat`",
                "  x' = -rat x; rate = 2; x(0) = 1",
                "        ^^^ did you mean `rate`?",
            ],
        ),
        (
            "x' = xy; y' = 1; x(0) = 1; y(0) = 1",
            &[
                "line 1, column 6: unknown name `xy`",
                "  x' = xy; y' = 1; x(0) = 1; y(0) = 1",
                "       ^^ did you mean `x y`?",
            ],
        ),
        (
            "x' = k; x(0) = 1",
            &[
                "line 1, column 6: unknown name `k`",
                "  x' = k; x(0) = 1",
                "       ^ give it a value: `k = 1`",
            ],
        ),
        (
            "x' = sn(x); x(0) = 1",
            &[
                "line 1, column 6: unknown function `sn`",
                "  x' = sn(x); x(0) = 1",
                "       ^^ did you mean `ln`?",
            ],
        ),
        (
            "x' = gamma(x); x(0) = 1",
            &[
                "line 1, column 6: unknown function `gamma`",
                "  x' = gamma(x); x(0) = 1",
                "       ^^^^^ did you mean `Gamma`?",
            ],
        ),
        (
            "a = 1; a = 2; x' = a; x(0) = 1",
            &[
                "line 1, column 8: `a` is defined twice",
                "  a = 1; a = 2; x' = a; x(0) = 1",
                "         ^",
            ],
        ),
        (
            "x' = 1; x' = 2; x(0) = 1",
            &[
                "line 1, column 9: `x` has two equations",
                "  x' = 1; x' = 2; x(0) = 1",
                "          ^^",
            ],
        ),
        (
            "x' = 1; x(0) = 1; x = 3",
            &[
                "line 1, column 19: `x` is defined twice",
                "  x' = 1; x(0) = 1; x = 3",
                "                    ^",
            ],
        ),
        (
            "x' = 1; x(0) = 1; x(0) = 2",
            &[
                "line 1, column 19: a second initial value of `x`",
                "  x' = 1; x(0) = 1; x(0) = 2",
                "                    ^^^^",
            ],
        ),
        (
            "a = b + t; b = c; c = a; x' = a; x(0) = 1",
            &[
                "line 1, column 1: circular definitions: a needs b needs c needs a",
                "  a = b + t; b = c; c = a; x' = a; x(0) = 1",
                "  ^",
            ],
        ),
        (
            "a = a + x; x' = a; x(0) = 1",
            &[
                "line 1, column 1: circular definitions: a needs a",
                "  a = a + x; x' = a; x(0) = 1",
                "  ^",
            ],
        ),
        (
            "pi = 3; x' = pi; x(0) = 1",
            &[
                "line 1, column 1: `pi` is a reserved name",
                "  pi = 3; x' = pi; x(0) = 1",
                "  ^^ choose another name",
            ],
        ),
        (
            "t = 3; x' = 1; x(0) = 1",
            &[
                "line 1, column 1: `t` is a reserved name",
                "  t = 3; x' = 1; x(0) = 1",
                "  ^ choose another name",
            ],
        ),
        (
            "sin = 3; x' = 1; x(0) = 1",
            &[
                "line 1, column 1: `sin` is the name of a function",
                "  sin = 3; x' = 1; x(0) = 1",
                "  ^^^ choose another name",
            ],
        ),
        (
            "D = 3; x' = 1; x(0) = 1",
            &[
                "line 1, column 1: `D` is a reserved name",
                "  D = 3; x' = 1; x(0) = 1",
                "  ^ choose another name",
            ],
        ),
        (
            "int' = 1; int(0) = 0",
            &[
                "line 1, column 1: `int` is a reserved name",
                "  int' = 1; int(0) = 0",
                "  ^^^^ choose another name",
            ],
        ),
        (
            "x' = log(x); x(0) = 1",
            &[
                "line 1, column 6: `log` is a reserved name",
                "  x' = log(x); x(0) = 1",
                "       ^^^ write `ln` for the natural logarithm, `log10` or `log2`",
            ],
        ),
        (
            "x' = int x; x(0) = 1",
            &[
                "line 1, column 6: `int` is a reserved name",
                "  x' = int x; x(0) = 1",
                "       ^^^ an integral is no expression: give it an equation, such as `I' = x`",
            ],
        ),
        (
            "x' = dx; x(0) = 1",
            &[
                "line 1, column 6: unknown name `dx`",
                "  x' = dx; x(0) = 1",
                "       ^^ the derivative of the state `x` is `x'`",
            ],
        ),
        (
            "dW = 0.5; x' = 1; x(0) = 1",
            &[
                "line 1, column 1: `dW` is the differential of a noise",
                "  dW = 0.5; x' = 1; x(0) = 1",
                "  ^^ choose another name",
            ],
        ),
    ]);
}

#[test]
fn expressions() {
    refused(&[
        (
            "x' = a / b x; a = 1; b = 2; x(0) = 1",
            &[
                "line 1, column 6: `a/b x` can be read in two ways",
                "  x' = a / b x; a = 1; b = 2; x(0) = 1",
                "       ^^^^^^^ write `a/(b x)` or `(a/b) x`",
            ],
        ),
        (
            "x' = 1 / (1 + x) x^2 + x; x(0) = 1",
            &[
                "line 1, column 6: `1/(1 + x) x^2` can be read in two ways",
                "  x' = 1 / (1 + x) x^2 + x; x(0) = 1",
                "       ^^^^^^^^^^^^^^^ write `1/((1 + x) x^2)` or `(1/(1 + x)) x^2`",
            ],
        ),
        (
            "x' = sin x; x(0) = 1",
            &[
                "line 1, column 6: `sin` is a function",
                "  x' = sin x; x(0) = 1",
                "       ^^^ write `sin(...)`",
            ],
        ),
        (
            "x' = sin^2 x; x(0) = 1",
            &[
                "line 1, column 6: `sin` is a function",
                "  x' = sin^2 x; x(0) = 1",
                "       ^^^ for a power write `sin(x)^2`",
            ],
        ),
        (
            "x' = |x|; x(0) = 1",
            &[
                "line 1, column 6: `|` has no meaning",
                "  x' = |x|; x(0) = 1",
                "       ^ for the absolute value write `abs(x)`",
            ],
        ),
        (
            "x' = k(x - 1); k = 2; x(0) = 1",
            &[
                "line 1, column 6: `k` is no function",
                "  x' = k(x - 1); k = 2; x(0) = 1",
                "       ^ for a product write `k (...)` with a space, or `k*(...)`",
            ],
        ),
        (
            "x' = 2 3; x(0) = 1",
            &[
                "line 1, column 8: a number cannot follow a factor",
                "  x' = 2 3; x(0) = 1",
                "         ^ for a product write `*3`",
            ],
        ),
        (
            "x' = x 2; x(0) = 1",
            &[
                "line 1, column 8: a number cannot follow a factor",
                "  x' = x 2; x(0) = 1",
                "         ^ for a product write `*2`",
            ],
        ),
        (
            "x' = (x + 1; x(0) = 1",
            &["line 1, column 6: `(` is not closed", "  x' = (x + 1; x(0) = 1", "       ^"],
        ),
        (
            "x' = x + 1); x(0) = 1",
            &[
                "line 1, column 11: `)` without an opening bracket",
                "  x' = x + 1); x(0) = 1",
                "            ^",
            ],
        ),
        (
            "x' = (x + 1]; x(0) = 1",
            &[
                "line 1, column 12: expected `)`, found `]`",
                "  x' = (x + 1]; x(0) = 1",
                "             ^",
            ],
        ),
        (
            "x' = x +; x(0) = 1",
            &[
                "line 1, column 9: expected a number, a name or `(`, found the end of the statement",
                "  x' = x +; x(0) = 1",
                "          ^",
            ],
        ),
        (
            "x' = ; x(0) = 1",
            &[
                "line 1, column 6: expected a number, a name or `(`, found the end of the statement",
                "  x' = ; x(0) = 1",
                "       ^",
            ],
        ),
        (
            "x' = 0 < x < 1; x(0) = 1",
            &[
                "line 1, column 8: expected an operator or the end of the statement, found `<`",
                "  x' = 0 < x < 1; x(0) = 1",
                "         ^",
            ],
        ),
        (
            "x' = (0 < x < 1); x(0) = 1",
            &[
                "line 1, column 7: two comparisons in a row",
                "  x' = (0 < x < 1); x(0) = 1",
                "        ^^^^^^^ write `a < b and b < c`",
            ],
        ),
        (
            "x' = if(x and 1, 1, 0); x(0) = 1",
            &[
                "line 1, column 9: `and` needs comparisons",
                "  x' = if(x and 1, 1, 0); x(0) = 1",
                "          ^^^^^^^ such as `x < 1 and y > 0`",
            ],
        ),
        (
            "x' = min(x); x(0) = 1",
            &[
                "line 1, column 6: `min` has 2 arguments, found 1",
                "  x' = min(x); x(0) = 1",
                "       ^^^^^^",
            ],
        ),
        (
            "x' = E(x); x(0) = 1",
            &[
                "line 1, column 6: `E` has 2 or 3 arguments, found 1",
                "  x' = E(x); x(0) = 1",
                "       ^^^^",
            ],
        ),
        (
            "x' = x = 1; x(0) = 1",
            &[
                "line 1, column 8: expected an operator or the end of the statement, found `=`",
                "  x' = x = 1; x(0) = 1",
                "         ^",
            ],
        ),
        (
            "x' = 1/0; x(0) = 1",
            &["line 1, column 6: division by zero", "  x' = 1/0; x(0) = 1", "       ^^^"],
        ),
        (
            "x' = x/0; x(0) = 1",
            &["line 1, column 6: division by zero", "  x' = x/0; x(0) = 1", "       ^^^"],
        ),
        (
            "x' = 0^-1; x(0) = 1",
            &["line 1, column 6: division by zero", "  x' = 0^-1; x(0) = 1", "       ^^^^"],
        ),
        (
            "x' = ln(-1) x; x(0) = 1",
            &[
                "line 1, column 6: this has no value: the function is not defined there",
                "  x' = ln(-1) x; x(0) = 1",
                "       ^^^^^^",
            ],
        ),
        (
            "x' = 1e300*1e300 x; x(0) = 1",
            &[
                "line 1, column 6: this is above the largest number, 1.8e308",
                "  x' = 1e300*1e300 x; x(0) = 1",
                "       ^^^^^^^^^^^",
            ],
        ),
        (
            "x' = x^2000000; x(0) = 1",
            &[
                "line 1, column 6: the power 2000000 is above 1000000",
                "  x' = x^2000000; x(0) = 1",
                "       ^^^^^^^^^ whole powers are products: for a real power write `pow(x, y)`",
            ],
        ),
        (
            "x' = [x, 1]; x(0) = 1",
            &[
                "line 1, column 6: a vector in an equation of one component",
                "  x' = [x, 1]; x(0) = 1",
                "       ^^^^^^ name the components on the left: `D^alpha [x, y] = [f, g]`",
            ],
        ),
        (
            "D^a [x, y] = [x, y, x]; a = 1; x(0) = 1; y(0) = 1",
            &[
                "line 1, column 14: a vector of 3 in an equation of 2",
                "  D^a [x, y] = [x, y, x]; a = 1; x(0) = 1; y(0) = 1",
                "               ^^^^^^^^^",
            ],
        ),
    ]);
}

use super::refused;

#[test]
fn orders_and_delays() {
    refused(&[
        (
            "D^0 x = 1; x(0) = 1",
            &[
                "line 1, column 2: the order of the derivative is 0, expected a positive number",
                "  D^0 x = 1; x(0) = 1",
                "   ^^",
            ],
        ),
        (
            "D^-1 x = 1; x(0) = 1",
            &[
                "line 1, column 2: the order of the derivative is -1, expected a positive number",
                "  D^-1 x = 1; x(0) = 1",
                "   ^^^",
            ],
        ),
        (
            "D^a x = 1; a = 1.2 in (0, 1]; x(0) = 1",
            &[
                "line 1, column 16: a = 1.2 is outside its range (0, 1]",
                "  D^a x = 1; a = 1.2 in (0, 1]; x(0) = 1",
                "                 ^^^",
            ],
        ),
        (
            "D^t x = 1; x(0) = 1",
            &[
                "line 1, column 2: the order of a derivative depends on time or on a state",
                "  D^t x = 1; x(0) = 1",
                "   ^^ write an order of numbers and parameters",
            ],
        ),
        (
            "D^x x = 1; x(0) = 1",
            &[
                "line 1, column 2: the order of a derivative depends on time or on a state",
                "  D^x x = 1; x(0) = 1",
                "   ^^ write an order of numbers and parameters",
            ],
        ),
        (
            "D^0.5 x = D^0.7 x; x(0) = 1",
            &[
                "line 1, column 11: a derivative of order 0.7 of `x`, whose equation is for order 0.5",
                "  D^0.5 x = D^0.7 x; x(0) = 1",
                "            ^^^^^^^ only derivatives of lower orders can stand here",
            ],
        ),
        (
            "D^0.5 x = D^0.3 q; x(0) = 1",
            &[
                "line 1, column 17: a derivative of `q`, which has no equation of its own",
                "  D^0.5 x = D^0.3 q; x(0) = 1",
                "                  ^ give it one: `D^alpha q = ...`",
            ],
        ),
        (
            "D^H + 1/2 x = 1; H = 0.1; x(0) = 1",
            &[
                "line 1, column 5: expected the name of a function after `D`",
                "  D^H + 1/2 x = 1; H = 0.1; x(0) = 1",
                "      ^ write `D^alpha x`, and brackets around a longer order: `D^(H + 1/2) x`",
            ],
        ),
        (
            "RL D^0.5 x = D^0.3 x; x(0) = 1",
            &[
                "line 1, column 14: the derivatives of `x` are of two kinds",
                "  RL D^0.5 x = D^0.3 x; x(0) = 1",
                "               ^^^^^^^ write `RL`, `CF` or `AB` before all of them or before none",
            ],
        ),
        (
            "x''^2 = 1; x(0) = 1; x'(0) = 1",
            &[
                "line 1, column 1: the highest derivative is in a nonlinear place",
                "  x''^2 = 1; x(0) = 1; x'(0) = 1",
                "  ^^^^^ solve the equation for it: `D^2 x = ...`",
            ],
        ),
        (
            "x' = x(t + 1); x(0) = 1",
            &[
                "line 1, column 6: a state is known at times `t - delay` only",
                "  x' = x(t + 1); x(0) = 1",
                "       ^^^^^^^^ write `x(t - tau)`, or `x (...)` for a product",
            ],
        ),
        (
            "x' = x(2 t); x(0) = 1",
            &[
                "line 1, column 6: a state is known at times `t - delay` only",
                "  x' = x(2 t); x(0) = 1",
                "       ^^^^^^ write `x(t - tau)`, or `x (...)` for a product",
            ],
        ),
        (
            "x' = x(0); x(0) = 1",
            &[
                "line 1, column 6: a value of `x` at a fixed time",
                "  x' = x(0); x(0) = 1",
                "       ^^^^ for an initial value give it a name: `y0 = 1; y(0) = y0`",
            ],
        ),
        (
            "x' = x(t - tau); tau = -1; x(t) = 1 for t <= 0",
            &[
                "line 1, column 6: the delay is -1, expected a positive number",
                "  x' = x(t - tau); tau = -1; x(t) = 1 for t <= 0",
                "       ^^^^^^^^^^",
            ],
        ),
        (
            "rho = 300 in [0, 200]; x' = rho; x(0) = 1",
            &[
                "line 1, column 7: rho = 300 is outside its range [0, 200]",
                "  rho = 300 in [0, 200]; x' = rho; x(0) = 1",
                "        ^^^",
            ],
        ),
        (
            "b = 2 x in [0, 1]; x' = b; x(0) = 1",
            &[
                "line 1, column 9: a range for `b`, which is no parameter",
                "  b = 2 x in [0, 1]; x' = b; x(0) = 1",
                "          ^^ a parameter is a name with a constant value",
            ],
        ),
        (
            "b = 2 in [1, 0]; x' = b; x(0) = 1",
            &[
                "line 1, column 7: the range begins at 1 and ends at 0",
                "  b = 2 in [1, 0]; x' = b; x(0) = 1",
                "        ^^^^^^^^^",
            ],
        ),
    ]);
}

#[test]
fn noise() {
    refused(&[
        (
            "D^0.7 X = -X + 0.3 dW; X(0) = 1",
            &[
                "line 1, column 11: a sum of a term with a differential and one without",
                "  D^0.7 X = -X + 0.3 dW; X(0) = 1",
                "            ^^^^^^^^^^^ write `dW/dt` in an equation for a derivative",
            ],
        ),
        (
            "dX = -X + 0.3 dW; X(0) = 1",
            &[
                "line 1, column 6: a sum of a term with a differential and one without",
                "  dX = -X + 0.3 dW; X(0) = 1",
                "       ^^^^^^^^^^^ multiply every term by `dt` or by a noise such as `dW`",
            ],
        ),
        (
            "dX = -X; X(0) = 1",
            &[
                "line 1, column 6: this equation has no `dt`",
                "  dX = -X; X(0) = 1",
                "       ^^ write `dX = ... dt + ... dW`",
            ],
        ),
        (
            "dX = -X dt + dW/dt; X(0) = 1",
            &[
                "line 1, column 6: a sum of a term with a differential and one without",
                "  dX = -X dt + dW/dt; X(0) = 1",
                "       ^^^^^^^^^^^^^ multiply every term by `dt` or by a noise such as `dW`",
            ],
        ),
        (
            "dX = -X dt + dW^2; X(0) = 1",
            &[
                "line 1, column 14: a differential or noise can only be multiplied and added",
                "  dX = -X dt + dW^2; X(0) = 1",
                "               ^^^^",
            ],
        ),
        (
            "dX = -X dt + sin(dW); X(0) = 1",
            &[
                "line 1, column 14: a differential or noise can only be multiplied and added",
                "  dX = -X dt + sin(dW); X(0) = 1",
                "               ^^^^^^^",
            ],
        ),
        (
            "dX = -X dt + dW dB; X(0) = 1",
            &[
                "line 1, column 14: a product of differentials or noises",
                "  dX = -X dt + dW dB; X(0) = 1",
                "               ^^^^^",
            ],
        ),
        (
            "dX = -X dt + X/dW; X(0) = 1",
            &[
                "line 1, column 14: a differential or noise can only be multiplied and added",
                "  dX = -X dt + X/dW; X(0) = 1",
                "               ^^^^",
            ],
        ),
        (
            "dX = -X dt + dL; X(0) = 1",
            &[
                "line 1, column 14: unknown name `dL`",
                "  dX = -X dt + dL; X(0) = 1",
                "               ^^ if `L` is a noise, say which: `L = brownian()`",
            ],
        ),
        (
            "dX = -X dt + W; X(0) = 1; dY = dW; Y(0) = 0",
            &[
                "line 1, column 14: unknown name `W`",
                "  dX = -X dt + W; X(0) = 1; dY = dW; Y(0) = 0",
                "               ^ give it a value: `W = 1`",
            ],
        ),
        (
            "dX = -X dt + q o X; q = 1; X(0) = 1",
            &[
                "line 1, column 18: expected a noise such as `dW` after `o`",
                "  dX = -X dt + q o X; q = 1; X(0) = 1",
                "                   ^",
            ],
        ),
        (
            "g = dW; dX = -X dt + g; X(0) = 1",
            &[
                "line 1, column 5: a differential or noise in a definition",
                "  g = dW; dX = -X dt + g; X(0) = 1",
                "      ^^ write noises in the equations themselves",
            ],
        ),
        (
            "dX = dt + dW + dB; corr(W, B) = 1.5; X(0) = 1",
            &[
                "line 1, column 33: the correlation is 1.5, expected a number in [-1, 1]",
                "  dX = dt + dW + dB; corr(W, B) = 1.5; X(0) = 1",
                "                                  ^^^",
            ],
        ),
        (
            "dX = dW + dB + dW1; corr(W, B) = 0.9; corr(W, W1) = 0.9; corr(B, W1) = -0.9; X(0) = 1",
            &[
                "line 1, column 72: no noises have all of these correlations",
                "  ...r(W, B) = 0.9; corr(W, W1) = 0.9; corr(B, W1) = -0.9; X(0) = 1",
                "                                                     ^^^^ their matrix has a negative eigenvalue",
            ],
        ),
        (
            "dX = dt + dW; corr(W, Z) = 0.5; X(0) = 1",
            &[
                "line 1, column 23: `Z` is no noise of this equation",
                "  dX = dt + dW; corr(W, Z) = 0.5; X(0) = 1",
                "                        ^",
            ],
        ),
        (
            "dX = dt + dW + dB; B = fbm(0.3); corr(W, B) = 0.5; X(0) = 1",
            &[
                "line 1, column 42: only Brownian noises can be correlated",
                "  dX = dt + dW + dB; B = fbm(0.3); corr(W, B) = 0.5; X(0) = 1",
                "                                           ^",
            ],
        ),
        (
            "dX = dB; B = fbm(1.3); X(0) = 1",
            &[
                "line 1, column 14: the Hurst exponent is 1.3, expected a number in (0, 1)",
                "  dX = dB; B = fbm(1.3); X(0) = 1",
                "               ^^^^^^^^",
            ],
        ),
        (
            "dX = dL; L = stable(2.5); X(0) = 1",
            &[
                "line 1, column 14: the index of stability is 2.5, expected a number in (0, 2]",
                "  dX = dL; L = stable(2.5); X(0) = 1",
                "               ^^^^^^^^^^^",
            ],
        ),
        (
            "dX = dN; N = poisson(-1); X(0) = 1",
            &[
                "line 1, column 14: the rate of jumps is -1, expected a number from 0 on",
                "  dX = dN; N = poisson(-1); X(0) = 1",
                "               ^^^^^^^^^^^",
            ],
        ),
        (
            "dX = dB; B = fbm(0.3); B = 2; X(0) = 1",
            &[
                "line 1, column 28: `B` is defined twice",
                "  dX = dB; B = fbm(0.3); B = 2; X(0) = 1",
                "                             ^",
            ],
        ),
    ]);
}

#[test]
fn events_and_shown_quantities() {
    refused(&[
        (
            "x' = 1; x(0) = 0; when x > 1: stop",
            &[
                "line 1, column 26: an event is a time, not a condition that lasts",
                "  x' = 1; x(0) = 0; when x > 1: stop",
                "                           ^ write `when x = 1 rising: ...`",
            ],
        ),
        (
            "x' = 1; x(0) = 0; when x = 1",
            &[
                "line 1, column 29: expected `:` and what happens, such as `: stop`, found the end of the statement",
                "  x' = 1; x(0) = 0; when x = 1",
                "                              ^",
            ],
        ),
        (
            "x' = 1; x(0) = 0; when 1 = 2: stop",
            &[
                "line 1, column 24: an event that depends neither on time nor on a state",
                "  x' = 1; x(0) = 0; when 1 = 2: stop",
                "                         ^^^^^",
            ],
        ),
        (
            "x' = 1; x(0) = 0; a = 1; when x = 1: a = 2",
            &[
                "line 1, column 38: `a` is no state: only states jump",
                "  x' = 1; x(0) = 0; a = 1; when x = 1: a = 2",
                "                                       ^",
            ],
        ),
        (
            "x' = 1; x(0) = 1; show exp(x)",
            &[
                "line 1, column 27: expected `=` or the end of the statement, as in `show r = exp(x)`, found `(`",
                "  x' = 1; x(0) = 1; show exp(x)",
                "                            ^",
            ],
        ),
        (
            "h = 1 in (0, inf) [m # s\n]; x' = h; x(0) = 1",
            &[
                "line 1, column 19: a unit is one line without a comment",
                "  h = 1 in (0, inf) [m # s",
                "                    ^^^^^^ write `[m/s]`",
            ],
        ),
        (
            "x' = 1; x(0) = 0; show x = 2 x",
            &[
                "line 1, column 24: `x` is defined twice",
                "  x' = 1; x(0) = 0; show x = 2 x",
                "                         ^ to show a known name write `show x` alone",
            ],
        ),
        (
            "x' = 1; x(0) = 0; show q",
            &[
                "line 1, column 24: unknown name `q`",
                "  x' = 1; x(0) = 0; show q",
                "                         ^ give it a value: `q = 1`",
            ],
        ),
    ]);
}

use super::super::PathEquation;
use super::coefficients;
use std::fmt::Write as _;

pub(super) fn step(equation: &PathEquation) -> (&'static str, String) {
    let mut body =
        format!("    let c = {};\n", coefficients(equation, "at", |i| format!("s.x{i}")));
    let g = |i: usize| equation.noise[i].first().map(|row| equation.dim + row.diffusion);
    let beside = |i: usize| match g(i) {
        Some(g) => format!("add_product(s.x{i}, h, c.r{g})"),
        None => format!("s.x{i}"),
    };
    let _ = writeln!(body, "    let beside = {};", coefficients(equation, "at", beside));
    for (i, rows) in equation.noise.iter().enumerate() {
        let Some((row, g)) = rows.first().zip(g(i)) else {
            let _ = writeln!(body, "    let x{i} = add_product(s.x{i}, h, c.r{i});");
            continue;
        };
        let j = row.noise;
        let _ = writeln!(
            body,
            "    let square{i} = multiply(numbers[2], subtract(multiply(dw{j}, dw{j}), h));\n    \
             let noise{i} = add_product(multiply(c.r{g}, dw{j}), subtract(beside.r{g}, c.r{g}), square{i});\n    \
             let x{i} = add(s.x{i}, add(multiply(h, c.r{i}), noise{i}));"
        );
    }
    ("X + f h + g dW + (g(X + h g) - g) (dW^2 - h)/(2 h)", body)
}

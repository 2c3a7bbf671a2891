use std::f64::consts::PI;

/// Poles outside the interval by this factor are as good as at 0 or at infinity.
const FAR: f64 = 1e17;

/// Poles and residues of the trapezoidal rule in y of
/// `l^-g = sin(pi g) / pi int exp((1 - g) y) / (exp(y) + l) dy` for l in [a, b].
///
/// Relative error of the rule over all integers: `2 sum_k sin(pi g) / |sin(pi (g + 2 pi i k / h))|`,
/// k >= 1, by Poisson summation. The sums left out below and above are at most
/// `sin(pi g) / (pi (1 - g)) (e^y / a)^(1 - g)` and `sin(pi g) / (pi g) (b / e^y)^g` with the first
/// and the last y. Each of the three is a third of the tolerance.
pub(crate) fn poles_and_residues(g: f64, [a, b]: [f64; 2], tolerance: f64) -> (Vec<f64>, Vec<f64>) {
    let sine = (PI * g).sin();
    let third = tolerance / 3.0;
    // |sin(pi g + i v)| >= sinh(v); the sum over k is its first term but for 5 %.
    let h = 2.0 * PI * PI / (2.1 * sine / third).max(2.0).asinh();
    let low = a.ln() + (third * PI * (1.0 - g) / sine).min(1.0).ln() / (1.0 - g);
    let high = b.ln() - (third * PI * g / sine).min(1.0).ln() / g;
    let (nearest, farthest) = (a / FAR, b * FAR);
    let (mut at_zero, mut at_infinity) = (0.0, 0.0);
    let (mut poles, mut residues) = (Vec::new(), Vec::new());
    for k in 0..=((high - low) / h).ceil() as usize {
        let y = low + k as f64 * h;
        let factor = sine / PI * h;
        if y < nearest.ln() {
            at_zero += factor * ((1.0 - g) * y).exp();
        } else if y > farthest.ln() {
            at_infinity += factor * (-g * y).exp();
        } else {
            poles.push(y.exp());
            residues.push(factor * ((1.0 - g) * y).exp());
        }
    }
    // Terms of the far poles are equal but for rounding.
    for (pole, residue) in [(nearest, at_zero), (farthest, at_infinity * farthest)] {
        if residue > 0.0 {
            poles.push(pole);
            residues.push(residue);
        }
    }
    (poles, residues)
}

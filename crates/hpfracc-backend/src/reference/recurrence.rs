//! `y_n = d s_n + sum_k c_k z_k`, then `z_k <- z_k + (s_n - r_k z_k)`; and the transpose, backwards
//! in time.

use crate::Direction;

pub(super) fn run(
    kernel: &[f64],
    nodes: usize,
    direction: Direction,
    from: &[f64],
    to: &mut [f64],
) {
    let (d, (rates, c)) = (kernel[0], kernel[1..].split_at(nodes));
    let (before, input) = from.split_at(nodes);
    let (z, output) = to.split_at_mut(nodes);
    z.copy_from_slice(before);
    match direction {
        Direction::Forward => {
            for (y, s) in output.iter_mut().zip(input) {
                *y = d * s + c.iter().zip(&*z).map(|(c, z)| c * z).sum::<f64>();
                for (z, r) in z.iter_mut().zip(rates) {
                    *z += s - r * *z;
                }
            }
        }
        Direction::Transpose => {
            for (s, g) in output.iter_mut().zip(input).rev() {
                *s = d * g + z.iter().sum::<f64>();
                for ((l, r), c) in z.iter_mut().zip(rates).zip(c) {
                    *l += c * g - r * *l;
                }
            }
        }
    }
}

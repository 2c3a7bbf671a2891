use super::field::{Field, LANES};
use crate::{Layer, Scalar};
use hpfracc_lanes::Rows;
use ndarray::{Array3, Axis};
use rayon::prelude::*;

/// Outputs of a field of the first `components` components of paths, at these times: an array by path,
/// node and output.
pub(super) fn read_out<T: Scalar, L: Layer<T>>(
    (field, components, outputs): (&Field<'_, T, L>, usize, usize),
    times: &[f64],
    paths: &Array3<T>,
) -> Array3<T> {
    let mut read = Array3::zeros((paths.dim().0, times.len(), outputs));
    let tiles = paths.axis_chunks_iter(Axis(0), LANES);
    let tiles: Vec<_> = tiles.zip(read.axis_chunks_iter_mut(Axis(0), LANES)).collect();
    tiles.into_par_iter().for_each(|(paths, mut read)| {
        let lanes = paths.dim().0;
        let numbers = |rows: usize| vec![T::zero(); rows * lanes];
        let (mut memory, mut x, mut y) =
            (numbers(field.rows()), numbers(components), numbers(outputs));
        for (node, t) in times.iter().enumerate() {
            for (at, x) in x.iter_mut().enumerate() {
                *x = paths[[at % lanes, node, at / lanes]];
            }
            let (mut work, _) = field.work(&mut memory, lanes);
            field.write(*t, Rows::new(&x, lanes), &mut work, &mut y);
            for (at, y) in y.iter().enumerate() {
                read[[at % lanes, node, at / lanes]] = *y;
            }
        }
    });
    read
}

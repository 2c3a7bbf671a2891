use crate::error::same_length;
use crate::{Layout, SdeError};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_types::Real;
use ndarray::ArrayView3;

/// A loss of each path, with its derivatives: a function of the saved states of that path alone.
///
/// The ensemble's loss is the mean over its paths. A closure `|saved, losses, xbar|` is one. For
/// losses of the ensemble as a whole, such as the distance of its moments from given ones, see
/// [`Cotangents`].
pub trait PathLoss<T: Real>: Sync {
    /// Refuses an ensemble that does not fit.
    ///
    /// # Errors
    /// [`SdeError::Length`] for sizes other than the ensemble's.
    fn check(&self, layout: &Layout) -> Result<(), SdeError> {
        let _ = layout;
        Ok(())
    }

    /// Factor of the sum over `paths` paths; 1/paths by default.
    fn scale(&self, paths: usize) -> f64 {
        1.0 / paths as f64
    }

    /// Writes the loss of each path of a tile, and its derivatives in the saved states, in rows as
    /// those of [`SavedStates::x`]. Both are zeros on entry.
    fn evaluate(&self, saved: SavedStates<'_, T>, losses: &mut [T], xbar: RowsMut<'_, T>);
}

/// The saved states of a tile of paths.
#[derive(Debug, Clone, Copy)]
pub struct SavedStates<'a, T> {
    /// The sizes of the ensemble, and its saved times.
    pub layout: &'a Layout,
    /// The first path of the tile, counted from the first of the ensemble.
    pub path: usize,
    /// The row `time * dim + component` is that component at that saved time.
    pub x: Rows<'a, T>,
}

impl<T, F> PathLoss<T> for F
where
    T: Real,
    F: Fn(SavedStates<'_, T>, &mut [T], RowsMut<'_, T>) + Sync,
{
    fn evaluate(&self, saved: SavedStates<'_, T>, losses: &mut [T], xbar: RowsMut<'_, T>) {
        self(saved, losses, xbar);
    }
}

/// The derivatives `dL/dx` of any loss L of a whole ensemble, by path, saved time and component.
///
/// Solve with [`Paths`](crate::Paths), which has that shape, compute L and its derivatives from all
/// paths, and pass them here: the gradient solves the paths of each tile once more, with the same
/// noise. The loss returned is `sum dL/dx x`. Standard errors take the derivatives as given.
#[derive(Debug, Clone, Copy)]
pub struct Cotangents<'a, T>(pub ArrayView3<'a, T>);

impl<T: Real> PathLoss<T> for Cotangents<'_, T> {
    fn check(&self, layout: &Layout) -> Result<(), SdeError> {
        let (paths, times, dim) = self.0.dim();
        same_length("the paths of the cotangents", paths, layout.paths)?;
        same_length("the times of the cotangents", times, layout.times.len())?;
        same_length("the components of the cotangents", dim, layout.dim)
    }

    fn scale(&self, _: usize) -> f64 {
        1.0
    }

    fn evaluate(&self, saved: SavedStates<'_, T>, losses: &mut [T], mut xbar: RowsMut<'_, T>) {
        for time in 0..saved.layout.times.len() {
            for component in 0..saved.layout.dim {
                let row = time * saved.layout.dim + component;
                let lanes = losses.iter_mut().zip(&saved.x[row]).zip(&mut xbar[row]);
                for (path, ((loss, x), xbar)) in (saved.path..).zip(lanes) {
                    *xbar = self.0[[path, time, component]];
                    *loss += *xbar * *x;
                }
            }
        }
    }
}

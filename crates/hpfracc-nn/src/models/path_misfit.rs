use super::field::Field;
use super::pool::Pool;
use super::{Misfit, Windows};
use crate::{Layer, Scalar};
use hpfracc_solvers::noise::{Rows, RowsMut};
use hpfracc_solvers::sde::{PathLoss, Saved};
use std::sync::{Mutex, PoisonError};

/// The misfit of each path with what was observed of its sample, in leading components or in what a
/// readout gives of them.
pub(super) struct PathMisfit<'a, T, L> {
    pub(super) windows: &'a Windows<T>,
    /// The samples of the batch, each with so many paths, one after the other.
    pub(super) samples: &'a [usize],
    pub(super) paths: usize,
    pub(super) misfit: Misfit,
    pub(super) log_deviations: &'a [T],
    pub(super) readout: Option<Field<'a, T, L>>,
    pub(super) pool: &'a Pool<T>,
    /// Whether a sample counts as many times as it has values: sums instead of means.
    pub(super) sums: bool,
    /// A component whose last value is added, so many times.
    pub(super) added: Option<(usize, f64)>,
    /// What cotangents are multiplied by.
    pub(super) scale: f64,
    pub(super) shares: Shares,
}

/// Sums over the paths of tiles: the derivatives in the parameters of readout and loss.
#[derive(Debug, Default)]
pub(super) struct Shares(Mutex<Vec<(usize, Vec<f64>)>>);

impl Shares {
    fn push(&self, path: usize, sums: Vec<f64>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((path, sums));
    }

    /// All of them in the order of the paths, whichever came first.
    pub(super) fn total(self, parameters: usize) -> Vec<f64> {
        let mut shares = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        shares.sort_by_key(|(path, _)| *path);
        let mut total = vec![0.0; parameters];
        for (_, share) in shares {
            total.iter_mut().zip(share).for_each(|(total, share)| *total += share);
        }
        total
    }
}

impl<T: Scalar, L: Layer<T>> PathMisfit<'_, T, L> {
    /// Parameters of readout and loss, in this order.
    pub(super) fn parameters(&self) -> usize {
        self.readout.as_ref().map_or(0, Field::parameters) + self.log_deviations.len()
    }

    /// What was observed of a path at a node, and what it weighs.
    fn observed(&self, path: usize, node: usize) -> (&[T], f64) {
        let sample = self.samples[path / self.paths];
        let components = self.windows.components();
        let values = &self.windows.of(sample)[node * components..][..components];
        (values, if self.sums { 1.0 } else { 1.0 / self.windows.count(sample) as f64 })
    }

    /// Adds the losses at a node, and the derivatives in x and in the logarithms of the deviations.
    fn at_node(
        &self,
        (path, node): (usize, usize),
        x: Rows<'_, T>,
        losses: &mut [T],
        mut xbar: RowsMut<'_, T>,
        deviations: &mut [f64],
    ) {
        let scale = T::narrow(self.scale);
        for (lane, loss) in losses.iter_mut().enumerate() {
            let (observed, weight) = self.observed(path + lane, node);
            let weight = T::narrow(weight);
            for (i, y) in observed.iter().enumerate() {
                if y.widen().is_nan() {
                    continue;
                }
                let log_deviation = self.log_deviations.get(i).copied().unwrap_or_default();
                let (value, slope, of_deviation) = self.misfit.of(x[i][lane] - *y, log_deviation);
                *loss += weight * value;
                xbar[i][lane] += scale * weight * slope;
                if let Some(sum) = deviations.get_mut(i) {
                    *sum += (scale * weight * of_deviation).widen();
                }
            }
        }
    }
}

impl<T: Scalar, L: Layer<T>> PathLoss<T> for PathMisfit<'_, T, L> {
    fn evaluate(&self, saved: Saved<'_, T>, losses: &mut [T], mut xbar: RowsMut<'_, T>) {
        let (dim, lanes) = (saved.layout.dim, losses.len());
        let size = dim * lanes;
        let of_readout = self.readout.as_ref().map_or(0, Field::parameters);
        let mut thetabar = vec![T::zero(); of_readout];
        let mut sums = vec![0.0; self.parameters()];
        let (of_readout, deviations) = sums.split_at_mut(of_readout);
        let nodes = saved.x.as_slice().chunks_exact(size);
        for (node, x) in nodes.enumerate() {
            let (at, x) = ((saved.path, node), Rows::new(x, lanes));
            let xbar = RowsMut::new(&mut xbar.as_mut_slice()[node * size..][..size], lanes);
            let Some(readout) = &self.readout else {
                self.at_node(at, x, losses, xbar, deviations);
                continue;
            };
            self.pool.with(readout.rows() * lanes, |rows| {
                let (mut work, _) = readout.work(rows, lanes);
                readout.forward(saved.layout.times[node], x, &mut work);
                work.ybar.fill(T::zero());
                let ybar = RowsMut::new(work.ybar, lanes);
                self.at_node(at, Rows::new(work.y, lanes), losses, ybar, deviations);
                readout.vjp(x, &mut work, xbar, &mut thetabar);
            });
            for (sum, thetabar) in of_readout.iter_mut().zip(&mut thetabar) {
                *sum += std::mem::take(thetabar).widen();
            }
        }
        if let Some((component, times)) = self.added {
            let row = saved.x.rows() - dim + component;
            let (times, scale) = (T::narrow(times), T::narrow(self.scale));
            losses.iter_mut().zip(&saved.x[row]).for_each(|(loss, x)| *loss += times * *x);
            xbar[row].iter_mut().for_each(|xbar| *xbar += scale * times);
        }
        if !sums.is_empty() {
            self.shares.push(saved.path, sums);
        }
    }
}

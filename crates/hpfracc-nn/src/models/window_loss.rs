use super::Windows;
use super::field::{Field, LANES};
use crate::buffer_pool::BufferPool;
use crate::{Cotangent, Layer, Loss, Observations, Scalar};
use hpfracc_communicator::{CommunicatorError, Ranks};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_sde::{Layout, PathLoss, SavedStates};
use ndarray::Array3;
use std::sync::{Mutex, PoisonError};

/// Loss of each path against the observations of its sample, in leading components or in a readout
/// of them.
pub(super) struct WindowLoss<'a, T, L> {
    pub(super) windows: &'a Windows<T>,
    /// Samples of the batch; each has `paths` consecutive paths.
    pub(super) samples: &'a [usize],
    pub(super) paths: usize,
    pub(super) loss: Loss,
    /// Logarithms of the standard deviations of the observed components, if they are parameters of
    /// the loss.
    pub(super) log_deviations: &'a [T],
    pub(super) readout: Option<Field<'a, T, L>>,
    pub(super) pool: &'a BufferPool<T>,
    /// True for sums over the values of a sample, false for means.
    pub(super) sums: bool,
    /// A component whose last value is added, with a factor.
    pub(super) added: Option<(usize, f64)>,
    /// Factor of all cotangents.
    pub(super) scale: f64,
    pub(super) shares: Shares,
    /// Ranks that share the tiles.
    pub(super) ranks: Ranks<'a>,
}

/// Sums over the paths of tiles: gradients with respect to the parameters of readout and loss.
#[derive(Debug, Default)]
pub(super) struct Shares(Mutex<Vec<(usize, Vec<f64>)>>);

impl Shares {
    fn push(&self, path: usize, sums: Vec<f64>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((path, sums));
    }

    /// Adds all sums to `total`, in the order of the paths of all ranks. Collective.
    fn add_to(self, total: &mut [f64], ranks: Ranks<'_>) -> Result<(), CommunicatorError> {
        let mut shares = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        shares.sort_by_key(|(path, _)| *path);
        let mut add = |own: &[(usize, Vec<f64>)]| {
            ranks.accumulate(total, |at, total| {
                for (_, share) in own {
                    total.iter_mut().zip(&share[at..]).for_each(|(total, share)| *total += share);
                }
            })
        };
        if ranks.several().is_none() {
            return add(&shares);
        }
        let mut rest = &shares[..];
        passes(ranks, &shares)?.into_iter().try_for_each(|tiles| {
            let (own, after) = rest.split_at(tiles);
            rest = after;
            add(own)
        })
    }
}

/// Numbers of this rank's tiles in passes from the first rank to the last one, in which the tiles
/// of all ranks have the order of their paths. Collective.
fn passes(ranks: Ranks<'_>, shares: &[(usize, Vec<f64>)]) -> Result<Vec<usize>, CommunicatorError> {
    let own: Vec<usize> = shares.iter().map(|(path, _)| *path).collect();
    let all = ranks.gather_to_all(&own)?;
    let of_rank = |(rank, paths): (usize, Vec<usize>)| paths.into_iter().map(move |p| (p, rank));
    let mut tiles: Vec<(usize, usize)> = all.into_iter().enumerate().flat_map(of_rank).collect();
    tiles.sort_unstable();
    let (mut passes, mut last) = (vec![0], 0);
    for (_, rank) in tiles {
        if rank < last {
            passes.push(0);
        }
        last = rank;
        let of_pass = passes.last_mut().filter(|_| rank == ranks.rank());
        of_pass.into_iter().for_each(|tiles| *tiles += 1);
    }
    Ok(passes)
}

/// Observations of a tile at a node, and the results there.
struct Node<T> {
    values: Vec<T>,
    weights: Vec<T>,
    predictions: Vec<T>,
    cotangents: Vec<T>,
    losses: Vec<T>,
    /// Weight of the node by lane.
    shares: Vec<T>,
    /// Weight of all nodes by lane.
    totals: Vec<T>,
}

impl<T: Scalar, L: Layer<T>> WindowLoss<'_, T, L> {
    /// Observed components, and rows of weights for them.
    fn sizes(&self) -> (usize, usize) {
        let components = self.windows.components();
        (components, if self.loss == Loss::CrossEntropy { 1 } else { components })
    }

    fn start(&self, path: usize, lanes: usize) -> Node<T> {
        let (components, weights) = self.sizes();
        let numbers = |rows: usize| vec![T::zero(); rows * lanes];
        let predictions = self.loss.predictions(components);
        let mut node = Node {
            values: numbers(components),
            weights: numbers(weights),
            predictions: numbers(predictions),
            cotangents: numbers(predictions),
            losses: numbers(1),
            shares: numbers(1),
            totals: numbers(1),
        };
        if self.sums {
            node.totals.fill(T::one());
            return node;
        }
        for index in 0..self.windows.nodes().len() {
            self.observe(path, index, &mut node);
            let pairs = node.totals.iter_mut().zip(&node.shares);
            pairs.for_each(|(total, share)| *total += *share);
        }
        node
    }

    /// Writes values, weights and shares of the node with this index.
    fn observe(&self, path: usize, index: usize, node: &mut Node<T>) {
        let (components, weights) = self.sizes();
        let lanes = node.losses.len();
        for lane in 0..lanes {
            let sample = self.samples[(path + lane) / self.paths];
            let observed = &self.windows.of(sample)[index * components..][..components];
            let mut share = T::zero();
            for (i, y) in observed.iter().enumerate() {
                node.values[i * lanes + lane] = *y;
                if weights == components {
                    let weight = if y.widen().is_nan() { T::zero() } else { T::one() };
                    node.weights[i * lanes + lane] = weight;
                    share += weight;
                }
            }
            if weights < components {
                let complete = observed.iter().all(|y| !y.widen().is_nan());
                share = if complete { T::one() } else { T::zero() };
                node.weights[lane] = share;
            }
            node.shares[lane] = share;
        }
    }

    /// Adds the losses at a node to `losses`; with a `ybar`, writes the gradient with respect to y,
    /// and adds that with respect to the logarithms of standard deviations to `deviations`.
    fn at_node(
        &self,
        (path, index): (usize, usize),
        node: &mut Node<T>,
        (y, ybar): (&[T], Option<&mut [T]>),
        losses: &mut [T],
        deviations: &mut [f64],
    ) {
        self.observe(path, index, node);
        let lanes = losses.len();
        let (of_y, of_deviations) = node.predictions.split_at_mut(y.len());
        of_y.copy_from_slice(y);
        for (row, s) in of_deviations.chunks_exact_mut(lanes).zip(self.log_deviations) {
            row.fill(*s);
        }
        let rows = |values| Rows::new(values, lanes);
        let observed = Observations::weighted(rows(&node.values), rows(&node.weights));
        let cotangent = Cotangent::new(T::narrow(self.scale), &mut node.cotangents, lanes);
        let cotangent = ybar.is_some().then_some(cotangent);
        self.loss
            .evaluate(rows(&node.predictions), observed, &mut node.losses, cotangent)
            .expect("sizes and settings were checked when there was a model");
        // From the mean at a node to the mean or the sum over all nodes.
        let shares = node.shares.iter_mut().zip(&node.totals);
        shares.for_each(|(share, total)| *share /= *total);
        for ((loss, at_node), share) in losses.iter_mut().zip(&node.losses).zip(&node.shares) {
            *loss += *share * *at_node;
        }
        let Some(ybar) = ybar else { return };
        for row in node.cotangents.chunks_exact_mut(lanes) {
            row.iter_mut().zip(&node.shares).for_each(|(bar, share)| *bar *= *share);
        }
        let (of_y, of_deviations) = node.cotangents.split_at(y.len());
        ybar.copy_from_slice(of_y);
        for (sum, row) in deviations.iter_mut().zip(of_deviations.chunks_exact(lanes)) {
            *sum += row.iter().map(|bar| bar.widen()).sum::<f64>();
        }
    }
}

impl<T: Scalar, L: Layer<T>> WindowLoss<'_, T, L> {
    /// Adds the losses of a tile; with an `xbar`, writes the gradient with respect to its values,
    /// and stores its share of the gradient with respect to parameters.
    fn judge(&self, saved: SavedStates<'_, T>, losses: &mut [T], mut xbar: Option<RowsMut<'_, T>>) {
        let (dim, lanes) = (saved.layout.dim, losses.len());
        let size = dim * lanes;
        let readout = self.readout.as_ref().map(|readout| readout.starting_at(saved.path));
        let of_readout = readout.as_ref().map_or(0, Field::parameters);
        let mut thetabar = vec![T::zero(); of_readout];
        let mut sums = vec![0.0; of_readout + self.log_deviations.len()];
        let (of_readout, deviations) = sums.split_at_mut(of_readout);
        let mut node = self.start(saved.path, lanes);
        for (index, x) in saved.x.as_slice().chunks_exact(size).enumerate() {
            let at = (saved.path, index);
            let xbar = xbar.as_mut().map(|xbar| &mut xbar.as_mut_slice()[index * size..][..size]);
            let Some(readout) = &readout else {
                let seen = self.windows.components() * lanes;
                let both = (&x[..seen], xbar.map(|xbar| &mut xbar[..seen]));
                self.at_node(at, &mut node, both, losses, deviations);
                continue;
            };
            let x = Rows::new(x, lanes);
            self.pool.with(readout.rows() * lanes, |rows| {
                let (mut work, _) = readout.work(rows, lanes);
                readout.forward(saved.layout.times[index], x, &mut work);
                let both = (&*work.y, xbar.is_some().then_some(&mut *work.ybar));
                self.at_node(at, &mut node, both, losses, deviations);
                if let Some(xbar) = xbar {
                    readout.vjp(x, &mut work, RowsMut::new(xbar, lanes), &mut thetabar);
                }
            });
            for (sum, thetabar) in of_readout.iter_mut().zip(&mut thetabar) {
                *sum += std::mem::take(thetabar).widen();
            }
        }
        if let Some((component, times)) = self.added {
            let row = saved.x.rows() - dim + component;
            let (times, scale) = (T::narrow(times), T::narrow(self.scale));
            losses.iter_mut().zip(&saved.x[row]).for_each(|(loss, x)| *loss += times * *x);
            if let Some(xbar) = &mut xbar {
                xbar[row].iter_mut().for_each(|xbar| *xbar += scale * times);
            }
        }
        if xbar.is_some() && !sums.is_empty() {
            self.shares.push(saved.path, sums);
        }
    }

    /// The gradient with respect to the parameters of the readout and of the loss times a factor,
    /// summed in the order of the tiles. Collective.
    pub(super) fn total(self, factor: f64) -> Result<Vec<f64>, CommunicatorError> {
        let of_readout = self.readout.as_ref().map_or(0, Field::parameters);
        let mut total = vec![0.0; of_readout + self.log_deviations.len()];
        if !total.is_empty() {
            self.shares.add_to(&mut total, self.ranks)?;
            total.iter_mut().for_each(|total| *total *= factor);
        }
        Ok(total)
    }

    /// The mean loss of solved paths at these times, the same on any number of ranks and threads:
    /// tiles are summed in order. Collective.
    pub(super) fn mean(
        &self,
        times: Vec<f64>,
        paths: &Array3<T>,
    ) -> Result<f64, CommunicatorError> {
        let (count, nodes, dim) = paths.dim();
        let layout = Layout { dim, first_path: 0, paths: count, times, events: 0 };
        let of_tile = |tile: usize| {
            let path = tile * LANES;
            let lanes = LANES.min(count - path);
            let x = (0..nodes * dim * lanes).map(|at| {
                let (row, lane) = (at / lanes, at % lanes);
                paths[[path + lane, row / dim, row % dim]]
            });
            let (x, mut losses): (Vec<T>, _) = (x.collect(), vec![T::zero(); lanes]);
            let saved = SavedStates { layout: &layout, path, x: Rows::new(&x, lanes) };
            self.judge(saved, &mut losses, None);
            Ok::<f64, CommunicatorError>(losses.iter().map(|loss| loss.widen()).sum())
        };
        let tiles = self.ranks.map_equal(count.div_ceil(LANES), of_tile)?;
        Ok(tiles.iter().sum::<f64>() / count as f64)
    }
}

impl<T: Scalar, L: Layer<T>> PathLoss<T> for WindowLoss<'_, T, L> {
    fn evaluate(&self, saved: SavedStates<'_, T>, losses: &mut [T], xbar: RowsMut<'_, T>) {
        self.judge(saved, losses, Some(xbar));
    }
}

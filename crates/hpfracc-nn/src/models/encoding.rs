use super::Windows;
use super::field::LANES;
use crate::error::stored;
use crate::{Backward, Forward, Layer, Pass, Scalar, Tape, TrainingError};
use hpfracc_communicator::{CommunicatorError, Ranks};
use hpfracc_lanes::{CompactVec, Rows, RowsMut, Storage};
use rayon::prelude::*;

/// The encoder of a batch, tile by tile, with its backward pass: the same tiles on any number of
/// threads and ranks. A rank encodes consecutive tiles, and has the outputs of all.
pub(super) struct Encoding<'a, T, L> {
    encoder: &'a L,
    theta: &'a [T],
    ranks: Ranks<'a>,
    /// Number of the first tile of this rank.
    first: usize,
    /// The tiles of this rank.
    tiles: Vec<Tile<T>>,
    /// Outputs of all tiles.
    outputs: Vec<Vec<T>>,
}

struct Tile<T> {
    lanes: usize,
    x: CompactVec<T>,
    /// The saved rows.
    tape: CompactVec<T>,
}

impl<'a, T: Scalar, L: Layer<T>> Encoding<'a, T, L> {
    /// `take` writes the inputs of some samples; they and the saved rows are stored in `storage`.
    /// Collective.
    pub(super) fn new(
        (encoder, theta, pass): (&'a L, &'a [T], Pass),
        (samples, ranks): (&[usize], Ranks<'a>),
        storage: Storage,
        take: &(dyn Fn(&[usize], &mut [T]) + Sync),
    ) -> Result<Self, TrainingError> {
        let own = ranks.share(samples.len().div_ceil(LANES));
        let first = own.start;
        let tiles = own.into_par_iter().map(|number| {
            let samples = &samples[number * LANES..samples.len().min((number + 1) * LANES)];
            let pass = pass.starting_at(number * LANES);
            let lanes = samples.len();
            let numbers = |rows: usize| vec![T::zero(); rows * lanes];
            let mut x = numbers(encoder.inputs());
            let full = storage == Storage::Full;
            let saved = if full { encoder.saved() } else { encoder.compact_work() };
            let [mut saved, mut y] = [saved, encoder.outputs()].map(numbers);
            let mut tape = CompactVec::default();
            take(samples, &mut x);
            let run = Forward {
                pass,
                theta,
                x: Rows::new(&x, lanes),
                saved: RowsMut::new(&mut saved, lanes),
                y: RowsMut::new(&mut y, lanes),
            };
            if full {
                encoder.forward(run);
                tape = CompactVec::of(storage, saved);
            } else {
                tape.reset(storage, encoder.tape_rows() * lanes);
                encoder.forward_compact(run, (&mut tape, 0));
            }
            let x = CompactVec::of(storage, x);
            if pass != Pass::Evaluate {
                stored("the inputs of the encoder", &x)?;
                stored("the activations of the encoder", &tape)?;
            }
            Ok((Tile { lanes, x, tape }, y))
        });
        let tiles: Result<Vec<_>, TrainingError> = tiles.collect();
        let (tiles, mut outputs): (Vec<_>, Vec<_>) = ranks.all_ok(tiles)?.into_iter().unzip();
        if ranks.several().is_some() {
            outputs = ranks.gather_to_all(&outputs)?.into_iter().flatten().collect();
        }
        Ok(Self { encoder, theta, ranks, first, tiles, outputs })
    }

    /// The encoder's output for a sample of the batch, by row.
    pub(super) fn of(&self, sample: usize) -> impl Fn(usize) -> T {
        let (y, lane) = (&self.outputs[sample / LANES], sample % LANES);
        let lanes = y.len() / self.encoder.outputs();
        move |row| y[row * lanes + lane]
    }

    /// The first layer whose output is not finite in the tiles of this rank, if the rows are stored
    /// in full precision.
    pub(super) fn culprit(&self) -> Option<String> {
        let mut buffers = Default::default();
        let mut tiles = self.tiles.iter().zip(&self.outputs[self.first..]);
        tiles.find_map(|(tile, y)| self.encoder.culprit(tile.rows(y, &mut buffers)))
    }

    /// The gradient with respect to the parameters, given the cotangent by sample and row. One of
    /// several ranks stores a gradient for each of its tiles. Collective.
    pub(super) fn vjp(
        &self,
        bar: &(dyn Fn(usize, usize) -> T + Sync),
    ) -> Result<Vec<f64>, CommunicatorError> {
        let encoder = self.encoder;
        let share = |(index, tile): (usize, &Tile<T>)| {
            let (lanes, number) = (tile.lanes, self.first + index);
            let places = (0..encoder.outputs() * lanes).map(|at| (at % lanes, at / lanes));
            let ybar = places.map(|(lane, row)| bar(number * LANES + lane, row));
            let mut ybar: Vec<T> = ybar.collect();
            let mut scratch = vec![T::zero(); encoder.scratch() * lanes];
            let mut thetabar = vec![T::zero(); encoder.parameters()];
            let [ybar, scratch] = [&mut ybar, &mut scratch].map(|rows| RowsMut::new(rows, lanes));
            let (theta, into) = (self.theta, &mut thetabar[..]);
            let mut buffers = Default::default();
            let rows = tile.rows(&self.outputs[number], &mut buffers);
            let run = Backward { theta, tape: rows, ybar, xbar: None, thetabar: into, scratch };
            if tile.tape.storage() == Storage::Full {
                encoder.vjp(run);
            } else {
                let mut work = vec![T::zero(); encoder.compact_work() * lanes];
                encoder.vjp_compact(run, (&tile.tape, 0), RowsMut::new(&mut work, lanes));
            }
            thetabar
        };
        let mut total = vec![0.0; encoder.parameters()];
        let add = |total: &mut [f64], share: &[T]| {
            total.iter_mut().zip(share).for_each(|(total, share)| *total += share.widen());
        };
        if self.ranks.several().is_some() {
            let shares: Vec<Vec<T>> = self.tiles.par_iter().enumerate().map(share).collect();
            self.ranks.accumulate(&mut total, |at, sum| {
                shares.iter().for_each(|share| add(sum, &share[at..]));
            })?;
            return Ok(total);
        }
        // As many gradients at a time as there are threads, summed in the order of the tiles.
        let together = rayon::current_num_threads();
        for (part, tiles) in self.tiles.chunks(together).enumerate() {
            let tiles = tiles.par_iter().enumerate();
            let shares = tiles.map(|(i, tile)| share((part * together + i, tile)));
            for share in shares.collect::<Vec<Vec<T>>>() {
                add(&mut total, &share);
            }
        }
        Ok(total)
    }
}

impl<T: Scalar> Tile<T> {
    /// The rows of the encoder; those on a compact tape are not among them.
    fn rows<'a>(&'a self, y: &'a [T], buffers: &'a mut [Vec<T>; 2]) -> Tape<'a, T> {
        let [x, saved] = buffers;
        let full = self.tape.storage() == Storage::Full;
        let saved = if full { self.tape.widened(saved) } else { &[] };
        let rows = [self.x.widened(x), saved, y];
        let [x, saved, y] = rows.map(|rows| Rows::new(rows, self.lanes));
        Tape { x, saved, y }
    }
}

/// Writes the time series of samples, and then, if there is room, 1 for each present value and 0
/// for each missing one.
pub(super) fn take_series<T: Scalar>(windows: &Windows<T>, samples: &[usize], x: &mut [T]) {
    let (lanes, components) = (samples.len(), windows.components());
    let nodes = windows.nodes().len();
    let (values, there) = x.split_at_mut(nodes * components * lanes);
    for (lane, sample) in samples.iter().enumerate() {
        for (place, y) in windows.of(*sample).iter().enumerate() {
            let row = place % components * nodes + place / components;
            let missing = y.widen().is_nan();
            values[row * lanes + lane] = if missing { T::zero() } else { *y };
            if let Some(there) = there.get_mut(row * lanes + lane) {
                *there = if missing { T::zero() } else { T::one() };
            }
        }
    }
}

use super::Mask;
use super::forward::Head;
use super::heads::{AttentionTape, backward, forward};
use super::multi_head::MultiHeadAttention;
use super::rotary::{Rotary, Rotation, turn};
use super::sequences::{Projection, add_gradients, transpose};
use crate::kernels::{split, split_mut};
use crate::{Backward, Forward, Layer, Scalar};
use rayon::prelude::*;

impl MultiHeadAttention {
    /// The head with this index over the heads of all sequences.
    fn at<'a, T: Scalar>(
        &self,
        inputs: [&'a [T]; 3],
        present: &'a [T],
        index: usize,
    ) -> Head<'a, T> {
        let reach = self.window.map_or(usize::MAX, |window| window - 1);
        let sequence = index / self.heads;
        let present = self.padding.then(|| &present[sequence * self.length..][..self.length]);
        let mask = Mask { past: reach, future: if self.causal { 0 } else { reach }, present };
        Head::new(inputs, index, self.head(), self.length, mask)
    }

    /// Rotates the queries or keys of all sequences.
    fn turn_all<T: Scalar>(&self, series: &mut [T], turns: &[T], rotation: Rotation) {
        let angles = self.head() * self.length;
        let sequences = series.par_chunks_exact_mut(self.numbers()).enumerate();
        sequences.for_each(|(lane, series)| {
            // All sequences share the angles of the first, unless each has its own times.
            let own = if self.timed() { lane } else { 0 };
            for head in series.chunks_exact_mut(angles) {
                turn(head, &turns[own * angles..][..angles], self.length, rotation);
            }
        });
    }
}

/// Rows of lanes as consecutive sequences, or back: the transpose of a matrix with `columns`
/// columns, which is identical for one lane.
fn turned<'a, T: Scalar>(from: &'a [T], columns: usize, lanes: usize, to: &'a mut [T]) -> &'a [T] {
    if lanes == 1 {
        return from;
    }
    transpose(from, columns, to);
    to
}

impl<T: Scalar> Layer<T> for MultiHeadAttention {
    fn forward(&self, Forward { theta, x, mut saved, mut y, .. }: Forward<'_, T>) {
        let (lanes, length, features) = (x.lanes(), self.length, self.features);
        let columns = length * lanes;
        let [q, k, v, out, out_rows, log_sums, turns, present, work] =
            split_mut(saved.as_mut_slice(), self.saved_parts().map(|size| size * lanes));
        let (x, channels) = x.as_slice().split_at(features * columns);
        let y = y.as_mut_slice();
        let mut projections =
            theta.chunks_exact(self.projection()).map(|theta| Projection::new(theta, features));
        for (series, projection) in [&mut *q, &mut *k, &mut *v].into_iter().zip(&mut projections) {
            if lanes == 1 {
                projection.forward(x, columns, series);
            } else {
                projection.forward(x, columns, y);
                transpose(y, lanes, series);
            }
        }
        if let Some(rotary) = &self.rotary {
            let own = if self.timed() { lanes } else { 1 };
            let sequences = turns.par_chunks_exact_mut(self.head() * length).enumerate();
            sequences.take(own).for_each(|(lane, turns)| {
                let time = |i: usize| channels[i * lanes + lane];
                rotary.turns(self.head(), length, time, turns);
            });
            self.turn_all(q, turns, Rotation::Forward);
            self.turn_all(k, turns, Rotation::Forward);
        }
        if self.padding {
            let samples = &channels[channels.len() - columns..];
            for (lane, present) in present.chunks_exact_mut(length).enumerate() {
                let column = samples.iter().skip(lane).step_by(lanes);
                present.iter_mut().zip(column).for_each(|(present, sample)| *present = *sample);
            }
        }
        let (inputs, present) = ([&*q, &*k, &*v], &*present);
        forward(|index| self.at(inputs, present, index), out, log_sums, work);
        let out = turned(out, self.numbers(), lanes, out_rows);
        if let Some(projection) = projections.next() {
            projection.forward(out, columns, y);
        }
    }

    fn vjp(&self, run: Backward<'_, T>) {
        let Backward { theta, tape, ybar, mut xbar, thetabar, mut scratch } = run;
        let (lanes, length, features) = (tape.x.lanes(), self.length, self.features);
        let columns = length * lanes;
        let [q, k, v, out, out_rows, log_sums, turns, present, _] =
            split(tape.saved.as_slice(), self.saved_parts().map(|size| size * lanes));
        let [rows, sequences, qbar, kbar, vbar, work] =
            split_mut(scratch.as_mut_slice(), self.scratch_parts().map(|size| size * lanes));
        let x = &tape.x.as_slice()[..features * columns];
        let own = self.projection();
        let (ybar, out_rows) = (ybar.as_rows(), if lanes == 1 { out } else { out_rows });
        add_gradients(ybar.as_slice(), out_rows, columns, &mut thetabar[3 * own..]);
        rows.fill(T::zero());
        Projection::new(&theta[3 * own..], features).pull_back(ybar.as_slice(), columns, rows);
        let outbar = turned(rows, lanes, lanes, sequences);
        let attention = AttentionTape { inputs: [q, k, v], out, log_sums };
        let head = |index| self.at(attention.inputs, present, index);
        backward(head, attention, outbar, [&mut *qbar, &mut *kbar, &mut *vbar], work);
        if let Some(rotary) = &self.rotary {
            if let (Some(xbar), true) = (&mut xbar, self.timed()) {
                let timesbar = &mut xbar.as_mut_slice()[features * columns..][..columns];
                let own = &mut sequences[..columns];
                self.pull_back_times(rotary, [(q, &*qbar), (k, &*kbar)], own);
                for (lane, own) in own.chunks_exact(length).enumerate() {
                    let column = timesbar.iter_mut().skip(lane).step_by(lanes);
                    column.zip(own).for_each(|(timebar, own)| *timebar += *own);
                }
            }
            self.turn_all(qbar, turns, Rotation::Inverse);
            self.turn_all(kbar, turns, Rotation::Inverse);
        }
        for (i, bar) in [qbar, kbar, vbar].into_iter().enumerate() {
            let bar = turned(bar, self.numbers(), lanes, rows);
            add_gradients(bar, x, columns, &mut thetabar[i * own..][..own]);
            if let Some(xbar) = &mut xbar {
                let xbar = &mut xbar.as_mut_slice()[..features * columns];
                Projection::new(&theta[i * own..][..own], features).pull_back(bar, columns, xbar);
            }
        }
    }
}

impl MultiHeadAttention {
    /// Writes the gradients with respect to the times of all sequences.
    fn pull_back_times<T: Scalar>(
        &self,
        rotary: &Rotary,
        turned: [(&[T], &[T]); 2],
        timesbar: &mut [T],
    ) {
        let (numbers, head) = (self.numbers(), self.head() * self.length);
        timesbar.par_chunks_exact_mut(self.length).enumerate().for_each(|(lane, timesbar)| {
            timesbar.fill(T::zero());
            for (series, bars) in turned {
                let series = series[lane * numbers..][..numbers].chunks_exact(head);
                let bars = bars[lane * numbers..][..numbers].chunks_exact(head);
                for (series, bars) in series.zip(bars) {
                    rotary.pull_back_times(self.length, series, bars, timesbar);
                }
            }
        });
    }
}

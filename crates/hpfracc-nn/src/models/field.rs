use crate::kernels::split_mut;
use crate::{Backward, Forward, Layer, Pass, Scalar, Tape};
use hpfracc_lanes::{Rows, RowsMut};

/// Paths or samples of a tile. The number is fixed: stochastic layers draw for the lanes of a tile,
/// and must draw the same numbers wherever a path is recomputed.
pub(super) const LANES: usize = 64;

/// A network as a function of the leading components of a state, and of the time if it has one
/// further input.
#[derive(Debug)]
pub(super) struct Field<'a, T, L> {
    network: &'a L,
    theta: &'a [T],
    /// True if the last input of the network is the time.
    timed: bool,
    pass: Pass,
}

/// Work memory of a [`Field`]. With a time, x holds the rows of the state and the time.
pub(super) struct Work<'w, T> {
    x: &'w mut [T],
    saved: &'w mut [T],
    pub(super) y: &'w mut [T],
    pub(super) ybar: &'w mut [T],
    xbar: &'w mut [T],
    scratch: &'w mut [T],
}

impl<'a, T: Scalar, L: Layer<T>> Field<'a, T, L> {
    /// A field of this number of leading components, with the parameters of its network.
    pub(super) fn new(network: &'a L, components: usize, theta: &'a [T], pass: Pass) -> Self {
        Self { network, theta, timed: network.inputs() > components, pass }
    }

    /// This field for lanes that begin at this path.
    pub(super) fn starting_at(&self, path: usize) -> Self {
        Self { pass: self.pass.starting_at(path), ..*self }
    }

    /// Components of the state that are inputs.
    fn components(&self) -> usize {
        self.network.inputs() - usize::from(self.timed)
    }

    fn own_inputs(&self) -> usize {
        if self.timed { self.network.inputs() } else { 0 }
    }

    /// Rows of [`Work`].
    pub(super) fn rows(&self) -> usize {
        let network = self.network;
        2 * (self.own_inputs() + network.outputs()) + network.saved() + network.scratch()
    }

    /// Parameters of the network.
    pub(super) fn parameters(&self) -> usize {
        self.theta.len()
    }

    /// Splits the work memory off `rows`; returns it and the rest.
    #[inline(always)]
    pub(super) fn work<'w>(&self, rows: &'w mut [T], lanes: usize) -> (Work<'w, T>, &'w mut [T]) {
        let (network, own, outputs) = (self.network, self.own_inputs(), self.network.outputs());
        let (memory, rest) = rows.split_at_mut(self.rows() * lanes);
        let rows = [own, network.saved(), outputs, outputs, own, network.scratch()];
        let [x, saved, y, ybar, xbar, scratch] = split_mut(memory, rows.map(|rows| rows * lanes));
        (Work { x, saved, y, ybar, xbar, scratch }, rest)
    }

    /// Writes the network's output to `y`.
    #[inline(always)]
    pub(super) fn write(&self, t: f64, x: Rows<'_, T>, work: &mut Work<'_, T>, y: &mut [T]) {
        let lanes = x.lanes();
        self.take(t, x, work);
        let (saved, y) = (RowsMut::new(work.saved, lanes), RowsMut::new(y, lanes));
        let x = self.inputs(x, work.x);
        self.network.forward(Forward { pass: self.pass, theta: self.theta, x, saved, y });
    }

    /// Writes the network's output to `work`, for [`vjp`](Self::vjp).
    #[inline(always)]
    pub(super) fn forward(&self, t: f64, x: Rows<'_, T>, work: &mut Work<'_, T>) {
        let y = std::mem::take(&mut work.y);
        self.write(t, x, work, y);
        work.y = y;
    }

    /// The first layer whose output is not finite.
    pub(super) fn culprit(&self, t: f64, x: Rows<'_, T>) -> Option<String> {
        let lanes = x.lanes();
        let mut rows = vec![T::zero(); self.rows() * lanes];
        let (mut work, _) = self.work(&mut rows, lanes);
        self.forward(t, x, &mut work);
        let [saved, y] = [&*work.saved, &*work.y].map(|rows| Rows::new(rows, lanes));
        self.network.culprit(Tape { x: self.inputs(x, work.x), saved, y })
    }

    /// Backward pass for the cotangent `work.ybar`, after [`forward`](Self::forward) of the same x.
    #[inline(always)]
    pub(super) fn vjp(
        &self,
        x: Rows<'_, T>,
        work: &mut Work<'_, T>,
        mut xbar: RowsMut<'_, T>,
        thetabar: &mut [T],
    ) {
        let lanes = x.lanes();
        let components = self.components() * lanes;
        let tape = Tape {
            x: self.inputs(x, work.x),
            saved: Rows::new(work.saved, lanes),
            y: Rows::new(work.y, lanes),
        };
        let xbar = &mut xbar.as_mut_slice()[..components];
        work.xbar.fill(T::zero());
        self.network.vjp(Backward {
            theta: self.theta,
            tape,
            ybar: RowsMut::new(work.ybar, lanes),
            xbar: Some(RowsMut::new(if self.timed { work.xbar } else { xbar }, lanes)),
            thetabar,
            scratch: RowsMut::new(work.scratch, lanes),
        });
        // Empty unless the network has the time as an input.
        xbar.iter_mut().zip(&*work.xbar).for_each(|(xbar, own)| *xbar += *own);
    }

    /// Copies the state and the time to `work`, if the network has the time as an input.
    #[inline(always)]
    fn take(&self, t: f64, x: Rows<'_, T>, work: &mut Work<'_, T>) {
        if self.timed {
            let (state, time) = work.x.split_at_mut(self.components() * x.lanes());
            state.copy_from_slice(&x.as_slice()[..state.len()]);
            time.fill(T::narrow(t));
        }
    }

    #[inline(always)]
    fn inputs<'x>(&self, x: Rows<'x, T>, own: &'x [T]) -> Rows<'x, T> {
        let lanes = x.lanes();
        let x = if self.timed { own } else { &x.as_slice()[..self.components() * lanes] };
        Rows::new(x, lanes)
    }
}

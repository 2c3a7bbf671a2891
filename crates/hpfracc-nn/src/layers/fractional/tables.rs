//! Weights in the scalar of a network and in the layout of [`DirectSum`], with the choice between
//! direct and Fourier sums.

use super::scheme::{FractionalScheme, Numbers};
use crate::Scalar;
use crate::kernels::multiply;
use hpfracc_lanes::causal::thresholds::spectrum_is_faster;
use hpfracc_lanes::causal::{DirectSum, PADDING, Signal, Spectrum, Target};
use hpfracc_lanes::product::{Base, Left};
use pulp::Arch;
use std::any::Any;
use std::cell::RefCell;

/// Tables of weights, in thread-local buffers for one pass through a layer. Their size is that of a
/// time series, independent of its lanes, so that they cannot be rows of a layer.
#[derive(Debug, Default)]
pub(super) struct Tables<T> {
    weights: Vec<T>,
    /// Starting weights by time: added times the first sample.
    of_one: Vec<T>,
    /// Transposed starting weights by time: what the first sample receives from each result.
    to_first: Vec<T>,
    numbers: [Vec<f64>; 3],
    /// A factor for each table and its cotangent, for layers that use them.
    pub(super) factors: [Vec<T>; 2],
    /// Spectrum of the last table, computed on demand.
    spectrum: Spectrum<T>,
    has_spectrum: bool,
}

/// Weights or their derivatives with respect to the order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum WeightKind {
    Values,
    Slopes,
}

/// Parameters of a table of weights.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spec {
    pub(super) scheme: FractionalScheme,
    pub(super) alpha: f64,
    pub(super) dt: f64,
    pub(super) taps: usize,
}

thread_local! {
    static POOL: RefCell<Vec<Box<dyn Any>>> = const { RefCell::new(Vec::new()) };
}

/// Runs `work` with the tables of this thread, which grow to the required size once.
pub(super) fn with_tables<T: Scalar, R>(work: impl FnOnce(&mut Tables<T>) -> R) -> R {
    let own = POOL.with_borrow_mut(|pool| {
        let place = pool.iter().position(|tables| tables.is::<Tables<T>>())?;
        pool.swap_remove(place).downcast::<Tables<T>>().ok()
    });
    let mut own = own.unwrap_or_else(|| Box::new(Tables::default()));
    let result = work(&mut own);
    POOL.with_borrow_mut(|pool| pool.push(own));
    result
}

impl<T: Scalar> Tables<T> {
    /// Computes a single table.
    pub(super) fn set(&mut self, spec: Spec, kind: WeightKind) {
        self.weights.clear();
        self.append(spec, kind, 1.0);
    }

    /// Computes the spectrum of the last table.
    fn transform(&mut self) {
        if !self.has_spectrum {
            self.spectrum.set(&self.numbers[0]);
            self.has_spectrum = true;
        }
    }

    /// Convolves a series, of the length of the weights, with the single table.
    pub(super) fn sum(&mut self, arch: Arch, x: &[T], lanes: usize, target: Target<'_, T>) {
        let length = x.len() / lanes;
        if spectrum_is_faster(length, lanes, size_of::<T>()) {
            self.transform();
            let first = if self.of_one.is_empty() { None } else { Some(self.of_one.as_slice()) };
            self.spectrum.sum(arch, Signal { x, lanes, first }, false, target);
            return;
        }
        let causal = self.meeting(0, length, x, lanes);
        match target {
            Target::Add(y) => causal.convolve(arch, 0..length, y),
            Target::InnerProduct(rows, total) => *total += causal.inner_product(arch, rows),
        }
    }

    /// Adds the transposed convolution of `ybar` to `xbar`.
    pub(super) fn sum_back(&mut self, arch: Arch, ybar: &[T], lanes: usize, xbar: &mut [T]) {
        let length = ybar.len() / lanes;
        if !self.to_first.is_empty() {
            let to_first = Left::new(&self.to_first, 1, length);
            multiply(arch, to_first, (ybar, lanes), Base::Present, &mut xbar[..lanes]);
        }
        if spectrum_is_faster(length, lanes, size_of::<T>()) {
            self.transform();
            let series = Signal { x: ybar, lanes, first: None };
            self.spectrum.sum(arch, series, true, Target::Add(xbar));
        } else {
            self.meeting(0, length, ybar, lanes).correlate(arch, 0..length, xbar);
        }
    }

    /// Removes all tables.
    pub(super) fn clear(&mut self) {
        self.weights.clear();
    }

    /// Appends a table times a factor. Starting weights are those of the last table.
    pub(super) fn append(&mut self, spec: Spec, kind: WeightKind, factor: f64) {
        let Spec { scheme, alpha, dt, taps } = spec;
        self.numbers.iter_mut().for_each(|numbers| numbers.resize(taps, 0.0));
        let [weights, of_one, work] = &mut self.numbers;
        let numbers = Numbers { weights, of_one };
        match kind {
            WeightKind::Values => scheme.values(alpha, dt, numbers),
            WeightKind::Slopes => scheme.slopes(alpha, dt, numbers, work),
        }
        self.has_spectrum = false;
        let around = std::iter::repeat_n(T::zero(), PADDING);
        self.weights.extend(around.clone());
        self.weights.extend(weights.iter().map(|w| T::narrow(factor * w)));
        self.weights.extend(around);
        self.of_one.clear();
        self.to_first.clear();
        if scheme.counts_from_first() {
            let mut sum = 0.0;
            for (w, of_one) in weights.iter().zip(&*of_one) {
                sum += w;
                self.of_one.push(T::narrow(*of_one));
                self.to_first.push(T::narrow(of_one - sum));
            }
        }
    }

    /// The weights of the last table by lag.
    pub(super) fn last_mut(&mut self, taps: usize) -> &mut [T] {
        let end = self.weights.len() - PADDING;
        &mut self.weights[end - taps..end]
    }

    /// Starting weights by time of the last table, and transposed ones; `None` where weights act on samples.
    pub(super) fn of_constants(&self) -> Option<[&[T]; 2]> {
        (!self.of_one.is_empty()).then_some([&self.of_one, &self.to_first])
    }

    /// The weights of a table by lag.
    pub(super) fn table(&self, table: usize, taps: usize) -> &[T] {
        &self.weights[table * (taps + 2 * PADDING) + PADDING..][..taps]
    }

    /// The convolution of a series with the tables from `table` on.
    pub(super) fn meeting<'a>(
        &'a self,
        table: usize,
        taps: usize,
        x: &'a [T],
        lanes: usize,
    ) -> DirectSum<'a, T> {
        let stride = taps + 2 * PADDING;
        let length = x.len() / lanes;
        DirectSum {
            tables: &self.weights[table * stride..],
            stride,
            taps,
            x,
            series: 1,
            length,
            lanes,
            times: (0, length),
            first: if self.of_one.is_empty() { None } else { Some(&self.of_one) },
            fused: true,
        }
    }
}

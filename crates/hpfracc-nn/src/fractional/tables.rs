//! Weights in the scalar of a network and in the layout of [`Causal`].

use super::scheme::{FractionalScheme, Numbers};
use crate::Scalar;
use crate::kernels::{AROUND, Causal};
use std::any::Any;
use std::cell::RefCell;

/// Tables of weights. They belong to a thread and are lent for one pass through a layer: their size is
/// that of a series and not of its lanes, so that they have no place among a layer's rows.
#[derive(Debug)]
pub(super) struct Tables<T> {
    weights: Vec<T>,
    /// What is added for the first sample, by time.
    of_one: Vec<T>,
    /// What the first sample gets from each result besides the weights, by time.
    to_first: Vec<T>,
    numbers: [Vec<f64>; 3],
}

/// The values of weights or their derivatives in the order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Of {
    Values,
    Slopes,
}

/// What a table is made of.
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

/// Lends tables, which grow to what is needed once.
pub(super) fn with_tables<T: Scalar, R>(work: impl FnOnce(&mut Tables<T>) -> R) -> R {
    let own = POOL.with_borrow_mut(|pool| {
        let place = pool.iter().position(|tables| tables.is::<Tables<T>>())?;
        pool.swap_remove(place).downcast::<Tables<T>>().ok()
    });
    let mut own = own.unwrap_or_else(|| Box::new(Tables::new()));
    let result = work(&mut own);
    POOL.with_borrow_mut(|pool| pool.push(own));
    result
}

impl<T: Scalar> Tables<T> {
    fn new() -> Self {
        let (weights, of_one, to_first) = (Vec::new(), Vec::new(), Vec::new());
        Self { weights, of_one, to_first, numbers: [Vec::new(), Vec::new(), Vec::new()] }
    }

    /// The only table.
    pub(super) fn set(&mut self, spec: Spec, of: Of) {
        self.weights.clear();
        self.append(spec, of, 1.0);
    }

    pub(super) fn clear(&mut self) {
        self.weights.clear();
    }

    /// One more table, times a factor. What is added for the first sample is that of the last one.
    pub(super) fn append(&mut self, spec: Spec, of: Of, factor: f64) {
        let Spec { scheme, alpha, dt, taps } = spec;
        self.numbers.iter_mut().for_each(|numbers| numbers.resize(taps, 0.0));
        let [weights, of_one, work] = &mut self.numbers;
        let numbers = Numbers { weights, of_one };
        match of {
            Of::Values => scheme.values(alpha, dt, numbers),
            Of::Slopes => scheme.slopes(alpha, dt, numbers, work),
        }
        let around = std::iter::repeat_n(T::zero(), AROUND);
        self.weights.extend(around.clone());
        self.weights.extend(weights.iter().map(|w| T::narrow(factor * w)));
        self.weights.extend(around);
        self.of_one.clear();
        self.to_first.clear();
        if scheme.from_first() {
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
        let end = self.weights.len() - AROUND;
        &mut self.weights[end - taps..end]
    }

    /// The weights of a table by lag.
    pub(super) fn table(&self, table: usize, taps: usize) -> &[T] {
        &self.weights[table * (taps + 2 * AROUND) + AROUND..][..taps]
    }

    /// What the first sample gets from each result, besides the weights.
    pub(super) fn to_first(&self) -> &[T] {
        &self.to_first
    }

    /// The first table, or one further on, and a series of so many rows.
    pub(super) fn meeting<'a>(
        &'a self,
        table: usize,
        taps: usize,
        x: &'a [T],
        lanes: usize,
    ) -> Causal<'a, T> {
        let apart = taps + 2 * AROUND;
        let length = x.len() / lanes;
        Causal {
            tables: &self.weights[table * apart..],
            apart,
            taps,
            x,
            series: 1,
            length,
            lanes,
            known: (0, length),
            first: if self.of_one.is_empty() { None } else { Some(&self.of_one) },
        }
    }
}

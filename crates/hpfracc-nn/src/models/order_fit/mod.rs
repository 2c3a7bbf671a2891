//! Estimates of the orders of an equation from the data alone, before a network is trained.

mod least_squares;
mod linear_fit;
mod network_start;
mod prediction_errors;
mod sieve;

use super::{Diffusion, NeuralFractionalSde, Orders, Solving};
use crate::OrderEstimate;
use crate::layers::Network;
use least_squares::{LeastSquares, Minimum, dot, squares};
use linear_fit::LinearFit;
use ndarray::{Array2, Array3, ArrayView1, ArrayView2, ArrayView3, Axis};
pub(super) use network_start::fit_network;
use prediction_errors::PredictionErrors;
use sieve::Sieve;

/// Orders at which the linear fit is made first.
const CANDIDATES: usize = 24;
/// Windows times steps at most.
const STEPS: usize = 50_000;
/// Windows at most.
const WINDOWS: usize = 64;
/// Observed nodes at most, of all windows together; those between are left out.
const NODES: usize = 20_000;
/// Observed nodes of a window at most for an equation with noise; those after are left out.
const LONGEST: usize = 4096;
/// Points of the data at most at which the drift is given.
const POINTS: usize = 256;
/// Standard deviation of the residuals at least, relative to that of the data: no solver and no
/// drift is exact, and no order is as certain as data without noise would make it.
const SMALLEST_RESIDUAL: f64 = 1e-3;
/// Windows from which on their errors are taken as correlated within a window.
const CLUSTERS: usize = 10;

/// The orders of `D^alpha y = f(y)`, with noise or without, that fit the data best, with f from a [`Sieve`]: semiparametric
/// least squares.
///
/// First the coefficients of f and the order by linear least squares at [`CANDIDATES`] orders
/// ([`LinearFit`]), then both together by the method of Levenberg and Marquardt, with solutions of
/// the equation by the scheme of the model; with noise by [`PredictionErrors`]. The standard error of an order is
/// `s sqrt((J' J)^-1)` there, which is the curvature of the sum of squares over the order,
/// minimised over the coefficients; from [`CLUSTERS`] windows on, at least the one that allows
/// errors that are correlated within a window.
///
/// Cost: some 10 iterations, each with as many solves of at most [`WINDOWS`] windows as there are
/// unknowns, at most 64 and the orders.
///
/// Sources: Golub and Pereyra, SIAM J. Numer. Anal. 10 (1973) 413, DOI 10.1137/0710036 (the profile
/// over the order); Liang and Zeger, Biometrika 73 (1986) 13, DOI 10.1093/biomet/73.1.13
/// (correlated errors).
pub(super) struct OrderFit {
    solving: Solving,
    nodes: Vec<usize>,
    /// Initial values by window and component.
    starts: Array2<f64>,
    /// Observations by window, node and component; NaN where missing.
    observed: Array3<f64>,
    /// Standard deviation of each component.
    scales: Vec<f64>,
    /// True if the drift has the time as an input.
    timed: bool,
    /// Smallest and largest order.
    bounds: (f64, f64),
    /// True for an order for each component.
    each: bool,
    /// True for an equation with noise.
    noisy: bool,
}

/// Orders, and the drift that belongs to them at points of the data.
pub(super) struct OrderFitted {
    pub(super) orders: Vec<OrderEstimate>,
    /// Inputs of the drift, by point.
    pub(super) inputs: Array2<f64>,
    /// Values of the drift, by point and component.
    pub(super) drift: Array2<f64>,
}

impl OrderFit {
    /// For these orders; none if they are not learned, or where a component is not observed.
    pub(super) fn new(
        orders: &Orders,
        solving: Solving,
        (starts, nodes, observed): (Array2<f64>, &[usize], Array3<f64>),
        (timed, noisy): (bool, bool),
    ) -> Option<Self> {
        let Orders::Learned { lower, upper, each, .. } = *orders else { return None };
        let (windows, _, components) = observed.dim();
        let nodes = if noisy { &nodes[..nodes.len().min(LONGEST)] } else { nodes };
        let last = *nodes.last()?;
        let end = solving.end * last as f64 / solving.steps as f64;
        let solving = Solving { end, steps: last, ..solving };
        let most = (STEPS / last.max(1)).clamp(1, WINDOWS);
        let apart = apart(&starts, &observed).max(windows.div_ceil(most));
        let chosen: Vec<usize> = (0..windows).step_by(apart).collect();
        let (starts, observed) =
            (starts.select(Axis(0), &chosen), observed.select(Axis(0), &chosen));
        let every = if noisy { 1 } else { (chosen.len() * nodes.len()).div_ceil(NODES) };
        // The last one and every so many before it.
        let thinned: Vec<usize> = (0..nodes.len()).rev().step_by(every).collect();
        let thinned: Vec<usize> = thinned.into_iter().rev().collect();
        let observed = observed.select(Axis(1), &thinned);
        let scales = (0..components).map(|i| deviation(observed.index_axis(Axis(2), i)));
        let scales = scales.collect::<Option<Vec<f64>>>()?;
        let width = upper - lower;
        let bounds = ((lower + 1e-3 * width).max(0.02), upper - 1e-3 * width);
        (starts.ncols() == components && bounds.0 < bounds.1).then(|| Self {
            solving,
            nodes: thinned.iter().map(|k| nodes[*k]).collect(),
            starts,
            observed,
            scales,
            timed,
            bounds,
            each,
            noisy,
        })
    }

    fn components(&self) -> usize {
        self.scales.len()
    }

    /// Step of the solver.
    fn step(&self) -> f64 {
        self.solving.end / self.solving.steps as f64
    }

    /// Inputs of the drift at a node.
    fn inputs<'x>(
        &self,
        node: usize,
        x: ArrayView1<'x, f64>,
    ) -> impl Iterator<Item = f64> + Clone + 'x {
        let time = self.timed.then_some(node as f64 * self.step());
        (0..x.len()).map(move |i| x[i]).chain(time)
    }

    /// The estimates; none where there are too few observations, or no solution at all.
    pub(super) fn estimate(&self) -> Option<OrderFitted> {
        let paths = self.interpolated();
        let inputs = self.points(&paths);
        let observations = self.observed.iter().filter(|y| !y.is_nan()).count();
        let components = self.components();
        let sieve = Sieve::new(inputs.view(), components, observations / components)?;
        let (minimum, halved) = if self.noisy {
            let errors = PredictionErrors::new(self, &sieve)?;
            let minimum =
                self.minimise(|alpha| errors.linear_fit(alpha), |unknowns| errors.at(unknowns));
            (minimum?, None)
        } else {
            let network = sieve.network().ok()?;
            let residuals =
                |unknowns: &[f64], parts| self.residuals((&network, &sieve), unknowns, parts);
            let fit = LinearFit::new(self, &sieve, &paths);
            let minimum =
                self.minimise(|alpha| fit.at(alpha), |unknowns| residuals(unknowns, 1))?;
            let halved = residuals(&minimum.unknowns, 2);
            (minimum, halved)
        };
        let count = self.count();
        let orders = (0..count).map(|k| self.order(&minimum, halved.as_deref(), k)).collect();
        let of = |point: ArrayView1<'_, f64>| {
            let features = sieve.at(point.iter().copied());
            let outputs = minimum.unknowns[count..].chunks_exact(features.len());
            outputs.map(|output| dot(output, &features)).collect::<Vec<f64>>()
        };
        let drift: Vec<f64> = inputs.outer_iter().flat_map(of).collect();
        let drift = Array2::from_shape_vec((inputs.nrows(), components), drift).ok()?;
        Some(OrderFitted { orders, inputs, drift })
    }

    /// Number of orders.
    fn count(&self) -> usize {
        if self.each { self.components() } else { 1 }
    }

    /// The orders and the coefficients that minimise the sum of squares, from those of a linear
    /// fit.
    fn minimise(
        &self,
        linear_fit: impl Fn(f64) -> Vec<(f64, Vec<f64>)>,
        residuals: impl Fn(&[f64]) -> Option<Vec<f64>> + Sync,
    ) -> Option<Minimum> {
        let (orders, coefficients) = self.start(linear_fit);
        let free = coefficients.iter().map(|_| (f64::NEG_INFINITY, f64::INFINITY));
        let bounds: Vec<_> = orders.iter().map(|_| self.bounds).chain(free).collect();
        LeastSquares { bounds: &bounds, residuals }.minimise([orders, coefficients].concat())
    }

    /// The best orders of a linear fit, and the coefficients by component.
    fn start(&self, fit: impl Fn(f64) -> Vec<(f64, Vec<f64>)>) -> (Vec<f64>, Vec<f64>) {
        let (low, high) = self.bounds;
        let order = |k: usize| low + (high - low) * (k as f64 + 0.5) / CANDIDATES as f64;
        let fits: Vec<_> = (0..CANDIDATES).map(|k| (order(k), fit(order(k)))).collect();
        let all = 0..self.components();
        let groups = if self.each { all.map(|i| i..i + 1).collect() } else { vec![all] };
        let (mut orders, mut coefficients) = (Vec::new(), Vec::new());
        for group in groups {
            let total = |k: usize| fits[k].1[group.clone()].iter().map(|fit| fit.0).sum::<f64>();
            let best =
                (1..CANDIDATES).fold(0, |best, k| if total(k) < total(best) { k } else { best });
            orders.push(fits[best].0);
            coefficients.extend(fits[best].1[group].iter().flat_map(|fit| &fit.1));
        }
        (orders, coefficients)
    }

    /// Solutions less observations, over the deviation of their component; each step of the solver
    /// is divided into `parts`.
    fn residuals(
        &self,
        (network, sieve): (&Network, &Sieve),
        unknowns: &[f64],
        parts: usize,
    ) -> Option<Vec<f64>> {
        let (orders, coefficients) = unknowns.split_at(self.count());
        let orders = Orders::Fixed(orders.to_vec());
        let model = NeuralFractionalSde::new(network.clone(), Diffusion::None, orders).ok()?;
        let solving = Solving { steps: parts * self.solving.steps, ..self.solving };
        let nodes: Vec<usize> = self.nodes.iter().map(|node| parts * node).collect();
        let theta = sieve.parameters(coefficients);
        let solved = model.simulate(&theta, self.starts.view(), (&solving, &nodes), 1, 0).ok()?;
        let scaled = self.differences(solved.view());
        scaled.iter().all(|r| r.is_finite()).then_some(scaled)
    }

    fn differences(&self, solved: ArrayView3<'_, f64>) -> Vec<f64> {
        let scales = self.scales.iter().cycle();
        let pairs = self.observed.iter().zip(solved).zip(scales).filter(|((y, _), _)| !y.is_nan());
        pairs.map(|((y, x), scale)| (x - y) / scale).collect()
    }

    /// Unknown k, an order, given the residuals with steps of half the size.
    fn order(&self, minimum: &Minimum, halved: Option<&[f64]>, k: usize) -> OrderEstimate {
        let order = minimum.unknowns[k];
        let Some(row) = minimum.inverse_row(k) else {
            return OrderEstimate { order, standard_error: f64::INFINITY, half_step_change: None };
        };
        let standard_error = self.standard_error(minimum, &row, k);
        // A step of Gauss and Newton.
        let changes = halved.map(|halved| {
            let change = |i: usize| minimum.influence(&row, i) * (minimum.residuals[i] - halved[i]);
            (0..halved.len()).map(change).sum()
        });
        OrderEstimate { order, standard_error, half_step_change: changes }
    }

    /// The standard error of unknown k, given its row of the inverse of the normal matrix.
    fn standard_error(&self, minimum: &Minimum, row: &[f64], k: usize) -> f64 {
        let (n, p) = (minimum.residuals.len(), minimum.unknowns.len());
        let freedom = n.saturating_sub(p).max(1) as f64;
        let variance = (squares(&minimum.residuals) / freedom).max(SMALLEST_RESIDUAL.powi(2));
        let independent = variance * row[k];
        // What each residual moves the unknown, summed within its window.
        let mut at = 0;
        let windows = self.observed.outer_iter().map(|window| {
            let count = window.iter().filter(|y| !y.is_nan()).count();
            let moved = (at..at + count).map(|i| minimum.influence(row, i) * minimum.residuals[i]);
            at += count;
            moved.sum::<f64>().powi(2)
        });
        let (sum, count) = (windows.sum::<f64>(), self.observed.dim().0);
        let clustered =
            if count < CLUSTERS { 0.0 } else { sum * count as f64 / (count - 1) as f64 };
        independent.max(clustered).sqrt()
    }

    /// The data at all steps, linear between observations, constant after the last one.
    fn interpolated(&self) -> Array3<f64> {
        let (windows, _, components) = self.observed.dim();
        let last = self.nodes.last().copied().unwrap_or(0);
        let mut paths = Array3::zeros((windows, last + 1, components));
        for w in 0..windows {
            for i in 0..components {
                let (mut from, mut y) = (0, self.starts[[w, i]]);
                paths[[w, 0, i]] = y;
                for (k, node) in self.nodes.iter().enumerate() {
                    let here = self.observed[[w, k, i]];
                    if here.is_nan() {
                        continue;
                    }
                    for n in from + 1..=*node {
                        let share = (n - from) as f64 / (node - from) as f64;
                        paths[[w, n, i]] = y + share * (here - y);
                    }
                    (from, y) = (*node, here);
                }
                (from + 1..=last).for_each(|n| paths[[w, n, i]] = y);
            }
        }
        paths
    }

    /// Inputs of the drift at some of the observed nodes.
    fn points(&self, paths: &Array3<f64>) -> Array2<f64> {
        let nodes: Vec<usize> = [0].into_iter().chain(self.nodes.iter().copied()).collect();
        let all = paths.dim().0 * nodes.len();
        // Not the same nodes of every window.
        let mut every = all.div_ceil(POINTS);
        while every > 1 && gcd(every, nodes.len()) > 1 {
            every += 1;
        }
        let rows = (0..all).step_by(every).flat_map(|at| {
            let node = nodes[at % nodes.len()];
            let path = paths.index_axis(Axis(0), at / nodes.len());
            let x = path.index_axis(Axis(0), node).to_vec();
            self.inputs(node, ArrayView1::from(&x)).collect::<Vec<f64>>()
        });
        let rows: Vec<f64> = rows.collect();
        let width = self.components() + usize::from(self.timed);
        Array2::from_shape_fn((rows.len() / width, width), |(i, j)| rows[i * width + j])
    }
}

/// Number of windows from one to the next that does not overlap it, for windows that are cut from
/// one series; errors of the same observations are not independent.
fn apart(starts: &Array2<f64>, observed: &Array3<f64>) -> usize {
    let length = observed.dim().1;
    let begins = |k: &usize| {
        starts.nrows() > 1
            && observed.index_axis(Axis(0), 0).row(*k).iter().eq(starts.row(1).iter())
    };
    (0..length).find(begins).map_or(1, |k| length.div_ceil(k + 1))
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Standard deviation of the observed values; none if they are not finite or all equal.
fn deviation(values: ArrayView2<'_, f64>) -> Option<f64> {
    let known = || values.iter().filter(|y| !y.is_nan());
    let n = known().count() as f64;
    let mean = known().sum::<f64>() / n;
    let deviation = (known().map(|y| (y - mean).powi(2)).sum::<f64>() / n).sqrt();
    (deviation > 0.0 && deviation.is_finite()).then_some(deviation)
}

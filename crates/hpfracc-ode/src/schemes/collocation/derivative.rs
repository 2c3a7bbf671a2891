//! A solution by collocation, element by element, for its adjoint and tangent.

use super::element::{ReferenceElement, ReferenceElements};
use super::element_tree::{Cotangents, Element};
use super::first_span::{FirstSpan, integral_of_power};
use super::mesh::MeshPoint;
use super::piecewise::{PiecewiseSolution, PowerKernel};
use hpfracc_operators::Dual;
use std::rc::Rc;

/// The points of a first span or an element, whose states are solved as one system.
pub(crate) struct Block {
    /// Times and states of the points.
    pub(crate) times: Vec<f64>,
    pub(crate) states: Vec<f64>,
    /// Derivatives of the states with respect to the order of each component, at fixed f.
    pub(crate) by_order: Vec<f64>,
    /// `t - t0` of the points.
    pub(crate) elapsed: Vec<f64>,
    /// Time of the end, at full precision the time of a node.
    pub(crate) end: f64,
    places: Vec<MeshPoint>,
    kind: Kind,
}

enum Kind {
    /// The powers `h^exponent` of f at the end, and its integrals.
    Start {
        start: FirstSpan,
        powers: Vec<f64>,
        integrals: Vec<f64>,
    },
    Element {
        element: Element,
        reference: Rc<ReferenceElement>,
    },
}

/// All blocks of a solution in the order of time.
pub(crate) struct Blocks {
    pub(crate) blocks: Vec<Block>,
    dim: usize,
    empty: PiecewiseSolution,
}

impl PiecewiseSolution {
    /// The same mesh without f.
    fn without_pieces(&self, initial: &[f64]) -> Self {
        let Self { mesh, orders, order_of, .. } = self;
        Self::from_parts(mesh.clone(), orders.clone(), order_of.clone(), initial.to_vec())
    }

    /// Places of the points of a span.
    fn places(segment: usize, left: f64, half: f64, from_left: &[f64]) -> Vec<MeshPoint> {
        let place = |from_left: &f64| MeshPoint { segment, base: left, offset: half * from_left };
        from_left.iter().map(place).collect()
    }

    /// All blocks, their states integrated again from the stored f.
    pub(crate) fn blocks(&self) -> Blocks {
        let dim = self.order_of.len();
        let mut references = ReferenceElements::new(&self.orders);
        let mut known = self.without_pieces(&self.initial);
        let mut blocks = Vec::with_capacity(self.elements.len() + 1);
        if let Some(start) = &self.start {
            let h = start.span.right;
            let places = vec![MeshPoint { segment: 0, base: 0.0, offset: h }];
            let powers: Vec<f64> = start.exponents.iter().map(|e| h.powf(*e)).collect();
            let integral = |c: usize| {
                integral_of_power(self.orders[self.order_of[c]], start.exponents[c], h) / powers[c]
            };
            let integrals = (0..dim).map(integral).collect();
            known.push_start(start.clone());
            let kind = Kind::Start { start: start.clone(), powers, integrals };
            blocks.push(known.block(places, kind));
        }
        for index in 0..self.elements.len() {
            let element = self.elements.element(index).clone();
            let reference = references.with_points(element.coefficients.len() / dim);
            let (span, half) = (element.span, 0.5 * element.span.length());
            let places = Self::places(span.segment, span.left, half, &reference.from_left);
            known.push(element.clone());
            blocks.push(known.block(places, Kind::Element { element, reference }));
        }
        Blocks { blocks, dim, empty: self.without_pieces(&[]) }
    }

    fn block(&self, places: Vec<MeshPoint>, kind: Kind) -> Block {
        let dim = self.order_of.len();
        let kernels: Vec<_> =
            self.orders.iter().map(|&alpha| PowerKernel::new(Dual::variable(alpha))).collect();
        let mut states = vec![0.0; places.len() * dim];
        let mut by_order = Vec::with_capacity(states.len());
        let (mut moments, mut dual_moments) = (Vec::new(), Vec::new());
        for (&place, y) in places.iter().zip(states.chunks_exact_mut(dim)) {
            self.value(place, &mut moments, y);
            let mut sums = vec![Dual { value: 0.0, derivative: 0.0 }; dim];
            self.add_integrals(&kernels, place, &mut dual_moments, &mut sums);
            by_order.extend(sums.iter().map(|sum| sum.derivative));
        }
        Block {
            times: places.iter().map(|place| self.mesh.time_inside(*place)).collect(),
            elapsed: places.iter().map(|place| self.mesh.elapsed(*place)).collect(),
            end: self.mesh.time(places[places.len() - 1]),
            states,
            by_order,
            places,
            kind,
        }
    }
}

impl Block {
    /// Weight of f at one point in the state at another.
    pub(crate) fn coupling(
        &self,
        orders: &Blocks,
        component: usize,
        to: usize,
        from: usize,
    ) -> f64 {
        match &self.kind {
            Kind::Start { integrals, .. } => integrals[component],
            Kind::Element { element, reference } => {
                let order = orders.empty.order_of[component];
                let scale = (0.5 * element.span.length()).powf(orders.empty.orders[order]);
                scale * reference.integrals[order][to * self.times.len() + from]
            }
        }
    }

    /// The stored numbers of a change of f at the points.
    fn coefficients(&self, dim: usize, slopes: &[f64]) -> Vec<f64> {
        match &self.kind {
            Kind::Start { powers, .. } => slopes.iter().zip(powers).map(|(f, p)| f / p).collect(),
            Kind::Element { reference, .. } => reference.coefficients(dim, slopes),
        }
    }

    /// The transpose of [`coefficients`](Self::coefficients).
    fn slopes(&self, dim: usize, coefficients: &[f64]) -> Vec<f64> {
        match &self.kind {
            Kind::Start { powers, .. } => {
                coefficients.iter().zip(powers).map(|(bar, p)| bar / p).collect()
            }
            Kind::Element { reference, .. } => reference.transposed(dim, coefficients),
        }
    }
}

/// Changes of the states, block by block.
pub(crate) struct ForwardSums<'a> {
    of: &'a Blocks,
    known: PiecewiseSolution,
}

impl ForwardSums<'_> {
    /// Writes the change of the states of a block by the changes of f before it and of the initial
    /// values.
    pub(crate) fn known(&self, block: usize) -> Vec<f64> {
        let places = &self.of.blocks[block].places;
        let (mut out, mut moments) = (vec![0.0; places.len() * self.of.dim], Vec::new());
        for (&place, out) in places.iter().zip(out.chunks_exact_mut(self.of.dim)) {
            self.known.value(place, &mut moments, out);
        }
        out
    }

    /// Takes the change of f at the points of the next block.
    pub(crate) fn push(&mut self, block: usize, slopes: &[f64]) {
        let block = &self.of.blocks[block];
        let coefficients = block.coefficients(self.of.dim, slopes);
        match &block.kind {
            Kind::Start { start, .. } => {
                self.known.push_start(FirstSpan { coefficients, ..start.clone() });
            }
            Kind::Element { element, .. } => {
                self.known.push(Element { span: element.span, coefficients });
            }
        }
    }
}

/// Cotangents of f, block by block from the last.
pub(crate) struct BackwardSums<'a> {
    of: &'a Blocks,
    known: PiecewiseSolution,
    kernels: Vec<PowerKernel<f64>>,
    bars: Cotangents,
    start: Vec<f64>,
}

impl BackwardSums<'_> {
    /// Returns the cotangent of f at the points of the block before those taken.
    pub(crate) fn pop(&mut self, block: usize) -> Vec<f64> {
        let (dim, block) = (self.of.dim, &self.of.blocks[block]);
        let bar = match &block.kind {
            Kind::Start { .. } => {
                self.known.start = None;
                std::mem::take(&mut self.start)
            }
            Kind::Element { .. } => self.known.elements.pop_transposed(dim, &mut self.bars),
        };
        block.slopes(dim, &bar)
    }

    /// Takes the cotangents of the states of this block that come from before it.
    pub(crate) fn push(&mut self, block: usize, sources: &[f64]) {
        let Self { of, known, kernels, bars, start } = self;
        let dim = of.dim;
        let mut moments = Vec::new();
        for (&place, u) in of.blocks[block].places.iter().zip(sources.chunks_exact(dim)) {
            for (c, (bar, u)) in start.iter_mut().zip(u).enumerate() {
                let alpha = known.orders[known.order_of[c]];
                if let Some((_, integral)) = known.start_integral(alpha, (place, c)) {
                    *bar += integral * u;
                }
            }
            known.visit(kernels, place, &mut moments, |piece, element, k, scale, moments| {
                let bar = bars.of(piece, element.coefficients.len());
                let points = bar.len() / dim;
                for (c, bar) in bar.chunks_exact_mut(points).enumerate() {
                    if known.order_of[c] == k {
                        let scale = scale * u[c];
                        bar.iter_mut().zip(moments).for_each(|(bar, m)| *bar += scale * m);
                    }
                }
            });
        }
    }
}

impl Blocks {
    /// Sums for a tangent with these changes of the initial values.
    pub(crate) fn forward(&self, initial: &[f64]) -> ForwardSums<'_> {
        ForwardSums { of: self, known: self.empty.without_pieces(initial) }
    }

    /// Sums for an adjoint.
    pub(crate) fn backward(&self) -> BackwardSums<'_> {
        let mut known = self.empty.without_pieces(&[]);
        for block in &self.blocks {
            match &block.kind {
                Kind::Start { start, .. } => known.push_start(start.clone()),
                Kind::Element { element, .. } => known.push(element.clone()),
            }
        }
        let kernels = known.orders.iter().map(|&alpha| PowerKernel::new(alpha)).collect();
        let start = vec![0.0; self.dim];
        BackwardSums { of: self, known, kernels, bars: Cotangents::default(), start }
    }
}

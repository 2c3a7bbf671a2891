//! The Mittag-Leffler function with its derivatives with respect to the argument and both orders.

use crate::graph::Ternary;
use hpfracc_lanes::Elementary;
use hpfracc_special::{MittagLefflerGradient, Partials, mittag_leffler, mittag_leffler_derivative};

/// Mittag-Leffler function of orders alpha and beta, prepared where its derivatives with respect to these are known:
/// 0 < alpha < 2.
#[derive(Debug, Clone)]
pub(crate) struct PreparedOrders {
    alpha: f64,
    beta: f64,
    gradient: Option<MittagLefflerGradient>,
}

impl PreparedOrders {
    pub(crate) fn new(alpha: f64, beta: f64) -> Self {
        Self { alpha, beta, gradient: MittagLefflerGradient::new(alpha, beta).ok() }
    }

    fn are(&self, [alpha, beta]: [f64; 2]) -> bool {
        self.alpha == alpha && self.beta == beta
    }

    /// A function of the family at z.
    pub(crate) fn partial(&self, function: Ternary, z: f64) -> f64 {
        if let Some(gradient) = &self.gradient {
            let all = gradient.eval(z);
            return match function {
                Ternary::MittagLefflerByArgument => all.z,
                Ternary::MittagLefflerByAlpha => all.alpha,
                Ternary::MittagLefflerByBeta => all.beta,
                _ => all.value,
            };
        }
        let value = match function {
            Ternary::MittagLefflerByNodes => mittag_leffler(self.alpha, self.beta, z),
            Ternary::MittagLefflerByArgument => {
                mittag_leffler_derivative(self.alpha, self.beta, 1, z)
            }
            _ => return f64::NAN,
        };
        value.unwrap_or(f64::NAN)
    }
}

/// Functions of the family at the arguments of the last block: instructions for other functions of the family with the
/// same orders and arguments find them here.
#[derive(Debug, Default)]
pub(crate) struct PartialsOfBlock {
    orders: Option<PreparedOrders>,
    /// Arguments of the last block.
    z: Vec<f64>,
    /// Arguments of this block.
    next: Vec<f64>,
    /// Value and derivatives with respect to z, alpha and beta, as far as they are needed.
    out: Partials<Option<Vec<f64>>>,
}

impl PartialsOfBlock {
    /// Memory for blocks of at most this many paths.
    pub(crate) fn new(needed: &[Ternary], block: usize) -> Self {
        let of = |function: Ternary| needed.contains(&function).then(|| vec![0.0; block]);
        let out = Partials {
            value: of(Ternary::MittagLefflerByNodes),
            z: of(Ternary::MittagLefflerByArgument),
            alpha: of(Ternary::MittagLefflerByAlpha),
            beta: of(Ternary::MittagLefflerByBeta),
        };
        Self { orders: None, z: Vec::with_capacity(block), next: Vec::with_capacity(block), out }
    }

    /// Sets the orders.
    pub(crate) fn prepare(&mut self, orders: [f64; 2]) {
        if !self.orders.as_ref().is_some_and(|known| known.are(orders)) {
            self.orders = Some(PreparedOrders::new(orders[0], orders[1]));
            self.z.clear();
        }
    }

    /// Writes a function at some arguments.
    pub(crate) fn write<T: Elementary>(&mut self, function: Ternary, z: &[T], out: &mut [T]) {
        let Some(orders) = &self.orders else { return };
        let Some(gradient) = &orders.gradient else {
            out.iter_mut()
                .zip(z)
                .for_each(|(out, z)| *out = T::narrow(orders.partial(function, z.widen())));
            return;
        };
        self.next.clear();
        self.next.extend(z.iter().map(|z| z.widen()));
        let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
        if !(self.z.len() == z.len() && self.z.iter().zip(&self.next).all(same)) {
            std::mem::swap(&mut self.z, &mut self.next);
            let Partials { value, z: by_z, alpha, beta } = &mut self.out;
            let [value, by_z, alpha, beta] = [value, by_z, alpha, beta]
                .map(|out| out.as_mut().map(|out| &mut out[..self.z.len()]));
            // All lengths agree.
            if gradient.eval_slice(&self.z, Partials { value, z: by_z, alpha, beta }).is_err() {
                self.z.clear();
            }
        }
        let from = match function {
            Ternary::MittagLefflerByArgument => &self.out.z,
            Ternary::MittagLefflerByAlpha => &self.out.alpha,
            Ternary::MittagLefflerByBeta => &self.out.beta,
            _ => &self.out.value,
        };
        for (out, from) in out.iter_mut().zip(from.iter().flatten()) {
            *out = T::narrow(*from);
        }
    }
}

/// Derivatives of what lagged values depend on with respect to the parameters of the right-hand side.
///
/// The nodes move with the interval, `t = t0 + L x` with fixed x. A lagged value between nodes is a function
/// of its place `(t - tau - t0)/L` among them; one before t0 is a function of its time.
#[derive(Clone, Copy)]
pub(in crate::equations) struct LagDerivatives<'a> {
    /// Of the delays: delay by delay, by parameter.
    pub(in crate::equations) delays: &'a [f64],
    /// Of t0, by parameter.
    pub(in crate::equations) start: &'a [f64],
    /// Of ln L, by parameter.
    pub(in crate::equations) stretch: &'a [f64],
    /// Writes the derivatives of phi at a time, a row for each component: with respect to the
    /// parameters, then time.
    pub(in crate::equations) before: &'a dyn Fn(f64, &mut [f64]),
}

/// Derivatives of the times `t - tau` with respect to the parameters, relative to the nodes, which move
/// with the interval.
pub(super) struct Shifts {
    /// Delay by delay.
    all: Vec<f64>,
    parameters: usize,
}

impl<'a> LagDerivatives<'a> {
    /// Those of a problem whose delays, phi and interval are fixed.
    pub(super) const NONE: LagDerivatives<'static> =
        LagDerivatives { delays: &[], start: &[], stretch: &[], before: &|_, _| {} };

    pub(super) fn shifts(&self, delays: &[f64]) -> Shifts {
        let parameters = self.stretch.len();
        let rows = self.delays.chunks_exact(parameters.max(1)).zip(delays);
        let all = rows.flat_map(|(row, tau)| {
            row.iter().zip(self.stretch).map(move |(delay, stretch)| tau * stretch - delay)
        });
        Shifts { all: all.collect(), parameters }
    }

    /// Derivative of the time t0 + x with respect to a parameter, as the interval moves.
    pub(super) fn of_place(&self, parameter: usize, x: f64) -> f64 {
        self.start[parameter] + x * self.stretch[parameter]
    }
}

impl Shifts {
    /// Those of a delay by parameter; None if nothing depends on parameters.
    pub(super) fn of(&self, delay: usize) -> Option<&[f64]> {
        let parameters = self.parameters;
        self.all.get(delay * parameters..(delay + 1) * parameters).filter(|all| !all.is_empty())
    }

    /// Whether those with respect to these parameters are all 0.
    pub(super) fn are_all_zero(&self, of: impl Fn(usize) -> bool) -> bool {
        let of = |at: usize| of(at % self.parameters);
        self.all.iter().enumerate().all(|(at, shift)| *shift == 0.0 || !of(at))
    }
}

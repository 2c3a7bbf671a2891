use super::cell_kernel::CellKernel;
use crate::OdeError;
use hpfracc_operators::{PowerExponentials, SumOfExponentials};
use hpfracc_special::recip_gamma;

/// Exponentials of a kernel; between orders 1 and 2, of the kernel without the factor t.
#[derive(Debug)]
pub(super) struct KernelExponentials {
    /// p_k, decreasing.
    rates: Vec<f64>,
    weights: Weights,
}

#[derive(Debug)]
enum Weights {
    Fixed(Vec<f64>),
    /// Of the order at a time.
    Variable(PowerExponentials),
}

impl KernelExponentials {
    /// For times between two.
    ///
    /// # Errors
    /// [`OdeError::NoExponentials`] for an order above 2; those of [`SumOfExponentials::of_power`].
    pub(super) fn new(
        kernel: &CellKernel,
        times: (f64, f64),
        tolerance: f64,
    ) -> Result<Self, OdeError> {
        if let Some(alpha) = kernel.single_order() {
            if alpha > 2.0 {
                return Err(OdeError::NoExponentials { kernel: format!("t^{}", alpha - 1.0) });
            }
            let b = if alpha > 1.0 { 2.0 - alpha } else { 1.0 - alpha };
            let power = SumOfExponentials::of_power(b, times, tolerance)?;
            let scale = recip_gamma(alpha);
            let weights = power.weights().iter().map(|w| scale * w).collect();
            return Ok(Self { rates: power.rates().to_vec(), weights: Weights::Fixed(weights) });
        }
        // A term of order 0 has no memory.
        let exponents = kernel.terms().iter().map(|(_, moments)| 1.0 - moments.alpha);
        let (lowest, highest) = exponents
            .filter(|b| *b < 1.0)
            .fold((1.0, 0.0), |(lowest, highest), b| (f64::min(lowest, b), f64::max(highest, b)));
        let powers = PowerExponentials::new((lowest, highest), times, tolerance)?;
        let rates = powers.rates().to_vec();
        if kernel.is_variable() {
            return Ok(Self { rates, weights: Weights::Variable(powers) });
        }
        let mut weights = vec![0.0; rates.len()];
        add_weights(kernel, &powers, 0.0, &mut weights);
        Ok(Self { rates, weights: Weights::Fixed(weights) })
    }

    pub(super) fn rates(&self) -> &[f64] {
        &self.rates
    }

    /// Writes the w_k of the kernel at t.
    pub(super) fn weights_into(&self, kernel: &CellKernel, t: f64, weights: &mut [f64]) {
        match &self.weights {
            Weights::Fixed(fixed) => weights.copy_from_slice(fixed),
            Weights::Variable(powers) => {
                weights.fill(0.0);
                add_weights(kernel, powers, t, weights);
            }
        }
    }
}

fn add_weights(kernel: &CellKernel, powers: &PowerExponentials, t: f64, weights: &mut [f64]) {
    for (weight, moments) in kernel.at(t) {
        let scale = weight * recip_gamma(moments.alpha);
        if scale > 0.0 {
            powers.add_weights(1.0 - moments.alpha, scale, weights);
        }
    }
}

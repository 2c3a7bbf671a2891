use super::factors::Factors;
use super::partial_fractions::{LogarithmicFractions, PartialFractions};
use crate::functions::function::Target;
use crate::functions::plan::Plan;
use crate::functions::polynomial::Bounds;
use crate::{Result, ShiftedSolver, SpatialError, SpatialOperator};
use num_complex::Complex64;
use rayon::prelude::*;

/// Solves at a time.
const GROUP: usize = 4;

/// A power by partial fractions, each term a real shifted solve.
pub(crate) struct Rational<'a> {
    operator: &'a dyn SpatialOperator,
    factors: Factors,
    pub(crate) fractions: Option<Fractions<'a>>,
    logarithm: Option<Logarithm<'a>>,
    bounds: Bounds,
    name: &'static str,
}

/// Partial fractions with their solvers.
pub(crate) struct Fractions<'a> {
    pub(crate) of_power: PartialFractions,
    pub(crate) solvers: Vec<Box<dyn ShiftedSolver + 'a>>,
}

/// What the derivative with respect to the exponent takes in place of one factor.
struct Logarithm<'a> {
    products: usize,
    fractions: LogarithmicFractions,
    /// None if they are those of the power.
    solvers: Option<Vec<Box<dyn ShiftedSolver + 'a>>>,
}

impl<'a> Rational<'a> {
    pub(crate) fn new(
        operator: &'a dyn SpatialOperator,
        s: f64,
        tolerance: f64,
        sinc: bool,
    ) -> Result<Self> {
        let factors = Factors::of_power(s);
        let bounds = Bounds::estimated(operator)?;
        let interval = [bounds.lowest, bounds.highest];
        let make = if sinc { PartialFractions::sinc } else { PartialFractions::inverse_power };
        let prepare = |exponent: f64, tolerance: f64| -> Result<Fractions<'a>> {
            let of_power = make(exponent, interval, tolerance)?;
            let solvers = of_power.poles().iter().map(|p| operator.shifted(Complex64::from(*p)));
            Ok(Fractions { solvers: solvers.collect::<Result<_>>()?, of_power })
        };
        let (fractions, logarithm) = if factors.repeats == 0 {
            // A^s ln A = A^(s + 1) (A^-1 ln A); the solvers are those of A^-1/2.
            let Fractions { of_power, solvers } = prepare(0.5, tolerance)?;
            let fractions = of_power.logarithmic(1.0)?;
            let products = factors.products + 1;
            (None, Some(Logarithm { products, fractions, solvers: Some(solvers) }))
        } else {
            let prepared = prepare(factors.exponent, tolerance / factors.repeats as f64)?;
            let fractions = prepared.of_power.logarithmic(factors.exponent)?;
            let products = factors.products;
            (Some(prepared), Some(Logarithm { products, fractions, solvers: None }))
        };
        let name = if sinc { "Balakrishnan integral (sinc quadrature)" } else { "AAA poles" };
        Ok(Self { operator, factors, fractions, logarithm, bounds, name })
    }

    pub(crate) fn factors(&self) -> Factors {
        self.factors
    }
}

/// `x <- constant x + sum_k residues_k (A + p_k)^-1 x`; terms are added in order.
pub(crate) fn apply_fractions(
    solvers: &[Box<dyn ShiftedSolver + '_>],
    constant: f64,
    residues: &[f64],
    x: &mut [f64],
) -> Result<()> {
    let b = x.to_vec();
    x.iter_mut().for_each(|x| *x *= constant);
    for (solvers, residues) in solvers.chunks(GROUP).zip(residues.chunks(GROUP)) {
        let solve = |solver: &dyn ShiftedSolver| -> Result<Vec<f64>> {
            let mut solution = b.clone();
            solver.solve_real(&mut solution)?;
            Ok(solution)
        };
        let solutions = solvers.par_iter().map(|solver| solve(solver.as_ref()));
        let solutions = solutions.collect::<Result<Vec<_>>>()?;
        for (solution, residue) in solutions.iter().zip(residues) {
            x.iter_mut().zip(solution).for_each(|(x, s)| *x += residue * s);
        }
    }
    Ok(())
}

impl Plan for Rational<'_> {
    fn apply(&self, target: Target, x: &[f64], y: &mut [f64]) -> Result<()> {
        let (mut products, mut repeats) = (self.factors.products, self.factors.repeats);
        let logarithm = match target {
            Target::Value => None,
            Target::OrderDerivative => self.logarithm.as_ref(),
        };
        if let Some(logarithm) = logarithm {
            products = logarithm.products;
            repeats = repeats.saturating_sub(1);
        }
        y.copy_from_slice(x);
        let mut scratch = vec![0.0; if products > 0 { x.len() } else { 0 }];
        for _ in 0..products {
            scratch.copy_from_slice(y);
            self.operator.apply(&scratch, y);
        }
        if let Some(Logarithm { fractions, solvers, .. }) = logarithm {
            let shared = self.fractions.as_ref().map(|fractions| &fractions.solvers);
            let solvers = solvers.as_ref().or(shared).map_or(&[][..], |solvers| solvers);
            apply_fractions(solvers, fractions.constant, &fractions.residues, y)?;
        }
        if let Some(Fractions { of_power, solvers }) = &self.fractions {
            for _ in 0..repeats {
                apply_fractions(solvers, of_power.constant(), of_power.residues(), y)?;
            }
        }
        Ok(())
    }

    fn explain(&self) -> String {
        let Bounds { lowest, highest, estimated } = self.bounds;
        let mark = if estimated { " (estimated)" } else { "" };
        let Factors { products, exponent, repeats } = self.factors;
        let poles = self.fractions.as_ref().map_or(0, |f| f.solvers.len());
        let logarithm = self.logarithm.as_ref().map_or(0.0, |l| l.fractions.error);
        format!(
            "{}: {products} products, {repeats} factors A^-{exponent} with {poles} real shifted \
             solves each, on [{lowest:.3e}{mark}, {highest:.3e}]; derivative in the exponent to \
             {logarithm:.1e}",
            self.name
        )
    }

    fn error(&self) -> f64 {
        self.fractions.as_ref().map_or(f64::EPSILON, |fractions| {
            fractions.of_power.error() * self.factors.repeats as f64
        })
    }
}

/// Refuses other functions than powers.
pub(crate) fn exponent_of(
    function: crate::functions::Function,
    method: &'static str,
) -> Result<f64> {
    function.exponent().ok_or_else(|| SpatialError::Unsupported {
        method,
        request: function.to_string(),
        reason: "its poles are those of powers; use `Way::Contour`",
    })
}

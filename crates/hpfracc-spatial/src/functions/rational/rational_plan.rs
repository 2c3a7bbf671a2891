use super::factors::Factors;
use super::partial_fractions::{LogarithmicFractions, PartialFractions};
use crate::functions::function::Target;
use crate::functions::plan::Plan;
use crate::functions::polynomial::Bounds;
use crate::{Result, ShiftedSolver, SpatialError, SpatialOperator};
use num_complex::Complex64;
use rayon::prelude::*;
use std::sync::OnceLock;

/// Solves at a time.
const GROUP: usize = 4;

/// A power by partial fractions, each term a real shifted solve.
pub(crate) struct Rational<'a> {
    operator: &'a dyn SpatialOperator,
    factors: Factors,
    pub(crate) fractions: Option<Fractions<'a>>,
    /// Prepared at the first derivative with respect to the exponent.
    logarithm: OnceLock<Result<Logarithm<'a>>>,
    bounds: Bounds,
    tolerance: f64,
    sinc: bool,
}

/// Partial fractions with their solvers.
pub(crate) struct Fractions<'a> {
    pub(crate) of_power: PartialFractions,
    pub(crate) solvers: Vec<Box<dyn ShiftedSolver + 'a>>,
}

/// Fractions of `l^-g ln l`, which replace one factor in the derivative with respect to the exponent.
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
        let fractions = match factors.repeats {
            0 => None,
            repeats => {
                let make = maker(sinc);
                let of_power = make(factors.exponent, interval, tolerance / repeats as f64)?;
                Some(Fractions { solvers: solvers(operator, of_power.poles())?, of_power })
            }
        };
        let logarithm = OnceLock::new();
        Ok(Self { operator, factors, fractions, logarithm, bounds, tolerance, sinc })
    }

    fn logarithm(&self) -> Result<&Logarithm<'a>> {
        let logarithm = self.logarithm.get_or_init(|| self.prepare_logarithm());
        logarithm.as_ref().map_err(Clone::clone)
    }

    /// Fractions with the poles of the power and, until the tolerance is reached, those between.
    fn prepare_logarithm(&self) -> Result<Logarithm<'a>> {
        let Factors { products, exponent, repeats } = self.factors;
        let tolerance = self.tolerance / repeats.max(1) as f64;
        let interval = [self.bounds.lowest, self.bounds.highest];
        // A^s ln A = A^(s + 1) (A^-1 ln A) for whole s, with the poles of A^-1/2.
        let (of_power, products, exponent) = match &self.fractions {
            Some(fractions) => (fractions.of_power.clone(), products, exponent),
            None => (maker(self.sinc)(0.5, interval, tolerance)?, products + 1, 1.0),
        };
        let fractions = of_power.logarithmic(exponent, tolerance)?;
        let shared = self.fractions.is_some() && fractions.poles == of_power.poles();
        let own = if shared { None } else { Some(solvers(self.operator, &fractions.poles)?) };
        Ok(Logarithm { products, fractions, solvers: own })
    }

    pub(crate) fn factors(&self) -> Factors {
        self.factors
    }
}

fn maker(sinc: bool) -> fn(f64, [f64; 2], f64) -> Result<PartialFractions> {
    if sinc { PartialFractions::sinc } else { PartialFractions::inverse_power }
}

fn solvers<'a>(
    operator: &'a dyn SpatialOperator,
    poles: &[f64],
) -> Result<Vec<Box<dyn ShiftedSolver + 'a>>> {
    poles.iter().map(|p| operator.shifted(Complex64::from(*p))).collect()
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
            Target::OrderDerivative => Some(self.logarithm()?),
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
        let name = if self.sinc { "Balakrishnan integral (sinc quadrature)" } else { "AAA poles" };
        format!(
            "{name}: {products} products, {repeats} factors A^-{exponent} with {poles} real \
             shifted solves each, on [{lowest:.3e}{mark}, {highest:.3e}]"
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

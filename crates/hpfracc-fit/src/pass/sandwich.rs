use super::Objective;
use super::task::Task;
use crate::FitError;
use crate::factor::{Block, Factor, Part, Tree};
use hpfracc_lanes::pulp::Arch;

/// Sums over rows x of the Jacobian matrix for the covariance of estimates by a loss: `A = sum of psi' x x^T` and
/// `B = sum of psi^2 x x^T`, as triangular factors.
///
/// Source: Huber, Robust Statistics (1981), chapter 6.
#[derive(Debug, Clone)]
pub(crate) struct Sandwich {
    /// Of the rows with psi' > 0, whose sum is A, but for those below.
    pub(crate) positive: Factor,
    /// Of the rows with psi' < 0, which only losses have that are not convex.
    pub(crate) negative: Factor,
    /// Of B.
    pub(crate) outer: Factor,
    /// Sums of psi^2 and psi'.
    pub(crate) squares: f64,
    pub(crate) slopes: f64,
}

/// What a task computes: the factors with sums as their costs.
type Sums = [Part; 3];

impl Objective<'_> {
    /// The sums in one pass. None where the model is not finite.
    pub(crate) fn sandwich(&self, unknowns: &[f64]) -> Result<Option<Sandwich>, FitError> {
        let sets = self.bind(unknowns, None);
        let parts = self.of_tasks(sets, |task| self.sandwich_of(task))?;
        let Some(parts) = parts else { return Ok(None) };
        let mut trees = Trees::default();
        parts.into_iter().flatten().flatten().for_each(|part| trees.push(part));
        let Some(mut parts) = trees.finish() else { return Ok(None) };
        let (slopes, squares) = (parts[0].cost - parts[1].cost, parts[2].cost);
        // A prior is a row of variance 1.
        self.append_priors(unknowns, None, &mut parts[0]);
        self.append_priors(unknowns, None, &mut parts[2]);
        let [positive, negative, outer] = parts.map(|part| part.factor);
        let finite = [&positive, &negative, &outer].iter().all(|factor| factor.is_finite());
        Ok(finite.then_some(Sandwich { positive, negative, outer, squares, slopes }))
    }

    fn sandwich_of(&self, task: &Task<'_, '_>) -> Result<Option<Sums>, FitError> {
        let columns = self.unknowns() + 1;
        let (arch, mut copy, mut trees) = (Arch::new(), Block::new(columns), Trees::default());
        task.blocks(arch, columns, |place, block| {
            copy.set_rows(place.data.len());
            let mut factors = [(); 3].map(|()| Part { factor: Factor::zero(columns), cost: 0.0 });
            for (kind, Part { factor, cost }) in factors.iter_mut().enumerate() {
                let residuals = block.column(columns - 1).to_vec();
                let square = |(lane, row): (usize, usize)| {
                    let (psi, slope) = self.scaled_loss().psi(residuals[lane]);
                    let square = [slope.max(0.0), (-slope).max(0.0), psi * psi][kind];
                    let count = task.set.counts.map_or(1.0, |counts| counts[row]);
                    if place.weights[lane] == 0.0 { 0.0 } else { count * square }
                };
                let squares: Vec<f64> = place.rows().enumerate().map(square).collect();
                *cost = squares.iter().sum();
                for k in 0..columns {
                    let (to, from) = (copy.column(k), block.column(k));
                    to.fill(0.0);
                    for ((to, from), square) in to.iter_mut().zip(from).zip(&squares) {
                        *to = *from * square.sqrt();
                    }
                }
                copy.reduce(arch, factor);
            }
            trees.push(factors);
        })?;
        Ok(trees.finish())
    }
}

#[derive(Default)]
struct Trees([Tree; 3]);

impl Trees {
    fn push(&mut self, parts: Sums) {
        self.0.iter_mut().zip(parts).for_each(|(tree, part)| tree.push(part));
    }

    fn finish(self) -> Option<Sums> {
        let [a, b, c] = self.0.map(Tree::finish);
        Some([a?, b?, c?])
    }
}

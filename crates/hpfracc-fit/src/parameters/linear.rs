use super::{Parameters, Role};
use crate::model::Separable;

/// Unknowns that a fit projects out, and the columns of the matrix that it streams for that: those of [`Separated::linear`], of
/// the offset, of the mixed derivatives, then the residual of the model without its linear part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Separated {
    /// Unknowns in which all models are affine.
    pub(crate) linear: Vec<usize>,
    /// All other unknowns.
    pub(crate) others: Vec<usize>,
    /// Other unknowns on which the residual depends where the linear ones are zero.
    pub(crate) offset: Vec<usize>,
    /// Pairs of a linear and another unknown with a mixed second derivative.
    pub(crate) mixed: Vec<(usize, usize)>,
}

impl Separated {
    /// Number of columns.
    pub(crate) fn columns(&self) -> usize {
        self.linear.len() + self.offset.len() + self.mixed.len() + 1
    }

    /// Column of the first derivatives with respect to an unknown.
    pub(crate) fn column(&self, unknown: usize) -> Option<usize> {
        let place = |of: &[usize]| of.iter().position(|known| *known == unknown);
        place(&self.linear).or_else(|| Some(self.linear.len() + place(&self.offset)?))
    }

    /// Column of the mixed derivatives with respect to a pair of unknowns.
    pub(crate) fn mixed_column(&self, pair: (usize, usize)) -> Option<usize> {
        let place = self.mixed.iter().position(|known| *known == pair)?;
        Some(self.linear.len() + self.offset.len() + place)
    }

    /// All unknowns, of the linear and the other ones.
    pub(crate) fn join(&self, linear: &[f64], others: &[f64]) -> Vec<f64> {
        let mut unknowns = vec![0.0; self.linear.len() + self.others.len()];
        self.linear.iter().zip(linear).for_each(|(k, value)| unknowns[*k] = *value);
        self.others.iter().zip(others).for_each(|(k, value)| unknowns[*k] = *value);
        unknowns
    }

    /// The other ones.
    pub(crate) fn others<T: Copy>(&self, unknowns: &[T]) -> Vec<T> {
        self.others.iter().map(|k| unknowns[*k]).collect()
    }
}

impl Parameters {
    /// For each parameter, whether it is free and all models of the sets are affine in it, jointly with the others: by the lists of
    /// their linear parameters, and through no tie or logarithm.
    pub(crate) fn linear(&self, of_models: &[&[usize]]) -> Vec<bool> {
        let mut linear: Vec<bool> = self
            .all
            .iter()
            .map(|parameter| {
                matches!(parameter.role, Role::Free) && !parameter.declared.logarithmic
            })
            .collect();
        for parameter in &self.all {
            if let Role::Tied(tie) = &parameter.role {
                tie.sources().for_each(|source| linear[source] = false);
            }
        }
        for (indices, of_model) in self.of_sets.iter().zip(of_models) {
            for (place, k) in indices.iter().enumerate() {
                linear[*k] &= of_model.contains(&place);
            }
        }
        linear
    }

    /// Unknowns that a fit of these models projects out: linear parameters without bounds. `slopes` are the
    /// derivatives of the parameters with respect to the unknowns. None if there are no such parameters, no others, or a model
    /// without [`Separable`].
    pub(crate) fn separated(
        &self,
        free: &[usize],
        slopes: &[Vec<(usize, f64)>],
        models: &[(&[usize], Option<&Separable>)],
    ) -> Option<Separated> {
        let of_models: Vec<&[usize]> = models.iter().map(|(linear, _)| *linear).collect();
        let is_linear = self.linear(&of_models);
        let projected = |unknown: &usize| {
            let parameter = &self.all[free[*unknown]];
            let (lower, upper) = (parameter.declared.lower, parameter.declared.upper);
            let unbounded = lower == f64::NEG_INFINITY && upper == f64::INFINITY;
            is_linear[free[*unknown]] && unbounded
        };
        let (linear, others): (Vec<usize>, Vec<usize>) = (0..free.len()).partition(projected);
        if linear.is_empty() || others.is_empty() {
            return None;
        }
        let (mut offset, mut mixed) = (vec![], vec![]);
        let unknowns = |k: usize| slopes[k].iter().map(|(unknown, _)| *unknown);
        for (indices, (of_model, separable)) in self.of_sets.iter().zip(models) {
            let separable = (*separable)?;
            let projected = |place: usize| unknowns(indices[place]).find(|k| linear.contains(k));
            offset.extend(separable.offset.iter().flat_map(|place| unknowns(indices[*place])));
            // Linear parameters that are not projected out belong to the offset, with their factors.
            let kept = of_model.iter().filter(|place| projected(**place).is_none());
            offset.extend(kept.flat_map(|place| unknowns(indices[*place])));
            for &(j, k) in &separable.mixed {
                match projected(j) {
                    Some(j) => mixed.extend(unknowns(indices[k]).map(|k| (j, k))),
                    None => offset.extend(unknowns(indices[k])),
                }
            }
        }
        let with_prior = self.all.iter().enumerate().filter(|(_, known)| known.prior.is_some());
        offset.extend(with_prior.flat_map(|(k, _)| unknowns(k)));
        offset.sort_unstable();
        offset.dedup();
        mixed.sort_unstable();
        mixed.dedup();
        Some(Separated { linear, others, offset, mixed })
    }
}

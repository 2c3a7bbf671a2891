use super::result::Found;
use nalgebra::DMatrix;

/// Singular value, relative to the largest one, below which a direction is rounding.
const ROUNDING: f64 = 1e-10;
/// Smallest share of a parameter in a direction that is named.
const NAMED: f64 = 0.1;

/// Combination of parameters that the data do not determine.
#[derive(Debug, Clone, PartialEq)]
pub struct WeakDirection {
    /// Parameters with their shares in the direction, of columns scaled to length 1: the sum of the squares is at most 1.
    pub parameters: Vec<(String, f64)>,
    /// Singular value over the largest one.
    pub ratio: f64,
}

impl std::fmt::Display for WeakDirection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.parameters.iter().map(|(name, _)| name.as_str()).collect();
        match &names[..] {
            [name] => write!(f, "the data do not determine {name}"),
            names => write!(
                f,
                "the data do not determine {} separately: they can change together",
                names.join(", ")
            ),
        }
    }
}

impl Found<'_> {
    /// Combinations of parameters that the data do not determine: directions of the scaled Jacobian matrix whose singular
    /// value is rounding, and those of parameters whose standard error is larger than the parameter.
    pub fn weak_directions(&self) -> Vec<WeakDirection> {
        let free = self.covariance.free();
        let n = free.len();
        if n == 0 {
            return vec![];
        }
        let triangle = self.factor().select(free);
        let norms: Vec<f64> = (0..n).map(|k| triangle.norm(k)).collect();
        let scaled = DMatrix::from_fn(n, n, |row, column| {
            let entry = if row <= column { triangle.entry(row, column) } else { 0.0 };
            if norms[column] > 0.0 { entry / norms[column] } else { 0.0 }
        });
        let decomposition = scaled.svd(false, true);
        let Some(directions) = decomposition.v_t else { return vec![] };
        let largest = decomposition.singular_values.iter().copied().fold(0.0, f64::max);
        let uncertain = self.uncertain();
        let mut found = vec![];
        for (row, value) in decomposition.singular_values.iter().enumerate() {
            let shares: Vec<f64> = (0..n).map(|k| directions[(row, k)]).collect();
            let leading = (0..n).max_by(|a, b| shares[*a].abs().total_cmp(&shares[*b].abs()));
            let weak = *value < ROUNDING * largest;
            // The weakest direction in which an uncertain parameter leads.
            let vague =
                leading.is_some_and(|k| uncertain.contains(&free[k])) && *value < 0.1 * largest;
            if weak || vague {
                let named = (0..n).filter(|k| shares[*k].abs() >= NAMED);
                let name = |k: usize| {
                    let parameter = self.layout.free()[free[k]];
                    self.layout.parameters().all[parameter].declared.name.clone()
                };
                let parameters = named.map(|k| (name(k), shares[k])).collect();
                found.push(WeakDirection { parameters, ratio: value / largest });
            }
        }
        found
    }

    /// Unknowns whose parameters have no standard error, or one above their size.
    fn uncertain(&self) -> Vec<usize> {
        let values = self.values();
        let uncertain = |unknown: &&usize| {
            let parameter = self.layout.free()[**unknown];
            let error = self.standard_error(parameter);
            error.is_none_or(|error| error > values[parameter].abs())
        };
        self.covariance.free().iter().filter(uncertain).copied().collect()
    }
}

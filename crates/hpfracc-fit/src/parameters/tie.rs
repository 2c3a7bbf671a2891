use crate::FitError;
use hpfracc_equation::{Formula, Graph, Id, Values, derive, evaluate};

/// Expression of other parameters, with its derivatives.
#[derive(Debug, Clone)]
pub(crate) struct Tie {
    graph: Graph,
    /// The expression, then its derivative with respect to each source.
    roots: Vec<Id>,
    /// Indices of the parameters that it depends on, and their variables.
    sources: Vec<(usize, u32)>,
}

impl Tie {
    /// Tie of the parameter `name` to parameters among `names`.
    pub(crate) fn parse(name: &str, text: &str, names: &[&str]) -> Result<Self, FitError> {
        let refused = |reason: String| FitError::Tie { name: name.to_owned(), reason };
        let formula = Formula::parse(text, names).map_err(|error| refused(error.to_string()))?;
        if let Some(unknown) = formula.parameters().first() {
            let known = names.join(", ");
            let reason =
                format!("`{}` is no parameter; the parameters are {known}", unknown.name());
            return Err(refused(reason));
        }
        let index = |column: &&str| names.iter().position(|known| known == column);
        let indices: Vec<usize> = formula.columns().iter().filter_map(index).collect();
        let sources: Vec<(usize, u32)> =
            indices.into_iter().zip(formula.column_variables()).collect();
        let mut graph = formula.graph().clone();
        let mut roots = vec![formula.root()];
        for (_, variable) in &sources {
            let one = graph.constant(1.0);
            roots.extend(derive::forward(&mut graph, &[formula.root()], &[(*variable, one)])?);
        }
        Ok(Self { graph, roots, sources })
    }

    /// Indices of the parameters that it depends on.
    pub(crate) fn sources(&self) -> impl Iterator<Item = usize> + '_ {
        self.sources.iter().map(|(index, _)| *index)
    }

    /// The value, and the derivatives with respect to the sources, for values of all parameters.
    pub(crate) fn value(&self, parameters: &[f64]) -> (f64, Vec<f64>) {
        let count = self.sources.iter().map(|(_, variable)| *variable as usize + 1).max();
        let mut variables = vec![Values::Uniform(f64::NAN); count.unwrap_or(0)];
        for (index, variable) in &self.sources {
            variables[*variable as usize] = Values::Uniform(parameters[*index]);
        }
        let values: Vec<f64> = evaluate(&self.graph, &self.roots, &variables);
        (values[0], values[1..].to_vec())
    }
}

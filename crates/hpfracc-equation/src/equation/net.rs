use crate::graph::Id;
use crate::network::Activation;

/// Network of an equation, whose weights are those of a file: `net f: x, v, t -> 64 tanh -> 2 from
/// "drift.json"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Net {
    pub(crate) name: String,
    pub(crate) file: String,
    pub(crate) inputs: Vec<Id>,
    pub(crate) layers: Vec<(usize, Activation)>,
    pub(crate) outputs: Vec<Id>,
}

impl Net {
    /// Name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Name of the file, as it is written in the text.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Inputs.
    pub fn inputs(&self) -> &[Id] {
        &self.inputs
    }

    /// Widths and activations of the layers.
    pub fn layers(&self) -> &[(usize, Activation)] {
        &self.layers
    }

    /// Outputs.
    pub fn outputs(&self) -> &[Id] {
        &self.outputs
    }

    /// Names of the outputs with their nodes: `f_1`, `f_2`, or `f` of a single one.
    pub(crate) fn named_outputs(&self) -> impl Iterator<Item = (String, Id)> {
        let count = self.outputs.len();
        let named = move |(k, id): (usize, &Id)| (Self::output_name(&self.name, k, count), *id);
        self.outputs.iter().enumerate().map(named)
    }

    /// Name of output k of `count`.
    pub(crate) fn output_name(name: &str, k: usize, count: usize) -> String {
        if count == 1 { name.to_owned() } else { format!("{name}_{}", k + 1) }
    }
}

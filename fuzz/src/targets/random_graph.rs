//! Random graphs from bytes.

use crate::Bytes;
use hpfracc::equation::{
    Affine, Binary, Equation, Execute, Graph, Id, Input, Interpolation, Table, Ternary, Unary,
    Values,
};
use std::sync::LazyLock;

/// Equation whose variables a graph has, for its text.
pub(super) static EQUATION: LazyLock<Equation> = LazyLock::new(|| {
    let text = "x' = a y + t; y' = b x; a = 1; b = 2; x(0) = 1; y(0) = 1";
    Equation::parse(text).expect("an equation")
});

/// Points at which a graph is evaluated.
pub(super) const POINTS: usize = 5;

/// Most operations of a graph.
const OPERATIONS: usize = 60;

/// Graph with the origins and values of its variables.
pub(super) struct Case {
    pub(super) graph: Graph,
    pub(super) roots: Vec<Id>,
    /// Whether each variable is a number of a path.
    of_path: Vec<bool>,
    /// Uniform number of each variable.
    pub(super) uniforms: Vec<f64>,
    /// Numbers of a path by variable, point after point; representable in single precision.
    numbers: Vec<f64>,
}

impl Case {
    /// Graph, then points.
    pub(super) fn of(bytes: &mut Bytes<'_>) -> Self {
        let count = EQUATION.symbols().len();
        let of_path = (0..count).map(|_| bytes.flag()).collect();
        let uniforms = bytes.reals(count);
        let numbers =
            bytes.reals(count * POINTS).into_iter().map(|x| f64::from(x as f32)).collect();
        let (mut graph, mut ids) = (Graph::new(), Vec::new());
        for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
            let table = Table::new(&[-2.0, -0.5, 1.0, 1.5], &[1.0, -1.0, 2.0, 2.5], interpolation);
            graph.add_table(table.expect("a table").extended().into());
        }
        ids.extend((0..count as u32).map(|number| graph.variable(number)));
        let constants = 1 + bytes.below(6);
        ids.extend(bytes.reals(constants).into_iter().map(|constant| graph.constant(constant)));
        let roots = 1 + bytes.below(3);
        for _ in 0..OPERATIONS {
            if bytes.is_empty() {
                break;
            }
            let new = operation(&mut graph, &ids, bytes);
            ids.extend(new);
        }
        let roots = ids[ids.len() - roots..].to_vec();
        Self { graph, roots, of_path, uniforms, numbers }
    }

    pub(super) fn variables(&self) -> usize {
        self.of_path.len()
    }

    /// Rows and uniform numbers, by variable.
    pub(super) fn inputs(&self) -> Vec<Input> {
        let input =
            |(k, path): (usize, &bool)| if *path { Input::Row(k) } else { Input::Uniform(k) };
        self.of_path.iter().enumerate().map(input).collect()
    }

    /// Values of the variables at a point.
    pub(super) fn values<T: Execute>(&self, point: usize) -> Vec<Values<T>> {
        let path = self.path(point);
        let value = |k: usize| {
            if self.of_path[k] { Values::Path(path[k]) } else { Values::Uniform(self.uniforms[k]) }
        };
        (0..self.variables()).map(value).collect()
    }

    /// Numbers of the path of a point.
    pub(super) fn path<T: Execute>(&self, point: usize) -> Vec<T> {
        let count = self.variables();
        self.numbers[point * count..][..count].iter().map(|x| T::narrow(*x)).collect()
    }

    /// Numbers of all paths, row after row.
    pub(super) fn rows<T: Execute>(&self) -> Vec<T> {
        let count = self.variables();
        let at = |k: usize| T::narrow(self.numbers[k % POINTS * count + k / POINTS]);
        (0..count * POINTS).map(at).collect()
    }
}

/// Operation on known nodes, mostly the latest, so that graphs are deep: one node, or all rows of a map.
fn operation(graph: &mut Graph, ids: &[Id], bytes: &mut Bytes<'_>) -> Vec<Id> {
    let choice = usize::from(bytes.byte());
    if choice % 8 == 7 && choice / 8 % 4 == 1 {
        return affine(graph, ids, bytes);
    }
    let mut operand = || {
        let back = usize::from(bytes.byte());
        let range = if back.is_multiple_of(4) { ids.len() } else { ids.len().min(6) };
        ids[ids.len() - 1 - back / 4 % range]
    };
    let id = match choice % 8 {
        0..3 => graph.unary(Unary::ALL[choice / 8 % Unary::ALL.len()], operand()),
        3..7 => graph.binary(Binary::ALL[choice / 8 % Binary::ALL.len()], operand(), operand()),
        _ if (choice / 8).is_multiple_of(4) => {
            graph.ternary(Ternary::MittagLeffler, operand(), operand(), operand())
        }
        _ if choice / 8 % 4 == 2 => graph.table((choice / 32 % 2) as u32, 0, operand()),
        _ => graph.ternary(Ternary::Select, operand(), operand(), operand()),
    };
    vec![id]
}

/// Affine map of some nodes, with weights of moderate size.
fn affine(graph: &mut Graph, ids: &[Id], bytes: &mut Bytes<'_>) -> Vec<Id> {
    let (inputs, outputs) = (1 + bytes.below(5), 1 + bytes.below(6));
    let mut number = || f64::from(bytes.byte()) / 32.0 - 4.0;
    let weights = (0..inputs * outputs).map(|_| number()).collect();
    let bias = (0..outputs).map(|_| number()).collect();
    let map = Affine::new(inputs, weights, bias).expect("finite weights");
    let last = ids.len() - 1;
    let list: Vec<Id> =
        (0..inputs).map(|_| ids[last - usize::from(bytes.byte()) % ids.len()]).collect();
    graph.affine(&map, &list)
}

//! Dense layers of networks in a graph, and pairs of layers that are computed neuron by neuron.

use crate::graph::{Graph, Id, Node};
use std::collections::{HashMap, HashSet};

/// Affine map of a list, with the components that are needed.
#[derive(Debug)]
pub(super) struct Layer {
    /// Number of the map.
    pub(super) map: u32,
    /// Its inputs.
    pub(super) list: Id,
    /// Components with their nodes.
    pub(super) rows: Vec<(u32, Id)>,
    /// The layer before, whose outputs only this one takes.
    pub(super) hidden: Option<Hidden>,
}

/// Layer whose neurons are computed one after the other, each of which is added to the outputs of the next layer at once:
/// no neuron is stored, and a shader has the text of one of them.
#[derive(Debug)]
pub(super) struct Hidden {
    /// Number of the affine map.
    pub(super) map: u32,
    /// Its inputs.
    pub(super) list: Id,
    /// Number of neurons.
    pub(super) neurons: usize,
    /// Nodes of the first neuron from its affine map on, in order; those of the others have the same operations.
    pub(super) nodes: Vec<Id>,
}

/// Layers of a graph.
#[derive(Debug, Default)]
pub(super) struct Layers {
    layers: Vec<Layer>,
    /// Layer of a component.
    of_row: HashMap<Id, usize>,
    /// Nodes of hidden layers.
    folded: HashSet<Id>,
}

impl Layers {
    /// Layers among the selected nodes of a graph, in pairs from the outputs on.
    pub(super) fn new(graph: &Graph, selected: &[bool], roots: &[Id]) -> Self {
        let mut found = Self::default();
        let mut numbers = HashMap::new();
        for (k, node) in graph.nodes().iter().enumerate().filter(|(k, _)| selected[*k]) {
            if let Node::Affine(map, row, list) = *node {
                let number = *numbers.entry((map, list)).or_insert(found.layers.len());
                if number == found.layers.len() {
                    found.layers.push(Layer { map, list, rows: vec![], hidden: None });
                }
                found.layers[number].rows.push((row, Id::new(k)));
                found.of_row.insert(Id::new(k), number);
            }
        }
        if found.layers.len() > 1 {
            found.pair(&Uses::new(graph, selected, roots));
        }
        found
    }

    /// The layer whose first component this node is.
    pub(super) fn starting_at(&self, id: Id) -> Option<&Layer> {
        let layer = &self.layers[*self.of_row.get(&id)?];
        (layer.rows[0].1 == id).then_some(layer)
    }

    /// Whether a node belongs to a hidden layer.
    pub(super) fn is_folded(&self, id: Id) -> bool {
        self.folded.contains(&id)
    }

    /// Layers that are written.
    pub(super) fn written(&self) -> impl Iterator<Item = &Layer> {
        self.layers.iter().filter(|layer| !self.is_folded(layer.rows[0].1))
    }

    fn pair(&mut self, uses: &Uses<'_>) {
        for number in (0..self.layers.len()).rev() {
            let layer = &self.layers[number];
            if self.is_folded(layer.rows[0].1) {
                continue;
            }
            if let Some((hidden, nodes)) = uses.hidden_layer(layer) {
                self.folded.extend(nodes);
                self.layers[number].hidden = Some(hidden);
            }
        }
    }
}

/// Numbers of uses of the nodes of a graph.
struct Uses<'a> {
    graph: &'a Graph,
    selected: &'a [bool],
    counts: Vec<usize>,
}

/// Operation whose operands are nodes of the same neuron, by their positions, or others.
type Relative = (Node, Vec<Result<usize, Id>>);

impl<'a> Uses<'a> {
    fn new(graph: &'a Graph, selected: &'a [bool], roots: &[Id]) -> Self {
        let mut counts = vec![0; graph.len()];
        roots.iter().for_each(|root| counts[root.index()] += 1);
        for (_, node) in graph.nodes().iter().enumerate().filter(|(k, _)| selected[*k]) {
            node.operands().for_each(|operand| counts[operand.index()] += 1);
        }
        Self { graph, selected, counts }
    }

    /// The hidden layer before a layer, with the nodes of all its neurons.
    fn hidden_layer(&self, layer: &Layer) -> Option<(Hidden, Vec<Id>)> {
        if !self.is_list_of(layer) {
            return None;
        }
        let elements = self.graph.elements(layer.list);
        let (mut all, mut first) = (vec![], None);
        for (number, element) in elements.iter().enumerate() {
            let nodes = self.neuron(*element)?;
            let Node::Affine(map, row, list) = self.graph.node(nodes[0]) else { return None };
            let shape = self.relative(&nodes);
            let (known, of_first, _) =
                first.get_or_insert(((map, list), shape.clone(), nodes.clone()));
            if *known != (map, list) || row as usize != number || *of_first != shape {
                return None;
            }
            all.extend(nodes);
        }
        let ((map, list), _, nodes) = first?;
        let neurons = elements.len();
        let complete = self.graph.map(map)?.outputs() == neurons && neurons > 1;
        complete.then_some((Hidden { map, list, neurons, nodes }, all))
    }

    /// Whether the list of a layer is that of no other one.
    fn is_list_of(&self, layer: &Layer) -> bool {
        let mut list = layer.list;
        let mut uses = layer.rows.len();
        while let Node::List(rest, _) = self.graph.node(list) {
            if self.counts[list.index()] != uses {
                return false;
            }
            (list, uses) = (rest, 1);
        }
        true
    }

    /// Nodes of the selected ones between an affine map and the output of a neuron, in order, if nothing else uses them.
    fn neuron(&self, output: Id) -> Option<Vec<Id>> {
        let (mut nodes, mut open) = (vec![], vec![output]);
        while let Some(id) = open.pop() {
            if !self.selected[id.index()] || nodes.contains(&id) {
                continue;
            }
            nodes.push(id);
            match self.graph.node(id) {
                Node::Affine(..) => {}
                Node::Unary(..) | Node::Binary(..) | Node::Ternary(..) => {
                    open.extend(self.graph.node(id).operands());
                }
                _ => return None,
            }
        }
        nodes.sort_unstable();
        let is_affine = |id: &&Id| matches!(self.graph.node(**id), Node::Affine(..));
        let inside = |id: Id| {
            let operands = nodes.iter().flat_map(|user| self.graph.node(*user).operands());
            operands.filter(|operand| *operand == id).count() + usize::from(id == output)
        };
        let alone = nodes.iter().filter(is_affine).count() == 1
            && nodes.iter().all(|id| self.counts[id.index()] == inside(*id));
        (alone && nodes.first().is_some_and(|id| is_affine(&id))).then_some(nodes)
    }

    /// Operations of a neuron after its affine map.
    fn relative(&self, nodes: &[Id]) -> Vec<Relative> {
        let of = |id: &Id| {
            let node = self.graph.node(*id);
            let operand = |id: Id| nodes.binary_search(&id).map_err(|_| id);
            (node.with_operands(|_| Id::new(0)), node.operands().map(operand).collect())
        };
        nodes[1..].iter().map(of).collect()
    }
}

//! Places of the numbers of solved paths in their two buffers.

use super::super::step::Place;
use super::model::Coefficients;
use hpfracc_nn::Network;
use hpfracc_nn::models::{ComponentMemory, SdeFit};
use std::fmt::Write as _;

/// Words before the table of observed nodes.
pub(super) const FIRST_WORDS: usize = 8;
/// Words of a component's memory.
const WORDS_OF_MEMORY: usize = 11;
/// Nearest weights of noise for any order above 1/2, of which a memory has as many as its order needs.
const CELLS_OF_LEARNED: usize = 16;

/// Sizes of a tile of paths.
#[derive(Debug, Clone)]
pub(super) struct Sizes {
    pub(super) dim: usize,
    pub(super) samples: usize,
    /// Paths of a sample.
    pub(super) paths: usize,
    pub(super) noises: usize,
    /// Observed components.
    pub(super) observed: usize,
    /// Steps at which the state is observed.
    pub(super) nodes: Vec<usize>,
    /// Length of a step.
    pub(super) h: f64,
}

impl Sizes {
    pub(super) fn new(fit: &SdeFit<f32, Network>, samples: usize) -> Self {
        let (solving, windows) = (fit.solving(), fit.windows());
        Self {
            dim: fit.model().dim(),
            samples,
            paths: fit.paths(),
            noises: fit.model().noise_streams().len(),
            observed: windows.components(),
            nodes: windows.nodes().to_vec(),
            h: solving.end / solving.steps as f64,
        }
    }

    pub(super) fn lanes(&self) -> usize {
        self.samples.saturating_mul(self.paths)
    }

    /// Steps that are taken: none after the last observed node.
    pub(super) fn steps(&self) -> usize {
        self.nodes.last().copied().unwrap_or(0)
    }
}

/// Places and numbers of the weights of a memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct MemoryPlaces {
    pub(super) nearest: Place,
    pub(super) weights: Place,
    pub(super) near: Place,
    /// Number of weights.
    pub(super) count: usize,
    /// Number of the nearest weights of noise.
    pub(super) cells: usize,
}

/// Places in the buffers of numbers and of whole numbers.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    pub(super) sizes: Sizes,
    /// Numbers of the first buffer.
    pub(super) len: usize,
    pub(super) states: Place,
    pub(super) slopes: Place,
    pub(super) observations: Place,
    pub(super) weights: Place,
    pub(super) losses: Place,
    pub(super) scale: Place,
    times: Place,
    noise: Place,
    node_losses: Place,
    deviations: Place,
    /// Most terms of the memory of a step.
    pub(super) terms: usize,
    /// Learned orders: places of the weights of each component, and of their derivatives.
    pub(super) learned: Vec<[MemoryPlaces; 2]>,
    /// Derivatives with respect to the order of each component, by path.
    pub(super) orders: Place,
    /// Numbers that are written once.
    pub(super) constants: Vec<(Place, Vec<f32>)>,
    /// Whole numbers of the memories.
    memories: Vec<usize>,
    /// The whole numbers from [`FIRST_WORDS`] on.
    pub(super) table: Vec<u32>,
}

impl Layout {
    /// A layout for these memories, whose weights depend on parameters if orders are learned.
    pub(super) fn new(
        sizes: Sizes,
        memories: &[Option<ComponentMemory<f32>>],
        learned: bool,
    ) -> Self {
        let mut len = 0usize;
        let mut array = |factors: &[usize]| {
            let numbers = factors.iter().fold(1usize, |product, n| product.saturating_mul(*n));
            let place = len;
            len = len.saturating_add(numbers);
            place
        };
        let (lanes, nodes, steps) = (sizes.lanes(), sizes.nodes.len(), sizes.steps());
        let mut layout = Self {
            times: array(&[steps]),
            states: array(&[steps.saturating_add(1), sizes.dim, lanes]),
            noise: array(&[sizes.noises, lanes]),
            slopes: array(&[nodes, sizes.observed, lanes]),
            observations: array(&[sizes.samples, nodes, sizes.observed]),
            weights: array(&[sizes.samples]),
            losses: array(&[lanes]),
            node_losses: array(&[nodes, lanes]),
            deviations: array(&[sizes.observed, lanes]),
            scale: array(&[1]),
            orders: array(&[if learned { sizes.dim } else { 0 }, lanes]),
            learned: Vec::new(),
            terms: 0,
            constants: Vec::new(),
            memories: Vec::new(),
            table: Vec::new(),
            len: 0,
            sizes,
        };
        let mut words = Vec::new();
        for memory in memories {
            let Some(memory) = memory else {
                words.extend([0; WORDS_OF_MEMORY]);
                continue;
            };
            let direct = memory.exponentials.is_empty();
            let terms = if direct { steps } else { memory.exponentials.len() };
            let weights: Vec<f32> = match direct {
                true => memory.weights.clone(),
                false => memory.exponentials.iter().flat_map(|(loss, c)| [*loss, *c]).collect(),
            };
            let cells = match memory.near.len() {
                0 => 0,
                _ if learned => CELLS_OF_LEARNED,
                cells => cells,
            };
            let kind = if direct { 2 } else { 1 };
            let mut places = || MemoryPlaces {
                nearest: array(&[1]),
                weights: array(&[weights.len()]),
                near: array(&[cells]),
                count: weights.len(),
                cells,
            };
            let of = places();
            let by_order = if learned { places() } else { of };
            let (states, ring) = (array(&[terms, lanes]), array(&[cells, lanes]));
            words.extend([kind, terms, of.weights, states, cells, of.near, ring, of.nearest]);
            words.extend([by_order.weights, by_order.near, by_order.nearest]);
            layout.terms = layout.terms.max(2 * (terms + cells));
            if learned {
                layout.learned.push([of, by_order]);
            } else {
                layout.constants.extend([
                    (of.weights, weights),
                    (of.near, memory.near.clone()),
                    (of.nearest, vec![memory.nearest]),
                ]);
            }
        }
        layout.len = len;
        layout.memories = words;
        layout
    }

    /// Makes the tables of observed nodes and of memories, and the times of the steps: after a check that the numbers fit a
    /// device.
    pub(super) fn tables(&mut self) {
        let (steps, h) = (self.sizes.steps(), self.sizes.h);
        let mut node_of_step = vec![0; steps + 1];
        for (index, node) in self.sizes.nodes.iter().enumerate() {
            node_of_step[*node] = index + 1;
        }
        let words = node_of_step.iter().chain(&self.sizes.nodes).chain(&self.memories);
        self.table = words.map(|word| *word as u32).collect();
        let times = (0..steps).map(|n| (n as f64 * h) as f32).collect();
        self.constants.push((self.times, times));
        self.constants.retain(|(_, numbers)| !numbers.is_empty());
    }

    /// Numbers and places as constants of a shader, and the functions of the diffusion.
    pub(super) fn text(
        &self,
        fit: &SdeFit<f32, Network>,
        of: &Coefficients,
        (bars, loss_parameters): (usize, Place),
    ) -> String {
        let Sizes { dim, paths, noises, observed, nodes, h, .. } = &self.sizes;
        let (lanes, steps) = (self.sizes.lanes(), self.sizes.steps());
        let after_nodes = FIRST_WORDS + steps + 1;
        let stream = fit.model().noise_streams().first().copied().unwrap_or(0);
        let whole = [
            ("DIM", *dim),
            ("LANES", lanes),
            ("STATE", dim * lanes),
            ("INPUTS", of.inputs * lanes),
            ("BARS", bars),
            ("STEPS", steps),
            ("PATHS_OF_SAMPLE", *paths),
            ("NOISES", *noises),
            ("NOISES_OF_COMPONENT", of.acting),
            ("OBSERVED", *observed),
            ("NODE_COUNT", nodes.len()),
            ("STREAM", stream as usize),
            ("X", of.x),
            ("F", of.drift),
            ("G", of.diffusion),
            ("TIMES", self.times),
            ("STATES", self.states),
            ("NOISE", self.noise),
            ("SLOPES", self.slopes),
            ("OBSERVATIONS", self.observations),
            ("WEIGHTS", self.weights),
            ("LOSSES", self.losses),
            ("NODE_LOSSES", self.node_losses),
            ("DEVIATIONS", self.deviations),
            ("SCALE", self.scale),
            ("NODES", FIRST_WORDS),
            ("NODE_STEPS", after_nodes),
            ("MEMORIES", after_nodes + nodes.len()),
            ("LOSS_PARAMETERS", loss_parameters),
            ("ORDERS", self.orders),
        ];
        let real = [("H", *h), ("PER_H", 1.0 / h), ("ROOT_H", h.sqrt())];
        let mut text = String::new();
        for (name, value) in whole {
            let _ = writeln!(text, "const {name} = {value}u;");
        }
        for (name, value) in real {
            let _ = writeln!(text, "const {name} = {:e}f;", value as f32);
        }
        let _ = writeln!(text, "const LEARNED = {};", !self.learned.is_empty());
        text + "\n" + &of.text
    }
}

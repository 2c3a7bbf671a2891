// Bindings of the kernels of solved paths, besides those of all kernels of a network: numbers by path, and whole numbers.

@group(0) @binding(5) var<storage, read_write> paths: array<f32>;
@group(0) @binding(6) var<storage, read_write> counts: array<u32>;

// Whole numbers: the step, as the first and as the second kernel of a step reads it; the seed; the first path; the paths
// that are no copies; then the table of observed nodes and the memories of the components.
const STEP = 0u;
const STEP_OF_SECOND = 1u;
const SEED = 2u;
const FIRST_PATH = 4u;
const DISTINCT = 6u;

// Numbers of a memory: kind, terms, places of its weights and its states; number and place of the nearest weights of noise,
// place of its earlier values, and of the weight of the present step; places of the derivatives of all weights with
// respect to the order.
const WORDS_OF_MEMORY = 11u;
const NO_MEMORY = 0u;
const EXPONENTIALS = 1u;

fn is_nan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

fn is_finite(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u;
}

// Lanes beyond the last path of a batch are copies of paths of the first sample.
fn path_of(lane: u32) -> u32 {
    return select(lane, lane % PATHS_OF_SAMPLE, lane >= counts[DISTINCT]);
}

use crate::graph::{Affine, Graph, Id, Node, mixed};

/// Number that identifies the functions of the roots as they are written, in their order: by operations,
/// bits of constants and weights, data of tables, numbers of variables and structure.
///
/// It depends neither on the numbering of nodes nor on nodes that no root needs, and is the same on every
/// machine and for every version of the compiler. Different functions have different fingerprints but
/// for accidents, one in 2^64. Cost: linear in the number of nodes and in the data of tables.
///
/// ```
/// use hpfracc_equation::{Graph, structure};
///
/// let mut graph = Graph::new();
/// let (x, y) = (graph.variable(0), graph.variable(1));
/// let product = graph.product(x, y);
/// let mut other = Graph::new();
/// other.constant(3.0);
/// let (y, x) = (other.variable(1), other.variable(0));
/// let same = other.product(x, y);
/// let fingerprint = structure::fingerprint(&graph, &[product]);
/// assert_eq!(fingerprint, structure::fingerprint(&other, &[same]));
/// let swapped = other.product(y, x);
/// assert_ne!(fingerprint, structure::fingerprint(&other, &[swapped]));
/// ```
pub fn fingerprint(graph: &Graph, roots: &[Id]) -> u64 {
    let tables: Vec<u64> =
        graph.tables().iter().map(|table| table.bits().fold(mixed(0), combined)).collect();
    let mut hashes = vec![0; graph.len()];
    for (k, needed) in graph.needed(roots).into_iter().enumerate() {
        if needed {
            let node = graph.nodes()[k];
            let (kind, payload) = match node {
                Node::Constant(bits) => (1, bits),
                Node::Variable(number) => (2, number.into()),
                Node::Unary(operation, _) => (3, text(operation.name())),
                Node::Binary(operation, ..) => (4, text(operation.name())),
                Node::Ternary(operation, ..) => (5, text(operation.name())),
                Node::Empty => (6, 0),
                Node::List(..) => (7, 0),
                Node::Affine(map, row, _) => {
                    let map = graph.map(map).map_or(0, Affine::fingerprint);
                    (8, combined(map, row.into()))
                }
                Node::Table(table, derivative, _) => {
                    (9, combined(tables[table as usize], derivative.into()))
                }
            };
            let leaf = combined(mixed(kind), payload);
            hashes[k] = node.operands().fold(leaf, |hash, id| combined(hash, hashes[id.index()]));
        }
    }
    roots.iter().fold(mixed(roots.len() as u64), |hash, root| combined(hash, hashes[root.index()]))
}

/// Hash of a sequence.
pub(crate) fn combined_words(words: impl Iterator<Item = u64>) -> u64 {
    words.fold(mixed(0), combined)
}

/// Hash of a sequence with another element at its end.
fn combined(hash: u64, next: u64) -> u64 {
    mixed(hash.rotate_left(23) ^ mixed(next ^ 0xa076_1d64_78bd_642f))
}

/// Hash of a name: FNV-1a.
fn text(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

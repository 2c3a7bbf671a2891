//! Dispatches of one kernel.

/// Index of the first number of an array in the buffer of values, or of parameters.
pub(super) type Place = usize;

/// A kernel, its sizes and its grid of workgroups.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Step {
    pub(super) source: String,
    pub(super) entry: &'static str,
    /// Numbers of the uniform buffer.
    pub(super) words: [u32; 16],
    pub(super) grid: [u32; 2],
}

/// Invocations of a workgroup of the kernels with one number or column each.
const WORKGROUP: usize = 64;
/// Workgroups in the first dimension of a grid.
const WIDEST: usize = 32_768;

/// A grid of so many workgroups, and its width.
fn grid(workgroups: usize) -> ([u32; 2], usize) {
    let width = workgroups.clamp(1, WIDEST);
    ([width as u32, workgroups.div_ceil(width) as u32], width)
}

fn words(numbers: &[usize]) -> [u32; 16] {
    let mut words = [0; 16];
    words.iter_mut().zip(numbers).for_each(|(word, number)| *word = *number as u32);
    words
}

/// The bits of a number as a word.
pub(super) fn bits(number: f64) -> usize {
    (number as f32).to_bits() as usize
}

fn source(parts: &[&str]) -> String {
    [&[include_str!("kernels/header.wgsl")], parts].concat().concat()
}

/// Elementary functions of four numbers.
const ELEMENTARY: &str = include_str!("../dense/affine/elementary_f32.wgsl");

/// A matrix: where it begins, and the distances of its rows and columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Matrix {
    pub(super) buffer: &'static str,
    pub(super) at: usize,
    pub(super) row: usize,
    pub(super) column: usize,
}

/// Start of the sums of a product.
#[derive(Debug, Clone, Copy)]
pub(super) enum Base {
    /// The parameters from here on, one for each row.
    Bias(usize),
    /// What is there.
    Present,
}

/// c = start + a b, for (rows, inner, columns).
pub(super) fn product(
    (rows, inner, columns): (usize, usize, usize),
    a: Matrix,
    b: Matrix,
    c: Matrix,
    base: Base,
) -> Step {
    let (start, bias) = match base {
        Base::Bias(at) => ("theta[word(11u) + i]", at),
        Base::Present => ("C_BUFFER[at]", 0),
    };
    let body = include_str!("kernels/product.wgsl").replace("START", start);
    let body = body.replace("A_BUFFER", a.buffer).replace("B_BUFFER", b.buffer);
    let body = body.replace("C_BUFFER", c.buffer);
    let sizes = [rows, columns, inner, a.at, a.row, a.column, b.at, b.row, b.column, c.at, c.row];
    Step {
        source: source(&[&body]),
        entry: "main",
        words: words(&[&sizes[..], &[bias]].concat()),
        grid: [columns.div_ceil(64) as u32, rows.div_ceil(64) as u32],
    }
}

/// `thetabar[to + i] += Σ_j factor` for each of the rows, where the factor is an expression in WGSL.
pub(super) fn row_sums(rows: usize, numbers: &[usize], factor: &str) -> Step {
    let body = include_str!("kernels/row_sums.wgsl").replace("FACTOR", factor);
    let grid = [rows as u32, 1];
    Step { source: source(&[&body]), entry: "main", words: words(numbers), grid }
}

/// A statement in WGSL for each four numbers of arrays a, b and c.
pub(super) fn elementwise(count: usize, arrays: [Place; 3], body: &str) -> Step {
    let (grid, width) = grid(count.div_ceil(4 * WORKGROUP));
    let loop_body = include_str!("kernels/elementwise.wgsl").replace("BODY", body);
    let [a, b, c] = arrays;
    Step {
        source: source(&[ELEMENTARY, include_str!("kernels/activation.wgsl"), &loop_body]),
        entry: "main",
        words: words(&[count, width * WORKGROUP, a, b, c]),
        grid,
    }
}

/// A kernel with an invocation for each of `count` numbers or columns: its first two sizes, and
/// from the fourth on the others.
pub(super) fn each(
    count: usize,
    (body, entry): (&str, &'static str),
    [first, second]: [usize; 2],
    others: &[usize],
) -> Step {
    let (grid, width) = grid(count.div_ceil(WORKGROUP));
    let numbers = [&[first, second, width * WORKGROUP], others].concat();
    Step { source: source(&[ELEMENTARY, body]), entry, words: words(&numbers), grid }
}

/// A kernel of attention, with a workgroup for each head, time and sequence.
pub(super) fn attention(
    [heads, length, lanes]: [usize; 3],
    entry: &'static str,
    others: &[usize],
) -> Step {
    let (grid, width) = grid(heads * length * lanes);
    let numbers = [&[heads, length, lanes, width], others].concat();
    let source = source(&[ELEMENTARY, include_str!("kernels/attention.wgsl")]);
    Step { source, entry, words: words(&numbers), grid }
}

//! Dispatches of one kernel.

/// Index of the first number of an array in the buffer of values, or of parameters.
pub(super) type Place = usize;

/// Added to a place in the buffers of half precision.
pub(super) const HALF: Place = 1 << 31;

/// A kernel, its sizes and its grid of workgroups. The text calls elementary functions of
/// [`Library`](hpfracc_equation::wgsl::Library).
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Step {
    pub(super) source: String,
    pub(super) entry: &'static str,
    /// Numbers of the uniform buffer.
    pub(super) words: [u32; 20],
    pub(super) grid: [u32; 2],
    /// Rounds of the loops of an invocation, about.
    pub(super) rounds: usize,
    /// Whether it draws random numbers: it has a sixth binding.
    pub(super) draws: bool,
}

/// Most rounds of an invocation: Mesa's software driver ends its loops after 65535 in all, without an
/// error, and others end long dispatches.
pub(super) const MOST_ROUNDS: usize = 60_000;

const ACTIVATION: &str = include_str!("kernels/activation.wgsl");

/// Invocations of a workgroup of the kernels with one number or column each.
const WORKGROUP: usize = 64;
/// Workgroups in the first dimension of a grid.
const WIDEST: usize = 32_768;

/// The grid of a number of workgroups, and its width.
fn grid(workgroups: usize) -> ([u32; 2], usize) {
    let width = workgroups.clamp(1, WIDEST);
    ([width as u32, workgroups.div_ceil(width) as u32], width)
}

fn words(numbers: &[usize]) -> [u32; 20] {
    let mut words = [0; 20];
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
    /// What is there; the sums of the rows of a are added to the numbers of the gradient from here on.
    PresentAndSums(usize),
}

/// What follows a product in the same kernel: a statement in WGSL with the number `z` at row i and column j, and the
/// distance `to` from the first one, for arrays that begin at words 15 and 16.
#[derive(Debug, Default)]
pub(super) struct Then {
    pub(super) statement: String,
    pub(super) arrays: [Place; 2],
}

/// Division of a sum over columns into parts, each with a gradient of its own: a device computes them at the same time, and
/// they are added in order. Their number is that of the program, so that it changes no bit between devices.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parts {
    /// Number of parts.
    pub(super) count: usize,
    /// Distance of their gradients.
    pub(super) distance: usize,
}

impl Parts {
    /// A sum as a whole.
    pub(super) const ONE: Self = Self { count: 1, distance: 0 };

    /// Columns of a part: whole tiles, if there are several.
    fn columns(self, of: usize) -> usize {
        if self.count == 1 { of } else { of.div_ceil(self.count).next_multiple_of(64) }
    }
}

impl Default for Parts {
    fn default() -> Self {
        Self::ONE
    }
}

/// c = start + a b, for (rows, inner, columns).
pub(super) fn product(
    sizes: (usize, usize, usize),
    matrices: [Matrix; 3],
    base: Base,
    then: &Then,
) -> Step {
    product_in_parts(sizes, matrices, (base, Parts::ONE), then)
}

/// Sums of the rows of a, by the first column of workgroups.
const ADD_TO_SUMS: &str = "if (first_column == 0u) { ones += w; }";
const SUMS_OF_ROWS: &str = "if (i < rows && tx == 0u && first_column == 0u) { \
                            thetabar[word(11u) + i + part * word(14u)] += ones[r]; }";

/// [`product`], of which each part of the inner dimension has a c of its own.
pub(super) fn product_in_parts(
    (rows, inner, columns): (usize, usize, usize),
    [a, b, c]: [Matrix; 3],
    (base, parts): (Base, Parts),
    then: &Then,
) -> Step {
    let (start, bias) = match base {
        Base::Bias(at) => ("theta[word(11u) + i]", at),
        Base::Present => ("C_BUFFER[at]", 0),
        Base::PresentAndSums(at) => ("C_BUFFER[at]", at),
    };
    let (add, sums) = match base {
        Base::PresentAndSums(_) => (ADD_TO_SUMS, SUMS_OF_ROWS),
        _ => ("", ""),
    };
    let body = include_str!("kernels/product.wgsl").replace("START", start);
    let body = body.replace("ADD_TO_SUMS", add).replace("SUMS_OF_ROWS", sums);
    let body = body.replace("A_BUFFER", a.buffer).replace("B_BUFFER", b.buffer);
    let body = body.replace("C_BUFFER", c.buffer).replace("THEN", &then.statement);
    let functions = if then.statement.is_empty() { "" } else { ACTIVATION };
    let sizes = [rows, columns, inner, a.at, a.row, a.column, b.at, b.row, b.column, c.at, c.row];
    let (tiles, of_part) = (columns.div_ceil(64), parts.columns(inner));
    Step {
        source: source(&[functions, &body]),
        entry: "main",
        words: words(&[&sizes[..], &[bias, tiles, of_part, parts.distance], &then.arrays].concat()),
        grid: [(tiles * parts.count) as u32, rows.div_ceil(64) as u32],
        draws: false,
        // Sixteen sums in each tile, after four loads.
        rounds: 21 * of_part.div_ceil(16) + 20,
    }
}

/// `thetabar[to + i] += Σ_j factor` for each of the rows, where the factor is an expression in WGSL.
pub(super) fn row_sums(rows: usize, numbers: &[usize], factor: &str, parts: Parts) -> Step {
    let of_part = parts.columns(numbers[0]);
    let rounds = of_part.div_ceil(WORKGROUP) + 6;
    let body = include_str!("kernels/row_sums.wgsl").replace("FACTOR", factor);
    let (mut words, grid) = (words(numbers), [rows as u32, parts.count as u32]);
    (words[13], words[14]) = (of_part as u32, parts.distance as u32);
    Step { source: source(&[&body]), entry: "main", words, grid, rounds, draws: false }
}

/// A statement in WGSL for each number of arrays that begin at a, b and c.
pub(super) fn elementwise(count: usize, arrays: [Place; 3], body: &str) -> Step {
    let (grid, width) = grid(count.div_ceil(WORKGROUP));
    let loop_body = include_str!("kernels/elementwise.wgsl").replace("BODY", body);
    let [a, b, c] = arrays;
    Step {
        source: source(&[ACTIVATION, &loop_body]),
        entry: "main",
        words: words(&[count, width * WORKGROUP, a, b, c]),
        grid,
        rounds: 0,
        draws: false,
    }
}

/// A kernel with an invocation for each of `count` numbers or columns, and with loops of `rounds` rounds: its first
/// two sizes, and from the fourth on the others.
pub(super) fn each(
    (count, rounds): (usize, usize),
    (body, entry): (&str, &'static str),
    [first, second]: [usize; 2],
    others: &[usize],
) -> Step {
    let (grid, width) = grid(count.div_ceil(WORKGROUP));
    let words = words(&[&[first, second, width * WORKGROUP], others].concat());
    Step { source: source(&[body]), entry, words, grid, rounds, draws: false }
}

/// A kernel with a workgroup for each of `count` numbers, else as [`each`].
pub(super) fn groups(
    (count, rounds): (usize, usize),
    (body, entry): (&str, &'static str),
    [first, second]: [usize; 2],
    others: &[usize],
) -> Step {
    let (grid, width) = grid(count);
    let words = words(&[&[first, second, width], others].concat());
    let rounds = rounds.div_ceil(WORKGROUP) + 6;
    Step { source: source(&[body]), entry, words, grid, rounds, draws: false }
}

/// A kernel of attention, with a workgroup for each head, time and sequence.
pub(super) fn attention(
    [heads, length, lanes]: [usize; 3],
    entry: &'static str,
    others: &[usize],
) -> Step {
    let (grid, width) = grid(heads * length * lanes);
    // In each tile of 64 keys a score, their largest, their sum, and four features.
    let features = others[0];
    let rounds = length.div_ceil(64) * (features + 6 * 64 + 4) + features + 16;
    let numbers = [&[heads, length, lanes, width], others].concat();
    let source = source(&[include_str!("kernels/attention.wgsl")]);
    Step { source, entry, words: words(&numbers), grid, rounds, draws: false }
}

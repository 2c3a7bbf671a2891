//! The elements of the past and their unions: from far away, many elements count as one.
//!
//! The integrals of `(x - u)^(alpha-1)` against the Legendre polynomials of an interval fall like
//! `rho^-j`, `rho = x + sqrt(x^2 - 1)`, at the distance `x - 1` in units of half its length. From
//! one length away 24 are above rounding: of f on a union of elements, its first 24 Legendre
//! coefficients say all, however many elements there are. They are the L2 projection of the
//! coefficients of two parts, which is exact. A sum over n elements visits some 2 log2(n) unions, a
//! treecode (Barnes and Hut, Nature 324 (1986) 446, DOI 10.1038/324446a0) with the kernel's own
//! expansion.

use super::mesh::{Mesh, MeshPoint, Span};

/// f on a span, as a polynomial for each component.
#[derive(Debug, Clone)]
pub(super) struct Element {
    pub(super) span: Span,
    /// Legendre coefficients, component by component.
    pub(super) coefficients: Vec<f64>,
}

/// A binary tree over elements in the order of time.
#[derive(Debug, Default)]
pub(super) struct ElementTree {
    /// Elements, unions of two, of four, ...: all that are complete.
    levels: Vec<Vec<Element>>,
}

/// Level and index of an element or a union.
pub(super) type Piece = (usize, usize);

/// Number of coefficients of a union: `39 / ln(3 + sqrt 8)`, rounded up, and the first.
const UNION_POINTS: usize = 24;

impl ElementTree {
    /// Appends an element, the next in time.
    pub(super) fn push(&mut self, mesh: &Mesh, dim: usize, element: Element) {
        let (mut next, mut level) = (element, 0);
        loop {
            if self.levels.len() == level {
                self.levels.push(Vec::new());
            }
            let pieces = &mut self.levels[level];
            pieces.push(next);
            if pieces.len() % 2 == 1 {
                return;
            }
            next = united(mesh, dim, &pieces[pieces.len() - 2], &pieces[pieces.len() - 1]);
            level += 1;
        }
    }

    /// Number of elements.
    pub(super) fn len(&self) -> usize {
        self.levels.first().map_or(0, Vec::len)
    }

    /// An element by its index.
    pub(super) fn element(&self, index: usize) -> &Element {
        &self.levels[0][index]
    }

    /// Number of coefficients of a piece.
    fn size(&self, (level, index): Piece) -> usize {
        self.levels[level][index].coefficients.len()
    }

    /// Removes the last element and the unions of which it is a part, and returns the cotangent of
    /// its coefficients. `bars` has those of the coefficients of all pieces, by level and index.
    pub(super) fn pop_transposed(&mut self, dim: usize, bars: &mut Cotangents) -> Vec<f64> {
        // The highest union that is removed.
        let top = self.levels.iter().take_while(|pieces| pieces.len() % 2 == 0).count();
        for level in (1..=top).rev() {
            let index = self.levels[level].len() - 1;
            let whole = (level, index);
            let of_union = std::mem::take(bars.of(whole, 0));
            if of_union.is_empty() {
                continue;
            }
            let union = self.levels[level][index].span;
            for (side, child) in [(-1.0, 2 * index), (1.0, 2 * index + 1)] {
                let share = self.levels[level - 1][child].span.length() / union.length();
                let centre = side * (1.0 - share);
                let child = (level - 1, child);
                let of_child = bars.of(child, self.size(child));
                let points = of_child.len() / dim;
                let parts = of_child.chunks_exact_mut(points);
                for (part, whole) in parts.zip(of_union.chunks_exact(UNION_POINTS)) {
                    each_projection((centre, share), |j, scale, at| {
                        for (l, (part, a)) in part.iter_mut().zip(&at[..=j]).enumerate() {
                            *part += scale * a / (2 * l + 1) as f64 * whole[j];
                        }
                    });
                }
            }
        }
        let last = (0, self.len() - 1);
        let bar = std::mem::take(bars.of(last, self.size(last)));
        self.pop();
        bar
    }

    /// Removes the last element, and the unions of which it is a part.
    pub(super) fn pop(&mut self) -> Option<Element> {
        let mut last = None;
        for pieces in &mut self.levels {
            let united = pieces.len() % 2 == 0;
            let piece = pieces.pop();
            last = last.or(piece);
            if !united {
                break;
            }
        }
        last
    }

    /// Calls a function with elements and unions, in the order of time, that together are all
    /// elements which begin before a place: with unions where the place is at least their length
    /// after them.
    pub(super) fn visit(
        &self,
        mesh: &Mesh,
        place: MeshPoint,
        visited: &mut impl FnMut(Piece, &Element),
    ) {
        // At most one union of each level has no sibling yet.
        let mut first = 0;
        for level in (0..self.levels.len()).rev() {
            while let Some(_piece) = self.levels[level].get(first >> level) {
                self.visit_piece(mesh, place, (level, first >> level), visited);
                first += 1 << level;
            }
        }
    }

    fn visit_piece(
        &self,
        mesh: &Mesh,
        place: MeshPoint,
        (level, index): Piece,
        visited: &mut impl FnMut(Piece, &Element),
    ) {
        if self.levels[0][index << level].span.is_after(place) {
            return;
        }
        let piece = &self.levels[level][index];
        if level == 0 || mesh.distance(&piece.span, place) >= piece.span.length() {
            visited((level, index), piece);
        } else {
            self.visit_piece(mesh, place, (level - 1, 2 * index), visited);
            self.visit_piece(mesh, place, (level - 1, 2 * index + 1), visited);
        }
    }
}

/// The union of two pieces, the right one beginning where the left one ends.
fn united(mesh: &Mesh, dim: usize, left: &Element, right: &Element) -> Element {
    let from = if left.span.segment == right.span.segment {
        left.span.left
    } else {
        right.span.left - left.span.length()
    };
    let span = Span { segment: right.span.segment, left: from, right: right.span.right };
    debug_assert!(mesh.segments() > span.segment);
    let mut coefficients = vec![0.0; UNION_POINTS * dim];
    for (piece, side) in [(left, -1.0), (right, 1.0)] {
        let share = piece.span.length() / span.length();
        let centre = side * (1.0 - share);
        let parts = piece.coefficients.chunks_exact(piece.coefficients.len() / dim);
        for (out, part) in coefficients.chunks_exact_mut(UNION_POINTS).zip(parts) {
            add_projection(part, (centre, share), out);
        }
    }
    Element { span, coefficients }
}

/// Cotangents of the coefficients of elements and unions.
#[derive(Debug, Default)]
pub(super) struct Cotangents {
    /// By level and index; empty for zeros.
    levels: Vec<Vec<Vec<f64>>>,
}

impl Cotangents {
    /// Those of a piece, if they are empty filled with this number of zeros.
    pub(super) fn of(&mut self, (level, index): Piece, size: usize) -> &mut Vec<f64> {
        if self.levels.len() <= level {
            self.levels.resize(level + 1, Vec::new());
        }
        let pieces = &mut self.levels[level];
        if pieces.len() <= index {
            pieces.resize(index + 1, Vec::new());
        }
        if pieces[index].is_empty() {
            pieces[index].resize(size, 0.0);
        }
        &mut pieces[index]
    }
}

/// Adds the Legendre coefficients of the function that is `sum_l part_l P_l(v)` at `u = centre +
/// share v`, for v from -1 to 1, and 0 elsewhere:
///
/// ```text
/// out_j = share (2j+1)/2 int_-1^1 P_j(centre + share v) sum_l part_l P_l(v) dv
/// ```
fn add_projection(part: &[f64], place: (f64, f64), out: &mut [f64]) {
    each_projection(place, |j, scale, at| {
        let terms = part.iter().zip(&at[..=j]).enumerate();
        out[j] += scale * terms.map(|(l, (c, a))| c * a / (2 * l + 1) as f64).sum::<f64>();
    });
}

/// Calls `with` for each j with `share (2j+1)` and the Legendre coefficients of
/// `P_j(centre + share v)` in v, by the recurrence of P_j.
fn each_projection((centre, share): (f64, f64), mut with: impl FnMut(usize, f64, &[f64])) {
    let mut before = [0.0; UNION_POINTS + 1];
    let mut at = [0.0; UNION_POINTS + 1];
    at[0] = 1.0;
    for j in 0..UNION_POINTS {
        with(j, share * (2 * j + 1) as f64, &at);
        // (j + 1) P_{j+1}(u) = (2j + 1) (centre + share v) P_j(u) - j P_{j-1}(u)
        let mut next = [0.0; UNION_POINTS + 1];
        let (twice, k) = ((2 * j + 1) as f64, j as f64);
        for l in 0..=(j + 1).min(UNION_POINTS) {
            // v P_l = ((l + 1) P_{l+1} + l P_{l-1}) / (2l + 1)
            let below = if l > 0 { at[l - 1] * l as f64 / (2 * l - 1) as f64 } else { 0.0 };
            let above = at.get(l + 1).map_or(0.0, |a| a * (l + 1) as f64 / (2 * l + 3) as f64);
            next[l] =
                (twice * (centre * at[l] + share * (below + above)) - k * before[l]) / (k + 1.0);
        }
        (before, at) = (at, next);
    }
}

#[cfg(test)]
mod tests {
    use super::super::legendre_moments::outside;
    use super::*;

    fn mesh() -> Mesh {
        Mesh { origins: vec![0.0, 1.0, 5.0] }
    }

    fn element(segment: usize, left: f64, right: f64, coefficients: &[f64]) -> Element {
        Element { span: Span { segment, left, right }, coefficients: coefficients.to_vec() }
    }

    /// A polynomial on the whole is its own projection.
    #[test]
    fn halves_of_a_polynomial() {
        // u = (v -+ 1)/2: P_1(u) = P_1(v)/2 -+ 1/2, P_2(u) = P_2(v)/4 -+ 3/4 P_1(v).
        let left = element(0, 0.0, 0.5, &[-0.5, 0.5, 0.0, 0.0, -0.75, 0.25]);
        let right = element(0, 0.5, 1.0, &[0.5, 0.5, 0.0, 0.0, 0.75, 0.25]);
        let whole = united(&mesh(), 2, &left, &right);
        for (j, (first, second)) in whole.coefficients[..UNION_POINTS]
            .iter()
            .zip(&whole.coefficients[UNION_POINTS..])
            .enumerate()
        {
            let exact = [f64::from(u8::from(j == 1)), f64::from(u8::from(j == 2))];
            assert!((first - exact[0]).abs() < 1e-15 && (second - exact[1]).abs() < 1e-15, "{j}");
        }
    }

    fn integral(alpha: f64, element: &Element, mesh: &Mesh, place: MeshPoint) -> f64 {
        let half = 0.5 * element.span.length();
        let mut moments = vec![0.0; element.coefficients.len()];
        let distance = mesh.distance(&element.span, place);
        let kept = outside(alpha, distance / half, &mut moments);
        let sum: f64 = element.coefficients[..kept].iter().zip(&moments).map(|(c, m)| c * m).sum();
        half.powf(alpha) * sum
    }

    /// The sum over unions is the sum over elements, across a break and far from equal lengths.
    #[test]
    fn unions_agree_with_elements() {
        let mesh = mesh();
        let mut tree = ElementTree::default();
        let mut elements = Vec::new();
        let ends = |segment: usize| -> Vec<f64> {
            let long = mesh.length(segment);
            let early = (0..40).map(|k| long * 0.1 * 2f64.powi(k - 40));
            [0.0]
                .into_iter()
                .chain(early)
                .chain((10..=100).map(|k| long * f64::from(k) / 100.0))
                .collect()
        };
        for segment in 0..2 {
            for (i, pair) in ends(segment).windows(2).enumerate() {
                let wave = |l: usize| ((i * 7 + l * 3) as f64).sin() / (1 + l) as f64;
                let coefficients: Vec<f64> = (0..1 + i % 30).map(wave).collect();
                let element = element(segment, pair[0], pair[1], &coefficients);
                elements.push(element.clone());
                tree.push(&mesh, 1, element);
            }
        }
        for alpha in [0.2, 0.7, 1.0, 1.8] {
            for (segment, offset) in [(0, 0.999), (1, 1e-9), (1, 0.37), (1, 3.96), (1, 4.5)] {
                let place = MeshPoint { segment, base: offset, offset: 0.0 };
                let before = |e: &&Element| mesh.distance(&e.span, place) >= 0.0;
                let exact: f64 =
                    elements.iter().filter(before).map(|e| integral(alpha, e, &mesh, place)).sum();
                let (mut sum, mut visited) = (0.0, 0);
                tree.visit(&mesh, place, &mut |_, e| {
                    if before(&e) {
                        sum += integral(alpha, e, &mesh, place);
                        visited += 1;
                    }
                });
                assert!(
                    (sum / exact - 1.0).abs() < 1e-13,
                    "{alpha} {segment} {offset}: {sum} {exact}"
                );
                assert!(visited < 60, "{visited}");
            }
        }
    }
}

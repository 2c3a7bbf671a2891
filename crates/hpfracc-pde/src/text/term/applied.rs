//! Operators in space of extended fields: linear maps, or bilinear with a coefficient.

use crate::text::points::{ExtendedPoints, Lines};
use hpfracc_spatial::{Ghost, SpatialOperator};
use std::sync::Arc;

/// Operator of an expression e with values in cells and on the faces of the boundary.
pub(in crate::text) struct SpatialMap {
    pub(in crate::text) kind: MapKind,
    /// Whether e is a field, whose face values are those of the boundary condition. Of other
    /// expressions the value on a Dirichlet face is that of the fields there, and the flux through
    /// other faces is 0.
    pub(super) of_field: bool,
}

pub(in crate::text) enum MapKind {
    /// -A e, and the contributions of the faces: cell, face, weight.
    Minus { operator: Arc<dyn SpatialOperator>, faces: Vec<(usize, usize, f64)> },
    /// Central differences along an axis.
    Gradient(usize),
    /// Divergence of the flux c grad e, c in the middle between two cells the mean of both.
    Diffusion,
    /// Sum over the cells with these weights, the same at all of them.
    Sum(Vec<f64>),
    /// Largest value of the cells. It has no derivatives: equations do not contain it.
    Largest,
    /// Smallest value of the cells, likewise.
    Smallest,
}

/// Neighbour of a cell: another cell, or a ghost.
enum Neighbour {
    Cell(usize),
    /// Outside of a face.
    Ghost(usize, Ghost),
}

impl Lines {
    /// Calls `visit(cell, below, above)` for all cells.
    fn for_cells(&self, mut visit: impl FnMut(usize, Neighbour, Neighbour)) {
        for k in 0..self.count() {
            let first = self.first_cell(k);
            let last = first + (self.n - 1) * self.stride;
            let outside = |end: usize, around: usize| match self.sides[end] {
                Some(side) if !self.periodic => {
                    Neighbour::Ghost(side.first + k, side.boundary.ghost(self.h))
                }
                _ => Neighbour::Cell(around),
            };
            for j in 0..self.n {
                let i = first + j * self.stride;
                let below = if j > 0 { Neighbour::Cell(i - self.stride) } else { outside(0, last) };
                let above = if j + 1 < self.n {
                    Neighbour::Cell(i + self.stride)
                } else {
                    outside(1, first)
                };
                visit(i, below, above);
            }
        }
    }
}

impl SpatialMap {
    /// Writes the operator of e with a coefficient c; c is used by diffusion alone.
    pub(super) fn apply(&self, points: &ExtendedPoints, e: &[f64], c: &[f64], out: &mut [f64]) {
        match &self.kind {
            MapKind::Minus { operator, faces } => {
                operator.apply(&e[..points.n], out);
                out.iter_mut().for_each(|out| *out = -*out);
                for (cell, face, weight) in faces {
                    out[*cell] += weight * e[*face];
                }
            }
            MapKind::Sum(weights) => {
                out.fill(weights.iter().zip(e).map(|(weight, e)| weight * e).sum());
            }
            MapKind::Largest => out.fill(extreme(&e[..points.n], f64::NEG_INFINITY, f64::max)),
            MapKind::Smallest => out.fill(extreme(&e[..points.n], f64::INFINITY, f64::min)),
            MapKind::Gradient(axis) => {
                let (lines, half) = (&points.lines[*axis], 0.5 / points.lines[*axis].h);
                lines.for_cells(|i, below, above| {
                    let value = |neighbour| match neighbour {
                        Neighbour::Cell(j) => e[j],
                        Neighbour::Ghost(face, g) => g.reflection * e[i] + g.inflow * e[face],
                    };
                    out[i] = half * (value(above) - value(below));
                });
            }
            MapKind::Diffusion => {
                out.fill(0.0);
                for lines in &points.lines {
                    let scale = 1.0 / (lines.h * lines.h);
                    lines.for_cells(|i, below, above| {
                        let mut flux = |neighbour| {
                            let (middle, difference) = self.flux(neighbour, i, e, c);
                            out[i] += scale * middle * difference;
                        };
                        flux(below);
                        flux(above);
                    });
                }
            }
        }
    }

    /// Coefficient and difference of e towards a neighbour.
    fn flux(&self, neighbour: Neighbour, i: usize, e: &[f64], c: &[f64]) -> (f64, f64) {
        match neighbour {
            Neighbour::Cell(j) => (0.5 * (c[i] + c[j]), e[j] - e[i]),
            Neighbour::Ghost(face, g) => {
                let middle = if g.reflection == -1.0 { c[face] } else { c[i] };
                (middle, (g.reflection - 1.0) * e[i] + g.inflow * e[face])
            }
        }
    }

    /// Adds the transposed operator, with c held, to ebar. `product` is scratch for a value in each cell.
    pub(super) fn add_transposed(
        &self,
        points: &ExtendedPoints,
        bar: &[f64],
        c: &[f64],
        (ebar, product): (&mut [f64], &mut [f64]),
    ) {
        match &self.kind {
            MapKind::Minus { operator, faces } => {
                operator.apply_transpose(bar, product);
                ebar.iter_mut().zip(&*product).for_each(|(e, p)| *e -= p);
                for (cell, face, weight) in faces {
                    ebar[*face] += weight * bar[*cell];
                }
            }
            MapKind::Sum(weights) => {
                let total: f64 = bar.iter().sum();
                ebar.iter_mut().zip(weights).for_each(|(e, weight)| *e += weight * total);
            }
            MapKind::Largest | MapKind::Smallest => {}
            MapKind::Gradient(axis) => {
                let (lines, half) = (&points.lines[*axis], 0.5 / points.lines[*axis].h);
                lines.for_cells(|i, below, above| {
                    for (neighbour, bar) in [(above, half * bar[i]), (below, -half * bar[i])] {
                        match neighbour {
                            Neighbour::Cell(j) => ebar[j] += bar,
                            Neighbour::Ghost(face, g) => {
                                ebar[i] += g.reflection * bar;
                                ebar[face] += g.inflow * bar;
                            }
                        }
                    }
                });
            }
            MapKind::Diffusion => {
                for lines in &points.lines {
                    let scale = 1.0 / (lines.h * lines.h);
                    lines.for_cells(|i, below, above| {
                        for neighbour in [below, above] {
                            match neighbour {
                                Neighbour::Cell(j) => {
                                    let bar = scale * 0.5 * (c[i] + c[j]) * bar[i];
                                    ebar[j] += bar;
                                    ebar[i] -= bar;
                                }
                                Neighbour::Ghost(face, g) => {
                                    let middle = if g.reflection == -1.0 { c[face] } else { c[i] };
                                    let bar = scale * middle * bar[i];
                                    ebar[i] += (g.reflection - 1.0) * bar;
                                    ebar[face] += g.inflow * bar;
                                }
                            }
                        }
                    });
                }
            }
        }
    }

    /// Adds the derivative with respect to c, transposed, to cbar.
    pub(super) fn add_transposed_coefficient(
        &self,
        points: &ExtendedPoints,
        bar: &[f64],
        e: &[f64],
        cbar: &mut [f64],
    ) {
        let MapKind::Diffusion = self.kind else { return };
        for lines in &points.lines {
            let scale = 1.0 / (lines.h * lines.h);
            lines.for_cells(|i, below, above| {
                for neighbour in [below, above] {
                    match neighbour {
                        Neighbour::Cell(j) => {
                            let bar = 0.5 * scale * (e[j] - e[i]) * bar[i];
                            cbar[i] += bar;
                            cbar[j] += bar;
                        }
                        Neighbour::Ghost(face, g) => {
                            let bar =
                                scale * ((g.reflection - 1.0) * e[i] + g.inflow * e[face]) * bar[i];
                            cbar[if g.reflection == -1.0 { face } else { i }] += bar;
                        }
                    }
                }
            });
        }
    }

    /// The operator that is applied with its sign turned, if it is one.
    pub(in crate::text) fn operator(&self) -> Option<Arc<dyn SpatialOperator>> {
        match &self.kind {
            MapKind::Minus { operator, .. } => Some(operator.clone()),
            _ => None,
        }
    }

    /// Whether it resembles diffusion of what it is applied to.
    pub(in crate::text) fn is_diffusive(&self) -> bool {
        matches!(self.kind, MapKind::Minus { .. } | MapKind::Diffusion)
    }

    /// Whether a coefficient belongs to it.
    pub(super) fn has_coefficient(&self) -> bool {
        matches!(self.kind, MapKind::Diffusion)
    }
}

/// Largest or smallest value; NaN if one is NaN.
fn extreme(values: &[f64], first: f64, of_two: fn(f64, f64) -> f64) -> f64 {
    if values.iter().any(|value| value.is_nan()) {
        return f64::NAN;
    }
    values.iter().copied().fold(first, of_two)
}

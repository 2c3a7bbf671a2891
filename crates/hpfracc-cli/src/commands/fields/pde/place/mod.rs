//! Where fields are: on a box, in a domain with zero outside, or on the nodes of a graph.

mod graph;

use super::args::PdeArgs;
use super::domain::{Definition, refuse_domain, zero_outside};
use crate::Error;
use crate::commands::fields::graph::Nodes;
use hpfracc::equation::FieldEquation;
use hpfracc::pde::{FieldProblem, ZeroOutside};
use hpfracc::spatial::BoxGrid;

/// Points with the names of their coordinates.
pub(super) struct Place {
    pub(super) names: Vec<String>,
    pub(super) kind: PlaceKind,
}

pub(super) enum PlaceKind {
    Box(BoxGrid),
    ZeroOutside(ZeroOutside),
    /// Nodes with the values of each coordinate.
    Graph(Nodes, Vec<Vec<f64>>),
}

impl Place {
    /// The place of the command line.
    pub(super) fn new(args: &PdeArgs) -> Result<Self, Error> {
        if let Some(edges) = &args.graph {
            return graph::read(edges, args.nodes.as_deref(), args.laplacian.unwrap_or_default());
        }
        refuse_graph_options(args)?;
        let names: Vec<String> =
            args.space.names()?.iter().map(|name| (*name).to_owned()).collect();
        let kind = match args.definition {
            Some(Definition::Integral) => {
                PlaceKind::ZeroOutside(zero_outside(&args.space, args.domain.as_deref())?)
            }
            _ => {
                refuse_domain(args.domain.as_deref())?;
                PlaceKind::Box(args.space.grid()?)
            }
        };
        Ok(Self { names, kind })
    }

    /// Names of the coordinates.
    pub(super) fn names(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    /// Number of values of a field.
    pub(super) fn n(&self) -> usize {
        match &self.kind {
            PlaceKind::Box(grid) => grid.len(),
            PlaceKind::ZeroOutside(domain) => domain.len(),
            PlaceKind::Graph(nodes, _) => nodes.names.len(),
        }
    }

    /// Number of axes of the space in which values are stored and drawn.
    pub(super) fn dimensions(&self) -> usize {
        self.shape().len()
    }

    /// Length of each of these axes.
    pub(super) fn shape(&self) -> Vec<usize> {
        match &self.kind {
            PlaceKind::Box(grid) => grid.shape(),
            PlaceKind::ZeroOutside(domain) => domain.axes().iter().map(|(_, _, n)| *n).collect(),
            PlaceKind::Graph(nodes, _) => vec![nodes.names.len()],
        }
    }

    /// Values of a field on all of this space; NaN outside of a domain.
    pub(super) fn whole(&self, field: &[f64]) -> Vec<f64> {
        match &self.kind {
            PlaceKind::ZeroOutside(domain) => domain.on_box(field, f64::NAN),
            _ => field.to_vec(),
        }
    }

    /// Values of a field from those on all of this space.
    pub(super) fn of_whole(&self, values: &[f64]) -> Result<Vec<f64>, Error> {
        match &self.kind {
            PlaceKind::ZeroOutside(domain) => domain.of_box(values).map_err(Error::library),
            _ => Ok(values.to_vec()),
        }
    }

    /// Names and points of the axes of a picture; numbers of the nodes of a graph.
    pub(super) fn axes(&self) -> Vec<(&'static str, Vec<f64>)> {
        let points: Vec<Vec<f64>> = match &self.kind {
            PlaceKind::Box(grid) => grid.axes().iter().map(|a| a.points().to_vec()).collect(),
            PlaceKind::ZeroOutside(domain) => domain.coordinates(),
            PlaceKind::Graph(nodes, _) => {
                let numbers = (0..nodes.names.len()).map(|k| k as f64);
                return vec![("number of the node", numbers.collect())];
            }
        };
        ["x", "y", "z"].into_iter().zip(points).collect()
    }

    /// A row of values at all points for each coordinate, one behind the other.
    pub(super) fn columns(&self) -> Vec<f64> {
        let points: Vec<Vec<f64>> = match &self.kind {
            PlaceKind::Box(grid) => (0..grid.len()).map(|k| grid.coordinates(k)).collect(),
            PlaceKind::ZeroOutside(domain) => domain.nodes(),
            PlaceKind::Graph(_, columns) => return columns.concat(),
        };
        let column = |d: usize| points.iter().map(move |point| point[d]);
        (0..self.names.len()).flat_map(column).collect()
    }

    /// Name and value of the total of a field.
    pub(super) fn total(&self, field: &[f64]) -> (&'static str, f64) {
        match &self.kind {
            PlaceKind::Box(grid) => ("integral", grid.integral(field).unwrap_or(f64::NAN)),
            PlaceKind::ZeroOutside(domain) => ("integral", domain.integral(field)),
            PlaceKind::Graph(..) => ("sum", field.iter().sum()),
        }
    }

    /// The problem of a text here.
    pub(super) fn problem(&self, text: FieldEquation) -> Result<FieldProblem, Error> {
        match &self.kind {
            PlaceKind::Box(grid) => FieldProblem::on_box(text, grid.clone()),
            PlaceKind::ZeroOutside(domain) => FieldProblem::zero_outside(text, domain.clone()),
            PlaceKind::Graph(nodes, columns) => {
                let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
                FieldProblem::on_points(text, nodes.laplacian.clone(), &columns)
            }
        }
        .map_err(Error::library)
    }
}

/// Refuses options of a graph without one.
fn refuse_graph_options(args: &PdeArgs) -> Result<(), Error> {
    let nodes = args.nodes.as_ref().map(|nodes| ("--nodes", nodes.display().to_string()));
    let laplacian = args.laplacian.map(|kind| ("--laplacian", kind.name().to_owned()));
    match nodes.or(laplacian) {
        Some((option, value)) => {
            let reason = "it belongs to --graph".to_owned();
            Err(Error::OptionUnused { option, value, reason })
        }
        None => Ok(()),
    }
}

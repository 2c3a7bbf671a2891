//! The class `GraphCore`: a weighted graph, and what its Laplacian alone has.

use super::compute::computed;
use super::function::{self, function};
use super::numbers::shaped;
use super::operator::PyOperator;
use super::tree::{Accuracy, Leaf, Tree};
use crate::arrays::{self, Floats, with_floats};
use crate::errors::{self, OrRaise};
use crate::running::fork;
use hpfracc::spatial::{
    FractionalWalk, Graph, GraphLaplacian, Normalisation, Real, SpatialOperator,
    edge_weight_gradient,
};
use numpy::{IntoPyArray, PyArray1, PyArrayDyn, PyReadonlyArray1};
use pyo3::prelude::*;
use std::sync::Arc;

/// Weighted graph.
#[pyclass(name = "GraphCore", module = "hpfracc._hpfracc", frozen)]
pub(crate) struct PyGraph {
    graph: Graph,
}

/// Arrays of the first nodes, the second nodes and the weights.
type Edges<'py> = (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<f64>>);

#[pymethods]
impl PyGraph {
    #[new]
    fn new(
        py: Python<'_>,
        nodes: usize,
        start: PyReadonlyArray1<'_, u32>,
        end: PyReadonlyArray1<'_, u32>,
        weights: PyReadonlyArray1<'_, f64>,
        directed: bool,
    ) -> PyResult<Self> {
        fork::ready();
        let (start, end, weights) = (start.as_array(), end.as_array(), weights.as_array());
        let ends = start.iter().zip(end).zip(weights);
        let edges: Vec<(u32, u32, f64)> = ends.map(|((i, j), w)| (*i, *j, *w)).collect();
        let build = if directed { Graph::directed } else { Graph::undirected };
        Ok(Self { graph: py.detach(|| build(nodes, &edges)).or_raise()? })
    }

    #[staticmethod]
    fn path(n: usize) -> PyResult<Self> {
        Ok(Self { graph: Graph::path(n).or_raise()? })
    }

    #[staticmethod]
    fn ring(n: usize) -> PyResult<Self> {
        Ok(Self { graph: Graph::ring(n).or_raise()? })
    }

    #[staticmethod]
    fn torus(sides: Vec<usize>) -> PyResult<Self> {
        Ok(Self { graph: Graph::torus(&sides).or_raise()? })
    }

    #[staticmethod]
    fn small_world(n: usize, reach: usize, rewired: f64, seed: u64) -> PyResult<Self> {
        Ok(Self { graph: Graph::small_world(n, reach, rewired, seed).or_raise()? })
    }

    #[staticmethod]
    fn preferential_attachment(n: usize, attached: usize, seed: u64) -> PyResult<Self> {
        Ok(Self { graph: Graph::preferential_attachment(n, attached, seed).or_raise()? })
    }

    fn nodes(&self) -> usize {
        self.graph.nodes()
    }

    fn is_directed(&self) -> bool {
        self.graph.is_directed()
    }

    fn edges<'py>(&self, py: Python<'py>) -> Edges<'py> {
        let edges: Vec<(usize, usize, f64)> = self.graph.edges().collect();
        let start: Vec<u64> = edges.iter().map(|edge| edge.0 as u64).collect();
        let end: Vec<u64> = edges.iter().map(|edge| edge.1 as u64).collect();
        let weights: Vec<f64> = edges.iter().map(|edge| edge.2).collect();
        (start.into_pyarray(py), end.into_pyarray(py), weights.into_pyarray(py))
    }

    fn degrees<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.graph.degrees().into_pyarray(py)
    }

    /// Component of each node, and their number.
    fn components<'py>(&self, py: Python<'py>) -> (Bound<'py, PyArray1<u64>>, usize) {
        let (components, count) = self.graph.components();
        let components: Vec<u64> = components.into_iter().map(u64::from).collect();
        (components.into_pyarray(py), count)
    }

    /// Numbers of duplicates, loops, edges of weight 0 and isolated nodes.
    fn report(&self) -> (usize, usize, usize, usize) {
        let report = self.graph.report();
        (report.duplicates, report.loops, report.zero_weights, report.isolated)
    }

    /// Laplacian with a normalisation.
    fn laplacian(&self, py: Python<'_>, normalisation: &str) -> PyResult<PyOperator> {
        let normalisation = match normalisation {
            "combinatorial" => Normalisation::Combinatorial,
            "normalised" => Normalisation::Symmetric,
            "random-walk" => Normalisation::RandomWalk,
            _ => {
                return Err(errors::input(format!(
                    "normalisation is {normalisation:?}, expected \"combinatorial\", \"normalised\" or \"random-walk\""
                )));
            }
        };
        let operator = py.detach(|| GraphLaplacian::new(&self.graph, normalisation)).or_raise()?;
        let shape = vec![operator.len()];
        Ok(PyOperator::leaf(Leaf::Graph(Arc::new(operator)), shape))
    }

    /// Product of a Laplacian with many columns: a row for each node, in either precision.
    #[staticmethod]
    fn apply_columns<'py>(
        py: Python<'py>,
        operator: &PyOperator,
        x: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let laplacian = laplacian(operator)?;
        let floats = Floats::of("x", x)?;
        let (shape, nodes) = (floats.shape().to_vec(), laplacian.len());
        if shape.len() != 2 || shape[0] != nodes {
            return Err(errors::input(format!(
                "x has the shape {}, expected ({nodes}, columns)",
                arrays::tuple(&shape)
            )));
        }
        with_floats!(floats, array => {
            let values = array.as_array().iter().copied().collect();
            Ok(columns(py, laplacian, values, &shape)?.into_any())
        })
    }

    /// Probabilities of the next node of a fractional random walk, from a node.
    #[staticmethod]
    fn walk<'py>(
        py: Python<'py>,
        operator: &PyOperator,
        gamma: f64,
        node: usize,
        tolerance: f64,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let laplacian = Arc::clone(laplacian(operator)?);
        let way = hpfracc::spatial::Way::Auto;
        let row = computed(py, laplacian.len(), move || {
            FractionalWalk::new(&laplacian, gamma, way, tolerance)?.row(node)
        })?;
        Ok(row.or_raise()?.into_pyarray(py))
    }

    /// Gradient of `<ybar, f(A) x>` with respect to the weights of the edges.
    #[staticmethod]
    fn weight_gradient<'py>(
        py: Python<'py>,
        operator: &PyOperator,
        name: &str,
        parameters: Vec<f64>,
        accuracy: (String, f64),
        x: &Bound<'py, PyAny>,
        ybar: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let laplacian = Arc::clone(laplacian(operator)?);
        let (f, Accuracy { way, tolerance }) =
            (function(name, &parameters)?, function::accuracy(&accuracy.0, accuracy.1)?);
        let (x, ybar) = (arrays::vector("x", x)?, arrays::vector("ybar", ybar)?);
        let gradient = computed(py, x.len(), move || {
            edge_weight_gradient(&laplacian, f, way, tolerance, &x, &ybar)
        })?;
        Ok(gradient.or_raise()?.into_pyarray(py))
    }
}

/// The Laplacian of a graph.
fn laplacian(operator: &PyOperator) -> PyResult<&Arc<GraphLaplacian>> {
    match &*operator.tree {
        Tree::Leaf(Leaf::Graph(laplacian)) => Ok(laplacian),
        _ => Err(errors::input("the operator is no Laplacian of a graph")),
    }
}

fn columns<'py, T: Real + numpy::Element>(
    py: Python<'py>,
    laplacian: &GraphLaplacian,
    x: Vec<T>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let mut y = vec![T::default(); x.len()];
    py.detach(|| laplacian.apply_columns(shape[1], &x, &mut y)).or_raise()?;
    shaped(py, y, shape)
}

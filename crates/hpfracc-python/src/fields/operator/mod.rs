//! The class `OperatorCore`: a linear operator on fields.

mod parts;

use super::compute::computed;
use super::function::{PyFunction, accuracy, function};
use super::numbers::{Fields, shaped};
use super::tree::{Leaf, Tree};
use crate::arrays;
use crate::errors::{self, OrRaise};
use hpfracc::pde::{Equation, SpectralPower, solve_linear};
use hpfracc::spatial::{NullSpace, SpatialOperator, remove_null_space};
use num_complex::Complex64;
use numpy::PyArrayDyn;
use pyo3::prelude::*;
use std::sync::Arc;

/// Linear operator on fields, with a spectrum in `Re(lambda) >= 0`.
#[pyclass(name = "OperatorCore", module = "hpfracc._hpfracc", frozen)]
pub(crate) struct PyOperator {
    pub(super) tree: Arc<Tree>,
    pub(super) shape: Vec<usize>,
}

impl PyOperator {
    /// Operator of the library on fields of a shape.
    pub(super) fn leaf(leaf: Leaf, shape: Vec<usize>) -> Self {
        Self { tree: Arc::new(Tree::Leaf(leaf)), shape }
    }

    /// The operator as one that owns its parts.
    ///
    /// # Errors
    /// `InputError` for a sum, and for a power of an operator without a fast transform.
    pub(super) fn owned(&self) -> PyResult<Arc<dyn SpatialOperator>> {
        owned(&self.tree)
    }

    /// The operator of the library.
    ///
    /// # Errors
    /// `InputError` for one that is composed of another.
    fn own_leaf(&self, what: &str) -> PyResult<&Leaf> {
        match &*self.tree {
            Tree::Leaf(leaf) => Ok(leaf),
            _ => Err(errors::input(format!("a power or a sum has no {what}; its operator has"))),
        }
    }

    fn applied<'py>(
        &self,
        py: Python<'py>,
        u: &Bound<'py, PyAny>,
        transposed: bool,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let (fields, tree) = (Fields::of("u", u, &self.shape)?, Arc::clone(&self.tree));
        let (fields, values) = computed(py, fields.values.len(), move || {
            let mut out = vec![0.0; fields.values.len()];
            let applied = tree.apply(fields.pairs(&mut out), transposed);
            (fields, applied.map(|()| out))
        })?;
        fields.array(py, values.or_raise()?)
    }
}

fn owned(tree: &Tree) -> PyResult<Arc<dyn SpatialOperator>> {
    match tree {
        Tree::Leaf(leaf) => Ok(leaf.owned()),
        Tree::Power { of, s, .. } => Ok(Arc::new(SpectralPower::new(owned(of)?, *s).or_raise()?)),
        Tree::PlusConstant { .. } => Err(errors::input(
            "the operator is a sum A + c: give A, and write c as a term of the equation",
        )),
    }
}

#[pymethods]
impl PyOperator {
    fn shape(&self) -> Vec<usize> {
        self.shape.clone()
    }

    fn apply<'py>(
        &self,
        py: Python<'py>,
        u: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.applied(py, u, false)
    }

    fn apply_transpose<'py>(
        &self,
        py: Python<'py>,
        u: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.applied(py, u, true)
    }

    /// Solution of `(shift + A) x = b`, complex for a complex shift `(re, im)`.
    fn solve<'py>(
        &self,
        py: Python<'py>,
        b: &Bound<'py, PyAny>,
        shift: (f64, f64),
    ) -> PyResult<Bound<'py, PyAny>> {
        let z = Complex64::new(shift.0, shift.1);
        let (fields, tree) = (Fields::of("b", b, &self.shape)?, Arc::clone(&self.tree));
        if let Some(index) = fields.values.iter().position(|b| !b.is_finite()) {
            let value = fields.values[index];
            return Err(errors::input(format!(
                "b is {value} at index {index}, expected a finite number"
            )));
        }
        if z.im == 0.0 {
            let (fields, values) = computed(py, fields.values.len(), move || {
                let mut out = fields.values.clone();
                let n = fields.len().max(1);
                let solved = tree.with(&mut |operator| {
                    let solver = operator.shifted(z)?;
                    out.chunks_exact_mut(n).try_for_each(|x| solver.solve_real(x))
                });
                (fields, solved.map(|()| out))
            })?;
            return Ok(fields.array(py, values.or_raise()?)?.into_any());
        }
        let (fields, values) = computed(py, fields.values.len(), move || {
            let mut out: Vec<Complex64> =
                fields.values.iter().map(|b| Complex64::from(*b)).collect();
            let n = fields.len().max(1);
            let solved = tree.with(&mut |operator| {
                let solver = operator.shifted(z)?;
                out.chunks_exact_mut(n).try_for_each(|x| solver.solve(x))
            });
            (fields, solved.map(|()| out))
        })?;
        Ok(fields.array(py, values.or_raise()?)?.into_any())
    }

    /// Bounds of the eigenvalues above zero, and the dimension of the null space.
    fn spectrum(&self) -> PyResult<(f64, f64, usize)> {
        let spectrum = self.tree.with(&mut |operator| Ok(operator.spectrum())).or_raise()?;
        let null = match &spectrum.null_space {
            NullSpace::Zero => 0,
            NullSpace::Components { component, .. } => {
                component.iter().max().map_or(0, |last| *last as usize + 1)
            }
        };
        Ok((spectrum.lowest, spectrum.highest, null))
    }

    fn is_self_adjoint(&self) -> PyResult<bool> {
        self.tree.with(&mut |operator| Ok(operator.is_self_adjoint())).or_raise()
    }

    /// Weights of the inner product in which the operator is self-adjoint.
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArrayDyn<f64>>>> {
        let weights = self.tree.with(&mut |operator| Ok(operator.weights().map(<[f64]>::to_vec)));
        weights.or_raise()?.map(|weights| shaped(py, weights, &self.shape)).transpose()
    }

    /// Eigenvalues of an operator with a fast transform, in the order of its modes.
    fn eigenvalues<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArrayDyn<f64>>>> {
        let values = self
            .tree
            .with(&mut |operator| Ok(operator.modes().map(|modes| modes.eigenvalues().to_vec())));
        values.or_raise()?.map(|values| shaped(py, values, &self.shape)).transpose()
    }

    /// The field without its part in the null space.
    fn remove_null_space<'py>(
        &self,
        py: Python<'py>,
        u: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let fields = Fields::of("u", u, &self.shape)?;
        let mut out = fields.values.clone();
        let n = self.shape.iter().product::<usize>().max(1);
        let removed = self.tree.with(&mut |operator| {
            out.chunks_exact_mut(n).try_for_each(|x| remove_null_space(operator, x))
        });
        removed.or_raise()?;
        fields.array(py, out)
    }

    /// `E_alpha(-t^alpha A) u` at several times, which come first.
    fn relaxation<'py>(
        &self,
        py: Python<'py>,
        u: &Bound<'py, PyAny>,
        alpha: f64,
        times: &Bound<'py, PyAny>,
        tolerance: f64,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let times = arrays::vector("times", times)?;
        let operator = self.owned()?;
        let start = Fields::of("u", u, &self.shape)?;
        if start.count() != 1 {
            return Err(errors::input(format!("u has {} fields, expected one", start.count())));
        }
        let n = start.values.len();
        let (count, shape) = (times.len(), [&[times.len()][..], &self.shape[..]].concat());
        let states = computed(py, n * count.max(1), move || {
            let mut equation = Equation::new(operator).order(alpha)?.start(&start.values)?;
            if alpha > 1.0 {
                equation = equation.start_velocity(&vec![0.0; n])?;
            }
            solve_linear(&equation, &times, tolerance)
        })?;
        shaped(py, states.or_raise()?.concat(), &shape)
    }

    /// Power `A^s`, s > 0, as an operator.
    fn power(&self, s: f64, way: &str, tolerance: f64) -> PyResult<Self> {
        let accuracy = accuracy(way, tolerance)?;
        let tree = Tree::Power { of: Arc::clone(&self.tree), s, accuracy };
        tree.with(&mut |_| Ok(())).or_raise()?;
        Ok(Self { tree: Arc::new(tree), shape: self.shape.clone() })
    }

    /// `A + constant`, constant > 0.
    fn plus_constant(&self, constant: f64) -> PyResult<Self> {
        let tree = Tree::PlusConstant { of: Arc::clone(&self.tree), constant };
        tree.with(&mut |_| Ok(())).or_raise()?;
        Ok(Self { tree: Arc::new(tree), shape: self.shape.clone() })
    }

    /// Function `power`, `exponential` or `mittag-leffler` with its parameters.
    fn function(
        &self,
        py: Python<'_>,
        name: &str,
        parameters: Vec<f64>,
        way: &str,
        tolerance: f64,
    ) -> PyResult<PyFunction> {
        let function = function(name, &parameters)?;
        let accuracy = accuracy(way, tolerance)?;
        PyFunction::new(py, Arc::clone(&self.tree), self.shape.clone(), function, accuracy)
    }

    /// Contribution of boundary values on a face to the right-hand side.
    fn boundary_part<'py>(
        &self,
        py: Python<'py>,
        axis: usize,
        upper: bool,
        values: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let leaf = self.own_leaf("boundary values")?;
        let values = arrays::vector("values", values)?;
        let part = parts::boundary_part(leaf, parts::face_of(axis, upper), &values)?;
        shaped(py, part, &self.shape)
    }

    /// Derivative of the product with respect to the order alpha.
    fn order_derivative<'py>(
        &self,
        py: Python<'py>,
        u: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let leaf = self.own_leaf("order alpha")?.clone();
        let fields = Fields::of("u", u, &self.shape)?;
        let (fields, values) = computed(py, fields.values.len(), move || {
            let mut out = vec![0.0; fields.values.len()];
            let done = parts::order_derivative(&leaf, fields.pairs(&mut out));
            (fields, done.map(|()| out))
        })?;
        fields.array(py, values?)
    }

    /// Nodes of an operator with zero values outside: a row for each.
    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let nodes = parts::nodes(self.own_leaf("nodes")?)?;
        let axes = nodes.first().map_or(1, Vec::len);
        shaped(py, nodes.concat(), &[nodes.len(), axes])
    }

    /// Values on the whole box, in standard order.
    fn on_box<'py>(
        &self,
        py: Python<'py>,
        u: &Bound<'py, PyAny>,
        outside: f64,
        shape: Vec<usize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let fields = Fields::of("u", u, &self.shape)?;
        match self.own_leaf("box")? {
            Leaf::Domain(domain) if fields.count() == 1 => {
                shaped(py, domain.on_box(&fields.values, outside), &shape)
            }
            Leaf::Domain(_) => Err(errors::input("u has several fields, expected one")),
            _ => Err(errors::input("the operator is on a whole box")),
        }
    }
}

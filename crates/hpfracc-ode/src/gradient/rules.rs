//! The quadrature rules of a scheme on the nodes of a solution, and their derivatives in the orders.

use super::forward_solution::ForwardSolution;
use super::sums::{Convolution, EarlierSums, KnownSums, LaterSums, MeshRows, MeshRule};
use crate::history::{CellKernel, OrderGroup};
use crate::problem::of_component;
use crate::schemes::{
    Exponents, ModeTables, WeightDerivatives, Weights, exponents, left_ends, left_ends_by_order,
    right_ends, right_ends_by_order, trapezoids, trapezoids_by_order,
};
use crate::{
    Corrector, Exponential, L1OfOrders, LinearMultistep, OdeError, Options, Trajectory, UniformGrid,
};
use hpfracc_operators::{Dual, Number};

/// `y_n = g(t_n) + sum_{j<n} W_r[n, j] F_j + newest_n F_n`, `F = f - lambda y`, for the rules r of a
/// scheme, that of the corrector before that of the predictor.
pub(super) struct Rules {
    /// Number of rules.
    pub(super) count: usize,
    weights: NodeWeights,
    /// Starting weights that depend on the orders of all components.
    pub(super) starts: Option<StartDerivatives>,
    /// lambda and g of an exponential integrator.
    pub(super) linear: Option<LinearFlow>,
}

enum NodeWeights {
    Equal { values: Convolution, by_order: Convolution },
    Mesh { values: MeshRows<f64>, by_order: MeshRows<Dual> },
}

/// Derivatives of starting weights with respect to the exponents that they are made for.
pub(super) struct StartDerivatives {
    pub(super) exponents: Exponents,
    /// By exponent, group of components and first sample, a column over the nodes.
    columns: Vec<Vec<Vec<Vec<f64>>>>,
    group_of: Vec<usize>,
}

/// The solution of `D^alpha y = lambda y` for unit initial values, and its derivative in alpha.
pub(super) struct LinearFlow {
    /// By component.
    pub(super) lambda: Vec<f64>,
    /// By group of components and derivative at t0, node by node: value and derivative.
    pub(super) homogeneous: Vec<Vec<Vec<Dual>>>,
    /// Group of each component.
    pub(super) group_of: Vec<usize>,
}

/// Values and derivatives of the weights of one order.
pub(super) type WeightPair = (Weights, Weights);

impl Rules {
    /// Product rules on the nodes of a solution.
    pub(super) fn product(
        solved: &ForwardSolution<'_>,
        corrector: Corrector,
    ) -> Result<Self, OdeError> {
        let Some(grid) = solved.grid else {
            let rules: &[MeshRule] = match corrector {
                Corrector::Newton => &[MeshRule::Trapezoid],
                Corrector::Passes(0) => &[MeshRule::Extrapolated],
                Corrector::Passes(_) => &[MeshRule::Trapezoid, MeshRule::Extrapolated],
            };
            return Ok(Self::on_mesh(solved, rules));
        };
        let trapezoid = |alpha| Ok((trapezoids(alpha, grid)?, trapezoids_by_order(alpha, grid)?));
        let rectangle = |alpha| Ok((left_ends(alpha, grid), left_ends_by_order(alpha, grid)?));
        match corrector {
            Corrector::Newton => Self::by_order(solved, grid, &[&trapezoid]),
            Corrector::Passes(0) => Self::by_order(solved, grid, &[&rectangle]),
            Corrector::Passes(_) => Self::by_order(solved, grid, &[&trapezoid, &rectangle]),
        }
    }

    /// The implicit product rectangle rule.
    pub(super) fn right_ends(
        solved: &ForwardSolution<'_>,
        grid: UniformGrid,
    ) -> Result<Self, OdeError> {
        let weights = |alpha| Ok((right_ends(alpha, grid)?, right_ends_by_order(alpha, grid)));
        Self::by_order(solved, grid, &[&weights])
    }

    /// On any mesh, from the orders of f in the integrals.
    fn on_mesh(solved: &ForwardSolution<'_>, rules: &'static [MeshRule]) -> Self {
        let values = kernels_by_order(solved, |alpha| alpha);
        Self::of_kernels(solved, rules, values, kernels_by_order(solved, Dual::variable))
    }

    /// The changes of y in the L1 scheme.
    pub(super) fn l1_on_mesh(solved: &ForwardSolution<'_>) -> Self {
        let values = kernels_by_order(solved, |alpha| 1.0 - alpha);
        let by_order = kernels_by_order(solved, |alpha| -Dual::variable(alpha) + 1.0);
        Self::of_kernels(solved, &[MeshRule::L1], values, by_order)
    }

    /// The same with several or variable orders.
    pub(super) fn l1_of_orders(
        solved: &ForwardSolution<'_>,
        scheme: &L1OfOrders<'_>,
    ) -> Result<Self, OdeError> {
        let (dim, times) = (solved.problem.dim(), solved.times());
        let values = scheme.groups(dim, times, |alpha| alpha)?;
        let by_order = scheme.groups(dim, times, Dual::variable)?;
        Ok(Self::of_kernels(solved, &[MeshRule::L1], values, by_order))
    }

    fn of_kernels(
        solved: &ForwardSolution<'_>,
        rules: &'static [MeshRule],
        values: Vec<OrderGroup>,
        by_order: Vec<OrderGroup<Dual>>,
    ) -> Self {
        let values = MeshRows::new(solved.times(), rules, values);
        let by_order = MeshRows::new(solved.times(), rules, by_order);
        Self {
            count: rules.len(),
            weights: NodeWeights::Mesh { values, by_order },
            starts: None,
            linear: None,
        }
    }

    /// Rules on equal steps whose weights depend on the order of a component alone.
    pub(super) fn by_order(
        solved: &ForwardSolution<'_>,
        grid: UniformGrid,
        rules: &[&dyn Fn(f64) -> Result<WeightPair, OdeError>],
    ) -> Result<Self, OdeError> {
        let groups = solved.problem.by_order();
        let mut group_of = vec![0; solved.problem.dim()];
        for (group, (_, components)) in groups.iter().enumerate() {
            components.iter().for_each(|&component| group_of[component] = group);
        }
        let pairs = rules.iter().map(|rule| {
            groups.iter().map(|(alpha, _)| rule(*alpha)).collect::<Result<Vec<_>, OdeError>>()
        });
        Ok(Self::on_grid(grid.n(), pairs.collect::<Result<_, _>>()?, group_of))
    }

    /// Rules on n equal steps, each with pairs of weights by group of components.
    pub(super) fn on_grid(n: usize, pairs: Vec<Vec<WeightPair>>, group_of: Vec<usize>) -> Self {
        let (count, mut values, mut by_order) = (pairs.len(), Vec::new(), Vec::new());
        for rule in pairs {
            let (value, derivative) = rule.into_iter().unzip();
            values.push(value);
            by_order.push(derivative);
        }
        let values = Convolution { n, rules: values, group_of: group_of.clone() };
        let by_order = Convolution { n, rules: by_order, group_of };
        Self { count, weights: NodeWeights::Equal { values, by_order }, starts: None, linear: None }
    }

    /// An exponential integrator.
    pub(super) fn exponential(
        solved: &ForwardSolution<'_>,
        grid: UniformGrid,
        scheme: &Exponential,
    ) -> Result<Self, OdeError> {
        let ModeTables { lambda, group_of, rules, homogeneous } =
            scheme.tables(solved.problem, grid)?;
        let linear = LinearFlow { lambda, homogeneous, group_of: group_of.clone() };
        Ok(Self { linear: Some(linear), ..Self::on_grid(grid.n(), rules, group_of) })
    }

    /// A linear multistep method.
    pub(super) fn multistep(
        solved: &ForwardSolution<'_>,
        grid: UniformGrid,
        method: LinearMultistep,
    ) -> Result<Self, OdeError> {
        let problem = solved.problem;
        let exponents = exponents(problem.orders());
        let (mut pairs, mut derivatives) = (Vec::new(), Vec::new());
        for &alpha in problem.orders() {
            let WeightDerivatives { values, by_order, by_exponents } =
                method.weights_and_derivatives(alpha, grid, &exponents)?;
            pairs.push((values, by_order));
            derivatives.push(by_exponents);
        }
        let groups: Vec<usize> = (0..problem.orders().len()).collect();
        let group_of: Vec<usize> = (0..problem.dim()).map(|i| *of_component(&groups, i)).collect();
        let columns = (0..exponents.values.len())
            .map(|m| derivatives.iter_mut().map(|group| std::mem::take(&mut group[m])).collect());
        let starts =
            StartDerivatives { columns: columns.collect(), exponents, group_of: group_of.clone() };
        Ok(Self { starts: Some(starts), ..Self::on_grid(grid.n(), vec![pairs], group_of) })
    }

    /// Subtracts `lambda y` from f, or their changes, or their cotangents.
    pub(super) fn subtract_linear(&self, y: &[f64], f: &mut [f64]) {
        if let Some(linear) = &self.linear {
            let products = linear.lambda.iter().zip(y).map(|(lambda, y)| lambda * y);
            f.iter_mut().zip(products).for_each(|(f, product)| *f -= product);
        }
    }

    /// F, node by node.
    pub(super) fn forcing(&self, trajectory: &Trajectory) -> Vec<f64> {
        let (dim, nodes) = (trajectory.dim(), trajectory.times().len());
        let mut forcing = Vec::with_capacity(dim * nodes);
        (0..nodes).for_each(|node| forcing.extend_from_slice(trajectory.slope(node)));
        for (node, f) in forcing.chunks_exact_mut(dim).enumerate() {
            self.subtract_linear(trajectory.state(node), f);
        }
        forcing
    }

    /// Sums of the rules from `first_rule` on over earlier nodes, of several series side by side.
    pub(super) fn earlier<'a>(
        &'a self,
        (first_rule, series): (usize, usize),
        options: &Options<'_>,
    ) -> Result<Box<dyn EarlierSums + 'a>, OdeError> {
        match &self.weights {
            NodeWeights::Equal { values, .. } => values.earlier((first_rule, series), options),
            NodeWeights::Mesh { values, .. } => Ok(values.earlier(series)),
        }
    }

    /// Sums of a series that is known: the values of the rules from `first_rule` on, if any, and the
    /// derivatives of all in the order of each component.
    pub(super) fn known(
        &self,
        first_rule: usize,
        x: &[f64],
        options: &Options<'_>,
    ) -> Result<KnownSums, OdeError> {
        match &self.weights {
            NodeWeights::Equal { values, by_order } => {
                let any = first_rule < self.count;
                let values = any.then(|| values.known(first_rule, x, options)).transpose()?;
                let values = values.unwrap_or_default();
                Ok(KnownSums { values, by_order: by_order.known(0, x, &options.exact())? })
            }
            NodeWeights::Mesh { by_order, .. } => Ok(by_order.known(x)),
        }
    }

    /// Sums of all rules over later nodes.
    pub(super) fn later<'a>(
        &'a self,
        options: &Options<'_>,
    ) -> Result<Box<dyn LaterSums + 'a>, OdeError> {
        match &self.weights {
            NodeWeights::Equal { values, .. } => values.later(options),
            NodeWeights::Mesh { values, .. } => Ok(values.later()),
        }
    }

    /// Weight of the newest value of the corrector, of each component.
    pub(super) fn newest_into(&self, node: usize, out: &mut [f64]) {
        match &self.weights {
            NodeWeights::Equal { values, .. } => first_weights(values, out),
            NodeWeights::Mesh { values, .. } => values.newest_into(node, out),
        }
    }

    /// Its derivative in the order of each component.
    pub(super) fn newest_by_order_into(&self, node: usize, out: &mut [f64]) {
        match &self.weights {
            NodeWeights::Equal { by_order, .. } => first_weights(by_order, out),
            NodeWeights::Mesh { by_order, .. } => by_order.newest_into(node, out),
        }
    }

    /// Number of nodes after the first that are solved as one system.
    pub(super) fn coupled(&self) -> usize {
        self.starts.as_ref().map_or(0, |starts| starts.exponents.values.len() - 1)
    }

    /// Weight of the value at one of these nodes, or the first, in the state at another; and its
    /// derivative in the order of the component.
    pub(super) fn coupling(&self, component: usize, to: usize, from: usize) -> (f64, f64) {
        let NodeWeights::Equal { values, by_order } = &self.weights else { return (0.0, 0.0) };
        let of = |weights: &Weights| {
            let start = weights.starts.get(from).map_or(0.0, |column| column[to]);
            start + if from <= to { weights.first[to - from] } else { 0.0 }
        };
        (of(values.weights(0, component)), of(by_order.weights(0, component)))
    }
}

/// Kernels of the distinct orders with their components.
fn kernels_by_order<T: Number>(
    solved: &ForwardSolution<'_>,
    order: impl Fn(f64) -> T,
) -> Vec<OrderGroup<T>> {
    let orders = solved.problem.by_order().into_iter();
    orders.map(|(alpha, components)| (CellKernel::of_order(order(alpha)), components)).collect()
}

fn first_weights(convolution: &Convolution, out: &mut [f64]) {
    for (i, out) in out.iter_mut().enumerate() {
        *out = convolution.weights(0, i).first[0];
    }
}

impl StartDerivatives {
    /// `sum_j ds_nj/dnu f_j` of a component, for the exponent of this index.
    pub(super) fn term(
        &self,
        exponent: usize,
        (node, component): (usize, usize),
        slope: impl Fn(usize) -> f64,
    ) -> f64 {
        let columns = &self.columns[exponent][self.group_of[component]];
        columns.iter().enumerate().map(|(j, column)| column[node] * slope(j)).sum()
    }
}

impl LinearFlow {
    /// Solution for a unit derivative of this index at t0, with its derivative in the order.
    pub(super) fn free(&self, derivative: usize, (node, component): (usize, usize)) -> Dual {
        let tables = &self.homogeneous[self.group_of[component]];
        tables.get(derivative).map_or(Dual { value: 0.0, derivative: 0.0 }, |table| table[node])
    }
}

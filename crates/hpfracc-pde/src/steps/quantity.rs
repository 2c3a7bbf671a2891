use hpfracc_ode::{DenseOutput, Observer, ObserverAction, OdeError, Trajectory};

/// Observer that records a number of the fields at each node: a mass, an energy, a maximum.
///
/// ```
/// use hpfracc_pde::models::Diffusion;
/// use hpfracc_pde::{Quantity, Settings, solve};
/// use hpfracc_spatial::{Axis, Boundary, BoxGrid};
///
/// let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, 40, [Boundary::Neumann; 2])?])?;
/// let equation = Diffusion { alpha: 0.5, kappa: 1.0 }.equation(grid.clone())?;
/// let equation = equation.start_from(|x| x[0])?;
/// let mut mass = Quantity::new(|_, u| grid.integral(u).unwrap_or(f64::NAN));
/// let settings = Settings { observers: vec![&mut mass], ..Settings::default() };
/// solve(&equation, 1.0, settings)?;
/// assert!(mass.values().iter().all(|m| (m - 0.5).abs() < 1e-13));
/// # Ok::<(), hpfracc_pde::PdeError>(())
/// ```
pub struct Quantity<F> {
    of: F,
    times: Vec<f64>,
    values: Vec<f64>,
}

impl<F: FnMut(f64, &[f64]) -> f64> Quantity<F> {
    /// Of a function of the time and all fields.
    pub fn new(of: F) -> Self {
        Self { of, times: Vec::new(), values: Vec::new() }
    }
}

impl<F> Quantity<F> {
    /// Times of the nodes.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The number at each node.
    pub fn values(&self) -> &[f64] {
        &self.values
    }
}

impl<F: FnMut(f64, &[f64]) -> f64> Observer for Quantity<F> {
    fn node(&mut self, past: &Trajectory, _: &dyn DenseOutput) -> Result<ObserverAction, OdeError> {
        let last = past.times().len() - 1;
        let t = past.times()[last];
        self.times.push(t);
        self.values.push((self.of)(t, past.state(last)));
        Ok(ObserverAction::Continue)
    }

    fn ended_at(&mut self, t: f64) {
        let count = self.times.partition_point(|time| *time <= t);
        self.times.truncate(count);
        self.values.truncate(count);
    }
}

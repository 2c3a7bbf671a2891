use crate::error::{PdeError, Result, require, require_len};
use hpfracc_sde::noise::{Normals, Purpose, STEPS, Stream};
use hpfracc_spatial::{BoxGrid, OperatorFunction};

/// Additive Gaussian noise `sigma Q^(1/2) W'(t, x)`, white in time, with the covariance Q in space.
///
/// White noise in space, Q = I, has variance 1 / volume at each point: 1 at the nodes of a graph,
/// one over the cell's volume [on a grid](Self::on_grid). Fields have independent noise. Each
/// number is a function of the seed, the path, the field, the point and the time step, so that it
/// has the same bits on any number of threads.
///
/// ```
/// use hpfracc_pde::SpaceTimeNoise;
/// use hpfracc_spatial::{Axis, BoxGrid, Laplacian, PlusConstant, matern_field};
///
/// // Noise with the correlation length 0.2.
/// let grid = BoxGrid::new(vec![Axis::periodic(0.0, 4.0, 64)?])?;
/// let laplacian = Laplacian::new(grid.clone(), &[1.0])?;
/// let operator = PlusConstant::new(&laplacian, 25.0)?;
/// let root = matern_field(&operator, 2.0, 1e-8)?;
/// let noise = SpaceTimeNoise::new(0.1, 42)?.on_grid(&grid)?.coloured(&root);
/// # Ok::<(), hpfracc_pde::PdeError>(())
/// ```
#[derive(Clone)]
pub struct SpaceTimeNoise<'a> {
    /// Amplitude of each field; one for all.
    sigma: Vec<f64>,
    normals: Normals,
    /// Standard deviations of white noise in space; empty for 1.
    deviations: Vec<f64>,
    root: Option<&'a OperatorFunction<'a>>,
}

impl<'a> SpaceTimeNoise<'a> {
    /// White noise of this amplitude, with variance sigma^2 at each point and unit of time.
    ///
    /// # Errors
    /// [`OutOfRange`](PdeError::OutOfRange) for a sigma that is negative or not finite.
    pub fn new(sigma: f64, seed: u64) -> Result<Self> {
        Self::of_fields(&[sigma], seed)
    }

    /// White noise with an amplitude for each field.
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`Length`](PdeError::Length) without an amplitude.
    pub fn of_fields(sigma: &[f64], seed: u64) -> Result<Self> {
        require_len("the list of amplitudes", sigma.len(), sigma.len().max(1))?;
        for &sigma in sigma {
            let fits = sigma >= 0.0 && sigma.is_finite();
            require(fits, "the amplitude sigma of noise", sigma, "at least 0 and finite")?;
        }
        let (sigma, normals) = (sigma.to_vec(), Normals::new(seed));
        Ok(Self { sigma, normals, deviations: Vec::new(), root: None })
    }

    /// White noise in the space of a grid: variance over the volume of each cell.
    ///
    /// # Errors
    /// [`OutOfRange`](PdeError::OutOfRange) for a cell without volume.
    pub fn on_grid(self, grid: &BoxGrid) -> Result<Self> {
        self.with_volumes(grid.weights())
    }

    /// White noise in space with these volumes of the points.
    pub(crate) fn with_volumes(mut self, volumes: Vec<f64>) -> Result<Self> {
        for &volume in &volumes {
            require(volume > 0.0, "the volume of a cell", volume, "a positive number")?;
        }
        self.deviations = volumes.into_iter().map(|volume| volume.sqrt().recip()).collect();
        Ok(self)
    }

    /// Noise with the covariance Q of a square root, such as a
    /// [Matern field](hpfracc_spatial::matern_field), that is applied to white noise.
    #[must_use]
    pub fn coloured(self, root: &'a OperatorFunction<'a>) -> Self {
        Self { root: Some(root), ..self }
    }

    /// Refuses a noise for another number of fields, or fields of another length.
    pub(super) fn check(&self, (fields, n): (usize, usize)) -> Result<()> {
        if self.sigma.len() > 1 {
            require_len("the list of amplitudes", self.sigma.len(), fields)?;
        }
        if self.deviations.is_empty() {
            return Ok(());
        }
        require_len("the grid of a noise", self.deviations.len(), n)
    }

    /// Standard normals of a field in four time steps from 4 `block` on, one step after the other.
    fn normals_of(&self, path: u64, block: u32, field: usize, out: &mut [f64]) -> Result<()> {
        let n = out.len() / STEPS;
        let stream = u32::try_from(field).ok().and_then(|f| Stream::new(Purpose::Brownian, f));
        let first = path.checked_mul(n as u64).filter(|first| *first < u64::MAX - n as u64);
        let (Some(stream), Some(first)) = (stream, first) else {
            let expected = "a number below 2^64 / n";
            return Err(PdeError::OutOfRange { what: "the path", value: path as f64, expected });
        };
        self.normals.fill(stream, block, first, out);
        Ok(())
    }

    /// Mean of the noise over time steps of length h: a block of four, all fields in each.
    pub(super) fn block(
        &self,
        path: u64,
        block: u32,
        (fields, n): (usize, usize),
        h: f64,
    ) -> Result<Vec<f64>> {
        let mut means = vec![0.0; STEPS * fields * n];
        let mut normals = vec![0.0; STEPS * n];
        let mut coloured = vec![0.0; n];
        for field in 0..fields {
            let sigma = if self.sigma.len() > 1 { self.sigma[field] } else { self.sigma[0] };
            let scale = sigma / h.sqrt();
            self.normals_of(path, block, field, &mut normals)?;
            for (step, white) in normals.chunks_exact_mut(n).enumerate() {
                white.iter_mut().zip(&self.deviations).for_each(|(w, d)| *w *= d);
                let values: &[f64] = match self.root {
                    None => white,
                    Some(root) => {
                        root.apply(white, &mut coloured)?;
                        &coloured
                    }
                };
                let out = &mut means[(step * fields + field) * n..][..n];
                out.iter_mut().zip(values).for_each(|(out, value)| *out = scale * value);
            }
        }
        Ok(means)
    }
}

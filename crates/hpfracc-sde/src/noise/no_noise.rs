use super::increments::without_integrals;
use super::{CellIntegral, Gaussian, Increments, Noise, NoiseProcess, Tile, TileIncrements};
use hpfracc_lanes::RowsMut;

/// The noise of no components, of equations without noise: with
/// [`NoiseKind::LeadingDiagonal`](crate::NoiseKind::LeadingDiagonal) of 0 noises an ensemble solves
/// an ordinary equation, or one with memory, from many starts side by side.
///
/// ```
/// use hpfracc_sde::noise::NoNoise;
/// use hpfracc_sde::{Rows, RowsMut};
/// use hpfracc_sde::{
///     NoiseKind, Drift, Ensemble, FractionalEulerMaruyama, Paths, StochasticProblem, StochasticSystem,
/// };
/// use ndarray::array;
///
/// /// D^alpha x = -x
/// struct Relaxation;
///
/// impl StochasticSystem<f64> for Relaxation {
///     fn dim(&self) -> usize { 1 }
///     fn noise_kind(&self) -> NoiseKind { NoiseKind::LeadingDiagonal { noises: 0 } }
///     fn drift(&self, _: f64, x: Rows<'_, f64>, mut f: RowsMut<'_, f64>) {
///         f[0].iter_mut().zip(&x[0]).for_each(|(f, x)| *f = -x);
///     }
///     fn diffusion(&self, _: f64, _: Rows<'_, f64>, _: RowsMut<'_, f64>) {}
/// }
///
/// let starts = array![[1.0], [2.0], [-3.0]];
/// let problem = StochasticProblem::with_starts(Relaxation, (0.0, 1.0), starts.view())?;
/// let problem = problem.of_orders(&[0.5])?;
/// let scheme = FractionalEulerMaruyama::default().drift(Drift::PredictorCorrector);
/// let ends = Ensemble::new(3, 1000)?.solve(&problem, &scheme, &NoNoise, &Paths)?;
/// // exp(1) erfc(1) of each start
/// for (end, start) in ends.iter().zip(&starts) {
///     assert!((end / start - 0.427583576155807).abs() < 1e-4);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoNoise;

impl<T: Gaussian> Noise<T> for NoNoise {
    fn components(&self) -> usize {
        0
    }

    fn process(&self, _: usize) -> NoiseProcess {
        NoiseProcess::Smooth
    }

    fn increments(&self, tile: Tile, integrals: &[CellIntegral]) -> TileIncrements<'_, T> {
        tile.check(0)?;
        without_integrals("no noise", integrals)?;
        Ok(Box::new(Self))
    }
}

impl<T> Increments<T> for NoNoise {
    fn write(&mut self, _: usize, _: RowsMut<'_, T>) {}
}

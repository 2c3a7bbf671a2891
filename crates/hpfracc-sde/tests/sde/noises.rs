//! Noises put together for the tests.

use crate::systems::{Linear, problem_of};
use hpfracc_sde::RowsMut;
use hpfracc_sde::noise::{
    Brownian, CellIntegral, FractionalBrownian, Gaussian, Increments, Noise, NoiseProcess, Tile,
    TileIncrements,
};
use hpfracc_sde::{Ensemble, FractionalEulerMaruyama, Paths};

/// No noise, that claims to be these processes.
#[derive(Debug, Clone)]
pub(crate) struct Silent(pub(crate) Vec<NoiseProcess>);

impl<T: Gaussian> Noise<T> for Silent {
    fn components(&self) -> usize {
        self.0.len()
    }

    fn process(&self, component: usize) -> NoiseProcess {
        self.0[component]
    }

    fn increments(&self, _: Tile, _: &[CellIntegral]) -> TileIncrements<'_, T> {
        Ok(Box::new(Zeros))
    }
}

struct Zeros;

impl<T: Gaussian> Increments<T> for Zeros {
    fn write(&mut self, _: usize, mut rows: RowsMut<'_, T>) {
        rows.as_mut_slice().fill(T::zero());
    }
}

/// Brownian motion and fractional Brownian motion, one component each.
pub(crate) struct WhiteAndFractional {
    white: Brownian,
    fractional: FractionalBrownian<f64>,
}

impl WhiteAndFractional {
    pub(crate) fn new(seed: u64, hurst: f64) -> Self {
        let white = Brownian::new(seed, 1).unwrap();
        Self { white, fractional: FractionalBrownian::new(seed, &[hurst]).unwrap() }
    }
}

impl Noise<f64> for WhiteAndFractional {
    fn components(&self) -> usize {
        2
    }

    fn process(&self, component: usize) -> NoiseProcess {
        match component {
            0 => NoiseProcess::Brownian,
            _ => self.fractional.process(0),
        }
    }

    fn increments(&self, tile: Tile, integrals: &[CellIntegral]) -> TileIncrements<'_, f64> {
        let white = Noise::<f64>::increments(&self.white, tile, integrals)?;
        let fractional = self.fractional.increments(tile, &[])?;
        let rows = vec![0.0; (1 + integrals.len()) * tile.lanes];
        Ok(Box::new(Both { white, fractional, rows }))
    }
}

struct Both<'a> {
    white: Box<dyn Increments<f64> + 'a>,
    fractional: Box<dyn Increments<f64> + 'a>,
    rows: Vec<f64>,
}

impl Increments<f64> for Both<'_> {
    fn write(&mut self, step: usize, mut rows: RowsMut<'_, f64>) {
        let lanes = rows.lanes();
        self.white.write(step, RowsMut::new(&mut self.rows, lanes));
        let (increment, integrals) = self.rows.split_at(lanes);
        rows[0].copy_from_slice(increment);
        self.fractional.write(step, RowsMut::new(&mut rows[1], lanes));
        rows.as_mut_slice()[2 * lanes..].copy_from_slice(integrals);
    }
}

/// The number of a path is the step in which one row, of an increment or an integral, is 1; all
/// else is zero. What becomes of it is what the scheme weighs that number with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Impulse {
    pub(crate) process: NoiseProcess,
    pub(crate) row: usize,
}

impl Noise<f64> for Impulse {
    fn components(&self) -> usize {
        1
    }

    fn process(&self, _: usize) -> NoiseProcess {
        self.process
    }

    fn increments(&self, tile: Tile, _: &[CellIntegral]) -> TileIncrements<'_, f64> {
        Ok(Box::new(Impulses { row: self.row, tile }))
    }
}

struct Impulses {
    row: usize,
    tile: Tile,
}

impl Increments<f64> for Impulses {
    fn write(&mut self, step: usize, mut rows: RowsMut<'_, f64>) {
        rows.as_mut_slice().fill(0.0);
        let Tile { first_path, lanes, .. } = self.tile;
        if let Some(lane) = step.checked_sub(first_path as usize).filter(|lane| *lane < lanes) {
            rows[self.row][lane] = 1.0;
        }
    }
}

/// What becomes at the time 1 of a number in `row`, by lag from 0, under `D^alpha X = lambda X +
/// dZ`.
pub(crate) fn responses(
    (alpha, lambda): (f64, f64),
    scheme: FractionalEulerMaruyama,
    impulse: Impulse,
    steps: usize,
) -> Vec<f64> {
    let system = Linear { dim: 1, lambda, sigma: 1.0, rho: 0.0 };
    let problem = problem_of(system, (0.0, 1.0), &[0.0f64]).unwrap();
    let problem = problem.of_orders(&[alpha]).unwrap();
    let ensemble = Ensemble::new(steps, steps).unwrap();
    let ends = ensemble.solve(&problem, &scheme, &impulse, &Paths).unwrap();
    (0..steps).rev().map(|path| ends[[path, 0, 0]]).collect()
}

//! Noises against the normals alone, and rough volatility.

use crate::bench::Bench;
use crate::cell::{label, number, rate, ratio, reference_time, size, time};
use crate::groups::INSIDE;
use crate::measure::interleaved;
use crate::threads::pool;
use hpfracc_sde::ndarray::array;
use hpfracc_sde::noise::{
    Brownian, BrownianTree, CompoundPoisson, CorrelatedBrownian, Joint, JumpDistribution, Noise,
    Normals, OrnsteinUhlenbeckNoise, PoissonJumps, Purpose, RiemannLiouvilleBrownian, STEPS,
    StableDistribution, StableLevy, Stream, Tile,
};
use hpfracc_sde::{
    Ensemble, EulerMaruyama, Moments, NoiseKind, StochasticProblem, StochasticSystem,
};
use hpfracc_sde::{Rows, RowsMut};
use std::hint::black_box;

/// As many normals, and nothing else: beside whatever consumes them.
pub(crate) fn normals(count: usize) {
    let (normals, lanes) = (Normals::new(7), 256);
    let stream = Stream::new(Purpose::Brownian, 0).expect(INSIDE);
    let mut rows = vec![0f32; STEPS * lanes];
    for block in 0..count.div_ceil(rows.len()) as u32 {
        normals.fill(stream, block, 0, &mut rows);
        black_box(&rows);
    }
}

/// All increments of a tile.
fn write(noise: &dyn Noise<f32>, tile: Tile, rows: &mut [f32]) {
    let mut increments = noise.increments(tile, &[]).expect(INSIDE);
    for step in 0..tile.steps {
        increments.write(step, RowsMut::new(rows, tile.lanes));
        black_box(&*rows);
    }
}

/// Increments per second on one core.
pub(crate) fn samples(bench: &mut Bench) {
    bench.note("Beside: one normal a sample. Tiles of 256 paths, f32, one core.");
    bench.columns("noise | steps | normals | samples | samples a second | samples / normals");
    let steps = if bench.quick { 64 } else { 512 };
    let tile = Tile { first_path: 0, lanes: 256, steps, h: 1e-2 };
    let correlation = array![[1.0, 0.5, -0.3], [0.5, 1.0, 0.1], [-0.3, 0.1, 1.0]];
    let jumps = |intensity, distribution| {
        PoissonJumps::new(3, &[CompoundPoisson { intensity, distribution }])
    };
    let normal = JumpDistribution::Normal { mean: 0.1, standard_deviation: 0.2 };
    let exponential =
        JumpDistribution::DoubleExponential { upward: 0.4, mean_up: 0.1, mean_down: 0.2 };
    let stable =
        |index, skewness| StableLevy::new(3, &[StableDistribution { index, skewness, scale: 1.0 }]);
    let rough = || RiemannLiouvilleBrownian::new(3, &[0.1]).expect(INSIDE);
    let brownian = || Brownian::new(3, 1).expect(INSIDE);
    let correlated = CorrelatedBrownian::new(3, correlation.view()).expect(INSIDE);
    let tree = BrownianTree::new(3, 1).expect(INSIDE);
    let coloured = OrnsteinUhlenbeckNoise::new(3, &[0.1]).expect(INSIDE);
    let rare = jumps(1.0, normal).expect(INSIDE);
    let frequent = jumps(100.0, exponential).expect(INSIDE);
    let both = Joint::new(brownian()).with(rare.clone()).expect(INSIDE);
    let (symmetric, skewed) = (stable(1.5, 0.0).expect(INSIDE), stable(1.0, 0.5).expect(INSIDE));
    let (one, three) = (rough().with_near_cells(1), rough().with_near_cells(3));
    let (one, three) = (one.expect(INSIDE), three.expect(INSIDE));
    let rows: [(&str, &dyn Noise<f32>); 13] = [
        ("Brownian", &brownian()),
        ("three correlated", &correlated),
        ("tree", &tree),
        ("coloured", &coloured),
        ("jumps, one in 100 steps", &rare),
        ("jumps, one a step, double exponential", &frequent),
        ("Brownian and jumps", &both),
        ("stable, 1.5", &symmetric),
        ("stable, 1, skewed", &skewed),
        ("Riemann-Liouville, kappa = 1", &one),
        ("kappa = 2", &rough()),
        ("kappa = 3", &three),
        ("kappa = 2, with its driver", &rough().with_driver()),
    ];
    for (name, noise) in rows {
        let count = noise.components() * tile.lanes * tile.steps;
        let mut row = vec![0f32; noise.components() * tile.lanes];
        let [least, work] = interleaved(
            bench.budget,
            [&mut || normals(count), &mut || write(noise, tile, &mut row)],
        );
        bench.row([
            label(name),
            size(steps),
            reference_time(&least),
            time(&work),
            rate(count as f64, &work),
            ratio(&work, &least),
        ]);
    }
}

/// Riemann-Liouville fractional Brownian motion by the number of steps.
pub(crate) fn riemann_liouville(bench: &mut Bench) {
    bench.note("Two near cells, f32, one core. Beside: three normals a sample.");
    bench.columns("steps | paths | normals | samples | samples a second | samples / normals");
    let sizes: &[usize] = if bench.quick {
        &[500, 5000]
    } else {
        &[100, 250, 500, 1000, 1500, 2000, 3000, 5000, 16_384, 65_536]
    };
    for &steps in sizes {
        let noise = RiemannLiouvilleBrownian::<f32>::new(3, &[0.1]).expect(INSIDE);
        let lanes = ((1 << 22) / noise.bytes_per_path(steps)).next_multiple_of(16).min(256);
        let tile = Tile { first_path: 0, lanes, steps, h: 1e-3 };
        let mut row = vec![0f32; lanes];
        let count = lanes * steps;
        let [least, work] = interleaved(
            bench.budget.at_most(9),
            [&mut || normals(3 * count), &mut || write(&noise, tile, &mut row)],
        );
        bench.row([
            size(steps),
            number(lanes as f64, 0),
            reference_time(&least),
            time(&work),
            rate(count as f64, &work),
            ratio(&work, &least),
        ]);
    }
}

/// Rough Bergomi: Y, and ln S with `V = xi exp(eta Y - eta^2/2 t^2H)`.
struct RoughBergomi {
    hurst: f64,
    eta: f32,
    xi: f32,
}

impl RoughBergomi {
    #[inline(always)]
    fn drift_of_variance(&self, t: f64) -> f32 {
        -0.5 * self.eta * self.eta * t.powf(2.0 * self.hurst) as f32
    }
}

impl StochasticSystem<f32> for RoughBergomi {
    fn dim(&self) -> usize {
        2
    }

    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Diagonal
    }

    fn additive_in(&self, noise: usize) -> bool {
        noise == 0
    }

    #[inline(always)]
    fn drift(&self, t: f64, x: Rows<'_, f32>, mut f: RowsMut<'_, f32>) {
        let shift = self.drift_of_variance(t);
        f[0].fill(0.0);
        for (f, y) in f[1].iter_mut().zip(&x[0]) {
            *f = -0.5 * self.xi * (self.eta * y + shift).exp();
        }
    }

    #[inline(always)]
    fn diffusion(&self, t: f64, x: Rows<'_, f32>, mut g: RowsMut<'_, f32>) {
        let shift = self.drift_of_variance(t);
        let root = self.xi.sqrt();
        g[0].fill(1.0);
        for (g, y) in g[1].iter_mut().zip(&x[0]) {
            *g = root * (0.5 * (self.eta * y + shift)).exp();
        }
    }
}

/// Paths times steps of rough Bergomi per second on one core, all in.
pub(crate) fn rough_bergomi(bench: &mut Bench) {
    let (paths, steps) = (if bench.quick { 2_048 } else { 10_240 }, 500);
    bench.note(format!(
        "Beside: 2 + kappa normals a step. Paths of {steps} steps, f32, one core; moments at the end."
    ));
    bench.columns(
        "kappa | paths | normals | the noise alone | ensemble | path steps a second | \
         ensemble / normals",
    );
    let pool = pool(1);
    let system = || RoughBergomi { hurst: 0.1, eta: 1.9, xi: 0.04 };
    for kappa in [1, 2, 3] {
        let noise = RiemannLiouvilleBrownian::<f32>::new(3, &[0.1]).expect(INSIDE);
        let noise = noise.with_near_cells(kappa).expect(INSIDE).with_correlated(-0.9);
        let noise = noise.expect(INSIDE);
        let problem = StochasticProblem::new(system(), (0.0, 1.0), &[0f32, 0.0]).expect(INSIDE);
        let ensemble = Ensemble::new(paths, steps).expect(INSIDE);
        let lanes = 256;
        let tile = Tile { first_path: 0, lanes, steps, h: 1.0 / steps as f64 };
        let mut rows = vec![0f32; 2 * lanes];
        let mut least = || normals((2 + kappa) * paths * steps);
        let mut alone = || (0..paths / lanes).for_each(|_| write(&noise, tile, &mut rows));
        let mut all = || {
            let found = || ensemble.solve(&problem, &EulerMaruyama, &noise, &Moments);
            black_box(pool.install(found).expect(INSIDE));
        };
        let budget = bench.budget.at_most(9);
        let [least, alone, all] = interleaved(budget, [&mut least, &mut alone, &mut all]);
        bench.row([
            size(kappa),
            size(paths),
            reference_time(&least),
            time(&alone),
            time(&all),
            rate((paths * steps) as f64, &all),
            ratio(&all, &least),
        ]);
    }
}

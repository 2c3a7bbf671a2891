//! The memory of fractional stochastic equations: what each way of summing costs, by number of steps.

use super::INSIDE;
use crate::bench::Bench;
use crate::cell::{label, ratio, reference_time, size, time};
use crate::measure::interleaved;
use hpfracc_sde::noise::{Brownian, Gaussian, Noise, NoiseProcess, Tile};
use hpfracc_sde::{
    Equation, FractionalEulerMaruyama, FractionalEulerMaruyamaStepper, FractionalState, NoiseKind,
    PathMemory, Step, Stepper, StochasticScheme, StochasticSystem,
};
use hpfracc_sde::{Rows, RowsMut};
use hpfracc_types::Real;
use pulp::{Arch, Simd, WithSimd};
use std::hint::black_box;

/// `D^alpha x = -x + dW`.
struct Relaxation;

impl<T: Real> StochasticSystem<T> for Relaxation {
    fn dim(&self) -> usize {
        1
    }

    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Scalar
    }

    fn additive(&self) -> bool {
        true
    }

    #[inline(always)]
    fn drift(&self, _: f64, x: Rows<'_, T>, mut f: RowsMut<'_, T>) {
        f[0].iter_mut().zip(&x[0]).for_each(|(f, x)| *f = T::zero() - *x);
    }

    #[inline(always)]
    fn diffusion(&self, _: f64, _: Rows<'_, T>, mut g: RowsMut<'_, T>) {
        g[0].fill(T::one());
    }
}

/// One tile of paths from start to end, as an ensemble solves it.
struct Solve<'a, T> {
    stepper: &'a FractionalEulerMaruyamaStepper<T>,
    tile: Tile,
}

impl<T: Gaussian> WithSimd for Solve<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Tile { lanes, steps, h, .. } = self.tile;
        let noise = Brownian::new(1, 1).expect(INSIDE);
        let mut increments = Noise::<T>::increments(&noise, self.tile, &[]).expect(INSIDE);
        let mut state = FractionalState::default();
        self.stepper.start(&mut state, self.tile);
        let (mut x, mut dz) = (vec![T::one(); lanes], vec![T::zero(); lanes]);
        for n in 0..steps {
            increments.write(n, RowsMut::new(&mut dz, lanes));
            let (x, dz) = (RowsMut::new(&mut x, lanes), Rows::new(&dz, lanes));
            self.stepper.step(&Relaxation, &mut state, Step { t: n as f64 * h, x, dz });
        }
        black_box(&x);
    }
}

/// The paths of a tile: as many as an ensemble takes.
fn lanes(bytes_per_path: usize) -> usize {
    ((1 << 17) / bytes_per_path.max(1)).max(64).next_multiple_of(16).min(256)
}

/// The time of a step of one path on one core.
pub(crate) fn by_steps(bench: &mut Bench) {
    bench.note("alpha = 0.7, one core: a step of one path, the noise included.");
    bench.columns(
        "scalar | steps | direct | blocked | exponentials 1e-6 | blocked / direct | \
         exponentials / direct",
    );
    let sizes: &[usize] =
        if bench.quick { &[100, 300, 1000] } else { &[50, 100, 200, 500, 1000, 3000, 10_000] };
    for &steps in sizes {
        row::<f32>(bench, steps);
    }
    for &steps in sizes {
        row::<f64>(bench, steps);
    }
}

fn row<T: Gaussian>(bench: &mut Bench, steps: usize) {
    let h = 1.0 / steps as f64;
    let memories =
        [PathMemory::Direct, PathMemory::Blocked, PathMemory::Exponentials { tolerance: 1e-6 }];
    let steppers = memories.map(|memory| {
        let equation = Equation {
            dim: 1,
            noise_kind: NoiseKind::Scalar,
            orders: &[0.7],
            processes: &[NoiseProcess::Brownian],
            additive: true,
            additive_in: &[true],
            commutative: true,
            steps,
            h,
        };
        let scheme = FractionalEulerMaruyama::new(memory);
        StochasticScheme::<T>::prepare(&scheme, &equation).expect(INSIDE)
    });
    let lanes = steppers.each_ref().map(|stepper| lanes(stepper.bytes_per_path()));
    let arch = Arch::new();
    let solve = |which: usize| {
        let (stepper, lanes) = (&steppers[which], lanes[which]);
        arch.dispatch(Solve { stepper, tile: Tile { first_path: 0, lanes, steps, h } });
    };
    let budget = bench.budget.at_most(9);
    let times = interleaved(budget, [&mut || solve(0), &mut || solve(1), &mut || solve(2)]);
    let of = |at: usize| times[at].scaled(1.0 / (lanes[at] * steps) as f64);
    let [direct, blocked, exponentials] = [of(0), of(1), of(2)];
    bench.row([
        label(T::NAME),
        size(steps),
        reference_time(&direct),
        time(&blocked),
        time(&exponentials),
        ratio(&blocked, &direct),
        ratio(&exponentials, &direct),
    ]);
}

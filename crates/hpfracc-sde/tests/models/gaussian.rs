//! Models whose distribution is Gaussian: mean and variance after each step are those of a linear recursion
//! in the increments, whose covariance is known, so that no error of discretisation hides a wrong
//! distribution. How far the recursion is from the continuum is bounded beside it.

use crate::distribution::{LIMIT, mean_agrees, moments, test_paths, variance_agrees};
use hpfracc_sde::models::{
    CaputoOrnsteinUhlenbeck, FractionalLangevin, FractionalOrnsteinUhlenbeck, InertialLangevin,
    Known, Model, OrnsteinUhlenbeck, Variate,
};
use hpfracc_sde::{Ensemble, EulerMaruyama, ForcedEulerMaruyama, PathMemory, Paths};
use hpfracc_special::recip_gamma;

/// The covariance of increments of fractional Brownian motion over unit steps.
fn increments(hurst: f64, n: usize) -> Vec<f64> {
    let power = |k: f64| k.abs().powf(2.0 * hurst);
    let at = |k: f64| 0.5 * (power(k + 1.0) - 2.0 * power(k) + power(k - 1.0));
    (0..n).map(|k| at(k as f64)).collect()
}

/// `r' C r` for the response r to each increment of B, whose steps are h long.
fn variance(response: &[f64], hurst: f64, h: f64) -> f64 {
    let c = increments(hurst, response.len());
    let mut sum = 0.0;
    for (i, a) in response.iter().enumerate() {
        for (j, b) in response.iter().enumerate() {
            sum += a * b * c[i.abs_diff(j)];
        }
    }
    sum * h.powf(2.0 * hurst)
}

/// Simulated moments of one observable against a recursion, and the recursion against the
/// continuum.
///
/// `recursion(n)` is the mean after n steps, and the response to the increments before.
fn check<T: Variate>(
    (model, observable): (impl Model, usize),
    (steps, t1): (usize, f64),
    hurst: f64,
    recursion: impl Fn(usize) -> (f64, Vec<f64>),
    bias: (f64, f64),
) {
    let paths = test_paths(20_000);
    let found = moments::<T>(model, (paths, steps, t1), 11);
    for time in 1..=4 {
        let n = time * steps / 4;
        let (mean, response) = recursion(n);
        let exact = variance(&response, hurst, t1 / steps as f64);
        let what = format!("{} {observable}, step {n}", found.times[time]);
        mean_agrees(&what, found.mean[[time, observable]], mean, exact, paths);
        let spread = found.covariance[[time, observable, observable]];
        variance_agrees(&what, spread, exact, paths);
        let known = model.known(found.times[time]).unwrap()[observable];
        let Known { mean: Some(m), variance: Some(v) } = known else { panic!("{known:?}") };
        println!("{what}: bias {:.2e} and {:.2e}", (mean - m).abs(), (exact / v - 1.0).abs());
        assert!((mean - m).abs() < bias.0, "{what}: {mean} {m}");
        assert!((exact / v - 1.0).abs() < bias.1, "{what}: {exact} {v}");
    }
}

#[test]
fn ornstein_uhlenbeck() {
    let model = OrnsteinUhlenbeck::default();
    let model = model.theta(1.3).unwrap().mu(-0.5).unwrap().sigma(0.7).unwrap().x0(2.0).unwrap();
    let (steps, t1) = (200, 2.0);
    let decay: f64 = 1.0 - 1.3 * t1 / steps as f64;
    let recursion = |n: usize| {
        let response = (0..n).map(|j| 0.7 * decay.powi((n - 1 - j) as i32)).collect();
        (-0.5 + 2.5 * decay.powi(n as i32), response)
    };
    check::<f64>((model, 0), (steps, t1), 0.5, recursion, (1e-2, 1e-2));
    check::<f32>((model, 0), (steps, t1), 0.5, recursion, (1e-2, 1e-2));
}

#[test]
fn fractional_ornstein_uhlenbeck() {
    for (hurst, bias) in [(0.2, 0.02), (0.5, 0.01), (0.8, 0.01)] {
        let model = FractionalOrnsteinUhlenbeck::default().hurst(hurst).unwrap();
        let model = model.theta(1.3).unwrap().mu(-0.5).unwrap().sigma(0.7).unwrap();
        let model = model.x0(2.0).unwrap();
        let (steps, t1) = (200, 2.0);
        let decay: f64 = 1.0 - 1.3 * t1 / steps as f64;
        let recursion = |n: usize| {
            let response = (0..n).map(|j| 0.7 * decay.powi((n - 1 - j) as i32)).collect();
            (-0.5 + 2.5 * decay.powi(n as i32), response)
        };
        check::<f32>((model, 0), (steps, t1), hurst, recursion, (1e-2, bias));
    }
}

/// Simulated moments against the exact ones, with room for the step of the drift.
#[test]
fn caputo_ornstein_uhlenbeck() {
    let paths = test_paths(20_000);
    for alpha in [0.6, 0.8, 1.0] {
        let model = CaputoOrnsteinUhlenbeck::default().alpha(alpha).unwrap();
        let model = model.theta(1.3).unwrap().mu(-0.5).unwrap().sigma(0.7).unwrap();
        let model = model.x0(2.0).unwrap();
        let found = moments::<f32>(model, (paths, 400, 2.0), 11);
        for time in 1..=4 {
            let t = found.times[time];
            let (mean, variance) = (model.mean(t).unwrap(), model.variance(t).unwrap());
            let known = model.known(t).unwrap()[0];
            assert_eq!(known, Known { mean: Some(mean), variance: Some(variance) });
            let error = LIMIT * (variance / paths as f64).sqrt();
            let difference = found.mean[[time, 0]] - mean;
            println!("{alpha}, t = {t}: mean {difference:.1e}, of random {error:.1e}");
            assert!(difference.abs() < error + 0.01, "{alpha}, t = {t}: {difference}");
            let error = LIMIT * (2.0 / paths as f64).sqrt();
            let difference = found.covariance[[time, 0, 0]] / variance - 1.0;
            println!("{alpha}, t = {t}: variance {difference:.1e}, of random {error:.1e}");
            assert!(difference.abs() < error + 0.02, "{alpha}, t = {t}: {difference}");
        }
    }
}

/// `h^alpha/Gamma(alpha+1) ((m+1)^alpha - m^alpha)`
fn cells(alpha: f64, h: f64, n: usize) -> Vec<f64> {
    let power = |m: usize| (m as f64).powf(alpha);
    (0..n).map(|m| h.powf(alpha) * recip_gamma(alpha + 1.0) * (power(m + 1) - power(m))).collect()
}

#[test]
fn a_particle_in_a_viscoelastic_bath() {
    for (alpha, k, bias) in
        [(0.4, 0.0, 1e-10), (0.4, 0.8, 0.05), (0.8, 2.0, 0.02), (1.0, 2.0, 0.02)]
    {
        let model = FractionalLangevin::default().alpha(alpha).unwrap().k(k).unwrap();
        let model = model.gamma(1.6).unwrap().kt(0.7).unwrap().x0(1.5).unwrap();
        let (steps, t1) = (240, 3.0);
        let h = t1 / steps as f64;
        let b = cells(alpha, h, steps);
        let strength = (2.0 * 0.7 / 1.6 * recip_gamma(1.0 + alpha)).sqrt();
        // x_n = x_0 - k/gamma sum b_{n-1-j} x_j + strength B_n, by its mean and its resolvent.
        let (mut mean, mut resolvent) = (vec![1.0], vec![1.0]);
        for n in 1..=steps {
            let past = |x: &[f64]| -> f64 { (0..n).map(|j| b[n - 1 - j] * x[j]).sum() };
            mean.push(1.0 - k / 1.6 * past(&mean));
            resolvent.push(-k / 1.6 * past(&resolvent));
        }
        let recursion = |n: usize| {
            // The response to increment j is the sum of the resolvent up to n - 1 - j.
            let sums = resolvent[..n].iter().scan(0.0, |sum, r| {
                *sum += r;
                Some(strength * *sum)
            });
            let mut response: Vec<f64> = sums.collect();
            response.reverse();
            (1.5 * mean[n], response)
        };
        check::<f64>((model, 0), (steps, t1), 0.5 * alpha, recursion, (2e-2, bias));
    }
}

/// At order 1 noise is outside of no memory.
#[test]
fn forced_equations_of_order_1_are_classical() {
    let model = OrnsteinUhlenbeck::default();
    let problem = model.problem::<f64>((0.0, 1.0)).unwrap();
    let noise = model.noise::<f64>(3).unwrap();
    let ensemble = Ensemble::new(20, 30).unwrap().saving_every(1).unwrap();
    let forced = ensemble.solve(&problem, &ForcedEulerMaruyama::default(), &noise, &Paths);
    let classical = ensemble.solve(&problem, &EulerMaruyama, &noise, &Paths);
    assert_eq!(forced.unwrap(), classical.unwrap());
    let problem = problem.of_orders(&[1.2]).unwrap();
    let refused = ensemble.solve(&problem, &ForcedEulerMaruyama::default(), &noise, &Paths);
    let said = refused.unwrap_err().to_string();
    assert_eq!(said, "the order of a forced equation is 1.2, expected 0 < alpha <= 1");
}

/// Any memory gives the same paths, within its tolerance.
#[test]
fn forced_equations_take_every_memory() {
    let model = FractionalLangevin::default().alpha(0.5).unwrap().k(1.0).unwrap();
    let problem = model.problem::<f64>((0.0, 1.0)).unwrap();
    let noise = model.noise::<f64>(3).unwrap();
    let ensemble = Ensemble::new(20, 130).unwrap().saving_every(1).unwrap();
    let of = |memory| {
        ensemble.solve(&problem, &ForcedEulerMaruyama::new(memory), &noise, &Paths).unwrap()
    };
    let direct = of(PathMemory::Direct);
    let exponentials = of(PathMemory::Exponentials { tolerance: 1e-8 });
    for (other, most) in [(of(PathMemory::Blocked), 1e-12), (exponentials, 1e-7)] {
        assert!(direct.iter().zip(&other).all(|(a, b)| (a - b).abs() < most));
    }
}

#[test]
fn a_particle_with_inertia() {
    for (alpha, bias) in [(0.3, 0.03), (0.7, 0.03)] {
        let model = InertialLangevin::default().alpha(alpha).unwrap().m(0.8).unwrap();
        let model = model.gamma(1.6).unwrap().kt(0.7).unwrap().x0(1.5).unwrap().v0(-1.0).unwrap();
        let (steps, t1) = (240, 2.0);
        let h = t1 / steps as f64;
        let b = cells(1.0 - alpha, h, steps);
        let strength = (2.0 * 0.7 * 1.6 * recip_gamma(3.0 - alpha)).sqrt() / 0.8;
        // The system after a unit impulse: v_0 = 1, x_0 = 0.
        let (mut x, mut v) = (vec![0.0], vec![1.0]);
        for n in 1..=steps {
            let u: f64 = (0..n - 1).map(|j| b[n - 2 - j] * v[j]).sum();
            x.push(x[n - 1] + h * v[n - 1]);
            v.push(v[n - 1] - 1.6 / 0.8 * h * u);
        }
        for (observable, start, kernel) in [(0, 1.5, &x), (1, 0.0, &v)] {
            let recursion = |n: usize| {
                // An increment of step j is in v after it.
                let response = (0..n).map(|j| strength * kernel[n - 1 - j]).collect();
                (start - kernel[n], response)
            };
            check::<f32>(
                (model, observable),
                (steps, t1),
                1.0 - 0.5 * alpha,
                recursion,
                (2e-2, bias),
            );
        }
    }
}

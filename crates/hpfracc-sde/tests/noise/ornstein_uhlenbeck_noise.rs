//! Coloured noise.

use crate::paths::{covariances, rows, same_bits};
use hpfracc_sde::SdeError;
use hpfracc_sde::noise::{CellIntegral, Noise, NoiseProcess, OrnsteinUhlenbeckNoise, Tile};

/// Covariances of the integrals of xi over steps: from one far shorter than the correlation time to
/// one where it is white, across the border of blocks.
#[test]
fn increments_have_their_covariance() {
    let times = [1e-7, 0.1, 0.5, 40.0];
    let (h, lanes) = (0.3f64, 40_000);
    let noise = OrnsteinUhlenbeckNoise::new(12, &times).unwrap();
    let steps = rows::<f32>(&noise, Tile { first_path: 0, lanes, steps: 67, h });
    let chosen = [0, 1, 2, 6, 63, 64, 66];
    for (component, tau) in times.iter().enumerate() {
        let wide = |step: &usize| steps[*step][component].iter().map(|x| f64::from(*x)).collect();
        let x: Vec<Vec<f64>> = chosen.iter().map(wide).collect();
        covariances(&x, |i, j| {
            let e = (-h / tau).exp();
            match chosen[i].abs_diff(chosen[j]) {
                0 => h + tau * (-h / tau).exp_m1(),
                lag => 0.5 * tau * (1.0 - e).powi(2) * (-h / tau * (lag as f64 - 1.0)).exp(),
            }
        });
    }
}

/// On finer steps the sums have the distribution that the longer steps have: Z(1.2), by four steps and by
/// 48.
#[test]
fn the_law_does_not_depend_on_the_steps() {
    let noise = OrnsteinUhlenbeckNoise::new(13, &[0.7]).unwrap();
    for steps in [4, 48] {
        let tile = Tile { first_path: 0, lanes: 40_000, steps, h: 1.2 / steps as f64 };
        let all = rows::<f64>(&noise, tile);
        let sum = |lane: usize| all.iter().map(|step| step[0][lane]).sum::<f64>();
        let x: Vec<f64> = (0..tile.lanes).map(sum).collect();
        covariances(&[x], |_, _| 1.2 + 0.7 * (-1.2f64 / 0.7).exp_m1());
    }
}

#[test]
fn the_same_bits_in_any_tile() {
    let noise = OrnsteinUhlenbeckNoise::new(5, &[0.1, 2.0]).unwrap();
    same_bits::<f32>(&noise, 150, 0.05);
    same_bits::<f64>(&noise, 65, 0.05);
}

#[test]
fn parameters_out_of_range() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = OrnsteinUhlenbeckNoise::new(1, &[1.0, bad]).unwrap_err();
        assert!(refused.to_string().contains("the correlation time is"), "{refused}");
    }
    assert!(OrnsteinUhlenbeckNoise::new(1, &[]).is_err());
    let noise = OrnsteinUhlenbeckNoise::new(1, &[1.0]).unwrap();
    assert_eq!(Noise::<f64>::process(&noise, 0), NoiseProcess::Smooth);
    let tile = Tile { first_path: 0, lanes: 1, steps: 2, h: 0.5 };
    let integral = CellIntegral { noise: 0, exponent: 1.0, lag: 0 };
    let refused = Noise::<f64>::increments(&noise, tile, &[integral]);
    assert!(matches!(refused, Err(SdeError::NoIntegrals { .. })));
}

//! What needs more memory than there is is refused, with both figures, and nothing is aborted: also
//! where the address space is limited.
#![cfg(target_os = "linux")]

use hpfracc_sde::models::{CaputoOrnsteinUhlenbeck, Model, OrnsteinUhlenbeck};
use hpfracc_sde::noise::{FractionalBrownian, Noise, RiemannLiouvilleBrownian, Tile};
use hpfracc_sde::{
    Collect, Ensemble, FractionalEulerMaruyama, MeanAndCovariance, Moments, PathMemory, Paths,
    Quantiles, SdeError,
};
use std::process::Command;

fn refused<T>(what: &str, result: Result<T, SdeError>) {
    let Err(error) = result else { panic!("{what} was not refused") };
    let SdeError::TooLarge { bytes, available, .. } = error else { panic!("{what}: {error}") };
    assert!(bytes > available, "{what}");
    let text = error.to_string();
    assert!(text.contains(&bytes.to_string()) && text.contains(&available.to_string()), "{text}");
}

fn simulate<K: Collect<f64>>(
    ensemble: &Ensemble<'_>,
    collector: &K,
) -> Result<K::Output, SdeError> {
    OrnsteinUhlenbeck::default().simulate::<f64, K>(ensemble, (0.0, 1.0), 1, collector)
}

const STEPS: usize = u32::MAX as usize;

fn more_than_there_is() {
    let all = |paths, steps| Ensemble::new(paths, steps).unwrap().saving_every(1).unwrap();
    refused("all paths", simulate(&all(1 << 30, 1 << 10), &Paths));
    refused("quantiles", simulate(&all(1, STEPS), &Quantiles::new(&[0.5]).unwrap()));
    refused("moments", simulate(&all(1, STEPS), &Moments));
    // The noise of a tile, the weights of a memory, the paths that are solved at a time.
    let tile = |lanes| Tile { first_path: 0, lanes, steps: STEPS, h: 0.1 };
    let fractional = FractionalBrownian::<f64>::new(1, &[0.3]).unwrap();
    refused("fractional noise", fractional.increments(tile(16), &[]).map(|_| ()));
    let rough = RiemannLiouvilleBrownian::<f64>::new(1, &[0.3]).unwrap();
    refused("rough noise", rough.increments(tile(16), &[]).map(|_| ()));
    let model = CaputoOrnsteinUhlenbeck::default();
    let (problem, noise) =
        (model.problem::<f64>((0.0, 1.0)).unwrap(), model.noise::<f64>(1).unwrap());
    let ensemble = Ensemble::new(1, STEPS).unwrap();
    for memory in [PathMemory::Direct, PathMemory::Blocked, PathMemory::default()] {
        let scheme = FractionalEulerMaruyama::new(memory);
        let found = ensemble.solve(&problem, &scheme, &noise, &Moments);
        refused("weights", found.map(|_: MeanAndCovariance| ()));
    }
}

/// In half a gigabyte, in a process of its own; the paths alone would be 1.6 GB.
#[test]
fn under_a_limit_of_the_address_space() {
    const LIMITED: &str = "HPFRACC_TEST_LIMITED";
    // The process succeeds, too, where no test has the name.
    const ALL_REFUSED: &str = "all refused under the limit";
    if std::env::var_os(LIMITED).is_some() {
        let ensemble = Ensemble::new(1_000_000, 100).unwrap().saving_every(1).unwrap();
        refused("all paths", simulate(&ensemble, &Paths));
        more_than_there_is();
        println!("{ALL_REFUSED}");
        return;
    }
    let limited = Command::new("sh")
        .args(["-c", "ulimit -v 524288 && exec \"$0\" \"$@\""])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "under_a_limit_of_the_address_space", "--nocapture"])
        .env(LIMITED, "1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&limited.stderr);
    assert!(limited.status.success(), "{:?}: {text}", limited.status);
    let printed = String::from_utf8_lossy(&limited.stdout);
    assert!(printed.lines().any(|line| line.ends_with(ALL_REFUSED)), "{printed}");
}

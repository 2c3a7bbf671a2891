//! Nodes of an interval.

use hpfracc_ode::OdeError;
use hpfracc_ode::Steps;

const INTERVAL: (f64, f64) = (1.0, 4.0);

#[test]
fn nodes_start_and_end_with_the_interval() {
    let uniform = Steps::Uniform(3).nodes("test", INTERVAL).unwrap();
    assert_eq!(uniform, [1.0, 2.0, 3.0, 4.0]);
    let graded = Steps::Graded { n: 3, exponent: 2.0 }.nodes("test", INTERVAL).unwrap();
    assert_eq!(graded[0], 1.0);
    assert!((graded[1] - 4.0 / 3.0).abs() < 1e-15 && (graded[2] - 7.0 / 3.0).abs() < 1e-15);
    assert_eq!(graded[3], 4.0);
    let given = vec![1.0, 1.5, 4.0];
    assert_eq!(Steps::Given(given.clone()).nodes("test", INTERVAL).unwrap(), given);
    // The last node is the end of the interval, whatever rounding says.
    let grid = Steps::Uniform(49).uniform("test", (0.1, 0.7)).unwrap();
    assert_eq!((grid.n(), grid.t(0), grid.t(49)), (49, 0.1, 0.7));
}

#[test]
fn invalid_steps_are_errors() {
    for steps in [
        Steps::Uniform(0),
        Steps::Graded { n: 0, exponent: 1.0 },
        Steps::Graded { n: 3, exponent: 0.5 },
        Steps::Graded { n: 3, exponent: f64::NAN },
        // So steep that the first nodes are the same number.
        Steps::Graded { n: 100, exponent: 40.0 },
        // More than there are numbers.
        Steps::Graded { n: usize::MAX, exponent: 1.0 },
        Steps::Given(vec![]),
        Steps::Given(vec![1.0]),
        Steps::Given(vec![1.0, 5.0]),
        Steps::Given(vec![0.0, 4.0]),
        Steps::Given(vec![1.0, 3.0, 2.0, 4.0]),
        Steps::Given(vec![1.0, f64::NAN, 4.0]),
    ] {
        let refused = steps.nodes("test", INTERVAL);
        assert!(matches!(refused, Err(OdeError::OutOfRange { .. })), "{steps:?}: {refused:?}");
    }
    // More steps than there are numbers in the interval.
    let crowded = Steps::Uniform(10).uniform("test", (1.0, 1.0 + f64::EPSILON));
    assert!(matches!(crowded, Err(OdeError::OutOfRange { .. })));
    let adaptive = Steps::adaptive(1e-6, 1e-9);
    let refused = adaptive.nodes("test", INTERVAL);
    assert!(matches!(refused, Err(OdeError::Steps { scheme: "test", steps: "adaptive" })));
}

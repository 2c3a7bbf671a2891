//! More steps than there is memory for are refused, whatever the limit: no process aborts.

use hpfracc_ode::{
    AdamsBashforthMoulton, L1, LinearMultistep, OdeError, Options, Problem, ProductRectangle,
    ProductTrapezoid, Scheme, Steps, solve,
};
use std::process::Command;
use std::sync::atomic::AtomicBool;

/// Prepares a solve, which ends after the first node.
fn prepare(scheme: &dyn Scheme, steps: &Steps) -> Result<(), OdeError> {
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| (dydt[0], dydt[1]) = (-y[1], y[0]);
    let problem = Problem::new(&[0.7], (0.0, 1.0), &[&[1.0, 1.0]], rhs).unwrap();
    let cancel = AtomicBool::new(true);
    let options = Options { cancel: Some(&cancel), ..Options::default() };
    solve(&problem, scheme, steps, options).map(|_| ()).map_err(|failure| failure.error)
}

fn for_each(check: impl Fn(&dyn Scheme, &dyn Fn(usize) -> Steps)) {
    let uniform: [&dyn Scheme; 6] = [
        &AdamsBashforthMoulton::default(),
        &ProductRectangle::Implicit,
        &ProductTrapezoid,
        &L1,
        &LinearMultistep::Trapezoidal,
        &LinearMultistep::Bdf2,
    ];
    uniform.into_iter().for_each(|scheme| check(scheme, &Steps::Uniform));
    let graded: [&dyn Scheme; 3] = [&AdamsBashforthMoulton::default(), &ProductTrapezoid, &L1];
    for scheme in graded {
        check(scheme, &|n| Steps::Graded { n, exponent: 1.1 });
    }
}

#[test]
fn far_too_many_steps_are_refused_with_both_figures() {
    for_each(|scheme, steps| {
        for n in [1 << 40, 1 << 44] {
            let error = prepare(scheme, &steps(n)).unwrap_err();
            let OdeError::Memory(memory) = error else { panic!("{}: {error}", scheme.name()) };
            assert!(memory.needed > memory.available && memory.needed > n as u64, "{memory}");
        }
    });
}

/// Printed by the child once all sizes are done.
#[cfg(target_os = "linux")]
const CHILD_DONE: &str = "every size was solved or refused";

/// In a process of its own with 600 MB of address space: each size is solved or refused.
#[test]
#[cfg(target_os = "linux")]
fn nothing_aborts_under_a_limited_address_space() {
    if std::env::var_os("HPFRACC_LIMITED").is_some() {
        for_each(|scheme, steps| {
            for n in (16..=40).step_by(2).map(|k| 1usize << k) {
                if let Err(error) = prepare(scheme, &steps(n)) {
                    assert!(matches!(error, OdeError::Memory(_)), "{} {n}: {error}", scheme.name());
                }
            }
        });
        return println!("{CHILD_DONE}");
    }
    let program = std::env::current_exe().unwrap();
    let test = "nothing_aborts_under_a_limited_address_space";
    let limited = Command::new("sh")
        .args(["-c", "ulimit -v 600000; exec \"$0\" --exact \"$1\" --nocapture --test-threads 1"])
        .args([program.as_os_str(), test.as_ref()])
        .env("HPFRACC_LIMITED", "1")
        .output()
        .unwrap();
    let [out, err] = [&limited.stdout, &limited.stderr].map(|text| String::from_utf8_lossy(text));
    // A name that matches no test succeeds, too.
    assert!(limited.status.success() && out.contains(CHILD_DONE), "{err}{out}");
}

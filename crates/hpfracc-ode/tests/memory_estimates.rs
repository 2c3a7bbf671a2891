//! The estimate by which a solve is refused is within 10 % of the bytes that it takes at once.

use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{
    AdamsBashforthMoulton, Exponential, L1, LinearMultistep, MemoryEstimate, OdeError, Options,
    Problem, ProductRectangle, ProductTrapezoid, SaveNodes, Scheme, Setup, Steps, System, solve,
};
use hpfracc_testkit::CountingAllocator;
use std::sync::atomic::AtomicBool;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

/// Peak of live bytes during a call.
fn peak(call: impl FnOnce()) -> f64 {
    let before = ALLOCATOR.bytes_in_use();
    ALLOCATOR.most_bytes_in_use();
    call();
    (ALLOCATOR.most_bytes_in_use() - before) as f64
}

/// A solve that ends after its first node: all is allocated before.
fn ratio(
    problem: &Problem<impl System>,
    scheme: &dyn Scheme,
    steps: &Steps,
    (history, save_nodes): (HistoryChoice, SaveNodes),
) -> f64 {
    let cancel = AtomicBool::new(true);
    let options = || Options { cancel: Some(&cancel), history, save_nodes, ..Options::default() };
    let (n, dim) = (steps.count().unwrap(), problem.dim());
    let nodes = if save_nodes == SaveNodes::All { n * (1 + 2 * dim) } else { 0 };
    let setup = Setup { problem, steps, options: &options() };
    let MemoryEstimate { preparing, stepping } = scheme.memory_estimate(&setup, n).unwrap();
    let estimate = 8.0 * preparing.max(stepping + nodes as f64);
    estimate / peak(|| drop(solve(problem, scheme, steps, options()).unwrap()))
}

fn relaxation(orders: &[f64], dim: usize) -> Problem<impl System> {
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| {
        dydt.iter_mut().zip(y).for_each(|(dydt, y)| *dydt = -y);
    };
    Problem::new(orders, (0.0, 1.0), &[&vec![1.0; dim]], rhs).unwrap()
}

#[test]
fn estimates_are_within_a_tenth_of_the_peak() {
    let exponentials = [Exponential::rectangle(&[-1.0]), Exponential::trapezoid(&[-1.0])];
    let schemes: [&dyn Scheme; 9] = [
        &AdamsBashforthMoulton::default(),
        &ProductTrapezoid,
        &ProductRectangle::Explicit,
        &ProductRectangle::Implicit,
        &L1,
        &LinearMultistep::Trapezoidal,
        &LinearMultistep::Bdf2,
        &exponentials[0],
        &exponentials[1],
    ];
    let compressed = HistoryChoice::Exponentials { tolerance: 1e-8 };
    let mut outside = Vec::new();
    let mut check = |what: String, ratio: f64| {
        if !(0.9..1.1).contains(&ratio) {
            outside.push(format!("{what}: {ratio:.3}"));
        }
    };
    for (orders, dim) in [(&[0.7][..], 1), (&[0.7], 3), (&[0.7, 0.6, 0.5], 3)] {
        let problem = relaxation(orders, dim);
        for (at, scheme) in schemes.into_iter().enumerate() {
            for history in [HistoryChoice::Exact, HistoryChoice::Direct, compressed] {
                if history == compressed && at > 2 {
                    continue;
                }
                for n in [70_000, 131_073] {
                    let steps = Steps::Uniform(n);
                    let kept = (history, SaveNodes::Last);
                    let what = format!("{} {orders:?} {dim} {history:?} {n}", scheme.name());
                    check(what, ratio(&problem, scheme, &steps, kept));
                }
            }
            let all = (HistoryChoice::Exact, SaveNodes::All);
            let what = format!("{} {orders:?} {dim} all", scheme.name());
            check(what, ratio(&problem, scheme, &Steps::Uniform(200_000), all));
        }
        let graded: [&dyn Scheme; 3] = [&AdamsBashforthMoulton::default(), &ProductTrapezoid, &L1];
        for (scheme, history) in
            graded.into_iter().flat_map(|s| [(s, HistoryChoice::Exact), (s, compressed)])
        {
            let steps = Steps::Graded { n: 200_000, exponent: 1.1 };
            for save in [SaveNodes::Last, SaveNodes::All] {
                let what = format!("{} {orders:?} {dim} graded {history:?}", scheme.name());
                check(what, ratio(&problem, scheme, &steps, (history, save)));
            }
        }
    }
    let field = relaxation(&[0.7], 50_000);
    for history in [compressed, HistoryChoice::SingleExponentials { tolerance: 1e-7 }] {
        for steps in [Steps::Uniform(1000), Steps::Graded { n: 1000, exponent: 2.0 }] {
            let kept = (history, SaveNodes::Last);
            let found = ratio(&field, &AdamsBashforthMoulton::default(), &steps, kept);
            check(format!("field {steps:?} {history:?}"), found);
        }
    }
    for scheme in [
        Exponential::rectangle_of_matrix(&[-1.0, 0.2, 0.1, -2.0]),
        Exponential::trapezoid_of_matrix(&[-1.0, 0.2, 0.1, -2.0]),
    ] {
        let kept = (HistoryChoice::Exact, SaveNodes::Last);
        let found = ratio(&relaxation(&[0.7], 2), &scheme, &Steps::Uniform(10_000), kept);
        check(format!("{} of a matrix", scheme.name()), found);
    }
    assert!(outside.is_empty(), "{}", outside.join("\n"));
    nothing_large_is_allocated_before_a_refusal(&schemes);
}

fn nothing_large_is_allocated_before_a_refusal(schemes: &[&dyn Scheme]) {
    let problem = relaxation(&[0.7], 1);
    for scheme in schemes {
        let taken = peak(|| {
            let steps = Steps::Uniform(1 << 40);
            let failure = solve(&problem, *scheme, &steps, Options::default()).unwrap_err();
            assert!(matches!(failure.error, OdeError::Memory(_)), "{failure}");
        });
        assert!(taken < 1e5, "{}: {taken} bytes", scheme.name());
    }
}

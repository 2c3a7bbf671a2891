use hpfracc_nn::Schedule;

fn check(schedule: &Schedule, expected: &[(u64, f64)]) {
    schedule.check().unwrap();
    for (k, rate) in expected {
        let found = schedule.rate(*k);
        assert!((found - rate).abs() < 1e-15, "{schedule:?} {k}: {found} {rate}");
    }
    let text = serde_json::to_string(schedule).unwrap();
    assert_eq!(&serde_json::from_str::<Schedule>(&text).unwrap(), schedule);
}

#[test]
fn rates() {
    check(&Schedule::Constant(0.1), &[(0, 0.1), (1 << 60, 0.1)]);
    let linear = Schedule::Linear { from: 0.1, to: 0.3, steps: 4 };
    check(&linear, &[(0, 0.1), (1, 0.15), (3, 0.25), (4, 0.3), (9, 0.3)]);
    let cosine = Schedule::Cosine { from: 1.0, to: 0.2, steps: 6 };
    check(&cosine, &[(0, 1.0), (2, 0.8), (3, 0.6), (4, 0.4), (6, 0.2), (100, 0.2)]);
    let step = Schedule::Step { rate: 1.0, factor: 0.5, every: 3 };
    check(&step, &[(0, 1.0), (2, 1.0), (3, 0.5), (5, 0.5), (6, 0.25)]);
    let exponential = Schedule::Exponential { rate: 1.0, factor: 0.25, steps: 4 };
    check(&exponential, &[(0, 1.0), (2, 0.5), (4, 0.25), (8, 0.0625)]);
    let cycle = Schedule::OneCycle { from: 0.1, peak: 1.0, to: 0.01, rise: 2, steps: 6 };
    check(&cycle, &[(0, 0.1), (1, 0.55), (2, 1.0), (4, 0.505), (6, 0.01), (7, 0.01)]);
}

#[test]
fn one_after_the_other() {
    let cosine = Schedule::Cosine { from: 1.0, to: 0.2, steps: 6 };
    let warm = Schedule::WarmUp { steps: 4, then: Box::new(cosine) };
    check(&warm, &[(0, 0.25), (1, 0.5), (3, 1.0), (4, 1.0), (7, 0.6), (10, 0.2)]);
    let (first, then) = (Box::new(warm), Box::new(Schedule::Constant(0.7)));
    check(
        &Schedule::Sequence { first, steps: 5, then },
        &[(3, 1.0), (4, 1.0), (5, 0.7), (99, 0.7)],
    );
}

#[test]
fn refused() {
    let constant = |rate| Box::new(Schedule::Constant(rate));
    for schedule in [
        Schedule::Constant(-1.0),
        Schedule::Constant(f64::NAN),
        Schedule::Linear { from: 0.1, to: f64::INFINITY, steps: 4 },
        Schedule::Cosine { from: 0.1, to: 0.0, steps: 0 },
        Schedule::Step { rate: 1.0, factor: 1.5, every: 1 },
        Schedule::Exponential { rate: 1.0, factor: 0.0, steps: 1 },
        Schedule::OneCycle { from: 0.1, peak: 1.0, to: 0.0, rise: 4, steps: 4 },
        Schedule::WarmUp { steps: 0, then: constant(1.0) },
        Schedule::WarmUp { steps: 1, then: constant(-1.0) },
        Schedule::Sequence { first: constant(-1.0), steps: 1, then: constant(1.0) },
        Schedule::Sequence { first: constant(1.0), steps: 1, then: constant(-1.0) },
    ] {
        assert!(schedule.check().is_err(), "{schedule:?}");
    }
    assert!(serde_json::from_str::<Schedule>(r#"{"cosine": {"from": 1.0, "to": 0.1}}"#).is_err());
}

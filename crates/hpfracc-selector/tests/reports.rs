//! Explanations and summaries.

mod simulated;

use hpfracc_selector::{Direction, Settings, Task, Usage};
use simulated::{World, apply, bind, conv};
use std::time::Duration;

#[test]
fn an_explanation_is_a_table_and_a_value() {
    let (world, _) = World::of([("fast", 1e-5, 1e4), ("slow", 1e-4, 1e5)]);
    let selector = world.selector(Settings::default());
    apply(bind(&selector, conv(64)).as_ref(), 200);
    let explanation = selector.explain(conv(64)).unwrap();
    assert_eq!(explanation.chosen.as_deref(), Some("fast"));
    assert_eq!(explanation.executions, 200);
    assert_eq!(explanation.rows[0].samples, 200);
    assert_eq!(explanation.rows[0].bytes, Some(512));
    let text = explanation.to_string();
    for part in ["f64", "causal convolution, 1 x 64", "fast", "chosen", "10.0 us", "slow", "times"]
    {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
    let json = serde_json::to_value(&explanation).unwrap();
    assert_eq!(json["rows"][0]["prediction"]["source"], "timed");
    let once = Task { usage: Usage::Once, direction: Direction::Transpose, ..conv(64).into() };
    assert!(selector.explain(once).unwrap().to_string().contains("transposed, once"));
}

#[test]
fn a_summary_counts_workloads_and_timers() {
    let (world, _) = World::of([("a", 1e-5, 1e4)]);
    let selector = world.selector(Settings::default());
    let experience = selector.experience();
    apply(bind(&selector, conv(64)).as_ref(), 300);
    apply(bind(&selector, conv(32)).as_ref(), 3);
    for _ in 0..2 {
        let _timer = experience.timer("reading");
        world.clock.advance(500);
    }
    let summary = experience.summary();
    let [many, few] = &summary.workloads[..] else { panic!("{summary}") };
    assert_eq!((many.executions, many.total), (300, Duration::from_micros(3000)));
    assert_eq!((few.executions, few.total), (3, Duration::from_micros(30)));
    assert_eq!(summary.executed, Duration::from_micros(3030));
    assert_eq!(summary.timers[0].total, Duration::from_micros(1));
    let text = summary.to_string();
    assert!(text.contains("timer: reading") && text.contains("3.0 ms"), "{text}");
}

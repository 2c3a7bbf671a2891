use hpfracc_nn::{LossScale, OptimiserError, Scaled};

#[test]
fn grows_and_shrinks() {
    let mut scale = LossScale::default();
    assert_eq!(scale.scale(), 65536.0);
    let good = |scale: &mut LossScale| {
        let mut gradient = [3.0f32 * scale.scale() as f32, -0.1];
        let unscaled = -0.1 / scale.scale() as f32;
        assert_eq!(scale.unscale(&mut gradient).unwrap(), Scaled::Take);
        assert_eq!(gradient, [3.0, unscaled]);
    };
    (0..1999).for_each(|_| good(&mut scale));
    assert_eq!(scale.scale(), 65536.0);
    good(&mut scale);
    assert_eq!(scale.scale(), 131_072.0);
    // An overflow begins the count anew, and leaves the gradient.
    (0..1999).for_each(|_| good(&mut scale));
    let mut gradient = [1.0, f32::INFINITY];
    assert_eq!(scale.unscale(&mut gradient).unwrap(), Scaled::Skip);
    assert_eq!((scale.scale(), gradient[0]), (65536.0, 1.0));
    (0..1999).for_each(|_| good(&mut scale));
    assert_eq!(scale.scale(), 65536.0);
    // What is read goes on counting.
    let text = serde_json::to_string(&scale).unwrap();
    let mut read: LossScale = serde_json::from_str(&text).unwrap();
    assert_eq!(read, scale);
    good(&mut read);
    assert_eq!(read.scale(), 131_072.0);
}

#[test]
fn not_below_one() {
    let mut scale = LossScale::default();
    for power in (0..16).rev() {
        assert_eq!(scale.unscale(&mut [f64::NAN]).unwrap(), Scaled::Skip);
        assert_eq!(scale.scale(), f64::from(1u32 << power));
    }
    let before = scale;
    let error = scale.unscale(&mut [0.0, f32::NEG_INFINITY]).unwrap_err();
    assert!(matches!(error, OptimiserError::Overflow { index: 1, scale: 1.0, .. }), "{error}");
    assert_eq!(scale, before);
}

/// A zero gradient doubles the scale up to its limit.
#[test]
fn not_above_the_largest_scale() {
    let mut scale: LossScale = serde_json::from_str(r#"{"exponent": 64, "good": 1999}"#).unwrap();
    assert_eq!(scale.unscale(&mut [0.0f32]).unwrap(), Scaled::Take);
    assert_eq!(scale.scale(), 2f64.powi(64));
    for text in [
        r#"{"exponent": 65, "good": 0}"#,
        r#"{"exponent": 5, "good": 2000}"#,
        r#"{"exponent": 5, "good": 1, "scale": 3}"#,
    ] {
        assert!(serde_json::from_str::<LossScale>(text).is_err(), "{text}");
    }
}

#[inline(always)]
pub(crate) fn expm1(x: f32) -> f32 {
    const MAGIC: f32 = 12_582_912.0;
    let n = x.mul_add(std::f32::consts::LOG2_E, MAGIC);
    let scale = f32::from_bits((n.to_bits() << 23).wrapping_add(0x3f80_0000));
    let n = n - MAGIC;
    let r = n.mul_add(-0.693_359_4, x);
    let r = n.mul_add(2.121_944_4e-4, r);
    let p = 1.3981999e-3f32;
    let p = p.mul_add(r, 8.333e-3);
    let p = p.mul_add(r, 4.16666e-2);
    let p = p.mul_add(r, 1.666_666_5e-1);
    let p = p.mul_add(r, 0.5);
    let p = (r * r).mul_add(p, r);
    scale.mul_add(p, scale - 1.0)
}
#[inline(always)]
pub(crate) fn tanh(x: f32) -> f32 {
    let e = expm1((2.0 * x).clamp(-20.0, 20.0));
    e / (e + 2.0)
}

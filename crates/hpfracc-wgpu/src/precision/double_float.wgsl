// Double-float arithmetic: a number is the sum of two f32, 48 bits in the range of f32.
//
// Sources: T. J. Dekker, Numer. Math. 18 (1971) 224, doi:10.1007/BF01397083; D. E. Knuth, The Art
// of Computer Programming 2, section 4.2.2, theorem B.
//
// WGSL permits a compiler to reassociate sums, which would cancel the rounding errors that this
// arithmetic computes. Every rounded value therefore passes a `select` on `never`, a function of
// the shader that returns false from a buffer, unknown to the compiler. Fused multiply-adds are not
// used: devices may round them twice.

struct real {
    high: f32,
    low: f32,
}

struct complex {
    x: real,
    y: real,
}

struct quad {
    x: real,
    y: real,
    z: real,
    w: real,
}

fn rounded(a: f32) -> f32 {
    return select(a, 0.0, never());
}

// a + b exactly.
fn two_sum(a: f32, b: f32) -> real {
    let s = rounded(a + b);
    let b_part = rounded(s - a);
    let a_part = rounded(s - b_part);
    return real(s, rounded(rounded(a - a_part) + rounded(b - b_part)));
}

// a + b exactly, |a| >= |b|.
fn ordered_sum(a: f32, b: f32) -> real {
    let s = rounded(a + b);
    return real(s, rounded(b - rounded(s - a)));
}

// The leading 12 of 24 bits.
fn head(a: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(a) & 0xfffff000u);
}

// a b exactly: halves of 12 bits have exact products.
fn two_product(a: f32, b: f32) -> real {
    let p = rounded(a * b);
    let a_head = head(a);
    let b_head = head(b);
    let a_tail = a - a_head;
    let b_tail = b - b_head;
    var e = rounded(a_head * b_head - p);
    e = rounded(e + a_head * b_tail);
    e = rounded(e + a_tail * b_head);
    return real(p, rounded(e + a_tail * b_tail));
}

fn negated(a: real) -> real {
    return real(-a.high, -a.low);
}

// Within 2^-46 (|a| + |b|): the error is relative to the larger term when numbers of opposite sign
// cancel. That suffices for norm-wise bounds, at half the cost of `add`.
fn near_sum(a: real, b: real) -> real {
    let s = two_sum(a.high, b.high);
    return ordered_sum(s.high, rounded(s.low + rounded(a.low + b.low)));
}

// Within 2^-45 |a + b|.
fn add(a: real, b: real) -> real {
    let s = two_sum(a.high, b.high);
    let t = two_sum(a.low, b.low);
    let u = ordered_sum(s.high, rounded(s.low + t.high));
    return ordered_sum(u.high, rounded(u.low + t.low));
}

// Within 2^-45 |a b|.
fn times(a: real, b: real) -> real {
    let p = two_product(a.high, b.high);
    let cross = rounded(a.high * b.low + a.low * b.high);
    return ordered_sum(p.high, rounded(p.low + cross));
}

fn plus(a: complex, b: complex) -> complex {
    return complex(near_sum(a.x, b.x), near_sum(a.y, b.y));
}

fn minus(a: complex, b: complex) -> complex {
    return complex(near_sum(a.x, negated(b.x)), near_sum(a.y, negated(b.y)));
}

fn product(a: complex, b: complex) -> complex {
    return complex(
        near_sum(times(a.x, b.x), negated(times(a.y, b.y))),
        near_sum(times(a.x, b.y), times(a.y, b.x)));
}

fn scaled(a: complex, s: real) -> complex {
    return complex(times(a.x, s), times(a.y, s));
}

// Re(a b)
fn real_part(a: complex, b: complex) -> real {
    return near_sum(times(a.x, b.x), negated(times(a.y, b.y)));
}

fn conjugate(a: complex) -> complex {
    return complex(a.x, negated(a.y));
}

// -i a
fn minus_i(a: complex) -> complex {
    return complex(a.y, negated(a.x));
}

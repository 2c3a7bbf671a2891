// Arithmetic in a scalar type that the device has itself, aliased before this text as `real`.
//
// Shaders compute with these functions alone, so that the same text serves double_float.wgsl, whose
// numbers have no operators. Every compiler puts their bodies in place of the calls.

alias complex = vec2<real>;
alias quad = vec4<real>;

fn add(a: real, b: real) -> real {
    return a + b;
}

fn plus(a: complex, b: complex) -> complex {
    return a + b;
}

fn minus(a: complex, b: complex) -> complex {
    return a - b;
}

fn product(a: complex, b: complex) -> complex {
    return complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

fn scaled(a: complex, s: real) -> complex {
    return a * s;
}

// Re(a b)
fn real_part(a: complex, b: complex) -> real {
    return a.x * b.x - a.y * b.y;
}

fn conjugate(a: complex) -> complex {
    return complex(a.x, -a.y);
}

// -i a
fn minus_i(a: complex) -> complex {
    return complex(a.y, -a.x);
}

// Arithmetic in a native scalar type of the device, declared before this text as the alias `real`.
//
// Shaders call these functions only, so that the same shader works with double_float.wgsl, whose
// numbers have no operators. Compilers inline them.

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

// Complex numbers over the scalar type `real`, which is aliased before this text.

alias complex = vec2<real>;

fn product(a: complex, b: complex) -> complex {
    return complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

fn conjugate(a: complex) -> complex {
    return complex(a.x, -a.y);
}

// -i a
fn minus_i(a: complex) -> complex {
    return complex(a.y, -a.x);
}

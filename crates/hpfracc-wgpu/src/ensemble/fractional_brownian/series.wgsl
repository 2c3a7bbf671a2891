// Increments of fractional Brownian motion on n steps from their coefficients, of paths side by side:
//
//   x_j = c_0 + (-1)^j c_n + 2 Re sum_{0<k<n} c_k exp(i pi j k / n),   j = 0 .. n - 1
//
// Two increments are one complex number, so that a transform of n points makes 2n of them, of which the first half is
// needed:
//
//   x_{2m} + i x_{2m+1} = sum_{k<n} Z_k exp(2 pi i m k / n)
//   Z_k = (c_k + conj(c_{n-k})) + i exp(i pi k / n) (c_k - conj(c_{n-k}))
//
// Transforms are forward ones of conjugates. Where CHIRPED they are convolutions with a chirp (Bluestein): with b[j] =
// exp(-i pi j^2 / n), X[m] = b[m] sum_k (b[k] x[k]) conj(b[m-k]), cyclic in POINTS points.
//
// Bindings: coefficients: a row of complex numbers for each k; increments: a row for each step and noise; roots of the
// transform; turns[k] = exp(-i pi k / n); chirp: b[0 .. n], then the transform of conj(b), divided by POINTS.

struct Series { steps: u32, noises: u32, noise: u32, zero: u32 }
struct Paths { count: u32, first: u32, of_part: u32, zero: u32 }

@group(0) @binding(0) var<storage, read> coefficients: array<complex>;
@group(0) @binding(1) var<storage, read_write> increments: array<real>;
@group(0) @binding(2) var<storage, read> roots: array<complex>;
@group(0) @binding(3) var<storage, read> turns: array<complex>;
@group(0) @binding(4) var<storage, read> chirp: array<complex>;
@group(0) @binding(5) var<uniform> series: Series;
@group(0) @binding(6) var<uniform> paths: Paths;

// The conjugate of Z_k, times b[k] where CHIRPED.
fn load(lane: u32, k: u32) -> complex {
    if lane >= paths.count || k >= series.steps {
        return complex();
    }
    let a = coefficients[k * paths.count + lane];
    let b = conjugate(coefficients[(series.steps - k) * paths.count + lane]);
    let sum = plus(a, b);
    let turned = product(minus(a, b), conjugate(turns[k]));
    let z = complex(sum.x - turned.y, -sum.y - turned.x);
    if CHIRPED {
        return product(z, chirp[k]);
    }
    return z;
}

// The factor of frequency k of the convolution with the chirp.
fn filter_at(k: u32) -> complex {
    return chirp[series.steps + k];
}

fn store_increment(lane: u32, step: u32, value: real) {
    if step < series.steps {
        increments[(step * series.noises + series.noise) * paths.of_part + paths.first + lane] = value;
    }
}

// Stores two increments: `value` is the conjugate of point m, and where CHIRPED of the convolution.
fn store(lane: u32, m: u32, value: complex) {
    if lane >= paths.count || 2u * m >= series.steps {
        return;
    }
    var z = value;
    if CHIRPED {
        z = product(conjugate(value), chirp[m]);
    }
    store_increment(lane, 2u * m, z.x);
    store_increment(lane, 2u * m + 1u, -z.y);
}


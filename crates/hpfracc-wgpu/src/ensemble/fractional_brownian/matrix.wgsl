// Longer series as matrices of ROWS rows and COLUMNS columns, M points, in two passes, or three where CHIRPED:
//
//   n = n1 C + n2,   k = k1 + R k2
//   X[k] = sum_{n2} w_C^(n2 k2) [ w_M^(n2 k1) sum_{n1} w_R^(n1 k1) x[n] ],   w_L = exp(-2 pi i / L)
//
// Bindings: scratch: a row of complex numbers for each point; coarse, fine: exp(-2 pi i j / (4 M)) for j = 1024 h and j
// = l. Grid: SLOTS paths of a column or of a row, THREADS invocations a path.

@group(0) @binding(7) var<storage, read_write> scratch: array<complex>;
@group(0) @binding(8) var<storage, read> coarse: array<complex>;
@group(0) @binding(9) var<storage, read> fine: array<complex>;

fn point(lane: u32, n: u32) -> complex {
    if lane >= paths.count {
        return complex();
    }
    return scratch[n * paths.count + lane];
}

fn store_point(lane: u32, n: u32, value: complex) {
    if lane < paths.count {
        scratch[n * paths.count + lane] = value;
    }
}


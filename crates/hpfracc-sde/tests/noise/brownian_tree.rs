//! Brownian motion by halving.

use crate::paths::{covariances, rows, rows_with, same_bits};
use hpfracc_sde::RowsMut;
use hpfracc_sde::SdeError;
use hpfracc_sde::noise::{
    BrownianTree, Cell, CellIntegral, Coarse, Gaussian, Noise, Tile, TreeWalk,
};

/// D and J of a cell, each by component and path.
fn both<T: Gaussian>(walk: &mut TreeWalk<T>, cell: Cell, rows: usize, lanes: usize) -> [Vec<T>; 2] {
    let mut found = [vec![T::NAN; rows * lanes], vec![T::NAN; rows * lanes]];
    walk.increments(cell, RowsMut::new(&mut found[0], lanes));
    walk.integrals(cell, RowsMut::new(&mut found[1], lanes));
    found
}

/// Increments and time integrals of the eight cells of level 3, for all of which a joint normal distribution
/// is known; that of larger cells follows by sums, and that of smaller ones given larger ones by
/// the distribution of both.
#[test]
fn cells_have_their_joint_law() {
    let (lanes, length) = (60_000, 1.6f64);
    let tree = BrownianTree::new(4, 2).unwrap();
    let mut walk = tree.walk::<f32>((0, lanes), length).unwrap();
    let cells = (0..8).map(|index| both(&mut walk, Cell::new(3, index).unwrap(), 2, lanes));
    let wide = |row: &[f32]| row.iter().map(|x| f64::from(*x)).collect::<Vec<_>>();
    // By cell, component, and kind.
    let x: Vec<Vec<f64>> = cells
        .flat_map(|[d, j]| (0..2).flat_map(move |c| [d.clone(), j.clone()].map(|r| (c, r))))
        .map(|(component, row)| wide(&row[component * lanes..][..lanes]))
        .collect();
    let h = length / 8.0;
    covariances(&x, |i, j| match (i / 2 == j / 2, i % 2, j % 2) {
        (false, ..) => 0.0,
        (_, 0, 0) => h,
        (_, 1, 1) => h.powi(3) / 3.0,
        _ => h * h / 2.0,
    });
}

/// A cell is what its halves make: `D = D_1 + D_2`, `J = J_1 + J_2 + h/2 D_1`. To the deepest
/// level.
#[test]
fn a_cell_is_the_sum_of_its_halves() {
    fn check<T: Gaussian>(bound: f64) {
        let (lanes, length) = (3, 0.7);
        let tree = BrownianTree::new(4, 2).unwrap();
        let mut walk = tree.walk::<T>((9, lanes), length).unwrap();
        let mut cell = Cell::WHOLE;
        while let Some(halves) = cell.halves() {
            let h = cell.length() * length;
            let whole = both(&mut walk, cell, 2, lanes);
            let [left, right] = halves.map(|half| both(&mut walk, half, 2, lanes));
            for i in 0..2 * lanes {
                let [[d, j], [d1, j1], [d2, j2]] =
                    [&whole, &left, &right].map(|rows| [rows[0][i].widen(), rows[1][i].widen()]);
                assert!((d1 + d2 - d).abs() < bound * h.sqrt(), "{cell:?}");
                assert!((j1 + j2 + 0.5 * h * d1 - j).abs() < bound * h.powf(1.5), "{cell:?}");
                assert!(d.abs() < 7.0 * h.sqrt() && d != 0.0, "{cell:?}: {d}");
            }
            cell = halves[usize::from(cell.level().is_multiple_of(3))];
        }
        assert_eq!(cell.level(), Cell::DEEPEST);
    }
    check::<f64>(1e-14);
    check::<f32>(4e-6);
}

/// Cells in an order that jumps about, against walks that ask for nothing else, and parts of the
/// tile.
#[test]
fn the_same_bits_in_any_order() {
    let (lanes, length) = (19, 3.0);
    let tree = BrownianTree::new(8, 3).unwrap();
    let mut walk = tree.walk::<f32>((100, lanes), length).unwrap();
    let mut state = 1u32;
    for _ in 0..500 {
        state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let level = (state >> 7) % 12;
        let cell = Cell::new(level, (state >> 12) % (1 << level)).unwrap();
        let found = both(&mut walk, cell, 3, lanes);
        let mut part = tree.walk::<f32>((100 + 6, 5), length).unwrap();
        let alone = both(&mut part, cell, 3, 5);
        for (found, alone) in found.iter().zip(&alone) {
            for (found, alone) in found.chunks_exact(lanes).zip(alone.chunks_exact(5)) {
                assert_eq!(&found[6..11], alone, "{cell:?}");
            }
        }
    }
}

#[test]
fn values_are_sums_of_increments() {
    let tree = BrownianTree::new(8, 2).unwrap();
    let mut walk = tree.walk::<f64>((5, 1), 2.0).unwrap();
    let mut sums = [0.0; 2];
    for index in 0..64 {
        for (component, sum) in sums.iter().enumerate() {
            let value: f64 = tree.at((5, component), 2.0, (6, index)).unwrap();
            assert!((value - sum).abs() < 1e-14, "{index}: {value} {sum}");
            let finer: f64 = tree.at((5, component), 2.0, (9, 8 * index)).unwrap();
            assert!((value - finer).abs() < 1e-14);
        }
        let [d, _] = both(&mut walk, Cell::new(6, index).unwrap(), 2, 1);
        sums.iter_mut().zip(d).for_each(|(sum, d)| *sum += d);
    }
    let end: f64 = tree.at((5, 1), 2.0, (6, 64)).unwrap();
    assert!((end - sums[1]).abs() < 1e-14);
}

/// As a noise on equal steps: a coarser level is the same path, integrals included.
#[test]
fn equal_steps_are_cells() {
    let tree = BrownianTree::new(2, 2).unwrap();
    same_bits::<f32>(&tree, 16, 0.25);
    let integrals =
        [(1, 0), (0, 0), (1, 2)].map(|(noise, lag)| CellIntegral { noise, exponent: 1.0, lag });
    let tile = |steps, h| Tile { first_path: 3, lanes: 7, steps, h };
    let coarse = rows_with::<f64>(&tree, tile(4, 0.5), &integrals);
    let fine = rows_with::<f64>(&Coarse::new(tree, 8).unwrap(), tile(4, 0.5), &integrals);
    for (a, b) in coarse.iter().flatten().flatten().zip(fine.iter().flatten().flatten()) {
        assert!((a - b).abs() < 1e-14, "{a} {b}");
    }
    let mut walk = tree.walk::<f64>((3, 7), 2.0).unwrap();
    for (index, step) in (0..).zip(rows::<f64>(&tree, tile(4, 0.5))) {
        let [d, _] = both(&mut walk, Cell::new(2, index).unwrap(), 2, 7);
        assert_eq!(step.concat(), d);
    }
}

#[test]
fn cells_and_steps_that_do_not_exist() {
    assert!(matches!(Cell::new(31, 0), Err(SdeError::OutOfRange { .. })));
    assert!(Cell::new(3, 8).is_err() && Cell::new(0, 1).is_err());
    assert_eq!(Cell::new(3, 7).unwrap().next(), None);
    assert_eq!(Cell::new(3, 6).unwrap().next(), Cell::new(3, 7).ok());
    assert_eq!(Cell::new(3, 6).unwrap().parent(), Cell::new(2, 3).ok());
    assert_eq!(Cell::WHOLE.parent(), None);
    assert_eq!(Cell::new(30, 5).unwrap().halves(), None);
    let tree = BrownianTree::new(2, 1).unwrap();
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(tree.walk::<f64>((0, 1), bad).is_err());
    }
    assert!(tree.walk::<f64>((0, 0), 1.0).is_err());
    assert!(tree.at::<f64>((0, 1), 1.0, (1, 1)).is_err());
    assert!(tree.at::<f64>((0, 0), 1.0, (2, 5)).is_err());
    assert!(tree.at::<f64>((0, 0), 1.0, (31, 0)).is_err());
    assert!(BrownianTree::new(2, 0).is_err());
    let noise: &dyn Noise<f64> = &tree;
    let tile = Tile { first_path: 0, lanes: 1, steps: 6, h: 1.0 };
    let refused = noise.increments(tile, &[]).err().map(|error| error.to_string());
    assert!(refused.is_some_and(|text| text.contains("is 6, expected a power of two")));
    let integral = CellIntegral { noise: 0, exponent: 0.5, lag: 0 };
    let tile = Tile { steps: 4, ..tile };
    assert!(matches!(noise.increments(tile, &[integral]), Err(SdeError::NoIntegrals { .. })));
    let integral = CellIntegral { noise: 1, exponent: 1.0, lag: 0 };
    assert!(matches!(noise.increments(tile, &[integral]), Err(SdeError::OutOfRange { .. })));
}

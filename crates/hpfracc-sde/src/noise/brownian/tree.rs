use crate::SdeError;
use crate::checks::Range;
use crate::error::{in_range, out_of_range};
use crate::noise::increments::{MOST, check_components};
use crate::noise::{
    Cell, CellIntegral, Gaussian, Increments, Noise, NoiseProcess, Normals, Purpose, Source, Tile,
    TileIncrements, TreeWalk,
};
use hpfracc_lanes::RowsMut;

/// Brownian motion as a tree of halved cells: its increment over any cell `[k, k+1] 2^-l` of an
/// interval, whatever was asked before. For adaptive steps, which refine the same path wherever
/// they please.
///
/// With each increment `D = W(b) - W(a)` over a cell of length h comes its time integral `J =
/// int_a^b (W(s) - W(a)) ds`, in their joint distribution: the `I_(1,0)` of schemes of strong order
/// 3/2. What J has beyond D is `S = J/h - D/2`, normal with variance h/12 and independent of D. A
/// cell is halved by the conditional distribution of its halves given D and S:
///
#[doc = formula!("brownian_tree", r"D_\text{left} = \frac{D}{2} + \frac{3}{2} S + \frac{\sqrt{h}}{4} z, \quad D_\text{right} = D - D_\text{left}
    S_\text{left} = \frac{S}{4} - \frac{\sqrt{h}}{8} z + \sqrt{\frac{h}{48}} \, y, \quad S_\text{right} = \frac{S}{4} - \frac{\sqrt{h}}{8} z - \sqrt{\frac{h}{48}} \, y")]
///
/// with standard normals z and y that have the cell for an address. Cost: nothing is stored; a cell
/// costs one halving for each level above it, and one on the average if cells are visited in
/// order ([`walk`](Self::walk)). The tree of an interval of length T is that of the unit interval,
/// stretched.
///
/// As a [`Noise`] it drives 2^l equal steps, of which each is a cell: the path that an adaptive
/// solution took, on steps of one length. It answers for the integral of exponent 1 and lag 0.
///
/// Sources: Lévy, Processus stochastiques et mouvement brownien (1948), for W alone; Li, Wong, Chen
/// and Duvenaud, AISTATS (2020), arXiv:2001.01328, for the virtual tree; Foster, Lyons and
/// Oberhauser, SIAM J. Numer. Anal. 58 (2020) 1393, DOI 10.1137/19M1261912, for S.
///
/// ```
/// use hpfracc_sde::noise::BrownianTree;
///
/// let tree = BrownianTree::new(7, 1)?;
/// // W(1), W(1/2) and W(3/4) of path 3, in any order
/// let w = |level, index| tree.at::<f64>((3, 0), 1.0, (level, index));
/// let (whole, half, later) = (w(0, 1)?, w(1, 1)?, w(2, 3)?);
/// assert!(whole != half && (later - w(4, 12)?).abs() < 1e-12);
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct BrownianTree {
    normals: Normals,
    components: u32,
}

impl BrownianTree {
    /// With `components` independent components, 1 to 2^24.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for another number of components.
    pub fn new(seed: u64, components: usize) -> Result<Self, SdeError> {
        check_components(components, MOST)?;
        Ok(Self { normals: Normals::new(seed), components: components as u32 })
    }

    /// Components of W.
    pub fn components(&self) -> usize {
        self.components as usize
    }

    /// Goes from cell to cell on paths side by side, over an interval of this length.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for a length that is not positive and finite, and for no path.
    pub fn walk<T: Gaussian>(
        &self,
        (first_path, lanes): (u64, usize),
        length: f64,
    ) -> Result<TreeWalk<T>, SdeError> {
        Range::POSITIVE.check("the length of a tree's interval", length)?;
        in_range(lanes > 0, "the number of paths", 0.0, "at least 1")?;
        Ok(TreeWalk::new((self.normals, self.components), (first_path, lanes), length))
    }

    /// `W(length 2^-level index)` of one component of one path, W(0) being 0. The index goes from 0
    /// to 2^level.
    ///
    /// ```
    /// use hpfracc_sde::noise::BrownianTree;
    ///
    /// let tree = BrownianTree::new(7, 1)?;
    /// let middle: f64 = tree.at((3, 0), 2.0, (1, 1))?;
    /// // The same time by another name.
    /// assert_eq!(middle, tree.at((3, 0), 2.0, (5, 16))?);
    /// # Ok::<(), hpfracc_sde::SdeError>(())
    /// ```
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for a level, an index, a length or a component that does not exist.
    pub fn at<T: Gaussian>(
        &self,
        (path, component): (u64, usize),
        length: f64,
        (level, index): (u32, u32),
    ) -> Result<T, SdeError> {
        let what = "the component of a tree";
        in_range(component < self.components(), what, component as f64, "one of its components")?;
        let mut walk = self.walk::<T>((path, 1), length)?;
        if index == 0 {
            return Cell::new(level, 0).map(|_| T::zero());
        }
        // The last cell before that time, and all left halves beside the way to it.
        let last = Cell::new(level, index - 1)?;
        let beside = |level: &u32| last.at_level(*level) % 2 == 1;
        let mut sum = T::zero();
        for level in (1..=level).filter(beside) {
            let left = Cell::new(level, last.at_level(level) - 1)?;
            sum += walk.increment(left, component)[0];
        }
        Ok(sum + walk.increment(last, component)[0])
    }
}

impl<T: Gaussian> Noise<T> for BrownianTree {
    fn components(&self) -> usize {
        self.components as usize
    }

    fn process(&self, _: usize) -> NoiseProcess {
        NoiseProcess::Brownian
    }

    fn sources(&self) -> Vec<Source> {
        vec![self.normals.source(Purpose::BrownianTree)]
    }

    fn increments(&self, tile: Tile, integrals: &[CellIntegral]) -> TileIncrements<'_, T> {
        tile.check(0)?;
        let Tile { first_path, lanes, steps, h } = tile;
        let level = steps
            .checked_ilog2()
            .filter(|level| steps.is_power_of_two() && *level <= Cell::DEEPEST);
        let Some(level) = level else {
            let expected = "a power of two up to 2^30 on a Brownian tree";
            return Err(out_of_range("the number of steps", steps as f64, expected));
        };
        for integral in integrals {
            integral.check(self.components())?;
            if integral.exponent != 1.0 {
                return Err(SdeError::NoIntegrals { noise: "a Brownian tree" });
            }
        }
        let walk = self.walk((first_path, lanes), h * steps as f64)?;
        let components = self.components();
        let room = if integrals.is_empty() { 0 } else { components * lanes };
        let (integrals, scratch) = (integrals.to_vec(), vec![T::zero(); room]);
        Ok(Box::new(TreeSteps { walk, components, level, h, integrals, scratch }))
    }
}

/// The cells of one level as steps.
struct TreeSteps<T> {
    walk: TreeWalk<T>,
    components: usize,
    level: u32,
    h: f64,
    integrals: Vec<CellIntegral>,
    /// The integrals of all components.
    scratch: Vec<T>,
}

impl<T: Gaussian> Increments<T> for TreeSteps<T> {
    fn write(&mut self, step: usize, mut rows: RowsMut<'_, T>) {
        let Ok(cell) = Cell::new(self.level, step as u32) else { return };
        let lanes = rows.lanes();
        self.walk.increments(cell, rows.reborrow());
        if self.integrals.is_empty() {
            return;
        }
        self.walk.integrals(cell, RowsMut::new(&mut self.scratch, lanes));
        for (row, integral) in (self.components..).zip(&self.integrals) {
            let lag = T::narrow(integral.lag as f64 * self.h);
            for lane in 0..lanes {
                let past = lag * rows[integral.noise][lane];
                rows[row][lane] = self.scratch[integral.noise * lanes + lane] + past;
            }
        }
    }
}

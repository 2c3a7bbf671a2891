//! Chunks of arguments: which sum each of them needs, and these sums.

use hpfracc_lanes::{Elementary, two_parts};
use num_complex::Complex64;

use super::exponentials::{self, Argument, Pole, Rule};
use super::parts::Parts;
use super::sums::{self, Complex, LANES};

/// Arguments of a chunk.
pub(super) const CHUNK: usize = 256;
/// Moduli whose squares are normal numbers.
const MODULI: std::ops::Range<f64> = 1e-140..1e140;
/// A second contour is considered where the first is nearer to a pole than this.
const CLEARANCE: f64 = 0.2;

/// What is summed for an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Regime {
    /// Computed alone.
    Single,
    /// Taylor's series.
    Near,
    /// The contour, without some asymptotic terms.
    Contour { which: Which, offset: bool, shifts: u8 },
    /// The algebraic expansion, with this number of terms.
    Far(u8),
}

/// The contours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Which {
    /// For negative numbers, where no pole is.
    Short,
    Inner,
    Outer,
}

/// Numbers of a regime's code.
const SHIFTS: usize = 9;
const FAR: usize = 2 + 6 * SHIFTS;
const CODES: usize = FAR + 25;

impl Regime {
    fn code(self) -> usize {
        match self {
            Self::Single => 0,
            Self::Near => 1,
            Self::Contour { which, offset, shifts } => {
                2 + (2 * which as usize + usize::from(offset)) * SHIFTS + usize::from(shifts)
            }
            Self::Far(terms) => FAR + usize::from(terms),
        }
    }
}

/// A chunk and what is known of it.
pub(super) struct Chunk {
    arguments: [Argument; CHUNK],
    sizes: [f64; CHUNK],
    regimes: [Regime; CHUNK],
    /// Sums of the exponentials, then the values.
    values: [[f64; 2]; CHUNK],
    poles: Vec<Pole>,
}

impl Chunk {
    pub(super) fn new() -> Self {
        Self {
            arguments: [Argument::default(); CHUNK],
            sizes: [0.0; CHUNK],
            regimes: [Regime::Single; CHUNK],
            values: [[0.0; 2]; CHUNK],
            poles: Vec::new(),
        }
    }

    /// Values at real arguments; some are left to `alone`.
    #[inline(always)]
    pub(super) fn real(
        &mut self,
        parts: Parts<'_>,
        x: &[f64],
        out: &mut [f64],
        alone: impl Fn(f64) -> f64,
    ) {
        let of_negative = two_parts::angle(0.0, -1.0);
        for ((argument, size), &x) in self.arguments.iter_mut().zip(&mut self.sizes).zip(x) {
            let angle = if x < 0.0 { of_negative } else { (0.0, 0.0) };
            *argument = Argument { re: x, im: 0.0, angle };
            *size = x.abs();
        }
        self.evaluate::<true>(parts, x.len());
        for (i, (out, &x)) in out.iter_mut().zip(x).enumerate() {
            let single = self.regimes[i] == Regime::Single;
            *out = if single { alone(x) } else { self.values[i][0] };
        }
    }

    /// Values at complex arguments; some, and real ones, are left to `alone`.
    #[inline(always)]
    pub(super) fn complex(
        &mut self,
        parts: Parts<'_>,
        z: &[Complex64],
        out: &mut [Complex64],
        alone: impl Fn(Complex64) -> Complex64,
    ) {
        for ((argument, size), &z) in self.arguments.iter_mut().zip(&mut self.sizes).zip(z) {
            *argument = Argument { re: z.re, im: z.im, angle: two_parts::angle(z.im, z.re) };
            *size = Elementary::sqrt(z.re.mul_add(z.re, z.im * z.im));
        }
        self.evaluate::<false>(parts, z.len());
        for (i, (out, &z)) in out.iter_mut().zip(z).enumerate() {
            let single = self.regimes[i] == Regime::Single;
            let [re, im] = self.values[i];
            *out = if single { alone(z) } else { Complex64::new(re, im) };
        }
    }

    #[inline(always)]
    fn evaluate<const REAL: bool>(&mut self, parts: Parts<'_>, count: usize) {
        self.values[..count].fill([0.0; 2]);
        self.poles.clear();
        for i in 0..count {
            self.regimes[i] = self.regime::<REAL>(parts, i);
        }
        if !self.poles.is_empty() {
            self.add_exponentials::<REAL>(parts);
        }
        self.add_sums::<REAL>(parts, count);
    }

    /// The regime of an argument, as far as its modulus determines it; its poles are appended.
    #[inline(always)]
    fn regime<const REAL: bool>(&mut self, parts: Parts<'_>, i: usize) -> Regime {
        let (Argument { re, angle, .. }, size) = (self.arguments[i], self.sizes[i]);
        if !MODULI.contains(&size) {
            return Regime::Single;
        }
        let short = REAL && re < 0.0 && parts.alpha <= 1.0;
        if size <= parts.taylor.radius && !(short && parts.beta == 1.0) {
            return Regime::Near;
        }
        let before = self.poles.len();
        if !short
            && exponentials::append(parts.alpha, i, angle.0, REAL, &mut self.poles)
            && size > parts.poles.largest
        {
            self.poles.truncate(before);
            return Regime::Single;
        }
        if size >= parts.asymptotic.radius {
            Regime::Far(parts.asymptotic.terms(size) as u8)
        } else {
            let which = if short { Which::Short } else { Which::Inner };
            Regime::Contour { which, offset: false, shifts: 0 }
        }
    }

    /// The exponentials, and with them contours and offsets.
    #[inline(always)]
    fn add_exponentials<const REAL: bool>(&mut self, parts: Parts<'_>) {
        exponentials::set_residues(parts, &self.arguments, &mut self.poles);
        for pole in &self.poles {
            if !(pole.residue[0] + pole.residue[1]).is_finite() {
                self.regimes[pole.member] = Regime::Single;
            }
        }
        let rules = self.choose_contours(parts);
        let regimes = &self.regimes;
        exponentials::set_crossings(
            &mut self.poles,
            #[inline(always)]
            |pole| match regimes[pole.member] {
                Regime::Contour { which: Which::Outer, .. } => rules[1],
                Regime::Contour { .. } => rules[0],
                _ => Rule::NONE,
            },
        );
        let mut distances = [[f64::INFINITY; 2]; CHUNK];
        for pole in &self.poles {
            let (nearest, distance) = (&mut distances[pole.member], pole.distances());
            *nearest = [0, 1].map(|k| nearest[k].min(distance[k]));
        }
        for pole in &self.poles {
            let [without, with] = distances[pole.member];
            // Of the offsets the one whose nodes are farther from the poles.
            let far = with > without;
            if let Regime::Contour { offset, .. } = &mut self.regimes[pole.member] {
                *offset = far;
            }
            let part = pole.exponential(if far { -1.0 } else { 1.0 }, REAL);
            let sum = &mut self.values[pole.member];
            *sum = [sum[0] + part[0], sum[1] + part[1]];
        }
    }

    /// Gives arguments with poles near the inner contour the outer one, where that is farther away.
    fn choose_contours(&mut self, parts: Parts<'_>) -> [Rule; 2] {
        let on_contour = |pole: &&Pole| matches!(self.regimes[pole.member], Regime::Contour { .. });
        if !self.poles.iter().any(|pole| on_contour(&pole)) {
            return [Rule::NONE; 2];
        }
        let inner = Rule::of(parts.contours.inner());
        let mut here = [f64::INFINITY; CHUNK];
        for pole in self.poles.iter().filter(on_contour) {
            here[pole.member] = here[pole.member].min(pole.clearance(&inner));
        }
        if here.iter().all(|&clearance| clearance >= CLEARANCE) {
            return [inner; 2];
        }
        let outer = Rule::of(parts.contours.outer());
        let mut there = [f64::INFINITY; CHUNK];
        for pole in &self.poles {
            there[pole.member] = there[pole.member].min(pole.clearance(&outer));
        }
        for (i, regime) in self.regimes.iter_mut().enumerate() {
            if let Regime::Contour { which, .. } = regime
                && here[i] < CLEARANCE
                && there[i] > here[i]
            {
                *which = Which::Outer;
            }
        }
        [inner, outer]
    }

    /// Adds the sums, which arguments of one regime share.
    #[inline(always)]
    fn add_sums<const REAL: bool>(&mut self, parts: Parts<'_>, count: usize) {
        let contour = |which: Which| match which {
            Which::Short => parts.contours.short(),
            Which::Inner => parts.contours.inner(),
            Which::Outer => parts.contours.outer(),
        };
        for i in 0..count {
            if let Regime::Contour { which, shifts, .. } = &mut self.regimes[i] {
                *shifts = contour(*which).shifts(self.sizes[i]) as u8;
            }
        }
        let (order, ends) = sorted(&self.regimes[..count]);
        let mut start = ends[0];
        for &end in &ends[1..] {
            for members in order[start..end].chunks(LANES) {
                let regime = self.regimes[members[0]];
                // The last group repeats a member.
                let at = |l: usize| members.get(l).copied().unwrap_or(members[0]);
                let mut z = Complex::ZERO;
                for l in 0..LANES {
                    let argument = &self.arguments[at(l)];
                    (z.re[l], z.im[l]) = (argument.re, argument.im);
                }
                let sum = match regime {
                    Regime::Near => sums::taylor::<REAL>(parts.taylor.coefficients(), &z),
                    Regime::Far(terms) => sums::algebraic::<REAL>(
                        parts.asymptotic,
                        usize::from(terms),
                        &z,
                        Complex::ZERO,
                    ),
                    Regime::Contour { which, offset, shifts } => {
                        let shifts = usize::from(shifts);
                        let rest = sums::nodes::<REAL>(contour(which).nodes(offset), shifts, &z);
                        sums::algebraic::<REAL>(parts.asymptotic, shifts, &z, rest)
                    }
                    Regime::Single => continue,
                };
                for (l, &i) in members.iter().enumerate() {
                    let value = &mut self.values[i];
                    *value = [value[0] + sum.re[l], value[1] + sum.im[l]];
                }
            }
            start = end;
        }
    }
}

/// Places sorted by regime, and where each regime ends.
fn sorted(regimes: &[Regime]) -> ([usize; CHUNK], [usize; CODES]) {
    let (mut ends, mut codes) = ([0; CODES], [0; CHUNK]);
    for (code, regime) in codes.iter_mut().zip(regimes) {
        *code = regime.code();
        ends[*code] += 1;
    }
    for code in 1..CODES {
        ends[code] += ends[code - 1];
    }
    let (mut order, mut free) = ([0; CHUNK], ends);
    for (i, &code) in codes[..regimes.len()].iter().enumerate().rev() {
        let place = &mut free[code];
        *place -= 1;
        order[*place] = i;
    }
    (order, ends)
}

//! Real transform of lines, two in one complex Fourier transform of n points.

use crate::fourier::planners::Transforms;
use crate::fourier::pointwise;
use hpfracc_backend::{Direction, RealTransform};
use hpfracc_types::Real;
use num_complex::Complex;
use pulp::{Arch, Simd, WithSimd};
use rustfft::Fft;
use std::ops::Range;
use std::sync::Arc;

/// Real transform of complex lines whose real and imaginary parts are two lines of values, see
/// [`FourierForm`](hpfracc_backend::FourierForm).
pub(super) struct LineTransform<T> {
    fft: Arc<dyn Fft<T>>,
    /// Entry of the Fourier transform that value j is.
    places: Vec<u32>,
    /// Factors before the Fourier transform; empty if all are 1.
    before: Vec<Complex<T>>,
    /// Halves of the factors after the Fourier transform.
    after: Vec<Complex<T>>,
    /// The range of frequencies k whose mirror images are those from the other end of the range;
    /// the frequency outside it, if there is one, is its own image.
    mirrored: Range<usize>,
}

/// One of the maps of a line; `multipliers` has one for each mode of both lines.
#[derive(Clone, Copy)]
pub(super) enum Step<'a, T> {
    /// Coefficients of values.
    ToModes,
    /// Values of coefficients.
    ToValues,
    /// Values of the products of the coefficients of values, with the multipliers of all lines,
    /// two in one.
    Multiply(&'a [Complex<T>]),
}

impl<T: Real> LineTransform<T> {
    pub(super) fn new(transform: RealTransform, n: usize, transforms: &Transforms) -> Self {
        let form = transform.fourier_form(n);
        let number = |[re, im]: [f64; 2]| Complex::new(T::narrow(re), T::narrow(im));
        let mut places = vec![0; n];
        for (p, &j) in form.positions.iter().enumerate() {
            places[j] = p as u32;
        }
        let trivial = form.before.iter().all(|factor| *factor == [1.0, 0.0]);
        let before = if trivial { &[][..] } else { &form.before };
        let mirrored = if form.mirror(0) == 0 {
            1..n
        } else if form.mirror(n - 1) == n - 1 {
            0..n - 1
        } else {
            0..n
        };
        Self {
            fft: transforms.complex(n).forward,
            places,
            before: before.iter().map(|factor| number(*factor)).collect(),
            after: form.after.iter().map(|[re, im]| number([0.5 * re, 0.5 * im])).collect(),
            mirrored,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.after.len()
    }

    /// Bytes of the tables.
    pub(super) fn bytes(&self) -> usize {
        let factors = self.before.len() + self.after.len();
        factors * size_of::<Complex<T>>() + self.places.len() * size_of::<u32>()
    }

    /// Length of the scratch.
    pub(super) fn scratch_len(&self) -> usize {
        self.fft.get_inplace_scratch_len()
    }

    /// Entry of a line at which value or coefficient i is, before a step or after it.
    pub(super) fn place(&self, i: usize, values: bool) -> usize {
        if values { self.places[i] as usize } else { i }
    }

    /// Transforms a line in place; `multipliers` are those of its modes.
    pub(super) fn run(
        &self,
        step: Step<'_, T>,
        line: &mut [Complex<T>],
        multipliers: &[Complex<T>],
        scratch: &mut [Complex<T>],
    ) {
        if !matches!(step, Step::ToValues) {
            self.multiply_before(line);
            self.fft.process_with_scratch(line, scratch);
        }
        let pairs = Pairs { line, after: &self.after, mirrored: self.mirrored.clone() };
        match step {
            Step::ToModes => Arch::new().dispatch(Modes(pairs)),
            Step::ToValues => Arch::new().dispatch(Spectrum(pairs)),
            Step::Multiply(_) => Arch::new().dispatch(Product(pairs, multipliers)),
        }
        if !matches!(step, Step::ToModes) {
            self.fft.process_with_scratch(line, scratch);
            self.multiply_before(line);
        }
    }

    fn multiply_before(&self, line: &mut [Complex<T>]) {
        if !self.before.is_empty() {
            pointwise::multiply(line, &self.before, Direction::Forward);
        }
    }
}

/// A line in the order of frequencies, with the halves of the factors of its modes.
struct Pairs<'a, T> {
    line: &'a mut [Complex<T>],
    after: &'a [Complex<T>],
    mirrored: Range<usize>,
}

impl<T: Real> Pairs<'_, T> {
    /// Calls a function with each pair of entries that are mirror images, `[a, b]`, with the halves
    /// of their factors, and with the multipliers of both.
    #[inline(always)]
    fn each(
        self,
        multipliers: &[Complex<T>],
        f: impl Fn([Complex<T>; 2], [Complex<T>; 2], [Complex<T>; 2]) -> [Complex<T>; 2],
    ) {
        let Self { line, after, mirrored } = self;
        let own = |k: usize, line: &mut [Complex<T>]| {
            [line[k], _] = f([line[k]; 2], [after[k]; 2], [multipliers[k]; 2]);
        };
        let n = line.len();
        // The frequency outside the range, and the one in its middle.
        if mirrored.len() < n {
            own(if mirrored.start == 0 { n - 1 } else { 0 }, line);
        }
        if mirrored.len() % 2 == 1 {
            own(mirrored.start + mirrored.len() / 2, line);
        }
        let half = mirrored.len() / 2;
        let (low, high) = line[mirrored.clone()].split_at_mut(half);
        let skipped = high.len() - half;
        let (after, multipliers) = (&after[mirrored.clone()], &multipliers[mirrored]);
        let lower = low.iter_mut().zip(after).zip(multipliers);
        let upper = high[skipped..].iter_mut().zip(&after[half + skipped..]);
        let upper = upper.zip(&multipliers[half + skipped..]).rev();
        for (((a, after_a), m_a), ((b, after_b), m_b)) in lower.zip(upper) {
            [*a, *b] = f([*a, *b], [*after_a, *after_b], [*m_a, *m_b]);
        }
    }
}

/// Coefficients of the two lines from their sums: `c = (w Z + conj(w) Z') / 2` with the sum Z' of the
/// mirror image.
#[inline(always)]
fn coefficients<T: Real>([a, b]: [Complex<T>; 2], [u, v]: [Complex<T>; 2]) -> [Complex<T>; 2] {
    [u * a + u.conj() * b, v * b + v.conj() * a]
}

/// The transposed map.
#[inline(always)]
fn sums<T: Real>([a, b]: [Complex<T>; 2], [u, v]: [Complex<T>; 2]) -> [Complex<T>; 2] {
    [u * a + v.conj() * b, v * b + u.conj() * a]
}

struct Modes<'a, T>(Pairs<'a, T>);

impl<T: Real> WithSimd for Modes<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let after = self.0.after;
        self.0.each(after, |pair, factors, _| coefficients(pair, factors));
    }
}

struct Spectrum<'a, T>(Pairs<'a, T>);

impl<T: Real> WithSimd for Spectrum<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let after = self.0.after;
        self.0.each(after, |pair, factors, _| sums(pair, factors));
    }
}

struct Product<'a, T>(Pairs<'a, T>, &'a [Complex<T>]);

impl<T: Real> WithSimd for Product<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        self.0.each(self.1, |pair, factors, [m, l]| {
            let [c, d] = coefficients(pair, factors);
            let both = |c: Complex<T>, m: Complex<T>| Complex::new(c.re * m.re, c.im * m.im);
            sums([both(c, m), both(d, l)], factors)
        });
    }
}

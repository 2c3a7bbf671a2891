//! Loop integrals around the branch points of the Prabhakar function's Laplace transform.
//!
//! ```text
//! E^γ_{α,β}(z) = 1/(2πi) ∫ e^s s^{-β} (1 - z s^{-α})^{-γ} ds
//! ```
//!
//! has branch points at 0 and at s_j = z^{1/α}. The cuts are laid from each of them horizontally
//! to -∞, and the contour is drawn together around them: branch points that are close in
//! imaginary part share a parabola, the others have one each. On a parabola the integrand is
//! nowhere much larger than at its branch points, so that no digits are lost even where a single
//! contour to the right of all of them would have to pass through e^{|s_j|/2}.

use std::f64::consts::PI;

use num_complex::Complex64;

use crate::mittag_leffler::contour::step;
use crate::mittag_leffler::poles::Poles;

/// Branch points farther left than this are negligible.
const LEFTMOST: f64 = -50.0;
/// ln of the accuracy of the rule.
const DIGITS: f64 = 41.5;

#[derive(Debug, Clone, Copy)]
struct BranchPoint {
    s: Complex64,
    /// e^s s^{-β}; for the origin not used.
    factor: Complex64,
}

/// Branch points inside one parabola s = focus + vertex (1+iu)².
#[derive(Debug)]
struct Group {
    points: Vec<BranchPoint>,
    focus: Complex64,
    vertex: f64,
    /// Im u of the nearest branch point.
    depth: f64,
}

impl Group {
    /// `least` is the vertex for a single branch point.
    fn new(points: Vec<BranchPoint>, least: f64) -> Self {
        let (mut re, mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY);
        for p in &points {
            re = re.max(p.s.re);
            low = low.min(p.s.im);
            high = high.max(p.s.im);
        }
        let focus = Complex64::new(re, 0.5 * (low + high));
        let phi = |p: &BranchPoint| 0.5 * ((p.s - focus).re + (p.s - focus).norm());
        let phi = points.iter().map(phi).fold(0.0, f64::max);
        // Not far beyond the branch points, since rounding errors grow like e^{vertex - phi}.
        let vertex = f64::min(2.4 * phi, phi + least).max(least);
        Self { points, focus, vertex, depth: 1.0 - (phi / vertex).sqrt() }
    }

    /// The interval of imaginary parts that the parabola covers before it has decayed.
    fn span(&self) -> (f64, f64) {
        let half = 2.0 * (self.vertex * (DIGITS - 4.0 + self.vertex)).sqrt();
        (self.focus.im - half, self.focus.im + half)
    }
}

/// The function and its derivative in β, whose integrand has the factor -ln s.
pub(super) fn loop_integrals(alpha: f64, beta: f64, gamma: f64, z: Complex64) -> [Complex64; 2] {
    let mut points = vec![BranchPoint { s: Complex64::ZERO, factor: Complex64::ZERO }];
    let mut reach = 0f64;
    Poles::new(alpha, beta).visit(z, |pole, mirrored| {
        reach = reach.max(pole.s.norm());
        let factor = pole.residue * alpha / pole.s;
        let point = BranchPoint { s: pole.s, factor };
        if pole.s.re > LEFTMOST {
            points.push(point);
            if mirrored {
                points.push(BranchPoint { s: pole.s.conj(), factor: factor.conj() });
            }
        }
    });
    if let Some(p) = points.iter().find(|p| p.factor.is_nan() || p.factor.is_infinite()) {
        return [p.factor; 2];
    }
    points.sort_by(|a, b| a.s.im.total_cmp(&b.s.im));
    // The narrower the parabolas, the fewer must share one; but the closer to a branch point,
    // the larger the integrand there.
    let loss = |(least, groups): &(f64, Vec<Group>)| {
        let top = groups.iter().map(|g| g.focus.re + g.vertex).fold(f64::NEG_INFINITY, f64::max);
        top - gamma.max(beta).max(0.5) * least.ln()
    };
    let candidates = [1.5, 0.75, 0.375, 0.2].map(|least| (least, grouped(&points, least)));
    let (_, groups) = candidates
        .into_iter()
        .min_by(|a, b| loss(a).total_cmp(&loss(b)))
        .unwrap_or_else(|| (1.5, grouped(&points, 1.5)));
    let integrand = Integrand { alpha, beta, gamma, z, reach };
    let each = groups.iter().map(|g| integrand.around(g, &points));
    each.fold([Complex64::ZERO; 2], |[value, slope], [v, s]| [value + v, slope + s])
}

/// Merges neighbours in imaginary part while a parabola would cross the cuts of another group.
fn grouped(points: &[BranchPoint], least: f64) -> Vec<Group> {
    let mut groups: Vec<Group> = points.iter().map(|&p| Group::new(vec![p], least)).collect();
    let mut i = 0;
    while i + 1 < groups.len() {
        let high = |g: &Group| g.points.iter().map(|p| p.s.im).fold(f64::NEG_INFINITY, f64::max);
        let low = |g: &Group| g.points.iter().map(|p| p.s.im).fold(f64::INFINITY, f64::min);
        let crossed =
            groups[i].span().1 > low(&groups[i + 1]) || groups[i + 1].span().0 < high(&groups[i]);
        if crossed {
            let next = groups.remove(i + 1);
            let mut merged = std::mem::take(&mut groups[i].points);
            merged.extend(next.points);
            groups[i] = Group::new(merged, least);
            // A wider parabola may now reach back.
            i = 0;
        } else {
            i += 1;
        }
    }
    groups
}

struct Integrand {
    alpha: f64,
    beta: f64,
    gamma: f64,
    z: Complex64,
    /// The largest |s_j|, 0 if there is none.
    reach: f64,
}

/// A point on the path, relative to a branch point if there is one nearby.
#[derive(Clone, Copy)]
struct Place {
    s: Complex64,
    reference: Option<(BranchPoint, Complex64)>,
}

impl Integrand {
    /// ln(s/s_j), from the difference of the two where they are close.
    fn log_quotient(from: &BranchPoint, difference: Complex64, s: Complex64) -> Complex64 {
        let t = difference / from.s;
        if t.norm() < 0.3 { ln_1p(t) } else { s.ln() - from.s.ln() }
    }

    /// 1 - z s^{-α} and the logarithm of the rest of the integrand, e^s s^{-β}.
    fn parts(&self, place: Place) -> (Complex64, Complex64, Complex64) {
        match place.reference {
            Some((point, difference)) => {
                let log = Self::log_quotient(&point, difference, place.s);
                // z s^{-α} = (s/s_j)^{-α}.
                let base = -exp_m1(log * -self.alpha);
                (base, difference - log * self.beta, point.factor)
            }
            None => {
                let log = place.s.ln();
                let base = 1.0 - self.z * (log * -self.alpha).exp();
                (base, place.s - log * self.beta, Complex64::ONE)
            }
        }
    }

    fn around(&self, group: &Group, all: &[BranchPoint]) -> [Complex64; 2] {
        // The rightmost branch point is the reference, unless it is the origin.
        let reference = group
            .points
            .iter()
            .copied()
            .max_by(|a, b| a.s.re.total_cmp(&b.s.re))
            .filter(|p| p.s != Complex64::ZERO);
        let place = |from_focus: Complex64| {
            let s = group.focus + from_focus;
            Place { s, reference: reference.map(|p| (p, (group.focus - p.s) + from_focus)) }
        };
        let strength = self.gamma.max(self.beta).max(0.0);
        let h = step(group.vertex, strength, DIGITS, group.depth);
        let start = self.argument_at_vertex(place(group.vertex.into()), all);
        let (mut sum, mut slope) = (Complex64::ZERO, Complex64::ZERO);
        for side in [1.0, -1.0] {
            let mut argument = start;
            let mut largest = 0f64;
            for k in 0..20_000 {
                let u = side * f64::from(k) * h;
                let w = Complex64::new(1.0, u);
                let here = place(w * w * group.vertex);
                let (base, log, factor) = self.parts(here);
                argument = continued(argument, base);
                let power = Complex64::new(base.norm().ln(), argument) * -self.gamma;
                let term = factor * (log + power).exp() * w;
                // The vertex belongs half to each side.
                let part = if k == 0 { 0.5 * term } else { term };
                sum += part;
                slope -= part * here.s.ln();
                largest = largest.max(term.norm());
                if u.abs() > 1.0 && term.norm() <= 1e-18 * largest {
                    break;
                }
            }
        }
        [sum, slope].map(|sum| sum * (group.vertex * h / PI))
    }

    /// The argument of 1 - z s^{-α} at the vertex, continued along a horizontal line from a
    /// place beyond all branch points, where it is the principal one.
    fn argument_at_vertex(&self, vertex: Place, all: &[BranchPoint]) -> f64 {
        let principal = |s: Complex64| (1.0 - self.z * (s.ln() * -self.alpha).exp()).arg();
        if self.reach == 0.0 {
            return principal(vertex.s);
        }
        let mut s = vertex.s;
        s.re = s.re.max(2.0 * self.reach + 2.0);
        let mut argument = principal(s);
        while s.re > vertex.s.re {
            let near = all.iter().map(|p| (p.s - s).norm()).fold(f64::INFINITY, f64::min);
            // At least so far that it is another number.
            let step = (0.2 * near.max(0.1)).max(4.0 * f64::EPSILON * s.re);
            s.re = (s.re - step).max(vertex.s.re);
            argument = continued(argument, 1.0 - self.z * (s.ln() * -self.alpha).exp());
        }
        continued(argument, self.parts(vertex).0)
    }
}

/// The argument of `value` nearest to `argument`.
fn continued(argument: f64, value: Complex64) -> f64 {
    let principal = value.arg();
    principal + 2.0 * PI * ((argument - principal) / (2.0 * PI)).round()
}

/// ln(1+t) for |t| < 1/2.
fn ln_1p(t: Complex64) -> Complex64 {
    // |1+t|² - 1 without cancellation.
    let excess = 2.0 * t.re + t.norm_sqr();
    Complex64::new(0.5 * excess.ln_1p(), t.im.atan2(1.0 + t.re))
}

/// e^t - 1.
fn exp_m1(t: Complex64) -> Complex64 {
    // e^x cos y - 1 = (e^x - 1) cos y - 2 sin²(y/2).
    let half = (0.5 * t.im).sin();
    let growth = t.re.exp_m1();
    Complex64::new(growth * t.im.cos() - 2.0 * half * half, (growth + 1.0) * t.im.sin())
}

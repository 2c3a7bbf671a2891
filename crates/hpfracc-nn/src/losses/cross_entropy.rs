use super::LossError;
use super::tile::{self, Cotangent, TOGETHER, expect, expect_cotangent, expect_tile, some_rows};
use crate::kernels::{lanes, vectorised, write};
use crate::{OutOfRange, Scalar};
use hpfracc_lanes::Rows;

/// Writes the cross entropy of every lane for class labels, and its gradient with respect to the
/// logits:
///
/// ```text
/// L = -w ln softmax(y)_c = w (ln sum_i exp(y_i) - y_c)
/// ```
///
/// with one row of y for each class, `classes[lane] = c` from 0, and `weights[lane] = w`, 1 by
/// default. The largest logit is subtracted first. A lane of weight 0 has loss 0 and no gradient,
/// and its class is not read. Allocates nothing. For target probabilities see
/// [`Loss::CrossEntropy`](crate::Loss::CrossEntropy).
///
/// # Errors
/// [`LossError::OutOfRange`] for the first class without a row; [`LossError::Size`] for slices whose
/// length does not match the logits, or no classes.
pub fn cross_entropy_of_classes<T: Scalar>(
    logits: Rows<'_, T>,
    classes: &[usize],
    weights: Option<&[T]>,
    losses: &mut [T],
    cotangent: Option<Cotangent<'_, T>>,
) -> Result<(), LossError> {
    let (rows, lanes) = (tile::rows(logits), logits.lanes());
    some_rows("logits", rows)?;
    expect_tile("logits", logits, rows, lanes)?;
    expect("classes", "numbers", classes.len(), lanes)?;
    expect("losses", "numbers", losses.len(), lanes)?;
    expect("weights", "numbers", weights.map_or(lanes, <[T]>::len), lanes)?;
    expect_cotangent("cotangent", cotangent.as_ref(), rows, lanes)?;
    let counts = |lane: usize| weights.is_none_or(|weights| weights[lane] != T::zero());
    let mut numbered = classes.iter().copied().enumerate();
    if let Some((lane, class)) = numbered.find(|(lane, class)| *class >= rows && counts(*lane)) {
        let (what, expected) = (format!("the class of lane {lane}"), format!("less than {rows}"));
        return Err(OutOfRange::new(what, class, expected).into());
    }
    evaluate(Classes(classes), logits, weights, losses, cotangent);
    Ok(())
}

/// Target of the softmax.
pub(super) trait Target<T>: Copy {
    /// Probabilities of a class in the lanes from `at`.
    fn of_class(&self, class: usize, at: usize, count: usize) -> [T; TOGETHER];
}

#[derive(Clone, Copy)]
pub(super) struct Probabilities<'a, T>(pub(super) Rows<'a, T>);

impl<T: Scalar> Target<T> for Probabilities<'_, T> {
    #[inline(always)]
    fn of_class(&self, class: usize, at: usize, count: usize) -> [T; TOGETHER] {
        lanes::<T, TOGETHER>(&self.0[class][at..], count)
    }
}

#[derive(Clone, Copy)]
struct Classes<'a>(&'a [usize]);

impl<T: Scalar> Target<T> for Classes<'_> {
    #[inline(always)]
    fn of_class(&self, class: usize, at: usize, count: usize) -> [T; TOGETHER] {
        let mut p = [T::zero(); TOGETHER];
        for (p, of_lane) in p.iter_mut().zip(&self.0[at..][..count]) {
            *p = if *of_lane == class { T::one() } else { T::zero() };
        }
        p
    }
}

vectorised! {
    pub(super) fn evaluate<'a, T, P: Target<T>>(
        target: P,
        logits: Rows<'a, T>,
        weights: Option<&'a [T]>,
        losses: &'a mut [T],
        cotangent: Option<Cotangent<'a, T>>,
    ) {
        let mut cotangent = cotangent;
        for at in (0..losses.len()).step_by(TOGETHER) {
            let count = TOGETHER.min(losses.len() - at);
            let row = |class: usize| lanes::<T, TOGETHER>(&logits[class][at..], count);
            let mut largest = row(0);
            for class in 1..logits.rows() {
                let y = row(class);
                for l in 0..TOGETHER {
                    // NaN propagates: comparisons with it are false.
                    largest[l] = if largest[l] < y[l] { y[l] } else { largest[l] };
                }
            }
            let mut sums = [T::zero(); TOGETHER];
            for class in 0..logits.rows() {
                let mut e = row(class);
                for l in 0..TOGETHER {
                    e[l] = (e[l] - largest[l]).exp();
                    sums[l] += e[l];
                }
                if let Some(Cotangent { rows: ybar, .. }) = &mut cotangent {
                    write(&mut ybar[class][at..], count, &e);
                }
            }
            let logarithms = sums.map(|sum| T::narrow(sum.widen().ln()));
            let weights =
                weights.map_or([T::one(); TOGETHER], |w| lanes::<T, TOGETHER>(&w[at..], count));
            let weighted = |w: T, z: T| if w == T::zero() { T::zero() } else { w * z };
            let (mut loss, mut all) = ([T::zero(); TOGETHER], [T::zero(); TOGETHER]);
            for class in 0..logits.rows() {
                let (y, p) = (row(class), target.of_class(class, at, count));
                for l in 0..TOGETHER {
                    // An impossible class may have the logit minus infinity.
                    loss[l] += weighted(p[l], (largest[l] - y[l]) + logarithms[l]);
                    all[l] += p[l];
                }
            }
            if let Some(Cotangent { scale, rows: ybar }) = &mut cotangent {
                for class in 0..logits.rows() {
                    let p = target.of_class(class, at, count);
                    let mut e = lanes::<T, TOGETHER>(&ybar[class][at..], count);
                    for l in 0..TOGETHER {
                        e[l] = weighted(*scale * weights[l], all[l] * (e[l] / sums[l]) - p[l]);
                    }
                    write(&mut ybar[class][at..], count, &e);
                }
            }
            for l in 0..TOGETHER {
                loss[l] = weighted(weights[l], loss[l]);
            }
            write(&mut losses[at..], count, &loss);
        }
    }
}

use crate::OutOfRange;
use crate::checks::{at_least_one, in_range, not_negative};
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// Learning rate schedule: the rate as a function of the number of the step, from 0.
///
/// In a configuration:
///
/// ```toml
/// [schedule.warm-up]
/// steps = 100
/// then.cosine = { from = 1e-3, to = 1e-5, steps = 2000 }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Schedule {
    /// Constant rate.
    Constant(f64),
    /// `from + (to - from) k/steps`, then `to`.
    Linear {
        /// The first rate.
        from: f64,
        /// The rate from step `steps` on.
        to: f64,
        /// Steps between them.
        steps: u64,
    },
    /// `to + (from - to) (1 + cos(pi k/steps))/2`, then `to`.
    ///
    /// Source: Loshchilov and Hutter, ICLR (2017), arXiv:1608.03983, equation (5), without
    /// restarts.
    Cosine {
        /// The first rate.
        from: f64,
        /// The rate from step `steps` on.
        to: f64,
        /// Steps between them.
        steps: u64,
    },
    /// `rate factor^floor(k/every)`
    Step {
        /// The first rate.
        rate: f64,
        /// Factor of each decay.
        factor: f64,
        /// Steps between decays.
        every: u64,
    },
    /// `rate factor^(k/steps)`
    Exponential {
        /// The first rate.
        rate: f64,
        /// Factor over `steps` steps.
        factor: f64,
        /// Steps that multiply it by `factor`.
        steps: u64,
    },
    /// From `from` to `peak` over the first `rise` steps, then to `to` at step `steps`, both along
    /// half a cosine; then `to`.
    ///
    /// Source: Smith and Topin, arXiv:1708.07120 (2017), with cosines instead of lines.
    OneCycle {
        /// The first rate.
        from: f64,
        /// The largest rate.
        peak: f64,
        /// The last rate.
        to: f64,
        /// Steps until the peak.
        rise: u64,
        /// Total number of steps, more than `rise`.
        steps: u64,
    },
    /// Linear warm-up, `(k + 1)/steps` of the first rate of another schedule, which then follows.
    WarmUp {
        /// Steps of the warm-up.
        steps: u64,
        /// The schedule that follows.
        then: Box<Schedule>,
    },
    /// One schedule for a number of steps, then another from its beginning.
    Sequence {
        /// The one.
        first: Box<Schedule>,
        /// Its steps.
        steps: u64,
        /// The schedule that follows.
        then: Box<Schedule>,
    },
}

impl Schedule {
    /// The rate of step `k`, from 0. NaN where a division by no steps would be needed, of a
    /// schedule that
    /// [`check`](Self::check) refuses: no optimiser takes a step with it.
    pub fn rate(&self, k: u64) -> f64 {
        match self {
            Self::Constant(rate) => *rate,
            Self::Linear { from, to, steps } if k < *steps => from + (to - from) * part(k, *steps),
            Self::Linear { to, .. } => *to,
            Self::Cosine { from, to, steps } => cosine(*from, *to, k, *steps),
            Self::Step { rate, factor, every } => {
                let times = k.checked_div(*every).map_or(f64::NAN, |times| times as f64);
                rate * factor.powf(times)
            }
            Self::Exponential { rate, factor, steps } => rate * factor.powf(part(k, *steps)),
            Self::OneCycle { rise, steps, .. } if rise >= steps => f64::NAN,
            Self::OneCycle { from, peak, rise, .. } if k < *rise => cosine(*from, *peak, k, *rise),
            Self::OneCycle { peak, to, rise, steps, .. } => {
                cosine(*peak, *to, k - rise, steps - rise)
            }
            Self::WarmUp { steps, then } if k < *steps => then.rate(0) * part(k + 1, *steps),
            Self::Sequence { first, steps, .. } if k < *steps => first.rate(k),
            Self::WarmUp { steps, then } | Self::Sequence { steps, then, .. } => {
                then.rate(k - steps)
            }
        }
    }

    /// Checks that all rates will be finite and not negative.
    ///
    /// # Errors
    /// [`OutOfRange`] for the first number that is outside its range: a rate that is
    /// negative or not finite, a factor outside `(0, 1]`, a number of steps that is 0.
    pub fn check(&self) -> Result<(), OutOfRange> {
        match self {
            Self::Constant(rate) => usable(*rate),
            Self::Linear { from, to, steps } | Self::Cosine { from, to, steps } => {
                usable(*from)?;
                usable(*to)?;
                at_least_one("steps of a schedule", *steps)
            }
            Self::Step { rate, factor, every: steps }
            | Self::Exponential { rate, factor, steps } => {
                usable(*rate)?;
                let within = *factor > 0.0 && *factor <= 1.0;
                let what = "the factor of a schedule";
                in_range(within, what, *factor, "0 < factor <= 1")?;
                at_least_one("steps of a schedule", *steps)
            }
            Self::OneCycle { from, peak, to, rise, steps } => {
                [*from, *peak, *to].into_iter().try_for_each(usable)?;
                let (what, steps) = ("steps of one cycle", *steps);
                in_range(steps > *rise, what, steps, "more than its rise")
            }
            Self::WarmUp { steps, then } => {
                at_least_one("steps of a warm-up", *steps)?;
                then.check()
            }
            Self::Sequence { first, then, .. } => {
                first.check()?;
                then.check()
            }
        }
    }
}

/// Progress of step `k`, from 0 to 1.
fn part(k: u64, steps: u64) -> f64 {
    if steps == 0 { f64::NAN } else { k as f64 / steps as f64 }
}

fn cosine(from: f64, to: f64, k: u64, steps: u64) -> f64 {
    if k < steps { to + (from - to) * 0.5 * (1.0 + (PI * part(k, steps)).cos()) } else { to }
}

fn usable(rate: f64) -> Result<(), OutOfRange> {
    not_negative("a rate of a schedule", rate)
}

//! Losses of paths as kernels.

use hpfracc_nn::Loss;
use hpfracc_nn::models::PathLoss;

/// Where a loss is computed.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum LossKernel {
    /// A sum over single values: function of the value, the logarithm of a deviation and the observation in WGSL, with
    /// its value and its slopes.
    Pointwise {
        function: String,
        /// Whether logarithms of standard deviations are parameters.
        deviations: bool,
    },
    /// The energy score.
    EnergyScore,
    /// On the host, from the states at the observed nodes of all paths of a batch.
    Host,
}

impl LossKernel {
    /// The kernel of a loss; `None` for one that no device takes.
    pub(super) fn new(loss: PathLoss) -> Option<Self> {
        let body = match loss {
            PathLoss::EnergyScore => return Some(Self::EnergyScore),
            PathLoss::EnergyDistance(_) | PathLoss::MarginalEnergy(_) | PathLoss::Moments => {
                return Some(Self::Host);
            }
            PathLoss::Each(Loss::MeanSquare) => "return vec3<f32>(e * e, e + e, 0.0);".to_owned(),
            PathLoss::Each(Loss::MeanAbsolute) => {
                "return vec3<f32>(abs(e), sign(e), 0.0);".to_owned()
            }
            PathLoss::Each(Loss::Huber { delta }) if (delta as f32).is_normal() => {
                let delta = literal(delta);
                format!(
                    "let inner = 0.5 * e * e;\n    let outer = {delta} * (abs(e) - 0.5 * {delta});\n    \
                     return vec3<f32>(select(inner, outer, abs(e) > {delta}), clamp(e, -{delta}, {delta}), 0.0);"
                )
            }
            PathLoss::Each(Loss::GaussianLikelihood { floor }) => gaussian(floor),
            _ => return None,
        };
        let deviations = matches!(loss, PathLoss::Each(Loss::GaussianLikelihood { .. }));
        let s = if deviations { "theta[LOSS_PARAMETERS + component]" } else { "0.0" };
        let function = format!(
            "fn deviation(component: u32) -> f32 {{\n    return {s};\n}}\n\n\
             fn loss_of(x: f32, s: f32, y: f32) -> vec3<f32> {{\n    let e = x - y;\n    {body}\n}}\n\n"
        );
        Some(Self::Pointwise { function, deviations })
    }

    /// Functions in WGSL that the kernels of losses need.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Pointwise { function, .. } => function,
            // The kernel of single values is compiled with it, but not run.
            _ => {
                "fn deviation(component: u32) -> f32 {\n    return 0.0;\n}\n\n\
                 fn loss_of(x: f32, s: f32, y: f32) -> vec3<f32> {\n    return vec3<f32>(0.0);\n}\n\n"
            }
        }
    }
}

/// Negative logarithm of the Gaussian likelihood with a floor below the standard deviation, as on the CPU.
fn gaussian(floor: f64) -> String {
    let (mut ln_variance, mut share) = ("2.0 * s".to_owned(), "1.0".to_owned());
    if floor > 0.0 {
        let least = literal(2.0 * floor.ln());
        ln_variance = format!("{least} + softplus(2.0 * s - {least})");
        share = format!("sigmoid(2.0 * s - {least})");
    }
    format!(
        "let ln_variance = {ln_variance};\n    let r = exp_of(-0.5 * ln_variance);\n    let z = e * r;\n    \
         return vec3<f32>(0.5 * (z * z + ln_variance) + 0.9189385, z * r, {share} * (1.0 - z * z));"
    )
}

/// A number in single precision as text.
fn literal(x: f64) -> String {
    format!("({:e}f)", x as f32)
}

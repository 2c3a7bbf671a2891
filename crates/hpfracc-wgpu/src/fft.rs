use crate::causal_convolution::{FourStep, OnePass};
use crate::fourier;
use crate::plan::{Passes, Request, backend};
use crate::precision::Precision;
use crate::spectral_multiplier::{Grid, Trigonometric};
use crate::{Gpu, GpuError};
use hpfracc_backend::{BackendError, Plan, RealTransform, TransformAxes, Workload};
use std::sync::Arc;

backend! {
    /// Causal convolutions, spectral and trigonometric multipliers by fast Fourier transforms on a
    /// device, `wgpu-fft`; in [double-float arithmetic](crate::DoubleFloat) `wgpu-fft-df64`.
    ///
    /// ```text
    /// y = Re(a^-n F^-1 (F(a^n g) F(a^n x))),   a = exp(i pi / (2 M))      one axis
    /// y = F^-1 (m F x)                                                    several axes
    /// y = S (m S' x)                                                      sines and cosines
    /// ```
    ///
    /// One axis, causal or periodic, takes one forward and one inverse complex transform of M
    /// points, M the smallest power of two not below the length: terms that wrap around are
    /// multiplied by i and land where they belong. Series that fit a workgroup (4096 samples on
    /// most devices, 2048 in double precision where workgroups have 32 KiB) are read once and
    /// written once; longer ones, up to the square of that, take three passes. Arrays take `2 d -
    /// 1` passes for d axes longer than one, each of which must be a power of two up to the longest
    /// transform of a workgroup, or at most half as long. So must each axis of a trigonometric
    /// multiplier, which takes `2 d - 1` passes as well. Other sizes are
    /// [`BackendError::Unsupported`].
    ///
    /// Cost: O(N log N) per signal. Memory: the spectrum, M complex numbers, and for long series as
    /// much scratch for each signal. Arrays take half as many complex numbers as samples for each
    /// signal, but two to four times as many for the spectrum if the last length is no power of
    /// two. Trigonometric multipliers take no scratch.
    /// [`Plan::bytes`] counts it for one submission.
    ///
    /// Accuracy: a few units of rounding relative to the largest sample times the norm of the map,
    /// not relative to each result: a symbol that grows with the frequency amplifies the rounding
    /// error of the samples above the rest of a smooth signal. On a software adapter, against the
    /// reference or, beyond 2049 samples, sums of shifted signals, relative to the largest result:
    /// 4e-7 up to 2049, 9e-7 up to 10^6; in double precision 7e-15 and, for a causal convolution of
    /// 20000 samples, 2e-14; in double-float arithmetic 1.2e-14 up to 10^6 samples. NaN or infinity
    /// in a signal reaches all of its results.
    ///
    /// Sources: R. E. Crandall and B. Fagin, Math. Comp. 62 (1994) 305,
    /// doi:10.1090/S0025-5718-1994-1185244-1; D. H. Bailey, J. Supercomput. 4 (1990) 23,
    /// doi:10.1007/BF00162341; L. I. Bluestein, IEEE Trans. Audio Electroacoust. 18 (1970) 451,
    /// doi:10.1109/TAU.1970.1162132; J. Makhoul, IEEE Trans. Acoust. Speech Signal Process. 28
    /// (1980) 27, doi:10.1109/TASSP.1980.1163351.
    ///
    /// ```no_run
    /// use hpfracc_backend::{Backend, Shape, Workload};
    /// use hpfracc_wgpu::{Fft, Gpu};
    ///
    /// // The mean of four periodic samples: only frequency zero of 0, 1, 2 passes.
    /// let workload = Workload::SpectralMultiplier { shape: Shape::line(4), batch: 1 };
    /// let fft = Fft::new(&Gpu::new()?.f32());
    /// let mean = fft.plan(workload)?.bind(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0])?;
    /// let mut y = [0.0; 4];
    /// mean.apply(&[1.0, 2.0, 3.0, 6.0], &mut y)?;
    /// assert!(y.iter().all(|y| (y - 3.0).abs() < 1e-6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Fft, ["wgpu-fft", "wgpu-fft-df64"], plan
}

fn plan<P: Precision>(request: Request<P>) -> Result<Arc<dyn Plan<P::Host>>, BackendError> {
    let gpu = request.precision.gpu();
    let form = Form::of(request.workload, fourier::longest::<P>(gpu.limits()))
        .map_err(|reason| request.unsupported(reason))?;
    let passes = form.passes::<P>(gpu).map_err(|error| request.planning_error(error))?;
    request.plan(passes)
}

/// Why there is no plan for an array.
const TOO_LONG: &str = "an axis is longer than the transform of a workgroup";

/// The axes longer than one, or one of them: all transforms of one value are 1 or -1.
fn long_axes(axes: TransformAxes) -> Vec<(usize, RealTransform)> {
    let mut long: Vec<(usize, RealTransform)> = axes.iter().filter(|(n, _)| *n > 1).collect();
    if long.is_empty() {
        long.extend(axes.iter().next());
    }
    long
}

/// The sequence of shaders for a workload.
enum Form {
    OnePass(usize),
    FourStep { len: usize, longest: usize },
    Grid(Vec<usize>),
    Trigonometric(Vec<(usize, RealTransform)>),
}

impl Form {
    /// The form on a device whose workgroups transform `longest` points, or the reason why there is
    /// none.
    fn of(workload: Workload, longest: usize) -> Result<Self, &'static str> {
        let fits = |n: usize| n <= longest && fourier::points_of_line(n) <= longest;
        let axes: Vec<usize> = match workload {
            Workload::CausalConvolution { len, .. } => vec![len],
            Workload::SpectralMultiplier { shape, .. } => {
                shape.lens().iter().copied().filter(|&n| n > 1).collect()
            }
            Workload::TrigonometricMultiplier { axes, .. } => {
                let axes = long_axes(axes);
                return if axes.iter().all(|(n, _)| fits(*n)) {
                    Ok(Self::Trigonometric(axes))
                } else {
                    Err(TOO_LONG)
                };
            }
            _ => return Err("it is no convolution"),
        };
        match axes[..] {
            [] => Ok(Self::OnePass(1)),
            [len] if len <= longest => Ok(Self::OnePass(len)),
            [len] if len <= longest * longest => Ok(Self::FourStep { len, longest }),
            [_] => Err("the series is longer than transforms in two steps"),
            _ if axes.iter().all(|&n| fits(n)) => Ok(Self::Grid(axes)),
            _ => Err(TOO_LONG),
        }
    }

    fn passes<P: Precision>(self, gpu: &Gpu) -> Result<Box<dyn Passes>, GpuError> {
        Ok(match self {
            Self::OnePass(len) => Box::new(OnePass::new::<P>(gpu, len)?),
            Self::FourStep { len, longest } => Box::new(FourStep::new::<P>(gpu, len, longest)?),
            Self::Grid(lens) => Box::new(Grid::new::<P>(gpu, &lens)?),
            Self::Trigonometric(axes) => Box::new(Trigonometric::new::<P>(gpu, &axes)?),
        })
    }
}

use crate::causal_convolution::{FourStep, OnePass};
use crate::fourier;
use crate::gpu::Uniform;
use crate::memory::Purpose;
use crate::on_device::{Bound, OnDevice};
use crate::passes::{Arrays, Passes};
use crate::scalar::{Double, DoubleFloat, HighLow, Kernel, ShaderScalar, widened};
use crate::spectral_multiplier::Grid;
use crate::{Gpu, GpuError};
use hpfracc_backend::{Backend, BackendError, LinearMap, Plan, Workload};
use std::marker::PhantomData;
use std::sync::Arc;

/// Causal convolutions and spectral multipliers through the Fourier transform on a device,
/// `wgpu-fft`, in single precision.
///
/// ```text
/// y = Re(a^-n F^-1 (F(a^n g) F(a^n x))),   a = exp(i pi / (2 M))      one axis
/// y = F^-1 (m F x)                                                    several axes
/// ```
///
/// One axis, causal or periodic, takes one complex transform of M points there and back, M the
/// power of two not below the length: what wraps around is turned by a right angle and lands where
/// it is wanted. Series that fit a workgroup (4096 samples on most devices, in double precision
/// 2048 where workgroups share 32 KiB) are read once and written once; longer ones, up to the
/// square of that, take three passes. Arrays take `2 d - 1` passes for d axes longer than one,
/// each of which must be a power of two up to the longest transform of a workgroup, or at most
/// half as long. Other sizes are [`BackendError::Unsupported`].
///
/// Cost: O(N log N) per signal. Memory: the spectrum, M complex numbers, and for long series as
/// much again for each signal on its way. Arrays take half as many complex numbers as samples for
/// each, but two to four times as many for the spectrum if the last length is no power of two.
/// [`Plan::bytes`] counts it for as many signals as go through at once.
///
/// Accuracy: a few units of rounding relative to the largest sample times the norm of the map, not
/// to each result: a symbol that grows with the frequency raises the rounding of the samples above
/// what is left of a smooth signal. On a software adapter, against the reference or, beyond 2049
/// samples, sums of shifted signals, relative to the largest result: 4e-7 up to 2049, 9e-7 up to
/// 10^6; in double precision 7e-15 and, for a causal convolution of 20000 samples, 2e-14. NaN or
/// infinity in a signal reaches all of its results.
///
/// Sources: R. E. Crandall and B. Fagin, Math. Comp. 62 (1994) 305,
/// doi:10.1090/S0025-5718-1994-1185244-1; D. H. Bailey, J. Supercomput. 4 (1990) 23,
/// doi:10.1007/BF00162341; L. I. Bluestein, IEEE Trans. Audio Electroacoust. 18 (1970) 451,
/// doi:10.1109/TAU.1970.1162132.
///
/// ```no_run
/// use hpfracc_backend::{Backend, Shape, Workload};
/// use hpfracc_wgpu::{Fft, Gpu};
///
/// // The mean of four periodic samples: only frequency zero of 0, 1, 2 passes.
/// let workload = Workload::SpectralMultiplier { shape: Shape::line(4), batch: 1 };
/// let mean = Fft::new(&Gpu::new()?).plan(workload)?.bind(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0])?;
/// let mut y = [0.0; 4];
/// mean.apply(&[1.0, 2.0, 3.0, 6.0], &mut y)?;
/// assert!(y.iter().all(|y| (y - 3.0).abs() < 1e-6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Fft {
    gpu: Gpu,
}

/// [`Fft`] in double precision: exists only on devices that have it.
#[derive(Debug, Clone)]
pub struct Fft64 {
    double: Double,
}

/// [`Fft`] in [double-float arithmetic](DoubleFloat), `wgpu-fft-df64`; its longest transforms are those
/// of double precision.
///
/// Accuracy as measured on lavapipe, as there: 1.2e-14 up to 10^6 samples.
#[derive(Debug, Clone)]
pub struct FftDf64 {
    double_float: DoubleFloat,
}

backends!("wgpu-fft": Fft, Fft64; "wgpu-fft-df64": FftDf64; plan);

fn plan<T: ShaderScalar>(
    name: &'static str,
    gpu: &Gpu,
    workload: Workload,
) -> Result<Arc<dyn Plan<T::Host>>, BackendError> {
    workload.check()?;
    let form = Form::of(workload, fourier::longest::<T>(&gpu.inner.limits)).map_err(|reason| {
        BackendError::Unsupported { backend: name.to_owned(), workload, reason }
    })?;
    let passes = form.passes::<T>(gpu).map_err(|error| match error {
        GpuError::Limit { bytes, in_use, limit, .. } => BackendError::Memory {
            backend: name.to_owned(),
            workload,
            needed: (in_use + bytes) as usize,
            limit: limit as usize,
        },
        error => error.of(name),
    })?;
    let planned = Planned::<T>::new(name, gpu, workload, passes)?;
    gpu.check_plan(name, workload, planned.bytes())?;
    Ok(Arc::new(FftPlan(Arc::new(planned))))
}

/// Which sequence of shaders computes a workload.
enum Form {
    OnePass(usize),
    FourStep { len: usize, longest: usize },
    Grid(Vec<usize>),
}

impl Form {
    /// By the lengths alone, on a device whose workgroups transform `longest` points; or why there
    /// is none.
    fn of(workload: Workload, longest: usize) -> Result<Self, &'static str> {
        let axes: Vec<usize> = match workload {
            Workload::CausalConvolution { len, .. } => vec![len],
            Workload::SpectralMultiplier { shape, .. } => {
                shape.lens().iter().copied().filter(|&n| n > 1).collect()
            }
            _ => return Err("it is no convolution"),
        };
        match axes[..] {
            [] => Ok(Self::OnePass(1)),
            [len] if len <= longest => Ok(Self::OnePass(len)),
            [len] if len <= longest * longest => Ok(Self::FourStep { len, longest }),
            [_] => Err("the series is longer than transforms in two steps"),
            _ if axes.iter().all(|&n| n <= longest && fourier::points_of_line(n) <= longest) => {
                Ok(Self::Grid(axes))
            }
            _ => Err("an axis is longer than the transform of a workgroup"),
        }
    }

    fn passes<T: ShaderScalar>(self, gpu: &Gpu) -> Result<Box<dyn Passes>, GpuError> {
        Ok(match self {
            Self::OnePass(len) => Box::new(OnePass::<T>::new(gpu, len)?),
            Self::FourStep { len, longest } => Box::new(FourStep::<T>::new(gpu, len, longest)?),
            Self::Grid(lens) => Box::new(Grid::<T>::new(gpu, &lens)?),
        })
    }
}

struct Planned<T> {
    name: &'static str,
    gpu: Gpu,
    workload: Workload,
    passes: Box<dyn Passes>,
    /// Signals that go to the device at once.
    at_once: usize,
    /// For so many signals and for those left over at the end.
    portions: Vec<Portion>,
    scalar: PhantomData<T>,
}

/// The sizes that shaders are told for a number of signals, forward and transposed.
struct Portion {
    signals: usize,
    sizes: [Vec<Uniform>; 2],
}

impl<T: ShaderScalar> Planned<T> {
    fn new(
        name: &'static str,
        gpu: &Gpu,
        workload: Workload,
        passes: Box<dyn Passes>,
    ) -> Result<Self, BackendError> {
        let (bytes, batch) = (passes.bytes(), workload.batch());
        let per_signal = bytes.work.max(workload.signal_len() * size_of::<T>());
        let needed = per_signal.max(bytes.spectrum);
        let limit = gpu.inner.limits.max_storage_buffer_binding_size as usize;
        if needed > limit {
            return Err(BackendError::Memory { backend: name.to_owned(), workload, needed, limit });
        }
        let at_once = gpu.rows_at_once(per_signal, batch);
        let numbers = [at_once, batch % at_once];
        let portions = numbers.into_iter().filter(|&signals| signals > 0).map(|signals| Portion {
            signals,
            sizes: [false, true].map(|transposed| passes.sizes(gpu, signals, transposed)),
        });
        let (gpu, portions) = (gpu.clone(), portions.collect());
        Ok(Self { name, gpu, workload, passes, at_once, portions, scalar: PhantomData })
    }

    fn bytes(&self) -> usize {
        let bytes = self.passes.bytes();
        let signals = self.at_once * self.workload.signal_len() * size_of::<T>();
        // Tables are several arrays, each of which may be rounded up to twice its size.
        let kept = [2 * bytes.tables, bytes.spectrum];
        self.gpu.bytes_of_map(&kept, [signals; 2], self.at_once * bytes.work)
    }
}

struct FftPlan<T>(Arc<Planned<T>>);

impl<T: ShaderScalar> Plan<T::Host> for FftPlan<T> {
    fn workload(&self) -> Workload {
        self.0.workload
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn bind(&self, kernel: &[T::Host]) -> Result<Box<dyn LinearMap<T::Host>>, BackendError> {
        let planned = &self.0;
        planned.workload.check_kernel(kernel)?;
        let spectrum = planned.passes.spectrum(planned.workload, &widened(kernel));
        let spectrum = Kernel::new::<T>(&planned.gpu, &spectrum);
        let spectrum = spectrum.map_err(|error| error.of(planned.name))?;
        let map = FftMap::<T> { planned: Arc::clone(planned), spectrum };
        Ok(Box::new(OnDevice::new(map)))
    }
}

struct FftMap<T> {
    planned: Arc<Planned<T>>,
    spectrum: Kernel,
}

impl<T: ShaderScalar> Bound<T> for FftMap<T> {
    fn place(&self) -> (&'static str, &Gpu, Workload) {
        (self.planned.name, &self.planned.gpu, self.planned.workload)
    }

    async fn run(
        &self,
        from: &[T::Host],
        to: &mut [T::Host],
        transposed: bool,
    ) -> Result<(), GpuError> {
        let chunk = self.planned.at_once * self.planned.workload.signal_len();
        for (from, to) in from.chunks(chunk).zip(to.chunks_mut(chunk)) {
            self.run_portion(from, to, transposed).await?;
        }
        Ok(())
    }
}

impl<T: ShaderScalar> FftMap<T> {
    async fn run_portion(
        &self,
        from: &[T::Host],
        to: &mut [T::Host],
        transposed: bool,
    ) -> Result<(), GpuError> {
        let Planned { gpu, workload, passes, portions, .. } = &*self.planned;
        let signals = from.len() / workload.signal_len();
        let portion = portions.iter().find(|portion| portion.signals == signals);
        let sizes = &portion.expect("a batch is cut into the portions planned").sizes;
        // Held until the result is here: what goes back to the pool may be written to at once.
        let work = gpu.lend((passes.bytes().work * signals) as u64, Purpose::Storage)?;
        let call = T::call(gpu, self.spectrum.exponent(), signals, from, to, |pass, chunk| {
            let arrays = Arrays {
                input: chunk.input,
                output: chunk.output,
                work: work.buffer(),
                spectrum: self.spectrum.buffer(),
            };
            passes.record(gpu, pass, &arrays, &sizes[usize::from(transposed)], chunk.signals);
            Ok(())
        });
        call.await
    }
}

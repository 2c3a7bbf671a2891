//! Statistics that collectors request of a device.

use super::variables::inputs;
use hpfracc_equation::Id;
use hpfracc_equation::wgsl::{Rounding, ShaderFunction};
use hpfracc_sde::{BlockMoments, BucketCounts, PathStatistics, PathTask, StatisticsRequest};
use hpfracc_types::Real;
use hpfracc_wgpu::ensemble::{PathSummary, SummaryRequest};

/// Least numbers of the states of all paths for which statistics are computed on a device. Fewer are read in less time
/// than a reduction takes.
const FEWEST_NUMBERS: usize = 1 << 14;

/// The request to a device; `None` where it reads the states: moments with the bits of the CPU are sums in double
/// precision, few states are read at once, and an observable may have no shader.
pub(super) fn request(
    task: &PathTask<'_>,
    request: StatisticsRequest,
    rounding: Rounding,
) -> Option<SummaryRequest> {
    let (equation, dim) = (task.equation, task.equation.states().len());
    let StatisticsRequest { moments, digits, first_paths } = request;
    let of_the_cpu = moments && rounding == Rounding::Guarded;
    if of_the_cpu || task.paths * dim < FEWEST_NUMBERS || first_paths > task.paths / 2 {
        return None;
    }
    let roots: Vec<Id> = equation.shown().iter().map(|shown| shown.value()).collect();
    let (inputs, names) = (inputs(equation), equation.variable_names());
    let function = || ShaderFunction::new("shown", equation.graph(), &roots, (&inputs, &names));
    let shown = if roots.is_empty() { None } else { Some(function().ok()?) };
    let request = SummaryRequest { shown, moments, digits, first_paths };
    request.is_computed_for(dim).then_some(request)
}

/// Statistics of paths for a collector.
pub(super) fn statistics<T: Real>(paths: usize, summary: &PathSummary) -> PathStatistics<T> {
    let moments = summary.blocks.iter().map(|block| BlockMoments {
        paths: block.paths,
        mean: block.mean.clone(),
        products: block.products.clone(),
    });
    let wide = |counts: &Vec<u32>| counts.iter().map(|n| u64::from(*n)).collect();
    let counts = summary.counts.iter().map(|counts| BucketCounts {
        least: f64::from(counts.least),
        greatest: f64::from(counts.greatest),
        tiny: u64::from(counts.tiny),
        first: counts.first,
        sides: [wide(&counts.sides[0]), wide(&counts.sides[1])],
    });
    PathStatistics {
        paths,
        moments: moments.collect(),
        counts: counts.collect(),
        first: summary.first.iter().map(|x| T::narrow(f64::from(*x))).collect(),
        first_paths: summary.first_paths,
    }
}

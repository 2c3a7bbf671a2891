//! `hpfracc pde poisson`: the fractional Poisson equation.

use super::domain::{Definition, refuse_domain, zero_outside};
use crate::Error;
use crate::commands::arguments::OutputArgs;
use crate::commands::fields::expression::Expression;
use crate::commands::fields::npy;
use crate::commands::fields::space::SpaceArgs;
use crate::output::{Progress, csv_of_columns, diagnostic};
use crate::text::rounded;
use clap::Args;
use hpfracc::pde::models::FractionalPoisson;
use hpfracc::spatial::{IntegralLaplacian, IntegralLaplacian1d};
use hpfracc::types::shortest;
use hpfracc_plot::{Axis, Chart, Curve, Format, HeatMaps, MapFrame, Sheet};
use ndarray::aview1;

/// Solve (-lap)^s u = f.
///
/// The definitions differ by O(1): spectral, a power of the Laplacian of the box with its boundary
/// conditions, any s > 0; integral, the operator of stable processes with u = 0 outside of the box or
/// of --domain, 0 < s < 1, whose solutions are as dist^s at the boundary.
///
/// Output columns: the coordinates and u, a row for each point.
#[derive(Debug, Args)]
pub(crate) struct PoissonArgs {
    /// Which fractional Laplacian
    #[arg(long, value_name = "NAME", value_enum)]
    definition: Definition,
    /// Exponent of -lap
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    s: f64,
    /// Right-hand side f, an expression of the coordinates
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    source: String,
    /// Points of the domain, a comparison such as "x^2 + y^2 < 1"; by default the box
    #[arg(long, value_name = "CONDITION")]
    domain: Option<String>,
    #[command(flatten)]
    space: SpaceArgs,
    #[command(flatten)]
    files: OutputArgs,
}

/// Solution at points.
struct Solved {
    points: Vec<Vec<f64>>,
    values: Vec<f64>,
    /// Iterations of the linear solver.
    iterations: Option<usize>,
    /// Values on the whole box with its points along each axis; NaN outside of the domain.
    on_box: Vec<f64>,
    axes: Vec<Vec<f64>>,
}

pub(super) fn run(args: &PoissonArgs) -> Result<(), Error> {
    let format = args.files.check(None)?;
    let names = args.space.names()?;
    let progress = Progress::start(args.files.quiet);
    progress.step("solving");
    let solved = match args.definition {
        Definition::Spectral => spectral(args, names)?,
        Definition::Integral => integral(args, names)?,
    };
    progress.step("writing");
    let table = table(args, names, &solved)?;
    let picture = format.map(|format| draw(args, names, &solved, format)).transpose()?;
    args.files.finish(table, picture, || {
        drop(progress);
        let (low, high) = solved
            .values
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |r, u| (r.0.min(*u), r.1.max(*u)));
        let iterations =
            solved.iterations.map_or(String::new(), |count| format!(", {count} iterations"));
        diagnostic(&format!(
            "poisson: {} points{iterations}, u from {} to {}",
            solved.values.len(),
            rounded(low),
            rounded(high)
        ));
    })
}

/// Values of an expression at points.
fn sampled(
    text: &str,
    names: &[&str],
    points: &[Vec<f64>],
    place: &str,
) -> Result<Vec<f64>, Error> {
    let expression = Expression::parse(text, names, place, |_| None, &[])?;
    let columns: Vec<f64> =
        (0..names.len()).flat_map(|d| points.iter().map(move |point| point[d])).collect();
    Ok(expression.at(&columns, points.len()))
}

fn spectral(args: &PoissonArgs, names: &[&str]) -> Result<Solved, Error> {
    refuse_domain(args.domain.as_deref())?;
    let grid = args.space.grid()?;
    let points: Vec<Vec<f64>> = (0..grid.len()).map(|k| grid.coordinates(k)).collect();
    let f = sampled(&args.source, names, &points, "--source")?;
    let axes = grid.axes().iter().map(|axis| axis.points().to_vec()).collect();
    let values = FractionalPoisson { s: args.s }.solve(grid, &f).map_err(Error::library)?;
    Ok(Solved { points, on_box: values.clone(), values, iterations: None, axes })
}

fn integral(args: &PoissonArgs, names: &[&str]) -> Result<Solved, Error> {
    let domain = zero_outside(&args.space, args.domain.as_deref())?;
    let (alpha, axes) = (2.0 * args.s, domain.coordinates());
    if let ([(from, to, n)], None) = (domain.axes(), &args.domain) {
        let laplacian = IntegralLaplacian1d::new(alpha, (*from, *to), *n)
            .map_err(Error::library)?
            .with_boundary_correction();
        let points = domain.nodes();
        let f = sampled(&args.source, names, &points, "--source")?;
        let solution = laplacian.poisson(&f).map_err(Error::library)?;
        let (values, iterations) = (solution.values, Some(solution.iterations));
        return Ok(Solved { points, on_box: values.clone(), values, iterations, axes });
    }
    let mask: Vec<bool> =
        domain.on_box(&vec![1.0; domain.len()], 0.0).into_iter().map(|x| x != 0.0).collect();
    let laplacian =
        IntegralLaplacian::masked(alpha, domain.axes(), &mask).map_err(Error::library)?;
    let points = laplacian.nodes();
    let f = sampled(&args.source, names, &points, "--source")?;
    let solution = laplacian.poisson(&f).map_err(Error::library)?;
    let on_box = laplacian.on_box(&solution.values, f64::NAN);
    let (values, iterations) = (solution.values, Some(solution.iterations));
    Ok(Solved { points, values, iterations, on_box, axes })
}

fn table(args: &PoissonArgs, names: &[&str], solved: &Solved) -> Result<Vec<u8>, Error> {
    if args.files.output.extension().is_some_and(|e| e.eq_ignore_ascii_case("npy")) {
        let shape: Vec<usize> = solved.axes.iter().map(Vec::len).collect();
        return Ok(npy::bytes(&shape, solved.on_box.iter().copied()));
    }
    let column = |d: usize| solved.points.iter().map(|point| point[d]).collect::<Vec<f64>>();
    let coordinates: Vec<Vec<f64>> = (0..names.len()).map(column).collect();
    let columns = names.iter().map(|name| (*name).to_owned()).zip(&coordinates);
    let columns = columns.chain([("u".to_owned(), &solved.values)]);
    csv_of_columns(columns.map(|(name, values)| (name, aview1(values))))
}

fn draw(
    args: &PoissonArgs,
    names: &[&str],
    solved: &Solved,
    format: Format,
) -> Result<Vec<u8>, Error> {
    let definition = match args.definition {
        Definition::Spectral => "spectral",
        Definition::Integral => "integral",
    };
    let title = format!("(-lap)^{} u = {}, {definition}", shortest(args.s), args.source);
    match names.len() {
        1 => {
            let curves = [Curve::line("u", &solved.axes[0], &solved.values, 0)];
            let (x, y) = (Axis::linear("x"), Axis::linear("u"));
            let chart = Chart { title: "", x, y, curves: &curves, equal: false };
            Ok(Sheet { title: &title, columns: &[&[chart]] }.draw(format)?)
        }
        2 => {
            let (nx, ny) = (solved.axes[0].len(), solved.axes[1].len());
            let values: Vec<f64> =
                (0..nx * ny).map(|k| solved.on_box[k % nx * ny + k / nx]).collect();
            let frames = [MapFrame { caption: "", values: &values }];
            let map = HeatMaps {
                title: &title,
                x: Axis::linear("x"),
                y: Axis::linear("y"),
                name: "u",
                xs: &solved.axes[0],
                ys: &solved.axes[1],
                frames: &frames,
            };
            Ok(map.draw(format)?)
        }
        _ => {
            let reason = "a picture of a field has one or two dimensions".to_owned();
            Err(Error::OptionUnused { option: "--plot", value: String::new(), reason })
        }
    }
}

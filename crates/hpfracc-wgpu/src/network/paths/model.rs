//! What of a fit a device computes: its coefficients as text and steps, and the numbers of its memories.

use super::super::program::{Input, NotOnGpu, Program};
use super::super::step::{self, Place};
use hpfracc_nn::models::{ComponentMemory, Diffusion, SdeFit};
use hpfracc_nn::{Network, Objective, Shape};

/// Coefficients of an equation for the paths of a tile.
pub(super) struct Coefficients {
    /// Rows of the input: components, and the time where a network takes it.
    pub(super) inputs: usize,
    /// Place of the input; the networks follow.
    pub(super) x: Place,
    pub(super) drift: Place,
    /// Rows of the diffusion before its softplus; cotangents alone of additive noise.
    pub(super) diffusion: Place,
    /// Noises that act on a component.
    pub(super) acting: usize,
    /// Functions of the diffusion in WGSL.
    pub(super) text: String,
}

impl Coefficients {
    /// Appends the networks of a fit to a program.
    pub(super) fn append(
        program: &mut Program,
        fit: &SdeFit<f32, Network>,
        lanes: usize,
    ) -> Result<Self, NotOnGpu> {
        let (drift, diffusion) = (fit.model().drift(), fit.model().diffusion());
        let dim = drift.outputs();
        let inputs = [Some(drift), network_of(diffusion)].into_iter().flatten().map(Shape::inputs);
        let inputs = inputs.max().unwrap_or(dim);
        let x = program.array(inputs * lanes);
        let parameters = drift.parameters();
        let input = |theta| Input { x, columns: lanes, theta };
        let of_drift = network(program, "drift", drift, input(0))?;
        let (of_diffusion, acting) = match diffusion {
            Diffusion::None => (of_drift, 0),
            Diffusion::Additive { .. } => {
                let g = program.array(dim * lanes);
                let (numbers, parts) = ([lanes, parameters, g], program.parts);
                let sums = step::row_sums(dim, &numbers, "bars[bar + j]", parts);
                program.then_backward([sums]);
                (g, 1)
            }
            Diffusion::Diagonal { network: of, .. } => {
                (network(program, "diffusion", of, input(parameters))?, 1)
            }
            Diffusion::General { network: of, noises } => {
                (network(program, "diffusion", of, input(parameters))?, *noises)
            }
        };
        let text = text(diffusion, parameters);
        Ok(Self { inputs, x, drift: of_drift, diffusion: of_diffusion, acting, text })
    }
}

fn network_of(diffusion: &Diffusion) -> Option<&Network> {
    match diffusion {
        Diffusion::Diagonal { network, .. } | Diffusion::General { network, .. } => Some(network),
        _ => None,
    }
}

/// Appends a network whose output has a place of its own.
fn network(
    program: &mut Program,
    name: &str,
    network: &Network,
    input: Input,
) -> Result<Place, NotOnGpu> {
    let named = |error: NotOnGpu| NotOnGpu { layer: format!("{name}.{}", error.layer), ..error };
    let y = program.layer(network, input).map_err(named)?;
    if program.computed.len() + program.forward.iter().filter(|step| step.draws).count() > 0 {
        let reason = "a layer is fractional in time or drops numbers at random; train on the CPU";
        return Err(NotOnGpu::new(name, reason));
    }
    if y == input.x {
        return Err(NotOnGpu::new(name, "its network returns its input; train on the CPU"));
    }
    Ok(y)
}

/// The diffusion of a row and its slope, and the rows and noises that act on a component.
fn text(diffusion: &Diffusion, raw: Place) -> String {
    let (value, slope) = match diffusion {
        Diffusion::None => ("0.0".to_owned(), "0.0".to_owned()),
        Diffusion::Additive { .. } => {
            (format!("softplus(theta[{raw}u + row])"), format!("sigmoid(theta[{raw}u + row])"))
        }
        Diffusion::Diagonal { floor: Some(floor), .. } => {
            let floor = f32::to_bits(*floor as f32);
            (
                format!("bitcast<f32>({floor}u) + softplus(values[G + row * LANES + lane])"),
                "sigmoid(values[G + row * LANES + lane])".to_owned(),
            )
        }
        Diffusion::Diagonal { .. } | Diffusion::General { .. } => {
            ("values[G + row * LANES + lane]".to_owned(), "1.0".to_owned())
        }
    };
    let (row, noise) = match diffusion {
        Diffusion::General { .. } => ("component * NOISES_OF_COMPONENT + j", "j"),
        _ => ("component", "component"),
    };
    format!(
        "fn diffusion(row: u32, lane: u32) -> f32 {{\n    return {value};\n}}\n\n\
         fn diffusion_slope(row: u32, lane: u32) -> f32 {{\n    return {slope};\n}}\n\n\
         fn row_of(component: u32, j: u32) -> u32 {{\n    return {row};\n}}\n\n\
         fn noise_of(component: u32, j: u32) -> u32 {{\n    return {noise};\n}}\n\n"
    )
}

/// Memories of the components; of learned orders at those in the middle of their bounds.
///
/// # Errors
/// [`NotOnGpu`] for a corrected drift, and for learned orders with exponentials.
pub(super) fn memories(
    fit: &SdeFit<f32, Network>,
) -> Result<Vec<Option<ComponentMemory<f32>>>, NotOnGpu> {
    let refused = |layer, reason: &str| Err(NotOnGpu::new(layer, reason));
    match fit.memories(&vec![0.0; fit.parameters()]) {
        Ok(Some(memories)) => {
            let exponentials = |memory: &ComponentMemory<f32>| !memory.exponentials.is_empty();
            if fit.model().learns_orders() && memories.iter().flatten().any(exponentials) {
                return refused(
                    "a learned order with a memory of exponentials",
                    "their number depends on the order; choose memory = \"direct\" or train on the CPU",
                );
            }
            Ok(memories)
        }
        Ok(None) => refused(
            "the corrected drift",
            "a device takes rectangles alone; choose drift = \"rectangle\" or train on the CPU",
        ),
        Err(error) => Err(NotOnGpu::new("the memory", error)),
    }
}

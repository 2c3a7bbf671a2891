//! Paths of equations with networks.

use super::case::{Case, solve};
use super::{bits, device, grid};
use hpfracc_equation::wgsl::{NumberFormat, Rounding};
use hpfracc_equation::{Activation, Affine, Equation, Files, Network};
use hpfracc_lanes::random::Philox;
use hpfracc_wgpu::ensemble::PathSolver;

/// Networks named by their widths, as in `3-8-2`, with an activation in all layers but the last.
struct Random(Activation);

impl Files for Random {
    fn network(&self, path: &str) -> Result<Network, String> {
        let widths: Vec<usize> = path.split('-').map(|width| width.parse().unwrap()).collect();
        let philox = Philox::new(path.len() as u64);
        let number = |k: usize, i: usize| {
            let [bits, ..] = philox.block([i as u32, k as u32, 0, 0]);
            f64::from(bits) / f64::from(1u32 << 31) - 1.0
        };
        let layers = widths.windows(2).enumerate().map(|(k, pair)| {
            let (inputs, outputs) = (pair[0], pair[1]);
            let scale = 1.0 / (inputs as f64).sqrt();
            let weights = (0..inputs * outputs).map(|i| scale * number(2 * k, i)).collect();
            let bias = (0..outputs).map(|i| 0.5 * number(2 * k + 1, i)).collect();
            let last = k + 2 == widths.len();
            let activation = if last { Activation::Identity } else { self.0 };
            (Affine::new(inputs, weights, bias).unwrap(), activation)
        });
        Network::new(layers.collect()).map_err(|error| error.to_string())
    }
}

/// A drift and a diffusion with networks of these hidden widths.
fn case(hidden: &[usize], activation: Activation) -> Case {
    let name = activation.name();
    let layers: String = hidden.iter().map(|width| format!("{width} {name} -> ")).collect();
    let widths: String = hidden.iter().map(|width| format!("{width}-")).collect();
    let text = format!(
        "dX = f_1 dt + (1 + g^2)/4 dW; dY = (f_2 - Y) dt + 0.1 dV; V = brownian(); \
         net f: X, Y -> {layers}2 from \"2-{widths}2\"; net g: X -> 3 {name} -> 1 from \"1-3-1\"; \
         X(0) = 0.5; Y(0) = -0.2"
    );
    let equation = Equation::parse_with(&text, &Random(activation));
    Case::of(equation.unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn networks_have_the_bits_of_the_cpu() {
    let Some(gpu) = device::gpu("networks_have_the_bits_of_the_cpu") else { return };
    let cases: [(&[usize], Activation); 5] = [
        (&[8], Activation::Tanh),
        (&[7, 5], Activation::Softplus),
        (&[6, 8, 6], Activation::Relu),
        (&[4, 64], Activation::Tanh),
        // More weights than the memory of a workgroup has.
        (&[16, 600], Activation::Relu),
    ];
    for (hidden, activation) in cases {
        let (case, grid) = (case(hidden, activation), grid(70, 0.05, &[3, 8]));
        let equation = case.on_device();
        let bytes = 16 * equation.coefficients.weight_vectors();
        let lines = equation.coefficients.text(NumberFormat::Single).lines().count();
        println!("{hidden:?}: {lines} lines, {bytes} bytes of weights");
        let solver = PathSolver::new(&gpu.f32(), equation, Rounding::Guarded).unwrap();
        let found = bits(&solve(&solver, &case, &grid));
        assert_eq!(found, bits(&case.reference::<f32>(&grid)), "{hidden:?}");
        let Ok(double) = gpu.f64() else { continue };
        let solver = PathSolver::new(&double, case.on_device(), Rounding::Guarded).unwrap();
        assert_eq!(solve(&solver, &case, &grid), case.reference::<f64>(&grid), "{hidden:?}");
    }
}

/// More rounds over neurons than a driver takes in an invocation.
#[test]
fn networks_in_many_steps_have_the_bits_of_the_cpu() {
    let Some(gpu) = device::gpu("networks_in_many_steps") else { return };
    let (case, grid) = (case(&[4, 40], Activation::Relu), grid(8, 1e-3, &[3000]));
    let solver = PathSolver::new(&gpu.f32(), case.on_device(), Rounding::Guarded).unwrap();
    assert_eq!(bits(&solve(&solver, &case, &grid)), bits(&case.reference(&grid)));
}

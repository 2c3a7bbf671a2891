//! Layers as steps of a program.

use super::attention;
use super::program::{Input, NotOnGpu, Program};
use super::step::{self, Place, bits};
use hpfracc_nn::{Activation, Dense, Embedding, Network, Shape};

impl Program {
    /// Appends a layer; the place of its output.
    pub(super) fn layer(&mut self, network: &Network, input: Input) -> Result<Place, NotOnGpu> {
        match network {
            Network::Dense(layer) => self.dense(layer, input),
            Network::SwiGlu(layer) => Ok(self.swiglu((layer.inputs(), layer.outputs()), input)),
            Network::RmsNorm(layer) => {
                Ok(self.normalisation(layer.inputs(), layer.epsilon, false, input))
            }
            Network::LayerNorm(layer) => {
                Ok(self.normalisation(layer.inputs(), layer.epsilon, true, input))
            }
            Network::Softmax(layer) => Ok(self.softmax(layer.inputs(), input)),
            Network::Embedding(layer) => Ok(self.embedding(layer, input)),
            Network::MultiHeadAttention(layer) => attention::append(self, layer, input),
            Network::EachTime(layer) => {
                let columns = input.columns * layer.length();
                self.layer(layer.inner(), Input { columns, ..input })
            }
            Network::Residual(layer) => {
                let inner = self.layer(layer.inner(), input)?;
                Ok(self.residual(layer.outputs(), inner, input))
            }
            Network::Sequential(layers) => {
                let mut input = input;
                for (i, layer) in layers.layers().iter().enumerate() {
                    let x = self.layer(layer, input).map_err(|error| NotOnGpu {
                        layer: format!("{i}.{}", error.layer),
                        ..error
                    })?;
                    input = Input { x, theta: input.theta + layer.parameters(), ..input };
                }
                Ok(input.x)
            }
            Network::Dropout(_) => Err(NotOnGpu::new(
                "Dropout",
                "its masks are drawn on the CPU; leave it out or train on the CPU",
            )),
            _ => Err(NotOnGpu::new(
                "a layer",
                "only dense, gated, normalising, embedding and attention layers and their compositions are; \
                 train on the CPU",
            )),
        }
    }

    fn dense(&mut self, layer: &Dense, input: Input) -> Result<Place, NotOnGpu> {
        let Dense { inputs, outputs, activation, .. } = *layer;
        let bias = input.theta + inputs * outputs;
        let (name, places) = (activation_name(activation)?, (input.theta, bias));
        let (z, y) = self.affine_and((inputs, outputs), places, input, name);
        let Some(name) = name else { return Ok(z) };
        let count = outputs * input.columns;
        let slope = format!("{}_slope", name.trim_end_matches("_of"));
        let body = format!("bars[a] = {slope}(values[a]) * bars[b];");
        self.then_backward([step::elementwise(count, [z, y, 0], &body)]);
        Ok(y)
    }

    fn swiglu(&mut self, (inputs, outputs): (usize, usize), input: Input) -> Place {
        let weights = inputs * outputs;
        let part = |k: usize| (input.theta + k * weights, input.theta + 2 * weights + k * outputs);
        let u = self.affine((inputs, outputs), part(0), input);
        let v = self.affine((inputs, outputs), part(1), input);
        let count = outputs * input.columns;
        let y = self.array(count);
        self.forward.push(step::elementwise(
            count,
            [u, v, y],
            "values[c] = values[a] * silu(values[b]);",
        ));
        let body = "bars[a] = bars[c] * silu(values[b]);\n\
                    bars[b] = bars[c] * values[a] * silu_slope(values[b]);";
        self.then_backward([step::elementwise(count, [u, v, y], body)]);
        y
    }

    fn residual(&mut self, outputs: usize, inner: Place, input: Input) -> Place {
        let count = outputs * input.columns;
        let y = self.array(count);
        let arrays = [input.x, inner, y];
        self.forward.push(step::elementwise(count, arrays, "values[c] = values[a] + values[b];"));
        let body = "bars[a] += bars[c];\nbars[b] += bars[c];";
        self.then_backward([step::elementwise(count, arrays, body)]);
        y
    }

    fn normalisation(&mut self, rows: usize, epsilon: f64, centred: bool, input: Input) -> Place {
        let Input { x, columns, theta } = input;
        let (y, saved) = (self.array(rows * columns), self.array(2 * columns));
        let body =
            include_str!("kernels/normalisation.wgsl").replace("CENTRED", &centred.to_string());
        let others = [x, y, saved, theta, bits(epsilon)];
        let sizes = [rows, columns];
        self.forward.push(step::each((columns, 3 * rows), (&body, "forward"), sizes, &others));
        let normalised = "bars[bar + j] * (values[word(3u) + row * columns + j] - values[word(4u) + j]) \
                          * values[word(4u) + columns + j]";
        let parts = self.parts;
        let scale = step::row_sums(rows, &[columns, theta, y, x, saved], normalised, parts);
        let shift = step::row_sums(rows, &[columns, theta + rows, y], "bars[bar + j]", parts);
        let to_input = step::each((columns, 2 * rows), (&body, "backward"), sizes, &others);
        self.then_backward(
            [Some(scale), centred.then_some(shift), Some(to_input)]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>(),
        );
        y
    }

    fn softmax(&mut self, rows: usize, Input { x, columns, .. }: Input) -> Place {
        let y = self.array(rows * columns);
        let body = include_str!("kernels/softmax.wgsl");
        let step = |entry| step::each((columns, 3 * rows), (body, entry), [rows, columns], &[x, y]);
        self.forward.push(step("forward"));
        self.then_backward([step("backward")]);
        y
    }

    fn embedding(&mut self, layer: &Embedding, Input { x, columns, theta }: Input) -> Place {
        let (features, table) = (layer.outputs(), layer.parameters());
        let y = self.array(features * columns);
        let classes = table / features;
        let others = [x, y, theta, classes, bits(f64::NAN)];
        let body = include_str!("kernels/embedding.wgsl");
        let step = |size, entry| step::each(size, (body, entry), [features, columns], &others);
        self.forward.push(step((features * columns, 0), "forward"));
        self.then_backward([step((table, columns), "backward")]);
        y
    }
}

/// Name of an activation in WGSL; none for the identity.
fn activation_name(activation: Activation) -> Result<Option<&'static str>, NotOnGpu> {
    Ok(Some(match activation {
        Activation::Identity => return Ok(None),
        Activation::Relu => "relu",
        Activation::Tanh => "tanh_of",
        Activation::Sigmoid => "sigmoid",
        Activation::Softplus => "softplus",
        Activation::Silu => "silu",
        Activation::Gelu | Activation::GeluAccurateTail => "gelu",
        Activation::GeluTanh => "gelu_tanh",
        other => {
            return Err(NotOnGpu::new(
                "Dense",
                format_args!("its activation {other:?} has no shader; train on the CPU"),
            ));
        }
    }))
}

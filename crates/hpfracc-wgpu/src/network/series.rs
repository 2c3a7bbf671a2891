//! Layers along time, and dropout.

use super::program::{Input, NotOnGpu, Program};
use super::step::{self, Place, bits};
use hpfracc_nn::{Conv1d, Conv1dConfig, Dropout, FractionalDerivative, Shape};

impl Program {
    /// A fractional derivative of each channel, by direct sums.
    pub(super) fn derivative(&mut self, layer: FractionalDerivative, input: Input) -> Place {
        let Input { x, columns, theta } = input;
        let (channels, length, tables) = (layer.channels(), layer.length(), layer.tables());
        let count = channels * length * columns;
        let y = self.stored(count);
        let weights = self.computed(layer, theta);
        let distance = if tables == 1 { 0 } else { 3 * length };
        let of_table = channels / tables;
        let from_first = usize::from(layer.counts_from_first());
        let others = [x, y, weights, distance, from_first, channels, of_table];
        let (body, sizes) = (include_str!("kernels/causal.wgsl"), [length, columns]);
        let each = |rounds, entry| step::each((count, rounds), (body, entry), sizes, &others);
        self.forward.push(each(length, "forward"));
        let learned = (layer.parameters() > 0).then(|| {
            let work = (2 * length * tables, of_table * length * columns);
            step::groups(work, (body, "weights"), sizes, &others)
        });
        self.then_backward(
            [learned, Some(each(2 * length, "backward"))].into_iter().flatten().collect::<Vec<_>>(),
        );
        y
    }

    /// A convolution with weights and a bias at these places, and its activation.
    pub(super) fn convolution(
        &mut self,
        layer: &Conv1d,
        (weights, bias): (Place, Place),
        Input { x, columns, .. }: Input,
    ) -> Result<Place, NotOnGpu> {
        let Conv1dConfig {
            channels, length, filters, kernel, stride, dilation, activation, ..
        } = *layer.config();
        let length_out = layer.length_out();
        let count = filters * length_out * columns;
        let z = self.stored(count);
        let shape = [channels, filters, length_out, kernel, stride, dilation, layer.front()];
        let others = [&[x, z, weights, bias][..], &shape].concat();
        let (body, sizes) = (include_str!("kernels/convolution.wgsl"), [length, columns]);
        let each = |work, entry| step::each(work, (body, entry), sizes, &others);
        self.forward.push(each((count, channels * kernel), "forward"));
        let taps = filters * channels * kernel;
        let of_weights = (taps, length_out * columns);
        self.then_backward([
            step::groups(of_weights, (body, "weights"), sizes, &others),
            step::row_sums(filters, &[length_out * columns, bias, z], "bars[bar + j]", self.parts),
            each((channels * length * columns, filters * kernel), "backward"),
        ]);
        self.activation(count, activation, z)
    }

    pub(super) fn dropout(&mut self, layer: &Dropout, Input { x, columns, .. }: Input) -> Place {
        let rows = layer.outputs();
        let count = rows * columns;
        let [factor, y] = [self.stored(count), self.stored(count)];
        let [low, high] = [layer.seed() as u32, (layer.seed() >> 32) as u32].map(|w| w as usize);
        let words = 2f64.powi(32);
        let scale = words / (words - f64::from(layer.threshold()));
        let others = [
            x,
            factor,
            y,
            layer.threshold() as usize,
            low,
            high,
            Dropout::STREAM as usize,
            bits(scale),
        ];
        let body = (include_str!("kernels/dropout.wgsl"), "forward");
        let forward = step::each((count, 0), body, [rows, columns], &others);
        self.forward.push(step::Step { draws: true, ..forward });
        let body = "bars[a] += bars[c] * values[b];";
        self.then_backward([step::elementwise(count, [x, factor, y], body)]);
        y
    }
}

use crate::{Axis, Chart, Curve, Format, Mark, PlotError, Sheet, band};

/// Fan chart: bands of an uncertain quantity, such as quantiles of an ensemble or of a forecast, and
/// curves over them.
///
/// ```
/// use hpfracc_plot::{Axis, Curve, Fan, Format};
///
/// let t = [0.0, 1.0, 2.0];
/// let quantiles = [
///     (0.05, vec![0.0, -1.0, -2.0]),
///     (0.25, vec![0.0, -0.4, -0.8]),
///     (0.75, vec![0.0, 0.4, 0.8]),
///     (0.95, vec![0.0, 1.0, 2.0]),
/// ];
/// let fan = Fan::new("x")
///     .with_quantiles(&t, &quantiles)
///     .with(Curve::line("mean", &t, &[0.0; 3], 1));
/// let names: Vec<&str> = fan.curves().iter().map(|curve| curve.name).collect();
/// assert_eq!(names, ["5 to 95 %", "25 to 75 %", "mean"]);
/// let svg = Fan::draw("A random walk", Axis::linear("t"), &[fan], Format::Svg)?;
/// assert!(svg.starts_with(b"<svg"));
/// # Ok::<(), hpfracc_plot::PlotError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Fan {
    name: String,
    layers: Vec<Layer>,
}

/// A curve that owns its points.
#[derive(Debug, Clone, PartialEq)]
struct Layer {
    name: String,
    x: Vec<f64>,
    y: Vec<f64>,
    mark: Mark,
    color: usize,
}

impl Fan {
    /// A fan without bands; `name` is that of the vertical axis.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), layers: Vec::new() }
    }

    /// Adds the band between two curves over `x`; a narrower band comes after a wider one.
    #[must_use]
    pub fn with_band(
        mut self,
        name: impl Into<String>,
        x: &[f64],
        low: &[f64],
        high: &[f64],
    ) -> Self {
        let (x, y) = band(x, low, high);
        self.layers.push(Layer { name: name.into(), x, y, mark: Mark::Band, color: 0 });
        self
    }

    /// Adds the bands between pairs of quantiles over `x`, from the outermost to the innermost, with
    /// names such as `5 to 95 %`. Each quantile has its probability; in the middle of an odd number
    /// is a quantile without a band.
    #[must_use]
    pub fn with_quantiles<V: AsRef<[f64]>>(self, x: &[f64], quantiles: &[(f64, V)]) -> Self {
        let mut sorted: Vec<(f64, &[f64])> =
            quantiles.iter().map(|(level, values)| (*level, values.as_ref())).collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
        let pairs = sorted.iter().zip(sorted.iter().rev()).take(sorted.len() / 2);
        pairs.fold(self, |fan, ((low, lower), (high, upper))| {
            let name = format!("{} to {} %", percent(*low), percent(*high));
            fan.with_band(name, x, lower, upper)
        })
    }

    /// Adds a curve in front.
    #[must_use]
    pub fn with(mut self, curve: Curve<'_>) -> Self {
        let Curve { name, x, y, mark, color } = curve;
        let (name, x, y) = (name.to_owned(), x.to_vec(), y.to_vec());
        self.layers.push(Layer { name, x, y, mark, color });
        self
    }

    /// Its curves, the bands among them.
    pub fn curves(&self) -> Vec<Curve<'_>> {
        (self.layers.iter())
            .map(|Layer { name, x, y, mark, color }| Curve::line(name, x, y, *color).marked(*mark))
            .collect()
    }

    /// Draws fans with the same curves in charts one below the other; the legend is above the first.
    ///
    /// # Errors
    /// [`PlotError::Drawing`] if the drawing library fails.
    pub fn draw(
        title: &str,
        x: Axis<'_>,
        fans: &[Self],
        format: Format,
    ) -> Result<Vec<u8>, PlotError> {
        let mut curves: Vec<Vec<Curve<'_>>> = fans.iter().map(Self::curves).collect();
        curves.iter_mut().skip(1).flatten().for_each(|curve| curve.name = "");
        let charts = fans.iter().zip(&curves);
        let charts = charts.map(|(fan, curves)| ("", Axis::linear(&fan.name), &curves[..]));
        Sheet { title, columns: &[&Chart::stacked(x, charts)] }.draw(format)
    }
}

/// Probability in per cent, without its rounding.
fn percent(probability: f64) -> f64 {
    (1e8 * probability).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: [f64; 2] = [0.0, 1.0];

    #[test]
    fn bands_are_pairs_from_the_outside() {
        let quantiles = [(0.95, [4.0, 4.0]), (0.001, [0.0, 0.0]), (0.5, [2.0, 2.0])];
        let fan = Fan::new("x").with_quantiles(&X, &quantiles);
        let curves = fan.curves();
        assert_eq!(curves.len(), 1);
        assert_eq!((curves[0].name, curves[0].mark), ("0.1 to 95 %", Mark::Band));
        assert_eq!(
            (curves[0].x, curves[0].y),
            (&[0.0, 1.0, 1.0, 0.0][..], &[0.0, 0.0, 4.0, 4.0][..])
        );
        assert!(Fan::new("x").with_quantiles(&X, &quantiles[..1]).curves().is_empty());
    }

    #[test]
    fn one_legend_for_all_charts() {
        let fan = |name: &str| {
            let fan = Fan::new(name).with_band("sure", &X, &[0.0; 2], &[1.0; 2]);
            fan.with(Curve::line("mean", &X, &[0.5; 2], 1))
        };
        let fans = [fan("a"), fan("b")];
        let svg = Fan::draw("", Axis::linear("t"), &fans, Format::Svg).unwrap();
        let svg = String::from_utf8(svg).unwrap();
        for (label, count) in [("sure", 1), ("mean", 1), ("a", 1), ("b", 1), ("t", 1)] {
            assert_eq!(svg.matches(&format!("aria-label=\"{label}\"")).count(), count, "{label}");
        }
    }
}

//! An app shares its own GPU device with hpfracc and draws the result on it:
//! `cargo run --release -p hpfracc-examples --features gpu --example embedding`.
//!
//! The temperature at the surface of the ground drives heat into it. In ground that is deep enough
//! to count as a half-space, the heat flux is the half-derivative of the surface temperature times
//! the effusivity of the soil. The weather of the next days is uncertain: an ensemble of a fractional
//! stochastic equation is solved on the device, too. The app draws all three, without a window, to
//! `target/embedding/heat.png`.

mod app;
mod weather;

use app::{App, HEIGHT, Line, WIDTH};
use hpfracc::ndarray::Axis;
use hpfracc::sde::QuantileTable;
use std::error::Error;
use std::fs::{self, File};
use std::path::Path;

// ANCHOR: uses
use hpfracc::backend::Backend;
use hpfracc::gpu::{Fft, Gpu};
use hpfracc::prelude::*;
// ANCHOR_END: uses

type Outcome<T> = Result<T, Box<dyn Error>>;

const DAYS: f64 = 5.0;
const SAMPLES: usize = 4096;
const SECONDS_PER_DAY: f64 = 86_400.0;
const PATHS: usize = 4096;

fn main() -> Outcome<()> {
    let Some(app) = App::open()? else {
        if std::env::var("HPFRACC_REQUIRE_GPU").as_deref() == Ok("1") {
            return Err("no adapter, and HPFRACC_REQUIRE_GPU=1".into());
        }
        println!("no adapter: no device to share, nothing drawn");
        return Ok(());
    };
    let gpu = shared(&app.device, &app.queue);
    println!("device     {}, owned by the app", gpu.name());

    let grid = Grid::uniform(SAMPLES, DAYS * SECONDS_PER_DAY / (SAMPLES - 1) as f64)?;
    let temperature: Array1<f64> = grid.points().map(surface_temperature).collect();
    let exact = heat_flux::<f64>(&temperature, grid, &Machine::detect())?;
    let single = heat_flux::<f32>(&temperature, grid, &Fft::new(&gpu.f32()))?;
    println!(
        "f32        {:.1e} of the largest flux from that of the CPU",
        relative_error(&single, &exact)
    );
    let flux = match gpu.f64() {
        Ok(double) => {
            let flux = heat_flux::<f64>(&temperature, grid, &Fft::new(&double))?;
            println!("f64        {:.1e}, likewise", relative_error(&flux, &exact));
            flux
        }
        Err(reason) => {
            println!("f64        not on this device: {reason}");
            single
        }
    };
    println!("flux       {:.0} W/m^2 at most", largest(&flux));
    let weather = weather::quantiles(&gpu, PATHS)?;
    let after = weather.values.index_axis(Axis(0), weather.times.len() - 1);
    println!(
        "weather    {:.1} to {:.1} K in {DAYS} days, 9 of 10 of {PATHS} paths",
        after[[0, 0]],
        after[[0, 2]]
    );

    let picture = app.draw(PAPER, &lines(&temperature, &flux, &weather))?;
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = home.parent().unwrap_or(home).join("target").join("embedding");
    fs::create_dir_all(&folder)?;
    let file = folder.join("heat.png");
    write_png(&file, &picture)?;
    println!("picture    {}: temperature, heat flux, quantiles of the weather", file.display());
    Ok(())
}

/// Degrees above the mean: warm days, cold nights, and a cold front in the middle.
fn surface_temperature(t: f64) -> f64 {
    let days = t / SECONDS_PER_DAY;
    let front = -4.0 * (1.0 + ((days - 2.6) / 0.02).tanh());
    6.0 * (std::f64::consts::TAU * days).sin() + front
}

// ANCHOR: flux
/// The device of the app for hpfracc. Clones are handles to one device: the app still draws with
/// it.
fn shared(device: &wgpu::Device, queue: &wgpu::Queue) -> Gpu {
    Gpu::from_device(device.clone(), queue.clone())
}

/// Square root of conductivity times heat capacity of moist soil, in W s^1/2 / (m^2 K).
const EFFUSIVITY: f64 = 1500.0;

/// Heat flux into the ground, in W/m^2, computed in the precision `T`.
fn heat_flux<T: Real>(
    temperature: &Array1<f64>,
    grid: Grid,
    backend: &(impl Backend<T> + Clone + 'static),
) -> Result<Array1<f64>, Box<dyn std::error::Error>> {
    let half = Caputo::l1(Order::new(0.5)?)?.on(grid, backend)?;
    let flux = half.apply(temperature.mapv(T::narrow).view())?;
    Ok(flux.mapv(|value| EFFUSIVITY * value.widen()))
}

// ANCHOR_END: flux

fn largest(values: &Array1<f64>) -> f64 {
    values.iter().fold(0.0, |most, value| value.abs().max(most))
}

/// Largest difference relative to the largest value.
fn relative_error(value: &Array1<f64>, expected: &Array1<f64>) -> f64 {
    largest(&(value - expected)) / largest(expected)
}

const PAPER: wgpu::Color = wgpu::Color { r: 0.90, g: 0.91, b: 0.93, a: 1.0 };
const PANEL: [f32; 4] = [1.0, 1.0, 1.0, 1.0];
const RULE: [f32; 4] = [0.55, 0.60, 0.68, 0.35];
const ZERO: [f32; 4] = [0.20, 0.23, 0.30, 0.80];
const WARM: [f32; 4] = [0.75, 0.10, 0.05, 1.0];
const FLUX: [f32; 4] = [0.02, 0.16, 0.60, 1.0];
const WEATHER: [f32; 4] = [0.35, 0.20, 0.50, 1.0];

const MARGIN: f32 = 24.0;

/// Three panels, one above the other.
fn lines(temperature: &Array1<f64>, flux: &Array1<f64>, weather: &QuantileTable) -> Vec<Line> {
    let weather = weather.values.index_axis(Axis(1), 0);
    let quantiles = weather.columns().into_iter().map(|quantile| quantile.to_owned());
    let panels: [(Vec<Array1<f64>>, [f32; 4]); 3] = [
        (vec![temperature.clone()], WARM),
        (vec![flux.clone()], FLUX),
        (quantiles.collect(), WEATHER),
    ];
    let height = (HEIGHT as f32 - 4.0 * MARGIN) / 3.0;
    let mut lines = Vec::new();
    for (k, (curves, colour)) in panels.iter().enumerate() {
        lines.extend(panel(MARGIN + k as f32 * (height + MARGIN), height, curves, *colour));
    }
    lines
}

/// Background, a rule for each midnight, the zero line, and the curves.
fn panel(top: f32, height: f32, curves: &[Array1<f64>], colour: [f32; 4]) -> Vec<Line> {
    let (left, width) = (MARGIN, WIDTH as f32 - 2.0 * MARGIN);
    let values = || curves.iter().flatten();
    let extreme = |pick: fn(f64, f64) -> f64| values().fold(0.0, |most, v| pick(most, *v));
    let (low, high) = (extreme(f64::min), extreme(f64::max));
    let scale = 0.86 * f64::from(height) / (high - low);
    let y_of = |value: f64| top + height * 0.07 + (scale * (high - value)) as f32;
    let line = |points, half_width, colour| Line { points, half_width, colour };
    let level =
        |y, half_width, colour| line(vec![[left, y], [left + width, y]], half_width, colour);
    let mut lines = vec![level(top + height / 2.0, height / 2.0, PANEL)];
    for day in 1..DAYS as usize {
        let x = left + width * day as f32 / DAYS as f32;
        lines.push(line(vec![[x, top], [x, top + height]], 0.5, RULE));
    }
    lines.push(level(y_of(0.0), 0.5, ZERO));
    for curve in curves {
        let step = width / (curve.len() - 1) as f32;
        let point = |(j, value): (usize, &f64)| [left + step * j as f32, y_of(*value)];
        lines.push(line(curve.iter().enumerate().map(point).collect(), 1.6, colour));
    }
    lines
}

fn write_png(file: &Path, pixels: &[u8]) -> Outcome<()> {
    let mut encoder = png::Encoder::new(File::create(file)?, WIDTH, HEIGHT);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(pixels)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc::special::MittagLeffler;

    /// Opens the app; prints that the test is skipped where there is no adapter.
    fn app(test: &str) -> Option<App> {
        let app = App::open().unwrap();
        let required = std::env::var("HPFRACC_REQUIRE_GPU").as_deref() == Ok("1");
        assert!(app.is_some() || !required, "no adapter");
        if app.is_none() {
            println!("skipped: {test}: no adapter");
        }
        app
    }

    #[test]
    fn a_line_is_where_its_points_are() {
        let Some(app) = app("a_line_is_where_its_points_are") else { return };
        let points = vec![[100.0, 200.5], [300.0, 200.5]];
        let blue = Line { points, half_width: 2.0, colour: [0.0, 0.0, 1.0, 1.0] };
        let pixels = app.draw(wgpu::Color::WHITE, &[blue]).unwrap();
        let pixel = |x: u32, y: u32| &pixels[4 * (y * WIDTH + x) as usize..][..4];
        for x in [100, 200, 299] {
            assert_eq!(pixel(x, 200), [0, 0, 255, 255]);
            assert_eq!(pixel(x, 196), [255; 4]);
            assert_eq!(pixel(x, 204), [255; 4]);
        }
        assert_eq!(pixel(98, 200), [255; 4]);
        assert_eq!(pixel(301, 200), [255; 4]);
    }

    #[test]
    fn app_draws_after_the_gpu_is_dropped() {
        let Some(app) = app("app_draws_after_the_gpu_is_dropped") else { return };
        let gpu = shared(&app.device, &app.queue);
        let grid = Grid::uniform(100, 864.0).unwrap();
        let flux = heat_flux::<f32>(&Array1::zeros(100), grid, &Fft::new(&gpu.f32())).unwrap();
        assert_eq!(largest(&flux), 0.0);
        drop(gpu);
        assert!(app.draw(PAPER, &[]).is_ok());
    }

    /// The equation is linear: the median is the mean, that of a relaxation. Within 4 standard errors, and those of the
    /// scheme.
    #[test]
    fn weather_relaxes_to_its_mean() {
        let Some(app) = app("weather_relaxes_to_its_mean") else { return };
        let paths = 2000;
        let weather = weather::quantiles(&shared(&app.device, &app.queue), paths).unwrap();
        let relaxation = MittagLeffler::new(0.8, 1.0).unwrap();
        for (k, t) in weather.times.iter().enumerate() {
            let [low, median, high] = [0, 1, 2].map(|q| weather.values[[k, 0, q]]);
            // 1.645 standard deviations on each side; the median varies 1.2533 times as much as the mean.
            let error = 1.2533 * (high - low) / 3.29 / (paths as f64).sqrt();
            let expected = -4.0 * relaxation.eval(-t.powf(0.8));
            assert!(
                (median - expected).abs() < 4.0 * error + 0.03,
                "{t}: {median}, not {expected}"
            );
        }
    }

    /// The daily wave of the flux leads that of the temperature by an eighth of a day; its
    /// amplitude is the effusivity times the square root of the frequency times that of the
    /// temperature.
    #[test]
    fn a_daily_wave_drives_a_daily_flux() {
        let omega = std::f64::consts::TAU / SECONDS_PER_DAY;
        let grid = Grid::uniform(8192, 20.0 * SECONDS_PER_DAY / 8191.0).unwrap();
        let wave: Array1<f64> = grid.points().map(|t| (omega * t).sin()).collect();
        let flux = heat_flux::<f64>(&wave, grid, &Machine::detect()).unwrap();
        let height = EFFUSIVITY * omega.sqrt();
        for (t, flux) in grid.points().zip(&flux).skip(6000) {
            let expected = height * (omega * t + std::f64::consts::FRAC_PI_4).sin();
            // The start transient decays as t^(-3/2).
            assert!((flux - expected).abs() < 1e-2 * height, "{t}: {flux}, not {expected}");
        }
    }
}

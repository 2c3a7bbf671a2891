//! The programs of the chapter "Backends": `cargo run --example book_backends`.

use hpfracc::backend::{BackendError, Workload};
use hpfracc::ndarray::{Array1, s};
use hpfracc::prelude::*;
use hpfracc::selector::Effort;
use hpfracc::{MachineError, Settings};
use pictures::Outcome;
use std::time::Duration;

fn main() -> Outcome<()> {
    explained()?;
    by_name()?;
    remembered()?;
    limited()?;
    streamed()?;
    chunked()?;
    #[cfg(feature = "gpu")]
    limited_on_a_gpu()?;
    Ok(())
}

fn explained() -> Outcome<()> {
    // ANCHOR: explain
    let machine = Machine::detect();
    let workload = Workload::CausalConvolution { len: 10_000, batch: 1 };
    println!("{}", machine.explain::<f64>(workload)?);
    // ANCHOR_END: explain
    let chosen = machine.chosen::<f64>(workload)?;
    assert!(chosen.is_some_and(|name| name.ends_with("fft")));
    Ok(())
}

fn by_name() -> Outcome<()> {
    // ANCHOR: only
    let machine = Machine::only("cpu-fft")?;
    let unknown = Machine::only("cpu-psychic").err();
    assert!(matches!(unknown, Some(MachineError::UnknownBackend { .. })));
    // ANCHOR_END: only
    let grid = Grid::uniform(1000, 0.001)?;
    let half = Caputo::l1(Order::new(0.5)?)?.on(grid, &machine)?;
    half.apply(Array1::<f64>::ones(1000).view())?;
    Ok(())
}

fn remembered() -> Outcome<()> {
    let folder = std::env::temp_dir().join(format!("hpfracc-book-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let file = folder.join("wisdom.json");
    // ANCHOR: wisdom
    let mut settings = Settings::default();
    settings.wisdom = Some(file.clone()); // read now if it is there, written when the last clone goes
    let machine = Machine::with(&settings)?;
    let workload = Workload::CausalConvolution { len: 1000, batch: 1 };
    machine.measure::<f64>(workload, Effort::Measure)?;
    drop(machine);

    let later = Machine::with(&settings)?;
    assert!(later.wisdom_refused().is_none());
    // ANCHOR_END: wisdom
    assert!(file.is_file());
    drop(later);
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}

fn limited() -> Outcome<()> {
    // ANCHOR: host_limit
    let mut settings = Settings::default();
    settings.selector.limits.host_bytes = Some(16 << 20); // 16 MiB for one bound map
    settings.gpus_from = Duration::MAX; // no GPU, which may have room where the host has none
    let machine = Machine::with(&settings)?;

    let caputo = Caputo::l1(Order::new(0.5)?)?;
    let small: Bound<f64> = caputo.on(Grid::uniform(10_000, 1e-3)?, &machine)?;
    assert!(small.apply(Array1::zeros(10_000).view()).is_ok());
    let large: Result<Bound<f64>, _> = caputo.on(Grid::uniform(4_000_000, 1e-3)?, &machine);
    let Err(OperatorError::Backend(BackendError::Memory { needed, limit, .. })) = large else {
        return Err("more than the limit was taken".into());
    };
    // ANCHOR_END: host_limit
    println!("{needed} bytes were needed, {limit} are allowed");
    assert!(needed > limit);
    Ok(())
}

fn streamed() -> Outcome<()> {
    // ANCHOR: stream
    // Up to 10^12 samples, each weight right within 1e-10, in a few kilobytes.
    let half = Caputo::l1(Order::new(0.5)?)?.recurrence(0.001, 1_000_000_000_000, 1e-10)?;
    let mut stream: Stream<f64> = Stream::new(&half, 1, &Machine::detect())?;
    let mut derivative = 0.0;
    for n in 0..=1000 {
        derivative = stream.push(0.001 * f64::from(n))?; // D^1/2 t = 2 sqrt(t/pi)
    }
    assert!((derivative - 2.0 / std::f64::consts::PI.sqrt()).abs() < 1e-9);
    // ANCHOR_END: stream
    println!("{} exponentials carry the memory", half.rates().len());
    Ok(())
}

fn chunked() -> Outcome<()> {
    let (n, chunk) = (10_000, 1000);
    let record: Array1<f64> = (0..n).map(|k| (0.01 * k as f64).sin()).collect();
    let machine = Machine::detect();
    // ANCHOR: chunked
    let caputo = Caputo::l1(Order::new(0.5)?)?;
    let mut pieces = Chunked::new(&caputo, 0.01, n, chunk, &machine)?;
    let whole = caputo.on(Grid::uniform(n, 0.01)?, &machine)?.apply(record.view())?;
    for start in (0..n).step_by(chunk) {
        let piece = pieces.push(record.slice(s![start..start + chunk]))?;
        let error = &piece - &whole.slice(s![start..start + chunk]);
        assert!(error.iter().all(|error| error.abs() < 1e-11));
    }
    // ANCHOR_END: chunked
    Ok(())
}

#[cfg(feature = "gpu")]
fn limited_on_a_gpu() -> Outcome<()> {
    // ANCHOR: gpu_limit
    use hpfracc::gpu::MemoryLimit;

    let mut settings = Settings::default();
    settings.gpu_memory_limit = MemoryLimit::Bytes(1 << 30); // or MemoryLimit::Fraction(0.5)
    settings.gpus_from = Duration::ZERO; // list adapters now, not when it may pay
    let machine = Machine::with(&settings)?;
    // ANCHOR_END: gpu_limit
    let workload = Workload::CausalConvolution { len: 1000, batch: 1 };
    println!("{}", machine.explain::<f32>(workload)?);
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_the_chapter_says_holds() {
        super::main().unwrap();
    }
}

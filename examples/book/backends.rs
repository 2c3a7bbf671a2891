//! Programs of the chapter "Choosing and embedding backends": `cargo run --example book_backends`.

use hpfracc::prelude::*;
use pictures::Outcome;

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
    use hpfracc::backend::Workload;

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
    // ANCHOR: wisdom
    use hpfracc::backend::Workload;
    use hpfracc::selector::Effort;

    let name = format!("hpfracc-wisdom-{}.json", std::process::id());
    let file = std::env::temp_dir().join(name);
    let mut settings = Settings::default();
    settings.wisdom = Some(file.clone()); // read here, written when the last clone drops
    let machine = Machine::with(&settings)?;
    let workload = Workload::CausalConvolution { len: 1000, batch: 1 };
    machine.measure::<f64>(workload, Effort::Measure)?;
    drop(machine);

    let later = Machine::with(&settings)?;
    assert!(later.wisdom_refused().is_none());
    // ANCHOR_END: wisdom
    assert!(file.is_file());
    drop(later);
    std::fs::remove_file(&file)?;
    Ok(())
}

fn limited() -> Outcome<()> {
    // ANCHOR: host_limit
    use hpfracc::backend::BackendError;
    use std::time::Duration;

    let mut settings = Settings::default();
    settings.selector.memory_limits.host_bytes = Some(16 << 20); // 16 MiB for one call
    settings.gpus_from = Duration::MAX; // no GPU: it may have memory where the host has none
    let machine = Machine::with(&settings)?;

    let caputo = Caputo::l1(Order::new(0.5)?)?;
    let small: Bound<f64> = caputo.on(Grid::uniform(10_000, 1e-3)?, &machine)?;
    assert!(small.apply(Array1::zeros(10_000).view()).is_ok());
    let large: Result<Bound<f64>, _> = caputo.on(Grid::uniform(4_000_000, 1e-3)?, &machine);
    let Err(OperatorError::Backend(BackendError::Memory { needed, limit, .. })) = large else {
        return Err("expected a memory error".into());
    };
    // ANCHOR_END: host_limit
    println!("{needed} bytes needed, limit {limit}");
    assert!(needed > limit);
    Ok(())
}

fn streamed() -> Outcome<()> {
    // ANCHOR: stream
    // Up to 10^12 samples, each weight within 1e-10, in a few kilobytes.
    let half = Caputo::l1(Order::new(0.5)?)?.recurrence(0.001, 1_000_000_000_000, 1e-10)?;
    let mut stream: Stream<f64> = Stream::new(&half, 1, &Machine::detect())?;
    let mut derivative = 0.0;
    for n in 0..=1000 {
        derivative = stream.push(0.001 * f64::from(n))?; // D^1/2 t = 2 sqrt(t/pi)
    }
    assert!((derivative - 2.0 / std::f64::consts::PI.sqrt()).abs() < 1e-9);
    // ANCHOR_END: stream
    println!("{} exponentials represent the kernel", half.rates().len());
    Ok(())
}

fn chunked() -> Outcome<()> {
    // ANCHOR: chunked
    use hpfracc::ndarray::s;

    let (n, chunk) = (10_000, 1000);
    let signal: Array1<f64> = (0..n).map(|k| (0.01 * k as f64).sin()).collect();
    let machine = Machine::detect();
    let caputo = Caputo::l1(Order::new(0.5)?)?;
    let mut chunks = Chunked::new(&caputo, 0.01, n, chunk, &machine)?;
    let whole = caputo.on(Grid::uniform(n, 0.01)?, &machine)?.apply(signal.view())?;
    for start in (0..n).step_by(chunk) {
        let result = chunks.push(signal.slice(s![start..start + chunk]))?;
        let error = &result - &whole.slice(s![start..start + chunk]);
        assert!(error.iter().all(|error| error.abs() < 1e-11));
    }
    // ANCHOR_END: chunked
    Ok(())
}

#[cfg(feature = "gpu")]
fn limited_on_a_gpu() -> Outcome<()> {
    // ANCHOR: gpu_limit
    use hpfracc::gpu::MemoryLimit;
    use std::time::Duration;

    let mut settings = Settings::default();
    settings.gpu_memory_limit = MemoryLimit::Bytes(1 << 30); // or MemoryLimit::Fraction(0.5)
    settings.gpus_from = Duration::ZERO; // list adapters now, not at the first large workload
    let machine = Machine::with(&settings)?;
    // ANCHOR_END: gpu_limit
    let workload = hpfracc::backend::Workload::CausalConvolution { len: 1000, batch: 1 };
    println!("{}", machine.explain::<f32>(workload)?);
    Ok(())
}

pictures::runs_with_the_tests!();

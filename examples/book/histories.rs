//! Programs and pictures of the chapter "How the histories work":
//! `cargo run --release --example book_histories`.

#[path = "histories/drawings.rs"]
mod drawings;

use pictures::Outcome;

fn main() -> Outcome<()> {
    drawings::weights()?;
    three_ways()?;
    drawings::blocks()?;
    drawings::exponentials()?;
    drawings::elements()
}

fn three_ways() -> Outcome<()> {
    // ANCHOR: three_ways
    use hpfracc::ode::history::{Blocked, Direct, Exponentials, History, Kernel, Rule};

    let (n, alpha, h) = (5000, 0.5, 0.01);
    let kernel = [Kernel::product(Rule::Trapezoid, &[alpha], h)];
    let mut direct = Direct::new(&kernel, 1, n)?;
    let mut blocked = Blocked::new(&kernel, 1, n)?;
    let mut exponentials = Exponentials::new(&kernel, 1, n, 1e-10)?;
    let (mut exact, mut sum) = ([0.0], [0.0]);
    let (mut of_blocks, mut of_exponentials) = (0.0f64, 0.0f64);
    for k in 0..n {
        let f = [(0.01 * k as f64).cos()];
        direct.push(&f)?;
        direct.sum_into(0, &mut exact)?;
        blocked.push(&f)?;
        blocked.sum_into(0, &mut sum)?;
        of_blocks = of_blocks.max((sum[0] - exact[0]).abs());
        exponentials.push(&f)?;
        exponentials.sum_into(0, &mut sum)?;
        of_exponentials = of_exponentials.max((sum[0] - exact[0]).abs());
    }
    assert!(of_blocks < 1e-13 && of_exponentials < 1e-9);
    // ANCHOR_END: three_ways
    println!("{n} sums: blocks differ by {of_blocks:.0e}, exponentials by {of_exponentials:.0e}");
    Ok(())
}

pictures::runs_with_the_tests!();

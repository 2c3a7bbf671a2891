use crate::error::Result;

/// Values of a chunk.
pub(super) const CHUNK: usize = 4096;

/// Largest ratio of the times that share a contour.
const WINDOW: f64 = 10.0;

/// Times in increasing order that share a contour, with their values.
pub(super) type Window<'a> = [(f64, &'a mut [f64])];

/// Calls `solve` for the windows of all positive times, and writes the start at t = 0.
pub(super) fn in_windows(
    times: &[f64],
    out: Vec<&mut [f64]>,
    start: &[f64],
    solve: impl Fn(&mut Window<'_>) -> Result<()>,
) -> Result<()> {
    let mut later = Vec::new();
    for (t, u) in times.iter().zip(out) {
        if *t > 0.0 {
            later.push((*t, u));
        } else {
            u.copy_from_slice(start);
        }
    }
    later.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let mut rest = &mut later[..];
    while let Some((first, _)) = rest.first() {
        let end = WINDOW * first;
        let count = rest.iter().take_while(|(t, _)| *t <= end).count();
        let (window, after) = rest.split_at_mut(count);
        solve(window)?;
        rest = after;
    }
    Ok(())
}

/// Replaces a matrix, given row by row, by its triangular factor: Householder's reflections, zeros below the
/// diagonal. Rows without a diagonal entry become zero.
pub(crate) fn triangularise(a: &mut [f64], columns: usize) {
    let Some(rows) = a.len().checked_div(columns) else { return };
    for k in 0..columns.min(rows) {
        let squares: f64 = (k..rows).map(|i| a[i * columns + k] * a[i * columns + k]).sum();
        let (norm, first) = (squares.sqrt(), a[k * columns + k]);
        if norm == 0.0 {
            continue;
        }
        // The reflection maps the column to (-+norm, 0, ..), by the vector (first +- norm, below).
        let diagonal = -norm.copysign(first);
        let head = first - diagonal;
        let half = squares + first.abs() * norm;
        for j in k + 1..columns {
            let mut product = head * a[k * columns + j];
            for i in k + 1..rows {
                product += a[i * columns + k] * a[i * columns + j];
            }
            let share = product / half;
            a[k * columns + j] -= share * head;
            for i in k + 1..rows {
                a[i * columns + j] -= share * a[i * columns + k];
            }
        }
        a[k * columns + k] = diagonal;
        (k + 1..rows).for_each(|i| a[i * columns + k] = 0.0);
    }
}

use super::unit_laplacian::unit_laplacian;
use crate::error::{Result, require_len};
use hpfracc_spatial::{BoxGrid, SpatialOperator};

/// Energy `int epsilon^2 |grad u|^2 / 2 + (1 - u^2)^2 / 4` of a field of two phases.
pub(super) fn interface_energy(epsilon: f64, grid: &BoxGrid, u: &[f64]) -> Result<f64> {
    require_len("the field", u.len(), grid.len())?;
    let laplacian = unit_laplacian(grid.clone())?;
    let mut density = vec![0.0; u.len()];
    laplacian.apply(u, &mut density);
    for (density, u) in density.iter_mut().zip(u) {
        let well = 1.0 - u * u;
        *density = 0.5 * epsilon * epsilon * u * *density + 0.25 * well * well;
    }
    Ok(grid.integral(&density)?)
}

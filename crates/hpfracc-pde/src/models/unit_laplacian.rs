use crate::error::Result;
use hpfracc_spatial::{BoxGrid, Laplacian};
use std::sync::Arc;

/// Laplacian with coefficient 1 on each axis.
pub(super) fn unit_laplacian(grid: BoxGrid) -> Result<Arc<Laplacian>> {
    let ones = vec![1.0; grid.dim()];
    Ok(Arc::new(Laplacian::new(grid, &ones)?))
}

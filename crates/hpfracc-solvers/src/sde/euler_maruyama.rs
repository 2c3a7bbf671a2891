use super::{Calculus, Step, StochasticScheme, StochasticSystem};
use crate::noise::{Gaussian, Rows, RowsMut};

/// The scheme of Euler and Maruyama, `X_{n+1} = X_n + f h + g dZ_n`.
///
/// Strong order 1/2, weak order 1; strong order 1 for additive noise.
///
/// Source: Maruyama, Rend. Circ. Mat. Palermo 4 (1955) 48, DOI 10.1007/BF02846028.
#[derive(Debug, Clone, Copy, Default)]
pub struct EulerMaruyama;

impl<T: Gaussian> StochasticScheme<T> for EulerMaruyama {
    fn name(&self) -> &'static str {
        "euler-maruyama"
    }

    fn calculus(&self) -> Calculus {
        Calculus::Ito
    }

    fn scratch_rows(&self, dim: usize, diffusion_rows: usize) -> usize {
        dim + diffusion_rows
    }

    #[inline(always)]
    fn step<S: StochasticSystem<T>>(
        &self,
        system: &S,
        Step { t, h }: Step,
        mut x: RowsMut<'_, T>,
        dz: Rows<'_, T>,
        scratch: &mut [T],
    ) {
        let (dim, lanes) = (system.dim(), x.lanes());
        let (f, g) = scratch.split_at_mut(dim * lanes);
        system.drift(t, x.as_rows(), RowsMut::new(f, lanes));
        system.diffusion(t, x.as_rows(), RowsMut::new(g, lanes));
        let h = T::narrow(h);
        for (x, f) in x.as_mut_slice().iter_mut().zip(&*f) {
            *x += h * *f;
        }
        system.coupling().each((dim, Rows::new(g, lanes), dz), |i, g, dz| {
            for ((x, g), dz) in x[i].iter_mut().zip(g).zip(dz) {
                *x += *g * *dz;
            }
        });
    }
}

//! Functions that run in the best instruction set of the processor.

use pulp::{Arch, Simd, WithSimd};

/// Runs a closure marked `#[inline(always)]`, compiled for every instruction set, in that of the
/// processor.
///
/// [`Arch::dispatch`] calls a closure as `FnOnce`. For one that could be called again the compiler
/// makes a shim of its own, which is not compiled for the instruction set: it took four times as
/// long. A closure that moves its captures out has no shim and goes to `Arch::dispatch`.
#[inline(always)]
pub fn vectorised<R>(arch: Arch, body: impl FnMut() -> R) -> R {
    struct Body<F>(F);

    impl<R, F: FnMut() -> R> WithSimd for Body<F> {
        type Output = R;

        #[inline(always)]
        fn with_simd<S: Simd>(mut self, _: S) -> R {
            (self.0)()
        }
    }
    arch.dispatch(Body(body))
}

/// Defines a function of an [`Arch`](pulp::Arch) and further arguments whose body is compiled for
/// every instruction set: `simd: S` is the set that the processor has. All registers stay in one
/// function, so the body may be a loop.
macro_rules! dispatched {
    (
        $(#[$meta:meta])*
        $visibility:vis fn $name:ident<$a:lifetime, $t:ident: $bound:ident>(
            $simd:ident: $s:ident, $($argument:ident: $type:ty),* $(,)?
        ) $(-> $result:ty)? $body:block
    ) => {
        $(#[$meta])*
        $visibility fn $name<$a, $t: $bound>(
            arch: pulp::Arch,
            $($argument: $type),*
        ) $(-> $result)? {
            struct Kernel<$a, $t> {
                marker: std::marker::PhantomData<&$a $t>,
                $($argument: $type),*
            }

            impl<$a, $t: $bound> pulp::WithSimd for Kernel<$a, $t> {
                type Output = dispatched!(@output $($result)?);

                #[inline(always)]
                fn with_simd<$s: pulp::Simd>(self, $simd: $s) -> Self::Output {
                    let Self { $($argument,)* .. } = self;
                    $body
                }
            }
            arch.dispatch(Kernel { marker: std::marker::PhantomData, $($argument),* })
        }
    };
    (@output) => { () };
    (@output $result:ty) => { $result };
}

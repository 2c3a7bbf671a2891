//! Functions that run in the best instruction set of the processor.

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

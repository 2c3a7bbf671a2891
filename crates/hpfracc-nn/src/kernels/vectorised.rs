//! Functions over slices, compiled for each instruction set.

/// Defines a function whose body is compiled for each instruction set; a call runs that of this
/// computer.
macro_rules! vectorised {
    ($(#[$meta:meta])* $vis:vis fn $name:ident<$a:lifetime, $scalar:ident $(, $of:ident: $bound:path)*>(
        $($argument:ident: $type:ty),+ $(,)?
    ) $(-> $output:ty)? $body:block) => {
        $(#[$meta])*
        $vis fn $name<$a, $scalar: $crate::Scalar $(, $of: $bound)*>(
            $($argument: $type),+
        ) $(-> $output)? {
            struct Kernel<$a, $scalar $(, $of)*> {
                $($argument: $type),+
            }

            impl<$a, $scalar: $crate::Scalar $(, $of: $bound)*> pulp::WithSimd
                for Kernel<$a, $scalar $(, $of)*>
            {
                type Output = $crate::kernels::vectorised!(@output $($output)?);

                #[inline(always)]
                fn with_simd<S: pulp::Simd>(self, _: S) -> Self::Output {
                    let Self { $($argument),+ } = self;
                    $body
                }
            }

            pulp::Arch::new().dispatch(Kernel { $($argument),+ })
        }
    };
    (@output) => { () };
    (@output $output:ty) => { $output };
}

pub(crate) use vectorised;

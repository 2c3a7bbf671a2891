/// Makes the backends of one algorithm, by one generic function `plan(name, gpu, workload)`: of
/// single precision on any device, of double precision on one that has proved to have it, and of
/// double-float arithmetic on one that has proved to be exact enough for it.
macro_rules! backends {
    (
        $name:literal: $single:ident, $double:ident;
        $df64_name:literal: $double_float:ident; $plan:ident
    ) => {
        impl $single {
            /// The backend on this device.
            pub fn new(gpu: &Gpu) -> Self {
                Self { gpu: gpu.clone() }
            }
        }

        impl $double {
            /// The backend on a device that has passed the self-test of double precision.
            pub fn new(double: &Double) -> Self {
                Self { double: double.clone() }
            }
        }

        impl $double_float {
            /// The backend on a device that has passed the self-test of double-float arithmetic.
            pub fn new(double_float: &DoubleFloat) -> Self {
                Self { double_float: double_float.clone() }
            }
        }

        impl Backend<f32> for $single {
            fn name(&self) -> &str {
                $name
            }
            fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<f32>>, BackendError> {
                $plan::<f32>($name, &self.gpu, workload)
            }
        }

        impl Backend<f64> for $double {
            fn name(&self) -> &str {
                $name
            }
            fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<f64>>, BackendError> {
                $plan::<f64>($name, self.double.gpu(), workload)
            }
        }

        impl Backend<f64> for $double_float {
            fn name(&self) -> &str {
                $df64_name
            }
            fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<f64>>, BackendError> {
                $plan::<HighLow>($df64_name, self.double_float.gpu(), workload)
            }
        }
    };
}

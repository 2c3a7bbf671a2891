/// Makes a backend of single precision on any device and its twin of double precision on a device
/// that has proved to have it, both by one generic function `plan(name, gpu, workload)`.
macro_rules! backend_pair {
    ($single:ident = $name:literal, $double:ident = $name_of_double:literal, $plan:ident) => {
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
                $name_of_double
            }
            fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<f64>>, BackendError> {
                $plan::<f64>($name_of_double, self.double.gpu(), workload)
            }
        }
    };
}

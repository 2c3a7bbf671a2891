//! What the backends decline, and how they say so.

use hpfracc_backend::{Backend, BackendError, Shape, Workload};
use hpfracc_cpu::{Direct, Fft, Gemm, ParallelFft, ParallelRecurrence, Recurrence};

const CONVOLUTION: Workload = Workload::CausalConvolution { len: 8, batch: 2 };
const DENSE: Workload = Workload::Dense { rows: 2, cols: 3, batch: 2 };

const STATES: Workload = Workload::Recurrence { nodes: 3, len: 5, batch: 2 };

fn backends() -> [Box<dyn Backend<f64>>; 6] {
    [
        Box::new(Direct),
        Box::new(Fft::new()),
        Box::new(ParallelFft::new()),
        Box::new(Gemm),
        Box::new(Recurrence),
        Box::new(ParallelRecurrence),
    ]
}

#[test]
fn a_kind_without_an_algorithm_is_unsupported_by_name() {
    let line = Workload::SpectralMultiplier { shape: Shape::line(8), batch: 1 };
    let declined = [
        vec![DENSE, STATES, line],
        vec![DENSE, STATES],
        vec![DENSE, STATES],
        vec![CONVOLUTION, STATES, line],
        vec![CONVOLUTION, DENSE, line],
        vec![CONVOLUTION, DENSE, line],
    ];
    for (backend, declined) in backends().iter().zip(declined) {
        for asked in declined {
            match backend.plan(asked).map(|plan| plan.workload()) {
                Err(BackendError::Unsupported { backend: name, workload, .. }) => {
                    assert_eq!((name.as_str(), workload), (backend.name(), asked));
                }
                other => panic!("{}: {other:?}", backend.name()),
            }
        }
    }
}

#[test]
fn empty_workloads_are_refused_before_anything_else() {
    for backend in backends() {
        let empty = Workload::CausalConvolution { len: 0, batch: 1 };
        assert!(matches!(backend.plan(empty), Err(BackendError::Size { .. })));
    }
}

#[test]
fn wrong_lengths_are_named_with_their_values() {
    let plan = Backend::<f64>::plan(&Fft::new(), CONVOLUTION).unwrap();
    let error = plan.bind(&[1.0; 7]).map(drop).unwrap_err();
    assert!(matches!(
        error,
        BackendError::Length { argument: "kernel", found: 7, expected: 8, .. }
    ));
    let map = plan.bind(&[1.0; 8]).unwrap();
    let error = map.apply(&[0.0; 15], &mut [0.0; 16]).unwrap_err();
    assert!(matches!(error, BackendError::Length { argument: "x", found: 15, expected: 16, .. }));
    let error = map.apply_transpose(&[0.0; 17], &mut [0.0; 16]).unwrap_err();
    assert!(matches!(error, BackendError::Length { argument: "y", found: 17, expected: 16, .. }));
}

#[test]
fn a_symbol_that_turns_signals_complex_is_refused() {
    let line = Workload::SpectralMultiplier { shape: Shape::line(4), batch: 1 };
    let plan = Backend::<f64>::plan(&ParallelFft::new(), line).unwrap();
    let symbol = [1.0, 0.5, 1.0, 0.0, 1.0, 0.0];
    assert!(matches!(plan.bind(&symbol), Err(BackendError::NotHermitian { .. })));
}

//! Online sums over the past of many series side by side: the history of a fractional solve or of its adjoint.

use crate::arrays::doubles;
use crate::errors::{Kind, input};
use hpfracc::types::Real;
use hpfracc_lanes::causal::{Online, OnlineState};
use hpfracc_lanes::pulp::Arch;
use hpfracc_lanes::vectorised;
use numpy::{
    PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1, PyUntypedArray,
    PyUntypedArrayMethods, ndarray::Ix2,
};
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Number of lags up to which direct sums take less time than sums by blocks.
const DIRECT_UP_TO: usize = 100;

/// Products of a sum from which the interpreter's lock is released.
const LARGE: usize = 100_000;

/// Sums `s[n] = sum_{1 <= m <= n} w[m] u[n-m]` of rows with a number for each lane, one row at a time.
///
/// The adjoint of such sums is the same sum of rows in reverse order.
#[pyclass(name = "History", module = "hpfracc._hpfracc", frozen)]
pub(crate) struct PyHistory {
    sums: Mutex<Either>,
    lanes: usize,
    capacity: usize,
    algorithm: &'static str,
}

enum Either {
    F32(Sums<f32>),
    F64(Sums<f64>),
}

struct Sums<T> {
    groups: Vec<Group<T>>,
    pushed: usize,
}

/// Lanes with the same weights.
struct Group<T> {
    /// Weight of the lag 1.
    nearest: T,
    /// Weights from the lag 2 on: a step of [`Online`] has the sum before its row.
    earlier: Option<Online<T>>,
    past: OnlineState<T>,
    /// Lanes in order; none if the group has all.
    lanes: Vec<usize>,
    row: Vec<T>,
    sum: Vec<T>,
}

#[pymethods]
impl PyHistory {
    /// `weights[g, m-1]` is the weight of the lag m of the lanes in group g; `groups` has the group of each lane.
    #[new]
    #[pyo3(signature = (weights, lanes, *, groups=None, dtype="float64", algorithm=None))]
    fn new(
        weights: &Bound<'_, PyAny>,
        lanes: usize,
        groups: Option<Vec<usize>>,
        dtype: &str,
        algorithm: Option<&str>,
    ) -> PyResult<Self> {
        let weights = doubles("weights", weights)?;
        let shape = weights.shape().to_vec();
        let Ok(weights) = weights.as_array().into_dimensionality::<Ix2>() else {
            let text = "expected one row for each group";
            return Err(input(format!("weights have the shape {shape:?}, {text}")));
        };
        let (rows, capacity) = weights.dim();
        if rows == 0 || capacity == 0 || lanes == 0 {
            return Err(input(format!("weights of the shape {shape:?} for {lanes} lanes: empty")));
        }
        let members = members(groups, rows, lanes)?;
        let direct = match algorithm {
            None => capacity <= DIRECT_UP_TO,
            Some("direct") => true,
            Some("blocked") => false,
            Some(name) => {
                let text = "expected \"direct\" or \"blocked\"";
                return Err(input(format!("the algorithm is {name:?}, {text}")));
            }
        };
        let rows: Vec<Vec<f64>> = weights.rows().into_iter().map(|row| row.to_vec()).collect();
        let sums = match dtype {
            "float32" => Either::F32(Sums::new(&rows, members, lanes, direct)),
            "float64" => Either::F64(Sums::new(&rows, members, lanes, direct)),
            _ => {
                let text = "expected \"float32\" or \"float64\"";
                return Err(input(format!("the dtype is {dtype:?}, {text}")));
            }
        };
        let algorithm = if direct { "direct" } else { "blocked" };
        Ok(Self { sums: Mutex::new(sums), lanes, capacity, algorithm })
    }

    /// Appends a row and writes the sum for the next one to `out`; both have a number for each lane.
    fn push(&self, py: Python<'_>, row: &Bound<'_, PyAny>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *sums {
            Either::F32(sums) => self.push_of(py, sums, row, out),
            Either::F64(sums) => self.push_of(py, sums, row, out),
        }
    }

    /// Rows so far.
    #[getter]
    fn pushed(&self) -> usize {
        match &*self.sums.lock().unwrap_or_else(PoisonError::into_inner) {
            Either::F32(sums) => sums.pushed,
            Either::F64(sums) => sums.pushed,
        }
    }

    /// Most rows.
    #[getter]
    fn capacity(&self) -> usize {
        self.capacity
    }

    /// Numbers of a row.
    #[getter]
    fn lanes(&self) -> usize {
        self.lanes
    }

    fn __repr__(&self) -> String {
        let (pushed, Self { lanes, capacity, algorithm, .. }) = (self.pushed(), self);
        format!("History({pushed} of {capacity} rows of {lanes}, {algorithm} sums)")
    }
}

impl PyHistory {
    fn push_of<T: Real + numpy::Element>(
        &self,
        py: Python<'_>,
        sums: &mut Sums<T>,
        row: &Bound<'_, PyAny>,
        out: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let row: PyReadonlyArray1<'_, T> = self
            .vector("row", row)?
            .try_readonly()
            .map_err(|_| input("the row is written to at the same time"))?;
        let mut out: PyReadwriteArray1<'_, T> = self
            .vector("out", out)?
            .try_readwrite()
            .map_err(|_| input("out is read-only or shares its memory with the row"))?;
        let contiguous = |_| input("row and out have gaps between their numbers");
        let row = row.as_slice().map_err(contiguous)?;
        let out = out.as_slice_mut().map_err(|_| contiguous(numpy::AsSliceError))?;
        if sums.pushed == self.capacity {
            let message = format!("the history is full: it has weights for {} rows", self.capacity);
            return Err(Kind::Input.error(message));
        }
        let reach = sums.pushed.min(128);
        let mut run = || sums.push(row, out);
        if reach * self.lanes < LARGE {
            run();
        } else {
            py.detach(run);
        }
        Ok(())
    }

    fn vector<'py, T: Real + numpy::Element>(
        &self,
        name: &str,
        value: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<T>>> {
        if let Ok(array) = value.cast::<PyArray1<T>>()
            && array.len() == self.lanes
        {
            return Ok(array.clone());
        }
        let found = match value.cast::<PyUntypedArray>() {
            Ok(array) => format!("an array of {} of the shape {:?}", array.dtype(), array.shape()),
            Err(_) => value.get_type().to_string(),
        };
        let expected = numpy::dtype::<T>(value.py()).str()?;
        Err(input(format!("{name} is {found}, expected {} numbers of {expected}", self.lanes)))
    }
}

/// Lanes of each group; one empty list if there is one group.
fn members(groups: Option<Vec<usize>>, rows: usize, lanes: usize) -> PyResult<Vec<Vec<usize>>> {
    let Some(groups) = groups else {
        if rows == 1 {
            return Ok(vec![Vec::new()]);
        }
        return Err(input(format!("{rows} rows of weights without the group of each lane")));
    };
    if groups.len() != lanes {
        return Err(input(format!("{} groups for {lanes} lanes", groups.len())));
    }
    let mut members = vec![Vec::new(); rows];
    for (lane, group) in groups.into_iter().enumerate() {
        let Some(of_group) = members.get_mut(group) else {
            return Err(input(format!("group {group} of lane {lane}: weights have {rows} rows")));
        };
        of_group.push(lane);
    }
    if rows == 1 {
        members[0].clear();
    }
    Ok(members)
}

impl<T: Real> Sums<T> {
    fn new(rows: &[Vec<f64>], members: Vec<Vec<usize>>, all: usize, direct: bool) -> Self {
        let one = rows.len() == 1;
        let group = |(row, lanes): (&Vec<f64>, Vec<usize>)| {
            let count = if one { all } else { lanes.len() };
            let buffer = if one { 0 } else { count };
            let earlier = (row.len() > 1 && count > 0).then(|| {
                if direct { Online::direct(&row[1..]) } else { Online::blocked(&row[1..]) }
            });
            Group {
                nearest: T::narrow(row[0]),
                past: earlier.as_ref().map(|online| online.start(count)).unwrap_or_default(),
                earlier,
                lanes,
                row: vec![T::zero(); buffer],
                sum: vec![T::zero(); buffer],
            }
        };
        Self { groups: rows.iter().zip(members).map(group).collect(), pushed: 0 }
    }

    fn push(&mut self, row: &[T], out: &mut [T]) {
        if let [group] = &mut self.groups[..] {
            let Group { nearest, earlier, past, .. } = group;
            step(*nearest, earlier.as_ref(), past, (row, out));
        } else {
            for group in &mut self.groups {
                let Group { nearest, earlier, past, lanes, row: own, sum } = group;
                own.iter_mut().zip(&*lanes).for_each(|(own, lane)| *own = row[*lane]);
                step(*nearest, earlier.as_ref(), past, (own, sum));
                lanes.iter().zip(&*sum).for_each(|(lane, sum)| out[*lane] = *sum);
            }
        }
        self.pushed += 1;
    }
}

/// The sum with the newest row, in the instruction set of the processor.
fn step<T: Real>(
    nearest: T,
    earlier: Option<&Online<T>>,
    past: &mut OnlineState<T>,
    (row, sum): (&[T], &mut [T]),
) {
    vectorised(
        Arch::new(),
        #[inline(always)]
        || {
            match earlier {
                Some(online) => online.step(past, row, sum),
                None => sum.fill(T::zero()),
            }
            sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += nearest * *x);
        },
    );
}

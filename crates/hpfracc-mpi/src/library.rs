//! The functions of an MPI library, with the handles of its binary interface.
//!
//! Open MPI has pointers to symbols of the library as handles, MPICH and its relatives whole numbers with agreed values.
//! Nothing else differs but the order of the fields of a status, and the number for "any source".
#![allow(unsafe_code, reason = "foreign functions, whose types are those of the MPI standard")]

use crate::MpiError;
use crate::calls::Calls;
use crate::library_names::library_names;
use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
use std::ffi::{c_char, c_int, c_void};
use std::ptr::null_mut;

/// Loads the MPI library and starts MPI on this thread.
pub(crate) fn load() -> Result<Box<dyn Calls>, MpiError> {
    let mut tried = Vec::new();
    for name in library_names() {
        // SAFETY: an MPI library has no initialisers with conditions; plug-ins of Open MPI need its symbols globally.
        match unsafe { Library::open(Some(&name), RTLD_NOW | RTLD_GLOBAL) } {
            Ok(library) => return start_with(&name, library),
            Err(error) => tried.push(format!("{name} ({error})")),
        }
    }
    Err(MpiError::NoLibrary { tried: tried.join(", ") })
}

fn start_with(name: &str, library: Library) -> Result<Box<dyn Calls>, MpiError> {
    // SAFETY: the symbols are data of the library, of which only the addresses are used.
    let symbol = |name: &str| unsafe { library.get::<*mut c_void>(name.as_bytes()) };
    if let (Ok(world), Ok(byte)) = (symbol("ompi_mpi_comm_world"), symbol("ompi_mpi_byte")) {
        let interface = Interface {
            world: world.as_raw_ptr(),
            byte: byte.as_raw_ptr(),
            no_request: null_mut(),
            any_source: -1,
            source: 0,
        };
        return Ok(Box::new(Mpi::<*mut c_void>::new(library, interface)?));
    }
    let version = library_version(&library)?;
    let relatives = ["MPICH", "Intel(R) MPI", "MVAPICH", "CRAY"];
    if relatives.iter().any(|relative| version.contains(relative)) {
        let interface = Interface {
            world: 0x4400_0000,
            byte: 0x4c00_010d,
            no_request: 0x2c00_0000,
            any_source: -2,
            source: 2,
        };
        return Ok(Box::new(Mpi::<c_int>::new(library, interface)?));
    }
    Err(MpiError::UnknownLibrary { library: name.to_owned(), version })
}

/// Numbers and handles of a binary interface.
struct Interface<H> {
    world: H,
    byte: H,
    no_request: H,
    any_source: c_int,
    /// Index of the sender in a status of whole numbers; the tag follows it.
    source: usize,
}

/// A status of either interface, at most: 20 and 24 bytes are used.
type Status = [c_int; 16];

type Init = unsafe extern "C" fn(*mut c_int, *mut *mut *mut c_char, c_int, *mut c_int) -> c_int;
type Ask<H> = unsafe extern "C" fn(H, *mut c_int) -> c_int;
type Name = unsafe extern "C" fn(*mut c_char, *mut c_int) -> c_int;
type Probe<H> = unsafe extern "C" fn(c_int, c_int, H, *mut c_int, *mut Status) -> c_int;
type Count<H> = unsafe extern "C" fn(*const Status, H, *mut c_int) -> c_int;
type Receive<H> =
    unsafe extern "C" fn(*mut c_void, c_int, H, c_int, c_int, H, *mut Status) -> c_int;
type Send<H> = unsafe extern "C" fn(*const c_void, c_int, H, c_int, c_int, H, *mut H) -> c_int;
type Test<H> = unsafe extern "C" fn(*mut H, *mut c_int, *mut Status) -> c_int;
type Abort<H> = unsafe extern "C" fn(H, c_int) -> c_int;
type Finish = unsafe extern "C" fn() -> c_int;

struct Mpi<H> {
    interface: Interface<H>,
    size: Ask<H>,
    rank: Ask<H>,
    host: Name,
    probe: Probe<H>,
    count: Count<H>,
    receive: Receive<H>,
    send: Send<H>,
    test: Test<H>,
    abort: Abort<H>,
    finish: Finish,
    /// Messages that are being sent, whose bytes stay in place until they are.
    sending: Vec<(H, Vec<u8>)>,
    /// The functions above are valid as long as it is loaded.
    _library: Library,
}

/// A function of the library.
fn function<F: Copy>(library: &Library, name: &'static str) -> Result<F, MpiError> {
    // SAFETY: callers name the type that the MPI standard gives the function, with the handles of the interface.
    let symbol = unsafe { library.get::<F>(name.as_bytes()) };
    symbol.map(|symbol| *symbol).map_err(|error| MpiError::NoLibrary { tried: error.to_string() })
}

fn checked(function: &'static str, code: c_int) -> Result<(), MpiError> {
    if code == 0 { Ok(()) } else { Err(MpiError::Function { function, code }) }
}

/// Text that a function writes into a buffer of the largest length that any library has.
fn text(name: Name) -> String {
    let (mut buffer, mut length) = (vec![0u8; 1 << 14], 0);
    // SAFETY: the buffer is longer than MPI_MAX_LIBRARY_VERSION_STRING and MPI_MAX_PROCESSOR_NAME of all libraries, 8192.
    unsafe { name(buffer.as_mut_ptr().cast(), &raw mut length) };
    buffer.truncate(usize::try_from(length).unwrap_or(0).min(1 << 14));
    String::from_utf8_lossy(&buffer).trim_end_matches('\0').to_owned()
}

fn library_version(library: &Library) -> Result<String, MpiError> {
    Ok(text(function(library, "MPI_Get_library_version")?))
}

impl<H: Copy> Mpi<H> {
    fn new(library: Library, interface: Interface<H>) -> Result<Self, MpiError> {
        let init: Init = function(&library, "MPI_Init_thread")?;
        let mpi = Self {
            interface,
            size: function(&library, "MPI_Comm_size")?,
            rank: function(&library, "MPI_Comm_rank")?,
            host: function(&library, "MPI_Get_processor_name")?,
            probe: function(&library, "MPI_Iprobe")?,
            count: function(&library, "MPI_Get_count")?,
            receive: function(&library, "MPI_Recv")?,
            send: function(&library, "MPI_Isend")?,
            test: function(&library, "MPI_Test")?,
            abort: function(&library, "MPI_Abort")?,
            finish: function(&library, "MPI_Finalize")?,
            sending: vec![],
            _library: library,
        };
        // Level 1: threads, of which this one alone calls MPI.
        let mut provided = 0;
        // SAFETY: no arguments of the program are passed, which MPI allows; `provided` is a valid place.
        checked("MPI_Init_thread", unsafe { init(null_mut(), null_mut(), 1, &raw mut provided) })?;
        Ok(mpi)
    }

    fn ask(&self, name: &'static str, function: Ask<H>) -> Result<usize, MpiError> {
        let mut number = 0;
        // SAFETY: the communicator is that of the interface, `number` a valid place.
        checked(name, unsafe { function(self.interface.world, &raw mut number) })?;
        Ok(usize::try_from(number).unwrap_or(0))
    }
}

impl<H: Copy + PartialEq + 'static> Calls for Mpi<H> {
    fn rank_and_size(&self) -> Result<(usize, usize), MpiError> {
        Ok((self.ask("MPI_Comm_rank", self.rank)?, self.ask("MPI_Comm_size", self.size)?))
    }

    fn host(&self) -> String {
        text(self.host)
    }

    fn poll(&self) -> Result<Option<(usize, i32, Vec<u8>)>, MpiError> {
        let Interface { world, byte, any_source, source, .. } = self.interface;
        let (mut status, mut arrived): (Status, c_int) = ([0; 16], 0);
        // SAFETY: all pointers are valid places; a status is longer than that of any library.
        let code =
            unsafe { (self.probe)(any_source, -1, world, &raw mut arrived, &raw mut status) };
        checked("MPI_Iprobe", code)?;
        if arrived == 0 {
            return Ok(None);
        }
        let mut length = 0;
        // SAFETY: the status is that of the probe.
        let code = unsafe { (self.count)(&raw const status, byte, &raw mut length) };
        checked("MPI_Get_count", code)?;
        let (from, tag) = (status[source], status[source + 1]);
        let mut bytes = vec![0u8; usize::try_from(length).unwrap_or(0)];
        let to = bytes.as_mut_ptr().cast();
        // SAFETY: the buffer has the length of the message, which no other thread receives.
        let code = unsafe { (self.receive)(to, length, byte, from, tag, world, &raw mut status) };
        checked("MPI_Recv", code)?;
        Ok(Some((usize::try_from(from).unwrap_or(0), tag, bytes)))
    }

    fn send(&mut self, to: usize, tag: i32, bytes: Vec<u8>) -> Result<(), MpiError> {
        let Interface { world, byte, no_request, .. } = self.interface;
        let (mut request, length) = (no_request, bytes.len() as c_int);
        let from = bytes.as_ptr().cast();
        // SAFETY: the bytes stay in place, on the heap, until the request is complete.
        let code =
            unsafe { (self.send)(from, length, byte, to as c_int, tag, world, &raw mut request) };
        self.sending.push((request, bytes));
        checked("MPI_Isend", code)
    }

    fn is_sent(&mut self) -> Result<bool, MpiError> {
        let (test, mut result) = (self.test, Ok(()));
        self.sending.retain_mut(|(request, _)| {
            let (mut status, mut sent): (Status, c_int) = ([0; 16], 0);
            // SAFETY: the request is one of MPI_Isend that is not complete yet.
            let code = unsafe { test(request, &raw mut sent, &raw mut status) };
            if let Err(error) = checked("MPI_Test", code) {
                result = Err(error);
            }
            sent == 0
        });
        result.map(|()| self.sending.is_empty())
    }

    fn abort(&self) -> ! {
        // SAFETY: the communicator is that of the interface.
        unsafe { (self.abort)(self.interface.world, 1) };
        std::process::exit(1)
    }

    fn finish(self: Box<Self>) -> Result<(), MpiError> {
        // SAFETY: all messages are sent and received, and no call follows.
        let code = unsafe { (self.finish)() };
        // Handlers of the library may run when the process ends.
        std::mem::forget(self);
        checked("MPI_Finalize", code)
    }
}

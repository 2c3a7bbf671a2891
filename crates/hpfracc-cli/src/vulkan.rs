use std::env::{set_var, var_os};

/// Turns off the layer of Mesa that asks the display server for the preferred adapter. Without a
/// session (root, containers, ssh) there is no server, and the layer writes `error: XDG_RUNTIME_DIR
/// is invalid or not set in the environment.` to standard error for every adapter that is opened.
/// Where a variable asks for its choice, the layer stays.
pub(crate) fn silence_layer() {
    let asked = ["MESA_VK_DEVICE_SELECT", "DRI_PRIME", "NODEVICE_SELECT"];
    let session = var_os("XDG_RUNTIME_DIR").is_some();
    if cfg!(target_os = "linux") && !session && asked.iter().all(|name| var_os(name).is_none()) {
        #[expect(unsafe_code, reason = "no other thread runs yet that could read the environment")]
        // SAFETY: `main` calls this first, before any thread is started.
        unsafe {
            set_var("NODEVICE_SELECT", "1");
        }
    }
}

// What the browser can do, and what the page says where it cannot.

/** A module with one SIMD instruction: it is valid where the browser has them. */
const SIMD = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);

/** Why the solver cannot run in this browser; null where it can. */
export function obstacle() {
  if (typeof WebAssembly !== "object") return "This browser has no WebAssembly, in which the solver runs.";
  if (!WebAssembly.validate(SIMD)) {
    return "This browser has no SIMD instructions in WebAssembly, which the solver needs. Browsers since 2021 (Chrome 91, Firefox 89) and Safari 16.4 have them.";
  }
  if (location.protocol === "file:") return "Browsers start no worker from a file: open the page from a web server, such as `python3 -m http.server` in the folder of the page.";
  return null;
}

/** Line about the machine, of the solver's answer to `about`. */
export function machineText({ version, simd, gpu }) {
  const lanes = simd ? "WebAssembly with SIMD" : "WebAssembly";
  const ensembles = gpu ? `ensembles also on WebGPU (${gpu.name || "an adapter without a name"})` : "no WebGPU in this browser, so ensembles run in WebAssembly, too";
  return `hpfracc ${version}: ${lanes}; ${ensembles}.`;
}

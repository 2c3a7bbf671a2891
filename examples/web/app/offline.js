// A copy of the page for times without a network, kept by the service worker.

/** Files that workers load, which the page does not see. */
const OF_WORKERS = ["worker.js", "hpfracc_web.js", "hpfracc_web_bg.wasm", "data/csv_worker.js"];

/** Starts the service worker where browsers have one, and tells it the files that this page has loaded. */
export async function startOffline() {
  if (!("serviceWorker" in navigator) || !window.isSecureContext) return;
  try {
    await navigator.serviceWorker.register("sw.js");
    const { active } = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
    const page = location.href.split("#")[0];
    const others = OF_WORKERS.map((file) => new URL(file, page).href);
    active.postMessage({ files: [...new Set([page, ...loaded, ...others])] });
  } catch {
    // Without it the page works as long as the network does.
  }
}

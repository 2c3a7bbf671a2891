// A copy of the page for times without a network, kept by the service worker.

/** Starts the service worker where browsers have one, and tells it the files that this page has loaded. */
export async function startOffline() {
  if (!("serviceWorker" in navigator) || !window.isSecureContext) return;
  try {
    await navigator.serviceWorker.register("sw.js");
    const { active } = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
    active.postMessage({ files: [location.href.split("#")[0], ...loaded] });
  } catch {
    // Without it the page works as long as the network does.
  }
}

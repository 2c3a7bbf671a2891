// Service worker: a copy of the page's own files, for times without a network. The network is asked first, so that a page
// under development, or a new version, is never shadowed by an old copy.

const CACHE = "hpfracc-explorer";

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

// The page names what it has loaded before this worker was there.
self.addEventListener("message", (event) => {
  const own = (event.data?.files ?? []).filter((file) => new URL(file).origin === self.location.origin);
  event.waitUntil(keep(own));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(answer(request));
});

async function keep(files) {
  const cache = await caches.open(CACHE);
  // A file that is gone is no reason to lose the others.
  await Promise.allSettled(files.map((file) => cache.add(file)));
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const copy = await cache.match(request, { ignoreSearch: request.mode === "navigate" });
    if (copy) return copy;
    throw error;
  }
}

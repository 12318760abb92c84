/**
 * Keeps the page for when there is no network. The build writes the version and the files in front of this text.
 *
 * Nothing stale is ever served: whatever the network answers is taken, and what is kept is one whole build, replaced as one when
 * another has been published. Only a request that fails is answered from it.
 */
const NAME = `flow-host-${VERSION}`;

addEventListener("install", (event) => {
  // Past the browser's own cache, so that files of two builds never stand side by side.
  const requests = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(
    caches
      .open(NAME)
      .then((cache) => cache.addAll(requests))
      .then(() => skipWaiting()),
  );
});

addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => name.startsWith("flow-host-") && name !== NAME).map((name) => caches.delete(name))),
      )
      .then(() => clients.claim()),
  );
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || !url.href.startsWith(registration.scope)) return;
  // Asked anew, so that no cache between here and the site answers with what it had before a rebuild.
  event.respondWith(fetch(request, { cache: "no-cache" }).catch(async (failure) => (await kept(request)) ?? Promise.reject(failure)));
});

async function kept(request) {
  const cache = await caches.open(NAME);
  return (await cache.match(request, { ignoreSearch: true })) ?? (request.mode === "navigate" ? cache.match("./index.html") : undefined);
}

/**
 * Keeps the page for when there is no network. The build writes the version and the files in front of this text: those of the
 * page, and those of the transpiler, which are larger than the page and kept once somebody has dropped a component.
 *
 * Nothing stale is ever served: whatever the network answers is taken, and what is kept is one whole build, replaced as one when
 * another has been published. Only a request that fails is answered from it.
 */
const NAME = `flow-host-${VERSION}`;

addEventListener("install", (event) => {
  event.waitUntil(install().then(() => skipWaiting()));
});

addEventListener("message", (event) => {
  if (event.data === "keep the transpiler") event.waitUntil(keepTranspiler());
});

async function install() {
  // Where the build before has the transpiler, so has this one.
  const wasUsed = (await caches.match(TRANSPILER[0])) !== undefined;
  await keep(wasUsed ? [...FILES, ...TRANSPILER] : FILES);
}

async function keepTranspiler() {
  const cache = await caches.open(NAME);
  if ((await cache.match(TRANSPILER[0])) === undefined) await keep(TRANSPILER);
}

async function keep(files) {
  // Asked of the site whatever the browser's own cache has, so that files of two builds never stand side by side.
  const requests = files.map((file) => new Request(file, { cache: "no-cache" }));
  await (await caches.open(NAME)).addAll(requests);
}

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

/**
 * The service worker of a dashboard: keeps the files of one build and hands them out when the server does not. Answers of the API are
 * never kept. A newer build brings a newer worker, which fills a cache of its own and takes over when the last page of the old build is
 * closed, so that an open page finds its parts after an update too.
 */

/** The paths of the build, set by the build. */
declare const FILES: readonly string[];

interface LastingEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface AskedEvent extends LastingEvent {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

declare function addEventListener(type: "install" | "activate", run: (event: LastingEvent) => void): void;
declare function addEventListener(type: "fetch", run: (event: AskedEvent) => void): void;

const family = "orrery-";
/** Names of files carry their digest, so a cache with the same list holds the same program. */
const name = `${family}${digest(FILES.join())}`;
const page = "/";
/** A server that needs longer counts as away. */
const patienceMs = 4000;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(name).then((cache) => cache.addAll([page, ...FILES])));
});

addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys().then((names) => {
      const before = names.filter((other) => other.startsWith(family) && other !== name);
      return Promise.all(before.map((other) => caches.delete(other)));
    }),
  );
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith("/assets/")) event.respondWith(readFile(request));
  else if (request.mode === "navigate" && !/^(\/~[\w-]+)?\/(api|ws)(\/|$)/.test(pathname))
    event.respondWith(readPage(request));
});

async function readFile(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}

/** The page as the server has it now, or the kept one when the server does not answer. */
async function readPage(request: Request): Promise<Response> {
  const asked = fetch(request);
  const answered = await Promise.race([asked, later(patienceMs)]).catch(() => null);
  if (answered !== null && (answered.status < 502 || answered.status > 504)) return answered;
  return (await keptPage()) ?? answered ?? asked;
}

/** The kept page with a nonce of its own: the one it came with has been used. */
async function keptPage(): Promise<Response | null> {
  const kept = await (await caches.open(name)).match(page);
  const policy = kept?.headers.get("content-security-policy") ?? "";
  const before = /'nonce-([^']+)'/.exec(policy)?.[1];
  if (kept === undefined || before === undefined) return kept ?? null;
  const nonce = crypto.randomUUID();
  const headers = new Headers(kept.headers);
  headers.set("content-security-policy", policy.replaceAll(before, nonce));
  return new Response((await kept.text()).replaceAll(before, nonce), { headers });
}

const later = (ms: number): Promise<null> => new Promise((resolve) => setTimeout(() => resolve(null), ms));

/** A short name for a text. */
function digest(text: string): string {
  let sum = 0;
  for (const letter of text) sum = (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0;
  return sum.toString(36);
}

export {};

import { Elysia } from "elysia";

const ALLOWED_METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
const ALLOWED_HEADERS = "authorization, content-type, last-event-id, x-api-key";
const EXPOSED_HEADERS = "retry-after, x-build, x-request-id";

/**
 * Lets pages of the listed origins call with credentials; every other origin gets no such header, which makes its
 * browser refuse. Compared as a whole: no patterns, no `*`.
 */
export function crossOrigin(allowedOrigins: readonly string[]) {
  const allowed = new Set(allowedOrigins);
  return new Elysia({ name: "cross-origin" }).onRequest(({ request, set }) => {
    if (allowed.size === 0) return;
    set.headers["vary"] = "origin";
    const origin = request.headers.get("origin");
    if (origin === null || !allowed.has(origin)) return;
    set.headers["access-control-allow-origin"] = origin;
    set.headers["access-control-allow-credentials"] = "true";
    set.headers["access-control-expose-headers"] = EXPOSED_HEADERS;
    if (request.method !== "OPTIONS" || !request.headers.has("access-control-request-method")) return;
    set.headers["access-control-allow-methods"] = ALLOWED_METHODS;
    set.headers["access-control-allow-headers"] = ALLOWED_HEADERS;
    set.headers["access-control-max-age"] = "600";
    return new Response(null, { status: 204 });
  });
}

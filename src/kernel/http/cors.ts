import { cors } from "@elysiajs/cors";
import { Elysia } from "elysia";

const POLICY = {
  credentials: true,
  methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
  allowedHeaders: ["authorization", "content-type", "last-event-id", "x-api-key"],
  exposeHeaders: ["retry-after", "x-build", "x-request-id"],
  maxAge: 600,
};

/** What of the package's answer every request gets, and what besides one that asks before it sends. */
const ALWAYS = ["access-control-allow-origin", "access-control-allow-credentials", "access-control-expose-headers"];
const PREFLIGHT = ["access-control-allow-methods", "access-control-allow-headers", "access-control-max-age"];

/**
 * Lets pages of the listed origins call with credentials; every other origin gets no such header, which makes its
 * browser refuse. Compared as a whole: no patterns, no `*`.
 *
 * The package writes the headers, but is asked instead of mounted: mounted, it would add routes without an access rule,
 * answer preflights of every origin, and tell every origin that it may bring credentials.
 */
export function crossOrigin(allowedOrigins: readonly string[]) {
  const plugin = new Elysia({ name: "cross-origin" });
  if (allowedOrigins.length === 0) return plugin;
  const allowed = new Set(allowedOrigins);
  const policy = cors({ ...POLICY, origin: ({ headers }) => allowed.has(headers.get("origin") ?? "") });

  /** Only the answer to a preflight has all headers. */
  async function askPolicy(origin: string): Promise<Headers> {
    const headers = { origin, "access-control-request-method": "GET" };
    return (await policy.handle(new Request("http://localhost/", { method: "OPTIONS", headers }))).headers;
  }

  return plugin.onRequest(async ({ request, set }) => {
    set.headers["vary"] = "origin";
    const origin = request.headers.get("origin");
    if (origin === null || !allowed.has(origin)) return;
    const isPreflight = request.method === "OPTIONS" && request.headers.has("access-control-request-method");
    const granted = await askPolicy(origin);
    for (const name of isPreflight ? [...ALWAYS, ...PREFLIGHT] : ALWAYS) {
      const value = granted.get(name);
      if (value !== null) set.headers[name] = value;
    }
    return isPreflight ? new Response(null, { status: 204 }) : undefined;
  });
}

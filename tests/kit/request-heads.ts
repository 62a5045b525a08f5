import fc from "fast-check";
import { type RawAnswer, sendRaw } from "./raw-http.ts";

const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "CONNECT", "TRACE", "BREW", "get", ""];
const HOSTS = [
  ...[
    "localhost",
    "a",
    "a b",
    "",
    "[",
    "[::1]:3100",
    "http://x",
    "x@y",
    "%00",
    "a:99999",
    "256.1.1.1",
    "a,b",
    "<script>",
  ],
  ...["a?limit=-1", "a#", "a\\b", "\xff", "a.example/api/health?x=", "a".repeat(300)],
];
const QUERIES = [
  ...["", "?", "?limit=-1", "?limit=1&limit=2", "?limit[]=1", "?limit=1e9", "?from=%ff", "?%E0%A4%A=1", "?__proto__=1"],
  ...["?limit=NaN&range=x&before=y&q=%00", "?a?b#c", `?q=${"x".repeat(3_000)}`],
];
const ODD_TARGETS = [
  "*",
  "//",
  "/\\",
  "http://[/api/health",
  "http://evil.example/",
  "/%",
  "/..",
  "/api/%2e%2e/",
  "",
  "a:80",
];
const HEADERS = [
  ...[
    "Cookie: a=%; orrery=%ff; =",
    "Authorization: Bearer",
    "Authorization: Bearer a.b.c",
    "X-API-Key: \xff",
    "Origin: http://[",
  ],
  ...["X-Forwarded-For: [, %, 1.2.3.4.5", "X-Forwarded-Proto: javascript", "X-Forwarded-Host: a b", "Range: bytes=9-1"],
  ...["Accept-Encoding: ;;q=,", "If-None-Match: \xff", "Content-Type: application/json; charset=", "Last-Event-ID: -1"],
  ...["Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x", "Expect: 100-continue", "Content-Length: 0"],
  ...[
    "Transfer-Encoding: chunked, identity",
    "Content-Length: 5",
    "Host: other.example",
    "Sec-Fetch-Site: \xff",
    ": x",
    "x",
  ],
];

const oftenOrJunk = (known: readonly string[]) =>
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: fc.string({ maxLength: 20 }) });

/** Heads of requests as nobody means them, to the given paths and to others. */
function requestHeads(paths: readonly string[]): fc.Arbitrary<string> {
  const target = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.constantFrom(...paths), oftenOrJunk(QUERIES)).map((parts) => parts.join("")) },
    { weight: 1, arbitrary: oftenOrJunk(ODD_TARGETS) },
  );
  const name = fc.oneof(
    { weight: 2, arbitrary: fc.constant("localhost") },
    { weight: 3, arbitrary: oftenOrJunk(HOSTS) },
  );
  const host = fc.option(
    name.map((text) => `Host: ${text}`),
    { freq: 8 },
  );
  return fc
    .tuple(
      fc.oneof({ weight: 5, arbitrary: fc.constant("GET") }, { weight: 2, arbitrary: fc.constantFrom(...METHODS) }),
      target,
      fc.constantFrom("HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", ""),
      host,
      fc.array(oftenOrJunk(HEADERS), { maxLength: 4 }),
    )
    .map(([method, path, version, named, headers]) =>
      [
        `${method} ${path} ${version}`,
        ...(named === null ? [] : [named]),
        ...headers,
        "Connection: close",
        "",
        // As long as a head says that is: whoever waits for the rest of a body waits for a minute.
        "{}   ",
      ].join("\r\n"),
    );
}

/** What is wrong with an answer whatever was asked; null when nothing is. The runtime itself refuses without a body. */
function faultOf({ status, head, body }: RawAnswer): string | null {
  if (status >= 500 && status !== 503 && status !== 505) return `it answers ${status}`;
  if (/\bat \S+ \(|node_modules|\.ts:\d|bunfs|BunError/.test(body)) return "it shows source or paths";
  if (body === "" || status === 101) return null;
  if (!head.includes("content-security-policy: default-src")) return "it has no policy";
  return head.includes("application/json") && status >= 400 && typeof JSON.parse(body).code !== "string"
    ? "the error has no code"
    : null;
}

/** Sends heads that nobody means to a listening program, eight at a time, and gives what was wrong with the answers. */
export async function fuzzHeads(
  port: number,
  paths: readonly string[],
  { runs, seed }: { runs: number; seed: number },
) {
  const wrong: string[] = [];
  const statuses = new Map<number, number>();
  const heads = fc.sample(requestHeads(paths), { numRuns: runs, seed });
  const next = heads.values();
  const send = async () => {
    for (const head of next) {
      const answer = await sendRaw(port, head);
      const fault = faultOf(answer);
      if (fault)
        wrong.push(`${JSON.stringify(head.slice(0, 300))}: ${fault} (${answer.status}) ${answer.body.slice(0, 200)}`);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 8 }, send));
  return { wrong, statuses };
}

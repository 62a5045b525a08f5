import { afterAll, beforeAll, expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createTestLog } from "../../../../tests/kit/test-log.ts";
import { askPage, createPageReader, pageOrigin, takePage } from "./panel-page.ts";

const AGENT = "https://panel.lan:8443";
const NAMES: Record<string, string[]> = {
  "panel.lan": ["10.0.0.5"],
  "www.panel.lan": ["10.0.0.5", "fd00::5"],
  "db.lan": ["10.0.0.9"],
  "panel.example": ["127.0.0.1"],
};
const resolve = async (host: string) => NAMES[host] ?? Promise.reject(new Error("no such name"));

test.each([
  ["https://panel.example", AGENT, "https://panel.example"],
  ["https://panel.example:9443/", AGENT, "https://panel.example:9443"],
  ["https://8.8.8.8", AGENT, "https://8.8.8.8"],
  ["http://panel.lan:8430", AGENT, "http://panel.lan:8430"],
  ["http://10.0.0.5:8430", "https://10.0.0.5:8443", "http://10.0.0.5:8430"],
  ["http://[fd00::5]:8430", "https://[fd00::5]:8443", "http://[fd00::5]:8430"],
  ["http://localhost:8430", "https://localhost:8443", "http://localhost:8430"],
])("%s of the panel at %s is taken", (told, agent, origin) => {
  expect(pageOrigin(told, agent)).toBe(origin);
});

test.each([
  ["http://127.0.0.1:2375", AGENT],
  ["https://127.0.0.1", "https://10.0.0.5:8443"],
  ["https://10.0.0.6", "https://10.0.0.5:8443"],
  ["http://localhost:2019", AGENT],
  ["https://a.localhost", AGENT],
  ["https://169.254.169.254", AGENT],
  ["https://[::ffff:10.0.0.6]", AGENT],
  ["https://0x7f000001", AGENT],
  ["http://8.8.8.8", AGENT],
  ["https://panel.example/stop", AGENT],
  ["https://panel.example/?by=", AGENT],
  ["https://panel.lan/#x", AGENT],
  ["https://me@panel.lan", AGENT],
  ["https://10.0.0.6", ""],
])("%s of the panel at %p is not", (told, agent) => {
  expect(pageOrigin(told, agent)).toBeNull();
});

test("a name without TLS is taken where it leads to the address at which the panel was met", async () => {
  const met = { agent_url: "https://10.0.0.5:8443", reached: "10.0.0.5" };
  expect(await takePage("http://www.panel.lan", met, resolve)).toBe("http://www.panel.lan");
  for (const other of ["http://db.lan", "http://unknown.lan"]) expect(await takePage(other, met, resolve)).toBeNull();
  expect(await takePage("https://unknown.lan", met, resolve)).toBe("https://unknown.lan");
});

test("an address that is refused is judged, and complained of, once", async () => {
  const { log, lines } = createTestLog();
  const read = createPageReader({ log });
  const met = { agent_url: AGENT, reached: null };
  const known = "https://panel.example";
  const told = [
    "http://127.0.0.1",
    "http://127.0.0.1",
    undefined,
    "https://panel.example/",
    known,
    "https://b.example",
  ];
  const answers = [];
  for (const each of told) answers.push(await read(each, known, met));
  expect(answers).toEqual([null, null, null, null, null, "https://b.example"]);
  expect(lines).toHaveLength(1);
});

let service: ReturnType<typeof Bun.serve>;
beforeAll(() => {
  service = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: ({ url }) => new Response(new URL(url).pathname) });
});
afterAll(() => service.stop(true));

test.each([
  // Where the panel proved itself, also by one of several addresses.
  ["http://panel.example", { agent_url: "https://panel.example:8443", reached: "127.0.0.1" }, 200],
  ["http://both.example", { agent_url: "https://both.example:8443", reached: "127.0.0.1" }, 200],
  ["http://127.0.0.1", { agent_url: "https://127.0.0.1:8443", reached: null }, 200],
  ["http://localhost", { agent_url: "https://localhost:8443", reached: "::1" }, 200],
  // A name leads wherever its owner says.
  ["http://panel.example", { agent_url: "https://panel.example:8443", reached: "10.0.0.5" }, "blocked_address"],
  ["http://panel.example", { agent_url: "https://panel.example:8443", reached: null }, "blocked_address"],
])("%s of a panel met at %p: %s", async (origin, met, outcome) => {
  const deps = { clock: createFakeClock(Date.now()), ownPorts: new Set<number>() };
  const names = async (host: string) => (host === "both.example" ? ["10.0.0.5", "127.0.0.1"] : resolve(host));
  const asked = askPage(deps, { origin: `${origin}:${service.port}`, ...met }, "/a", { method: "GET" }, names);
  const ended = await asked.then(
    ({ status }) => status,
    ({ reason }) => reason,
  );
  expect(ended).toBe(outcome);
});

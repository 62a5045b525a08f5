import { afterAll, expect, test } from "bun:test";
import { createTestNode } from "../kit/node-app.ts";
import { createTestPanel } from "../kit/panel-app.ts";
import { sendRaw } from "../kit/raw-http.ts";
import { panelDatabases } from "../kit/sql-databases.ts";

const limits = { anonymous_rate: "1000000" };
const node = createTestNode(limits);
const panel = await createTestPanel(await panelDatabases("sqlite").open(), limits);
afterAll(() => node.close());

const CHANGING = new Set(["POST", "PUT", "PATCH", "DELETE"]);
const FOREIGN: Record<string, string>[] = [
  { origin: "http://evil.example" },
  { origin: "null" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site", origin: "http://localhost:9000" },
];
const OWN: Record<string, string>[] = [{}, { "sec-fetch-site": "same-origin" }, { origin: "http://localhost" }];

const UPGRADE = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};

/** Routes that are made for pages of other sites: whoever is sent there is known by nothing but what they bring. */
const FOR_OTHERS = ["POST /api/sso/{id}/acs"];

/** What anybody may ask for that changes something: where somebody is signed in, among others. */
const openRoutes = (routes: typeof node.routes | typeof panel.routes) =>
  routes
    .filter(
      ({ method, path, rule }) =>
        rule.kind === "open" && CHANGING.has(method) && !FOR_OTHERS.includes(`${method} ${path}`),
    )
    .map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, "none")}`);

for (const [name, program] of Object.entries({ node, panel })) {
  test(`no page of another site reaches what the ${name} lets anybody change; programs and its own page do`, async () => {
    const wrong: string[] = [];
    const routes = openRoutes(program.routes);
    for (const route of routes) {
      for (const headers of FOREIGN) {
        const { status, body, headers: answered } = await program.call(route, { headers, body: {} });
        const isRefused = status === 403 && body.code === "csrf_refused" && answered.getSetCookie().length === 0;
        if (!isRefused) wrong.push(`${route} ${JSON.stringify(headers)}: ${status} ${body.code}`);
      }
      for (const headers of OWN) {
        const { body } = await program.call(route, { headers, body: {} });
        if (body.code === "csrf_refused") wrong.push(`${route} ${JSON.stringify(headers)}: refused`);
      }
    }
    expect(routes.length).toBeGreaterThan(3);
    expect(wrong).toEqual([]);
  });
}

test("no page of another site opens a socket, on any route of either program, with the cookies of who is signed in", async () => {
  const wrong: string[] = [];
  const cookies = { node: `access_token=${await node.tokenOf("admin")}`, panel: "refresh_token=x" };
  for (const [name, program] of [["node", node] as const, ["panel", panel] as const]) {
    const { port, stop } = program.listen();
    const open = async (path: string, headers: Record<string, string>): Promise<string> => {
      const lines = Object.entries({ host: "localhost", cookie: cookies[name], ...UPGRADE, ...headers });
      const { status, body } = await sendRaw(
        port,
        `GET ${path}?ticket=none HTTP/1.1\r\n${lines.map(([key, value]) => `${key}: ${value}\r\n`).join("")}\r\n`,
      );
      return `${status} ${/"code":"(\w+)"/.exec(body)?.[1] ?? ""}`;
    };
    const paths = program.routes
      .filter(({ method }) => method === "WS")
      .map(({ path }) => path.replace(/\{\w+\}/g, "none"));
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) {
      for (const headers of FOREIGN) {
        const answer = await open(path, headers);
        // Where no cookie opens anything, a page of another site is nobody.
        if (!["403 csrf_refused", "401 unauthorized"].includes(answer))
          wrong.push(`${path} ${JSON.stringify(headers)}: ${answer}`);
      }
      const own = await open(path, { origin: "http://localhost" });
      if (own.includes("csrf_refused")) wrong.push(`${path} of its own page: ${own}`);
    }
    await stop();
  }
  expect(wrong).toEqual([]);
});

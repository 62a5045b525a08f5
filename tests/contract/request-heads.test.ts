import { afterAll, expect, test } from "bun:test";
import type { RouteInfo } from "../../src/kernel/http/route-table.ts";
import { createTestNode } from "../kit/node-app.ts";
import { createTestPanel } from "../kit/panel-app.ts";
import { sendRaw } from "../kit/raw-http.ts";
import { fuzzHeads } from "../kit/request-heads.ts";
import { panelDatabases } from "../kit/sql-databases.ts";

// `HEADS_FUZZ=20000` for more; `HEADS_SEED` for the very ones of a run that failed.
const runs = Number(process.env["HEADS_FUZZ"] ?? 1500);
const seed = Number(process.env["HEADS_SEED"] ?? 20260101);

const node = createTestNode({ anonymous_rate: "1000000", session_rate: "1000000" });
const panel = await createTestPanel(await panelDatabases("sqlite").open());
const programs = {
  node: { ...node.listen(), routes: node.routes },
  panel: { ...panel.listen(), routes: panel.routes },
};
afterAll(async () => {
  for (const { stop } of Object.values(programs)) await stop();
  node.close();
});

const PAGES = ["/", "/apps", "/api", "/api/none", "/assets/none.js", "/ws", "/index.html"];

/**
 * Routes as they are asked for, and what is no route. Streams do not end, so they are left out. Pages come as often as they have to
 * for some heads to be answered well, however many routes there are.
 */
const pathsOf = (routes: readonly RouteInfo[]) => [
  ...Array.from({ length: 8 }, () => PAGES).flat(),
  ...routes.filter(({ path }) => !/stream|events/.test(path)).map(({ path }) => path.replace(/\{\w+\}/g, "x%2f..")),
];

for (const [name, { port, routes }] of Object.entries(programs)) {
  test(`no request head makes the ${name} fail or show its inside`, async () => {
    const { wrong, statuses } = await fuzzHeads(port, pathsOf(routes), { runs, seed });
    expect(wrong).toEqual([]);
    // The heads are hostile, but not all of them are refused at the door.
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 404]));
  });

  test(`the ${name} refuses a host that is none, and two of them`, async () => {
    for (const hosts of ["Host: a b", "Host: a.example\r\nHost: b.example", "Host: localhost\r\nHost: localhost"]) {
      const { status, body } = await sendRaw(port, `GET /api/health?limit=-1 HTTP/1.1\r\n${hosts}\r\n\r\n`);
      expect([hosts, status, JSON.parse(body).params.field]).toEqual([hosts, 400, "host"]);
    }
  });
}

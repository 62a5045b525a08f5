import { expect, test } from "bun:test";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { createTestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { panelDatabases } from "../../../../tests/kit/sql-databases.ts";

const TOKEN = "a long and random token";
const databases = panelDatabases("sqlite");

test("figures of the whole panel are for whoever holds the token, and for nobody while there is none", async () => {
  const panel = await createTestPanel(await databases.open(), { metrics_token: TOKEN });
  const ada = await panel.join("ada");
  const nodes = createTestNodes(panel);
  for (const id of ["one", "two"]) await nodes.enrol(ada.tenant_id, id);
  await nodes.heartbeat("one", { metrics: { cpu_percent: 1 } });
  for (const token of [undefined, "wrong", ada.token, `${TOKEN}x`]) {
    const refused = await panel.call("GET /api/prometheus", token === undefined ? {} : { token });
    expect([refused.status, refused.body.code]).toEqual([401, "metrics_token_wrong"]);
  }
  const { status, headers, body } = await panel.call("GET /api/prometheus", { token: TOKEN });
  expect([status, headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  for (const line of [
    'orrery_panel_info{version="1.2.3"} 1',
    'orrery_panel_nodes{health="online"} 1',
    'orrery_panel_nodes{health="offline"} 1',
    "orrery_panel_workspaces 1",
    "orrery_panel_accounts 1",
    "orrery_panel_database_up 1",
  ])
    expect(body.split("\n")).toContain(line);
  expect(body).not.toContain(ada.tenant_id);

  const closed = await createTestPanel(await databases.open());
  const off = await closed.call("GET /api/prometheus", { token: "" });
  expect([off.status, off.body.code]).toEqual([404, "metrics_off"]);
});

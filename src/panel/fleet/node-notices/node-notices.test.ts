import { beforeEach, expect, test } from "bun:test";
import { sharedPanel, type Visit } from "../../../../tests/kit/shared-panel.ts";
import { onEachEngine } from "../../../../tests/kit/sql-databases.ts";
import type { NodeNotice } from "./contract.ts";

onEachEngine("node notices", (engine) => {
  const visit = sharedPanel(engine);
  let panel: Visit["panel"];
  let nodes: Visit["nodes"];
  let ada: Visit["ada"];
  let count: number;
  let node: string;
  beforeEach(async () => {
    ({ panel, nodes, ada, count } = await visit());
    node = `node-${count}`;
    await nodes.enrol(ada.tenant_id, node);
  });
  const call = (route: string, { token } = ada) => panel.call(route, { token });
  const read = async (): Promise<NodeNotice[]> => (await call(`GET /api/fleet/instances/${node}/notices`)).body.notices;
  const takeOver = (fingerprint: string) =>
    nodes.enrol(ada.tenant_id, node, { hardware_fingerprint: fingerprint.repeat(16) });

  test("a node that is taken over is told of until somebody who may change it says that they know", async () => {
    expect(await read()).toEqual([]);
    await takeOver("abcd");
    const [notice, ...others] = await read();
    expect(others).toEqual([]);
    expect(notice).toMatchObject({ kind: "taken_over", address: "192.0.2.1", times: 1, instance_id: node });
    const { token } = await panel.invite(ada, `viewer${count}`, "org_viewer");
    const seen = await panel.call(`GET /api/fleet/instances/${node}/notices`, { token });
    expect(seen.body.notices).toHaveLength(1);
    const away = `POST /api/fleet/notices/${notice?.id}/acknowledge`;
    expect((await panel.call(away, { token })).status).toBe(403);
    const bob = await panel.join(`bob${count}`);
    expect((await call(away, bob)).body.code).toBe("notice_not_found");
    expect((await call(away)).body).toEqual({ id: notice?.id, status: "acknowledged" });
    expect(await read()).toEqual([]);
    expect((await call(away)).body.code).toBe("notice_not_found");
    const sql = "SELECT details FROM audit_entries WHERE tenant_id = :tenant AND action = 'fleet.node.notice'";
    const row = await panel.tenant(ada.tenant_id).get<{ details: string }>(sql);
    expect(row?.details).toBe('{"notice":"taken_over"}');
  });

  test("what happens again is one notice that counts, and cannot be put away unseen", async () => {
    await takeOver("abcd");
    const [before] = await read();
    await panel.clock.advance(1_000);
    await takeOver("dcba");
    expect(await read()).toMatchObject([{ times: 2, first_at: before?.first_at }]);
    const late = await call(`POST /api/fleet/notices/${before?.id}/acknowledge`);
    expect([late.status, late.body.code]).toEqual([404, "notice_not_found"]);
    expect(await read()).toHaveLength(1);
  });

  test("the same hardware, and a node that was deleted between, are no news", async () => {
    await nodes.enrol(ada.tenant_id, node);
    expect(await read()).toEqual([]);
    await takeOver("abcd");
    await call(`DELETE /api/fleet/instances/${node}`);
    await takeOver("dcba");
    expect(await read()).toEqual([]);
  });

  test("a clock that is off is told as long as it is", async () => {
    const ahead = async () => (await call(`GET /api/fleet/instances/${node}/notices`)).body.clock_ahead_seconds;
    const beat = (offMs: number) =>
      nodes.heartbeat(node, { sent_at: new Date(panel.clock.now() + offMs).toISOString() });
    expect(await ahead()).toBeNull();
    await beat(-7_200_000);
    expect(await ahead()).toBe(-7_200);
    await beat(30_000);
    expect(await ahead()).toBeNull();
  });

  test("a node that tells of other hardware itself is told of too", async () => {
    await nodes.heartbeat(node, { hardware_fingerprint: "abcd".repeat(16) });
    expect(await read()).toMatchObject([{ kind: "hardware_changed", address: null }]);
  });
});

import { expect, test } from "bun:test";
import { sharedPanel } from "../../../../tests/kit/shared-panel.ts";
import { onEachEngine } from "../../../../tests/kit/sql-databases.ts";
import { toIso } from "../../../lib/clock.ts";

onEachEngine("node states", (engine) => {
  const visit = sharedPanel(engine);

  test("changes are told newest first with their reasons, page by page, to their own workspace alone", async () => {
    const { panel, nodes, ada, count } = await visit();
    const node = `node-${count}`;
    await nodes.enrol(ada.tenant_id, node);
    const figures = (cpu: number) => ({ metrics: { cpu_percent: cpu, memory_percent: 2, disk_percent: 3 } });
    await nodes.heartbeat(node, figures(5));
    await panel.clock.advance(30_000);
    await nodes.heartbeat(node, figures(95));
    const worse = toIso(panel.clock.now());
    // Better for so long that it counts.
    for (let minute = 0; minute < 8; minute++) {
      await panel.clock.advance(60_000);
      await nodes.heartbeat(node, figures(5));
    }
    const path = `GET /api/fleet/instances/${node}/states`;
    const whole = await panel.call(path, { token: ada.token });
    expect(whole.status).toBe(200);
    expect(whole.body.next).toBeNull();
    expect(whole.body.changes.map(({ from, to, reasons }: Record<string, unknown>) => [from, to, reasons])).toEqual([
      ["degraded", "online", []],
      ["online", "degraded", ["cpu_high"]],
      ["pending", "online", []],
    ]);
    expect(whole.body.changes[1].at).toBe(worse);

    const first = await panel.call(`${path}?limit=2`, { token: ada.token });
    expect(first.body.changes).toEqual(whole.body.changes.slice(0, 2));
    const second = await panel.call(`${path}?limit=2&before=${first.body.next}`, { token: ada.token });
    expect(second.body).toEqual({ changes: whole.body.changes.slice(2), next: null });

    const bob = await panel.join(`bob${count}`);
    expect((await panel.call(path, { token: bob.token })).body.code).toBe("node_not_found");
    expect((await panel.call(`${path}?limit=201`, { token: ada.token })).status).toBe(400);
  });
});

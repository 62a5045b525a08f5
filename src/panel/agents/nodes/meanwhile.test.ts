import { beforeAll, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { TEST_SEAL } from "../../../../tests/kit/authority.ts";
import { createMemoryLive } from "../../../../tests/kit/memory-live.ts";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { createPanelBase } from "../../../../tests/kit/panel-base.ts";
import { createTestNodes, type TestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { slowAnswers } from "../../../../tests/kit/slow-answers.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { createTestLog } from "../../../../tests/kit/test-log.ts";
import { identify } from "../agent-listener/directory.ts";
import { createNodes } from "./index.ts";

const serialOf = (pem: string) => new X509Certificate(pem).serialNumber.replace(/^0+/, "");

onEachEngine("nodes, while something else happens to them", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let nodes: TestNodes;
  beforeAll(async () => {
    panel = await createTestPanel(await databases.open());
    nodes = createTestNodes(panel);
  });

  /** A workspace with one node, of a panel that hears an answer of its database late when asked to. */
  async function world(name: string) {
    const { tenant_id } = await panel.join(name);
    await nodes.enrol(tenant_id, name);
    const { system, hold } = slowAnswers(panel.system);
    const { log } = createTestLog();
    const live = createMemoryLive(panel.clock);
    const own = createNodes({
      ...createPanelBase(panel.clock, { log, seal: TEST_SEAL }),
      ...{ system, tenants: panel.ctx.tenants, live },
    });
    await own.start();
    const handlers = createTestNodes({ nodes: own, live, system: panel.system, clock: panel.clock });
    const { directory } = own;
    const remove = () => panel.tenant(tenant_id).tx((tx) => own.deleteNode(tx, name));
    /** Does the one, and the other before the answer to the first is there. */
    const meanwhile = async (
      first: () => Promise<unknown>,
      other: () => Promise<unknown>,
      kind: Parameters<typeof hold>[0] = "tx",
    ) => {
      const { given, arrive } = hold(kind);
      const done = first().catch((error: unknown) => error);
      await given;
      await other();
      arrive();
      return done;
    };
    const isKnown = () => [directory.find(name), live.of(tenant_id).get(name)].map((known) => known !== null);
    const present = (serial: string) => {
      const presented = { nodeId: name, serial, notAfter: Number.POSITIVE_INFINITY };
      return identify(presented, directory, panel.clock.now());
    };
    const current = () => directory.find(name)?.current ?? "";
    return { tenant_id, directory, live, handlers, remove, meanwhile, isKnown, present, current };
  }

  test("one that is deleted while its former certificate is looked up stays deleted", async () => {
    const { tenant_id, directory, remove, meanwhile, isKnown } = await world("looked-up");
    await meanwhile(() => directory.testify({ nodeId: "looked-up", serial: "0DD" }, "superseded"), remove, "get");
    expect(isKnown()).toEqual([false, false]);
    expect(directory.count(tenant_id)).toBe(0);
  });

  test("one that is deleted before the panel hears that its certificate was renewed, or is in use, stays deleted", async () => {
    for (const name of ["renewing", "using"]) {
      const { handlers, directory, remove, meanwhile, isKnown, current, present } = await world(name);
      const former = current();
      if (name === "using") await handlers.renew(name, former);
      const next = directory.find(name)?.next ?? "";
      const said = await meanwhile(() => (name === "using" ? present(next) : handlers.renew(name, former)), remove);
      expect(isKnown()).toEqual([false, false]);
      if (name === "using") expect(said).toMatchObject({ code: "node_deleted" });
    }
  });

  test("one that was enrolled anew while its former certificate is looked up is who it is now", async () => {
    const { tenant_id, directory, handlers, meanwhile, current, present } = await world("anew");
    const former = current();
    const token = await handlers.addToken(tenant_id);
    const ask = () => directory.testify({ nodeId: "anew", serial: "0DD" }, "superseded");
    await meanwhile(ask, () => handlers.register(token, "anew"), "get");
    expect(current()).not.toBe(former);
    expect(await present(former).catch((error: unknown) => error)).toMatchObject({ code: "certificate_superseded" });
  });

  test("a certificate that was replaced before it is used for the first time is not taken", async () => {
    const { tenant_id, handlers, current, present } = await world("replaced");
    const waiting = serialOf((await handlers.renew("replaced", current())).signed_certificate);
    // Replaced in the tables, and memory has not heard of it.
    await nodes.enrol(tenant_id, "replaced");
    const used = await present(waiting).catch((error: unknown) => error);
    expect(used).toMatchObject({ code: "certificate_superseded" });
    expect(await present(current())).toMatchObject({ nodeId: "replaced" });
  });

  test("memory takes a node over that is in the tables alone, and leaves one alone that it knows", async () => {
    const { tenant_id, directory, isKnown, remove, live } = await world("behind");
    const [facts] = live.of(tenant_id).nodes();
    await directory.testify({ nodeId: "behind", serial: "0DD" }, "superseded");
    expect(live.of(tenant_id).nodes()[0] === facts).toBe(true);
    await remove();
    await nodes.enrol(tenant_id, "behind");
    expect(isKnown()).toEqual([false, false]);
    const serial = panel.nodes.directory.find("behind")?.current ?? "";
    expect(await directory.testify({ nodeId: "behind", serial }, "deleted")).toBeNull();
    expect(isKnown()).toEqual([true, true]);
    expect(directory.count(tenant_id)).toBe(1);
  });
});

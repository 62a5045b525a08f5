import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { SSO_SETTINGS } from "../../../../tests/kit/sso-world.ts";
import { type WatchedThreads, watchThreads } from "../../../../tests/kit/watch-threads.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import { createKeyMaker } from "./saml/key-maker.ts";
import { makeOwnKey, type OwnKey } from "./saml/own-key.ts";

const saml = (more: object) => ({
  ...{ kind: "saml", name: "Fabrikam", issuer: "", role_claim: null, role_rules: [], default_role: "org_viewer" },
  saml: {
    ...{ sign_on_url: null, certificates: [], metadata_url: null, email_attribute: null },
    ...{ signs_requests: false, takes_encrypted: false, ...more },
  },
});
const keyed = saml({ signs_requests: true });

onEachEngine("keys of connectors", (engine) => {
  const databases = panelDatabases(engine);
  let panel: TestPanel;
  let threads: WatchedThreads;
  let people = 0;

  beforeAll(async () => {
    panel = await createTestPanel(await databases.open(), SSO_SETTINGS);
  });
  beforeEach(() => {
    threads = watchThreads();
  });
  afterEach(() => threads.stop());
  afterAll(() => threads.stop());

  const join = (): Promise<Person> => panel.join(`keys${++people}${engine}`);
  const made = (): number => threads.count("key-thread");
  const ask = async ({ token }: Person, route: string, body: unknown) => {
    const { status, body: told } = await panel.call(route, { token, body });
    return [status, told.code ?? told.id];
  };

  test("are made for nobody whose plan has none, who has not proven who they are, or who has a connector already", async () => {
    const [poor, stale, rich] = [await join(), await join(), await join()];
    await panel.system.run("UPDATE tenants SET plan = 'team' WHERE tenant_id = ?", [poor.tenant_id]);
    await panel.system.run("UPDATE sessions SET proven_at = 0 WHERE tenant_id = ?", [stale.tenant_id]);
    expect((await ask(rich, "POST /api/sso/connectors", saml({})))[0]).toBe(200);
    expect([
      await ask(poor, "POST /api/sso/connectors", keyed),
      await ask(stale, "POST /api/sso/connectors", keyed),
      await ask(rich, "POST /api/sso/connectors", keyed),
      await ask(rich, "POST /api/sso/connectors", { ...keyed, saml: undefined }),
    ]).toEqual([
      [402, "upgrade_required"],
      [403, "step_up_required"],
      [409, "connector_limit"],
      [422, "provider_field_missing"],
    ]);
    expect(made()).toBe(0);
  });

  test("are not made for a change that is refused, and once for one that is not", async () => {
    const [owner, other] = [await join(), await join()];
    const [, id] = await ask(owner, "POST /api/sso/connectors", saml({}));
    const put = (who: Person, which = id) => ask(who, `PUT /api/sso/connectors/${which}`, keyed);
    const plan = (name: string) =>
      panel.system.run("UPDATE tenants SET plan = ? WHERE tenant_id = ?", [name, owner.tenant_id]);
    expect([await put(owner, "sso_none"), await put(other)]).toEqual([
      [404, "connector_not_found"],
      [404, "connector_not_found"],
    ]);
    await plan("team");
    expect(await put(owner)).toEqual([402, "upgrade_required"]);
    expect(made()).toBe(0);
    await plan("business");
    expect([await put(owner), await put(owner)]).toEqual([
      [200, id],
      [200, id],
    ]);
    expect(made()).toBe(1);
  });
});

/** A maker of keys whose every key is finished by the test. */
function createWorld() {
  const clock = createFakeClock();
  const begun: (() => void)[] = [];
  const key: OwnKey = { private_key: "key", certificate: "certificate" };
  const maker = createKeyMaker(clock, () => new Promise((resolve) => begun.push(() => resolve(key))));
  const told: string[] = [];
  const ask = (tenant_id: string, left = new AbortController().signal) =>
    maker.make({ tenant_id, left }).then(
      () => told.push(tenant_id),
      (error: { code?: string }) => told.push(`${tenant_id} ${error.code}`),
    );
  const finish = async () => {
    await clock.advance(300);
    begun.at(-1)?.();
    await setImmediate();
  };
  return { clock, begun, told, ask, finish };
}

test("keys are made one at a time, the workspaces in turn, and two of each wait", async () => {
  const { begun, told, ask, finish } = createWorld();
  const left = new AbortController();
  const first = ask("a");
  await setImmediate();
  const all = [first, ask("a"), ask("a", left.signal), ask("a"), ask("b")];
  await setImmediate();
  expect([told, begun.length]).toEqual([["a too_many_requests"], 1]);
  left.abort();
  for (const _ of [1, 2, 3]) await finish();
  await Promise.all(all);
  expect([told.slice(1), begun.length]).toEqual([["a too_many_requests", "a", "b", "a"], 3]);
});

test("who waits for too long is sent away, and a workspace has ten in ten minutes", async () => {
  const { clock, told, ask, finish } = createWorld();
  const first = ask("a");
  const waits = ask("b");
  await setImmediate();
  await clock.advance(seconds(20));
  await waits;
  expect(told).toEqual(["b too_many_requests"]);
  await finish();
  await first;
  for (let no = 1; no < 10; no++) {
    const next = ask("a");
    await setImmediate();
    await finish();
    await next;
  }
  const often = [ask("a"), ask("b")];
  await setImmediate();
  await finish();
  await Promise.all(often);
  expect(told.slice(-2)).toEqual(["a too_many_requests", "b"]);
  await clock.advance(minutes(10));
  const again = ask("a");
  await setImmediate();
  await finish();
  await again;
  expect(told.at(-1)).toBe("a");
});

test("a key comes with its own certificate", () => {
  expect(makeOwnKey(0)).toEqual({
    private_key: expect.stringContaining("PRIVATE KEY"),
    certificate: expect.stringContaining("CERTIFICATE"),
  });
});

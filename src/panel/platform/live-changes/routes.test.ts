import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Listening } from "../../../../tests/kit/listening.ts";
import { createTestPanel, type Person, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { until } from "../../../../tests/kit/until.ts";

const databases = panelDatabases("sqlite");
let panel: TestPanel;
let listening: Listening;
beforeAll(async () => {
  panel = await createTestPanel(await databases.open());
  listening = panel.listen();
});
afterAll(() => listening.stop());

/** Listens to the stream of changes; what it brings is left where it is. */
async function listen(token: string) {
  const stop = new AbortController();
  const { status, headers, body } = await fetch(`http://127.0.0.1:${listening.port}/api/changes`, {
    headers: { authorization: `Bearer ${token}` },
    signal: stop.signal,
  });
  if (status !== 200) return { status, headers, stop: () => stop.abort() };
  // The place is taken once the first of it is there.
  await body?.getReader().read();
  return { status, headers, stop: () => stop.abort() };
}

/** A token of a session that the workspace's own sign-in began. */
async function enter({ tenant_id, member_id }: Person): Promise<string> {
  const { tenants, system, sessions } = panel.ctx;
  const member = await tenants.findMembership(tenant_id, member_id);
  if (!member) throw new Error("nobody to sign in");
  const id = await system.tx((tx) => sessions.startWorkspaceSignIn(tx, member, { ip: "127.0.0.1" }));
  return (await sessions.loginBody(id, member)).token;
}

test("an account listens to so many streams at a time, and to another one when one ends", async () => {
  const [ada, eve] = [await panel.join("ada"), await panel.join("eve")];
  const open = await Promise.all(Array.from({ length: 100 }, () => listen(ada.token)));
  expect(open.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200));
  const refused = await listen(ada.token);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
  const other = await listen(eve.token);
  const named = await listen(await enter(ada));
  expect([other.status, named.status]).toEqual([200, 200]);
  open[0]?.stop();
  const again = await until(async () => {
    const next = await listen(ada.token);
    return next.status === 200 ? next : null;
  });
  for (const { stop } of [...open, other, named, again]) stop();
});

test("the stream of whoever becomes something else ends, and the next one tells what they may see then", async () => {
  const host = await panel.join("host");
  const { token, member_id } = await panel.invite(host, "guest", "org_teacher");
  /** Everything that a stream tells; `toldOnce` runs after the first of it. */
  const read = async (toldOnce: () => Promise<unknown>): Promise<string> => {
    const { body } = await fetch(`http://127.0.0.1:${listening.port}/api/changes`, {
      headers: { authorization: `Bearer ${token}` },
    });
    let told = "";
    for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const isFirst = !told.includes("topics");
      told += text;
      if (isFirst && told.includes("topics")) await toldOnce();
    }
    return told;
  };
  const becomes = (role: string) =>
    panel.call(`PUT /api/team/members/${member_id}/role`, { token: host.token, body: { role } });
  expect(await read(() => becomes("org_viewer"))).not.toContain("fleet");
  expect(await read(() => becomes("org_teacher"))).toContain("fleet");
});

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Listening } from "../../../../tests/kit/listening.ts";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
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
  const { status, body } = await fetch(`http://127.0.0.1:${listening.port}/api/changes`, {
    headers: { authorization: `Bearer ${token}` },
    signal: stop.signal,
  });
  if (status !== 200) return { status, stop: () => stop.abort() };
  // The place is taken once the first of it is there.
  await body?.getReader().read();
  return { status, stop: () => stop.abort() };
}

test("an account listens to so many streams at a time, and to another one when one ends", async () => {
  const [ada, eve] = [await panel.join("ada"), await panel.join("eve")];
  const open = await Promise.all(Array.from({ length: 100 }, () => listen(ada.token)));
  expect(open.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200));
  expect((await listen(ada.token)).status).toBe(429);
  const other = await listen(eve.token);
  expect(other.status).toBe(200);
  open[0]?.stop();
  const again = await until(async () => {
    const next = await listen(ada.token);
    return next.status === 200 ? next : null;
  });
  for (const { stop } of [...open, other, again]) stop();
});

import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../../tests/kit/fake-clock.ts";
import type { Needs } from "../needs.ts";
import { appVerbs } from "./app-verbs.ts";
import { Refused } from "./verb.ts";

/** An app on 1.0 that updates to `offered`, and stays there when that works. */
function world({ offered = "2.0", works = true, hasWay = true } = {}) {
  const app = { id: "a1", name: "wiki", status: "running", cause: null, work: null, version: "1.0" };
  const apps = {
    get(id: string) {
      if (id !== app.id) throw new Error(`There is no app ${id}.`);
      return app;
    },
    async updateApp(_by: unknown, _id: string, { version }: { version?: string }) {
      if (version !== undefined && version !== offered) throw new Error(`wiki has no update to ${version}.`);
      if (works) app.version = offered;
    },
    stopApp() {
      if (!isThere.engine) throw new Error("Docker does not answer: it was not asked yet.");
      app.status = "stopped";
    },
    rollBackApp() {
      if (!hasWay) throw new Error("wiki has no way back.");
      app.version = "1.0";
    },
  };
  const clock = createFakeClock();
  const isThere = { engine: true };
  const runtime = { engine: () => (isThere.engine ? {} : null) };
  const verbs = appVerbs({ apps, clock, runtime } as unknown as Pick<Needs, "apps" | "clock" | "runtime">);
  const run = (type: string, payload: Record<string, unknown>) =>
    verbs[type]?.run({ app_id: "a1", ...payload }, { id: "c", signal: new AbortController().signal, say: () => {} });
  return { app, run, clock, isThere };
}

test("an update ends on the new version, and its way back on the one before", async () => {
  const { app, run } = world();
  expect(await run("app.update", { version: "2.0" })).toContain("on 2.0 now");
  expect(await run("app.update", { version: "2.0" })).toContain("already");
  expect(await run("app.rollback", { version: "2.0" })).toContain("on 1.0 again");
  expect(app.version).toBe("1.0");
  // It never had this one: what it has is not touched.
  expect(await run("app.rollback", { version: "2.0" })).toContain("nothing to take back");
});

test("an update that went back by itself has failed; what cannot begin is refused", async () => {
  await expect(world({ works: false }).run("app.update", {})).rejects.toThrow("did not work on the new version");
  await expect(world().run("app.update", { version: "3.0" })).rejects.toBeInstanceOf(Refused);
  await expect(world({ hasWay: false }).run("app.rollback", {})).rejects.toBeInstanceOf(Refused);
  await expect(world().run("app.update", { app_id: "other" })).rejects.toBeInstanceOf(Refused);
});

test("as a program starts, its engine is waited for; one that does not come in two minutes is none", async () => {
  const { app, run, clock, isThere } = world();
  isThere.engine = false;
  const stopped = run("app.stop", {});
  await clock.advance(90_000);
  expect(app.status).toBe("running");
  isThere.engine = true;
  await clock.advance(1_000);
  expect(await stopped).toContain("stopped");
  isThere.engine = false;
  const tooLate = run("app.stop", {}) ?? Promise.resolve();
  await Promise.all([clock.advance(30_000), expect(tooLate).rejects.toBeInstanceOf(Refused)]);
  // Later on, what is away is away.
  await expect(run("app.stop", {})).rejects.toBeInstanceOf(Refused);
});

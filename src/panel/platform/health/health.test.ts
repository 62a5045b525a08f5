import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { suite } from "../../../../tests/kit/env.ts";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { createTestNodes } from "../../../../tests/kit/panel-nodes.ts";
import { createPostgresDatabase } from "../../../../tests/kit/postgres.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { startRelay } from "../../../../tests/kit/socket-relay.ts";
import { onEachEngine, panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { createTestLog } from "../../../../tests/kit/test-log.ts";
import { until } from "../../../../tests/kit/until.ts";
import { unexpectedFailure } from "../../../kernel/http/unexpected.ts";
import { createSqlDb } from "../../../kernel/sql/create-db.ts";
import { openPostgres } from "../../../kernel/sql/postgres-driver.ts";
import { systemClock } from "../../../lib/clock.ts";
import { createIds } from "../../../lib/ids.ts";
import { createPulse } from "./pulse.ts";

onEachEngine("health", (engine) => {
  const databases = panelDatabases(engine);

  test("anybody learns that the panel is there, and its version", async () => {
    const panel = await createTestPanel(await databases.open());
    const { status, body } = await panel.call("GET /api/health");
    expect({ status, body }).toEqual({ status: 200, body: { status: "ok", version: "1.2.3" } });
  });
});

suite("a panel whose PostgreSQL is away", ["postgres"], () => {
  test("says so with 503, acknowledges no heartbeat, and goes on when it is back", async () => {
    const url = new URL(await createPostgresDatabase());
    const folder = makeScratch("away");
    const relay = await startRelay(join(folder, ".s.PGSQL.5432"), url.searchParams.get("path") ?? "");
    url.searchParams.set("path", relay.path);
    const db = createSqlDb(await openPostgres(url.href, systemClock));
    try {
      const panel = await createTestPanel(db);
      const nodes = createTestNodes(panel);
      const { tenant_id } = await panel.join("ada");
      await nodes.enrol(tenant_id, "n1");
      await nodes.heartbeat("n1");
      await relay.cut();
      expect(await panel.call("GET /api/health")).toMatchObject({ status: 503, body: { code: "unavailable" } });
      // Nothing about it is new, and it is not acknowledged all the same.
      const failure = await nodes.heartbeat("n1").catch((error) => error);
      const told = unexpectedFailure({ ids: createIds(Date.now), log: createTestLog().log }, "", failure);
      expect(told).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
      // A commit may have been kept whose answer was lost.
      expect(told.message).toContain("Look whether this was done");
      const login = { email: "ada@example.org", password: "correct horse battery" };
      expect((await panel.call("POST /api/auth/login", { body: login })).status).toBe(503);
      await relay.mend();
      await until(async () => (await panel.call("GET /api/health")).status === 200);
      expect(await nodes.heartbeat("n1")).toMatchObject({ commands: [] });
    } finally {
      await db.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

suite("a panel whose PostgreSQL takes no changes", ["postgres"], () => {
  test("answers what reads, and is not healthy", async () => {
    const url = await createPostgresDatabase();
    const db = createSqlDb(await openPostgres(url, systemClock, { connections: 4 }));
    const admin = createSqlDb(await openPostgres(url, systemClock, { connections: 1 }));
    const name = new URL(url).pathname.slice(1);
    // As whoever is led to a copy by a name.
    const follow = async (isOn: boolean) => {
      await admin.run(`ALTER DATABASE ${name} SET default_transaction_read_only = ${isOn ? "on" : "off"}`);
      await admin.all(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
      );
    };
    try {
      const panel = await createTestPanel(db);
      const ada = await panel.join("ada");
      await follow(true);
      const refused = { status: 503, body: { code: "unavailable", params: { reason: expect.any(String) } } };
      await until(async () => (await panel.call("GET /api/team/members", { token: ada.token })).status === 200);
      expect(await panel.call("GET /api/health")).toMatchObject(refused);
      const change = { token: ada.token, body: { name: "Other" } };
      expect(await panel.call("PUT /api/auth/profile", change)).toMatchObject(refused);
      await follow(false);
      await until(async () => (await panel.call("GET /api/health")).status === 200);
    } finally {
      await db.close();
      await admin.close();
    }
  });
});

test("a database that stops answering ends the pulse after 20 seconds, one that comes back starts it again", async () => {
  const clock = createFakeClock();
  const { log, lines } = createTestLog();
  let isAway = false;
  const ask = async () => {
    if (isAway) throw new Error("gone");
  };
  const pulse = createPulse(ask, clock, log);
  pulse.start();
  await clock.advance(60_000);
  expect(pulse.isAlive()).toBe(true);
  isAway = true;
  await clock.advance(15_000);
  expect(pulse.isAlive()).toBe(true);
  await clock.advance(10_000);
  expect(pulse.isAlive()).toBe(false);
  expect(lines.every(({ msg }) => msg === "database does not answer")).toBe(true);
  isAway = false;
  await clock.advance(5_000);
  expect(pulse.isAlive()).toBe(true);
  await pulse.stop();
});

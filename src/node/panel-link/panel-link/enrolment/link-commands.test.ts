import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "../../../../../tests/kit/fake-clock.ts";
import { belongToPanel } from "../../../../../tests/kit/link-own.ts";
import { createTestLog } from "../../../../../tests/kit/test-log.ts";
import { createStore } from "../../../../kernel/db/store.ts";
import { createSeal } from "../../../../kernel/seal.ts";
import { runCommand } from "../../../../kernel/service/cli.ts";
import { createIds } from "../../../../lib/ids.ts";
import { FOR_PROGRAM } from "../../../../shared/password/index.ts";
import { nodeData } from "../../../commands/node-data.ts";
import { openData } from "../../../open-data.ts";
import { wireAccounts } from "../../../people/wire.ts";
import { panelLinkCommands } from "../../wire.ts";
import { insertPerson } from "../people/people-store.ts";

let dataDir: string;
let data: ReturnType<typeof openData>;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "orrery-leave-"));
  data = openData(dataDir, createFakeClock());
});
afterEach(() => {
  data.mainDb.close();
  data.metricsDb.close();
  rmSync(dataDir, { recursive: true });
});

test("the command says whom it puts out before it does, and what ended, and has it on record", async () => {
  const clock = createFakeClock();
  const db = createStore(data.mainDb);
  const base = { db, clock, ids: createIds(clock.now), seal: createSeal(data.sealKey), log: createTestLog().log };
  const { users, sessions } = wireAccounts(base);
  const { id } = await users.create({
    username: "ada",
    password: "nobody knows this",
    role: "admin",
    whose: FOR_PROGRAM,
  });
  sessions.begin(id, { ip: "127.0.0.1", device: "test" });
  belongToPanel({ db, clock }, "mbr_1");
  const person = { membership: "mbr_1", account_id: "acc_ada", user_id: id, email: "ada@example.org" };
  db.tx(() => insertPerson(db, { ...person, linked_at: "2026-01-01T00:00:00.000Z", role: "admin", visit_until: null }));
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const argv = ["disconnect", "--data", dataDir];
  expect(await runCommand("orrery-node", panelLinkCommands(nodeData), argv, print, print)).toBe(0);
  expect(lines).toEqual([
    "1 person came in over this panel: what lets them in ends, and their accounts are switched off.",
    "Ended: 1 account, 1 session.",
    "This node belongs to no panel any more. Delete it on the panel too, or it stays there as offline.",
  ]);
  const row = data.mainDb.query("SELECT disabled_at FROM users WHERE id = ?").get(id);
  expect(row).toEqual({ disabled_at: expect.any(String) });
  const noted = data.mainDb.query("SELECT action FROM audit_log WHERE action = 'panel.people_ended'").all();
  expect(noted).toHaveLength(1);
});

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createTestLog } from "../../../../tests/kit/test-log.ts";
import { createStore } from "../../../kernel/db/store.ts";
import { createSeal } from "../../../kernel/seal.ts";
import { runCommand } from "../../../kernel/service/cli.ts";
import { createIds } from "../../../lib/ids.ts";
import { FOR_PROGRAM, verifyPassword } from "../../../shared/password/index.ts";
import { nodeData } from "../../commands/node-data.ts";
import { openData } from "../../open-data.ts";
import { checkChain } from "../../platform/audit/chain.ts";
import { nodeProgram } from "../../program.ts";
import { peopleCommands, wireAccounts } from "../wire.ts";

const MAIN = join(import.meta.dir, "../../main.ts");
let dataDir: string;
let data: ReturnType<typeof openData>;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "orrery-reset-"));
  data = openData(dataDir, createFakeClock());
});
afterEach(() => {
  data.mainDb.close();
  data.metricsDb.close();
  rmSync(dataDir, { recursive: true });
});

/** The accounts of the open database. */
function accounts() {
  const clock = createFakeClock();
  const seal = createSeal(data.sealKey);
  return wireAccounts({
    db: createStore(data.mainDb),
    clock,
    ids: createIds(clock.now),
    seal,
    log: createTestLog().log,
  });
}

async function addOwner(): Promise<void> {
  const { users, sessions } = accounts();
  const { id } = await users.create({
    username: "owner",
    password: "first password",
    role: "admin",
    whose: FOR_PROGRAM,
  });
  sessions.begin(id, { ip: "127.0.0.1", device: "test" });
}

/** Runs the command beside the open database, as beside a running service; `input` is the line that was piped in. */
async function reset(input: string | null, ...options: string[]) {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const commands = peopleCommands(nodeData, async () => input);
  const argv = ["reset-password", "--data", dataDir, ...options];
  return { code: await runCommand("orrery-node", commands, argv, print, print), text: lines.join("\n") };
}

/** As `reset`, by the whole program in a process of its own, with `input` as all that is piped in. */
async function resetByProgram(input: string, ...options: string[]) {
  const argv = [process.execPath, MAIN, "reset-password", "--data", dataDir, ...options];
  const child = Bun.spawn(argv, { stdin: Buffer.from(input), stdout: "pipe", stderr: "pipe" });
  const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, text: out + error };
}

async function expectPassword(password: string): Promise<void> {
  const row = accounts().users.findCredentials("owner");
  expect(await verifyPassword(password, row?.password_hash ?? null, FOR_PROGRAM)).toBe(true);
}

test("a piped line becomes the password, sessions end, and it is not printed", async () => {
  await addOwner();
  const { code, text } = await resetByProgram("second password\n", "--username", "owner");
  expect(code).toBe(0);
  expect(text).not.toContain("second password");
  await expectPassword("second password");
  const open = data.mainDb.query("SELECT count(*) AS count FROM sessions WHERE revoked_at IS NULL").get();
  expect(open).toEqual({ count: 0 });
});

test("the audit log tells of it, in its chain, without the password", async () => {
  await addOwner();
  await reset("second password", "--username", "Owner");
  const db = createStore(data.mainDb);
  const id = accounts().users.findCredentials("owner")?.id ?? "";
  const rows = data.mainDb
    .query<{ action: string; resource: string; details: string }, []>("SELECT * FROM audit_log")
    .all();
  expect(rows).toMatchObject([{ action: "auth.password_reset", resource: `user:${id}`, ip_address: "host" }]);
  expect(JSON.stringify(rows)).not.toContain("second password");
  expect(await checkChain({ db, seal: createSeal(data.sealKey) }, async () => {})).toMatchObject({
    ok: true,
    entries: 1,
  });
});

test("a lost phone does not keep the owner out", async () => {
  await addOwner();
  const id = accounts().users.findCredentials("owner")?.id ?? "";
  data.mainDb.query("INSERT INTO totp (user_id, secret, enabled_at) VALUES (?, 'sealed', '2026-01-01')").run(id);
  data.mainDb.query("INSERT INTO recovery_codes (user_id, hash) VALUES (?, 'hash')").run(id);
  expect((await reset("second password", "--username", "owner")).code).toBe(0);
  expect(data.mainDb.query("SELECT * FROM totp").all()).toEqual([]);
  expect(data.mainDb.query("SELECT * FROM recovery_codes").all()).toEqual([]);
});

test("without input, or when told so, one is made and printed", async () => {
  await addOwner();
  for (const [input, ...options] of [[""], ["ignored password\n", "--generate"]]) {
    const { text } = await resetByProgram(input ?? "", "--username", "owner", ...options);
    await expectPassword(/New password: (\S+)/.exec(text)?.[1] ?? "");
  }
});

test("weak passwords, unknown accounts and missing data are refused, and nothing changes", async () => {
  await addOwner();
  expect(await reset("short", "--username", "owner")).toMatchObject({
    code: 2,
    text: expect.stringContaining("at least 8"),
  });
  expect((await reset(null, "--username", "nobody")).text).toContain("no user nobody");
  expect((await reset(null)).text).toContain("--username NAME");
  expect((await reset(null, "--username", "owner", "--data", "/nowhere")).text).toContain("no node data in /nowhere");
  await expectPassword("first password");
});

test("the installer asks for a claim only while nobody owns the data", async () => {
  expect(nodeProgram.claim?.needsOwner("/nowhere")).toBe(true);
  expect(nodeProgram.claim?.needsOwner(dataDir)).toBe(true);
  await addOwner();
  expect(nodeProgram.claim?.needsOwner(dataDir)).toBe(false);
});

test("keys, apps and passkeys end with the old password, but what is to be kept", async () => {
  await addOwner();
  const id = accounts().users.findCredentials("owner")?.id ?? "";
  const add = () => {
    data.mainDb
      .query(
        "INSERT INTO api_keys (id, user_id, name, scopes, secret_hash, created_at) VALUES ('key_1', ?, 'k', '*', 'h', 'now')",
      )
      .run(id);
    data.mainDb
      .query(
        "INSERT INTO paired_devices (id, user_id, name, token_hash, created_at) VALUES ('dvc_1', ?, 'Phone', 'h', 'now')",
      )
      .run(id);
  };
  const left = () =>
    ["api_keys", "paired_devices"].map((table) => data.mainDb.query(`SELECT id FROM ${table}`).all().length);
  add();
  const kept = await reset("second password", "--username", "owner", "--keep", "keys");
  expect([kept.code, left()]).toEqual([0, [1, 0]]);
  expect(kept.text).toContain("has ended, and with them 1 paired app.");
  expect(kept.text).toContain("closes within 15 seconds");
  const rest = await reset("third password", "--username", "owner");
  expect([rest.code, left()]).toEqual([0, [0, 0]]);
  const wrong = await reset("fourth password", "--username", "owner", "--keep", "everything");
  expect([wrong.code, wrong.text]).toEqual([2, expect.stringContaining("everything is none of them")]);
  await expectPassword("third password");
});

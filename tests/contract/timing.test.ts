import "../kit/real-passwords.ts";
import { afterAll, expect, test } from "bun:test";
import { addAccount, from, MANY_ADDRESSES } from "../kit/accounts.ts";
import { compareTimes, timeInPairs } from "../kit/alike.ts";
import { type Answer, createTestNode } from "../kit/node-app.ts";

/** Answers that must not tell whether something exists must not tell it by their time either. */
const node = createTestNode(MANY_ADDRESSES);
afterAll(() => node.close());

/** Four deviations come once in 16,000 runs. */
const DEVIATIONS = 4;
/** One found in a table or not found there: what no network lets anybody see. */
const FLOOR_MS = 0.002;

let lastIp = 0;
const nextIp = () => from(`10.${(lastIp >> 16) & 255}.${(lastIp >> 8) & 255}.${lastIp++ & 255}`);

type Call = (index: number) => Promise<Answer>;

/** Fails when the medians of both kinds, all answering `status`, lie further apart than chance puts them. */
async function expectAlike(count: number, status: number, one: Call, other: Call): Promise<void> {
  const statuses = new Set<number>();
  const called = (call: Call) => async (index: number) => void statuses.add((await call(index)).status);
  const { difference, noise } = compareTimes(await timeInPairs(count, [called(one), called(other)]));
  expect([...statuses]).toEqual([status]);
  expect(difference).toBeLessThan(Math.max(FLOOR_MS, DEVIATIONS * noise));
}

test("password sign-in: wrong password or unknown name", async () => {
  await addAccount(node, "ada");
  const attempt = (username: string) =>
    node.call("POST /api/auth/login", { body: { username, password: "wrong wrong" }, headers: nextIp() });
  await expectAlike(
    40,
    401,
    () => attempt("ada"),
    () => attempt("nobody"),
  );
}, 240_000);

test("approval request: known or unknown address, 2,000 each", async () => {
  const insert = node.ctx.db.raw.query(
    "INSERT INTO users (id, username, password_hash, role, created_at) VALUES (?, ?, 'none', 'viewer', '2026-01-01')",
  );
  for (let i = 0; i < 2_300; i++) insert.run(`usr_t${i}`, `person${i}@home`);
  const ask = (email: string) => node.call("POST /api/auth/approve/request", { body: { email }, headers: nextIp() });
  await expectAlike(
    2_000,
    200,
    (i) => ask(`person${i}@home`),
    (i) => ask(`nobody${i}@home`),
  );
}, 240_000);

test("QR exchange: unknown id, wrong secret or used code, 2,000 each", async () => {
  const generate = async () => (await node.call("POST /api/auth/qr/generate", { headers: nextIp() })).body;
  const exchange = (session_id: string, secret: string) =>
    node.call("POST /api/auth/qr/exchange", { body: { session_id, secret }, headers: nextIp() });
  const open = await generate();
  const used = await generate();
  await node.call("POST /api/auth/qr/approve", { as: "viewer", body: { session_id: used.session_id } });
  expect((await exchange(used.session_id, used.secret)).status).toBe(200);
  const unknown = `qrs_${"x".repeat(open.session_id.length - 4)}`;
  for (const known of [open, used]) {
    await expectAlike(
      2_000,
      401,
      () => exchange(known.session_id, used.secret),
      () => exchange(unknown, used.secret),
    );
  }
}, 240_000);

import { afterAll, expect, test } from "bun:test";
import { addAccount, from, MANY_ADDRESSES } from "../kit/accounts.ts";
import { type Answer, createTestNode } from "../kit/node-app.ts";

/** Answers that must not tell whether something exists must not tell it by their time either. */
const node = createTestNode(MANY_ADDRESSES);
afterAll(() => node.close());

let lastIp = 0;
const nextIp = () => from(`10.${(lastIp >> 16) & 255}.${(lastIp >> 8) & 255}.${lastIp++ & 255}`);

async function timed(call: () => Promise<Answer>, status: number): Promise<number> {
  const start = performance.now();
  const answer = await call();
  const ms = performance.now() - start;
  expect(answer.status).toBe(status);
  return ms;
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** How far the median itself may be off, from the spread around it (normal approximation, 1.2533 σ / √n). */
function medianError(values: number[]): number {
  const middle = median(values);
  const spread = 1.4826 * median(values.map((value) => Math.abs(value - middle)));
  return (1.2533 * spread) / Math.sqrt(values.length);
}

/**
 * Milliseconds of both kinds, all answering `status`, called in turns and in changing order so that whatever else the machine does hits
 * both alike. The first calls warm up and do not count.
 */
async function compare(
  count: number,
  status: number,
  one: (i: number) => Promise<Answer>,
  other: (i: number) => Promise<Answer>,
) {
  const times: [number[], number[]] = [[], []];
  const warmUp = Math.ceil(count / 10);
  for (let i = 0; i < count + warmUp; i++) {
    const order = i % 2 === 0 ? [0, 1] : [1, 0];
    for (const kind of order) {
      const ms = await timed(() => (kind === 0 ? one : other)(i), status);
      if (i >= warmUp) times[kind === 0 ? 0 : 1].push(ms);
    }
  }
  return times;
}

/** Fails when the medians differ by more than a tenth, 15 µs, and four times what noise alone explains. */
function expectAlike([one, other]: [number[], number[]]): void {
  const noise = 4 * Math.hypot(medianError(one), medianError(other));
  const difference = Math.abs(median(one) - median(other));
  expect(difference).toBeLessThan(Math.max(0.1 * median(one), 0.015, noise));
}

test("password sign-in: wrong password or unknown name", async () => {
  await addAccount(node, "ada");
  const attempt = (username: string) =>
    node.call("POST /api/auth/login", { body: { username, password: "wrong wrong" }, headers: nextIp() });
  expectAlike(
    await compare(
      60,
      401,
      () => attempt("ada"),
      () => attempt("nobody"),
    ),
  );
}, 60_000);

test("approval request: known or unknown address, 2,000 each", async () => {
  const insert = node.ctx.db.raw.query(
    "INSERT INTO users (id, username, password_hash, role, created_at) VALUES (?, ?, 'none', 'viewer', '2026-01-01')",
  );
  for (let i = 0; i < 2_300; i++) insert.run(`usr_t${i}`, `person${i}@home`);
  const ask = (email: string) => node.call("POST /api/auth/approve/request", { body: { email }, headers: nextIp() });
  expectAlike(
    await compare(
      2_000,
      200,
      (i) => ask(`person${i}@home`),
      (i) => ask(`nobody${i}@home`),
    ),
  );
}, 60_000);

test("QR exchange: unknown id, wrong secret or used code, 2,000 each", async () => {
  const generate = async () => (await node.call("POST /api/auth/qr/generate", { headers: nextIp() })).body;
  const exchange = (session_id: string, secret: string) =>
    node.call("POST /api/auth/qr/exchange", { body: { session_id, secret }, headers: nextIp() });
  const open = await generate();
  const used = await generate();
  await node.call("POST /api/auth/qr/approve", { as: "viewer", body: { session_id: used.session_id } });
  expect((await exchange(used.session_id, used.secret)).status).toBe(200);
  const unknown = `qrs_${"x".repeat(open.session_id.length - 4)}`;
  expectAlike(
    await compare(
      2_000,
      401,
      () => exchange(open.session_id, used.secret),
      () => exchange(unknown, used.secret),
    ),
  );
  expectAlike(
    await compare(
      2_000,
      401,
      () => exchange(used.session_id, used.secret),
      () => exchange(unknown, used.secret),
    ),
  );
}, 60_000);

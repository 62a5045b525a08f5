import { expect, test } from "bun:test";
import fc from "fast-check";
import { codeSteps, type KnownCode, nextIp, tryOrders } from "../../../../tests/kit/code-model.ts";
import type { TestNode } from "../../../../tests/kit/node-app.ts";

const REMEMBERED_MS = 15 * 60_000;

interface Known extends KnownCode {
  secret: string;
  state: "pending" | "approved" | "consumed";
}

const isOver = (known: Known, node: TestNode) => known.state !== "consumed" && node.clock.monotonic() >= known.end;

const { make, use, wait } = codeSteps<Known>(REMEMBERED_MS, async (all, node) => {
  for (const known of all) {
    const { body } = await node.call(`GET /api/auth/qr/status/${known.id}`);
    expect(body).toEqual({ status: isOver(known, node) ? "expired" : known.state });
    expect(known.sessions).toBe(known.state === "consumed" ? 1 : 0);
  }
});

const generate = make("generate", async (node) => {
  const { body } = await node.call("POST /api/auth/qr/generate", { headers: nextIp() });
  return { id: body.session_id, secret: body.secret, end: node.clock.monotonic() + 300_000, state: "pending" };
});

const approve = (which: number) =>
  use(`approve(${which})`, which, async (known, node) => {
    const { status } = await node.call("POST /api/auth/qr/approve", { as: "member", body: { session_id: known.id } });
    if (isOver(known, node)) return expect(status).toBe(410);
    expect(status).toBe(known.state === "pending" ? 200 : 409);
    if (known.state !== "pending") return;
    known.state = "approved";
    known.end = Math.min(known.end, node.clock.monotonic() + 60_000);
  });

const exchange = (which: number, isRight: boolean, times: number) =>
  use(`exchange(${which}, ${isRight}, ${times})`, which, async (known, node) => {
    const over = isOver(known, node);
    const body = { session_id: known.id, secret: isRight ? known.secret : "wrong" };
    const answers = await Promise.all(
      Array.from({ length: times }, () => node.call("POST /api/auth/qr/exchange", { body, headers: nextIp() })),
    );
    const statuses = answers.map(({ status }) => status);
    known.sessions += statuses.filter((status) => status === 200).length;
    if (!isRight || known.state === "consumed") return expect(new Set(statuses)).toEqual(new Set([401]));
    if (over) return expect(new Set(statuses)).toEqual(new Set([410]));
    if (known.state === "pending") return expect(new Set(statuses)).toEqual(new Set([409]));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(times - 1);
    known.state = "consumed";
  });

test("no order of steps gives two sessions for one code, or one after its end", async () => {
  const index = fc.nat(5);
  await tryOrders([
    fc.constant(generate),
    index.map(approve),
    fc.tuple(index, fc.boolean(), fc.integer({ min: 1, max: 4 })).map((args) => exchange(...args)),
    fc.constantFrom(1, 30, 59, 60, 61, 239, 300).map(wait),
  ]);
}, 60_000);

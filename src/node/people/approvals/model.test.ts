import { expect, test } from "bun:test";
import fc from "fast-check";
import { codeSteps, type KnownCode, nextIp, nextStranger, tryOrders } from "../../../../tests/kit/code-model.ts";
import type { TestNode } from "../../../../tests/kit/node-app.ts";

const REMEMBERED_MS = 12 * 60_000;

interface Known extends KnownCode {
  code: string;
  isForMember: boolean;
  state: "pending" | "approved" | "denied";
  isDelivered: boolean;
}

function statusOf(known: Known, node: TestNode): string {
  if (known.state === "denied" || known.isDelivered) return known.state;
  return node.clock.monotonic() >= known.end ? "expired" : known.state;
}

const { make, use, wait } = codeSteps<Known>(REMEMBERED_MS, async (all, node) => {
  const { body } = await node.call("GET /api/auth/approve/pending", { as: "member" });
  const open = all.filter((known) => known.isForMember && statusOf(known, node) === "pending");
  expect(body.requests).toHaveLength(open.length);
  for (const known of all) expect(known.sessions).toBeLessThanOrEqual(known.isDelivered ? 1 : 0);
});

const request = (isForMember: boolean) =>
  make(`request(${isForMember})`, async (node) => {
    const body = { email: isForMember ? "member" : nextStranger() };
    const answer = await node.call("POST /api/auth/approve/request", { body, headers: nextIp() });
    if (answer.status === 429) return null;
    const { request_id: id, code } = answer.body;
    const end = node.clock.monotonic() + 120_000;
    return { id, code, isForMember, end, state: "pending", isDelivered: false };
  });

const decide = (which: number, approve: boolean, isRight: boolean) =>
  use(`decide(${which}, ${approve}, ${isRight})`, which, async (known, node) => {
    const body = { approve, code: isRight ? known.code : "wrong" };
    const before = statusOf(known, node);
    const { status } = await node.call(`POST /api/auth/approve/${known.id}/decide`, { as: "member", body });
    if (!known.isForMember) return expect(status).toBe(404);
    if (before === "expired") return expect(status).toBe(410);
    if (before !== "pending") return expect(status).toBe(409);
    expect(status).toBe(approve && !isRight ? 400 : 204);
    known.state = approve && isRight ? "approved" : "denied";
    known.end = node.clock.monotonic() + 60_000;
  });

const poll = (which: number, times: number) =>
  use(`poll(${which}, ${times})`, which, async (known, node) => {
    const status = statusOf(known, node);
    const answers = await Promise.all(
      Array.from({ length: times }, () => node.call(`GET /api/auth/approve/${known.id}`)),
    );
    for (const { body } of answers) expect(body.status).toBe(status);
    const sessions = answers.filter(({ body }) => body.access_token !== undefined).length;
    expect(sessions).toBe(status === "approved" && !known.isDelivered ? 1 : 0);
    known.sessions += sessions;
    if (status === "approved") known.isDelivered = true;
  });

test("no order of steps lets a device in twice, without its code, for a stranger or after the end", async () => {
  const index = fc.nat(5);
  await tryOrders([
    fc.boolean().map(request),
    fc.tuple(index, fc.boolean(), fc.boolean()).map((args) => decide(...args)),
    fc.tuple(index, fc.integer({ min: 1, max: 4 })).map((args) => poll(...args)),
    fc.constantFrom(1, 30, 59, 60, 61, 119, 120).map(wait),
  ]);
}, 60_000);

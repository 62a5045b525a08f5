import { expect, test } from "bun:test";
import fc from "fast-check";
import { from, MANY_ADDRESSES } from "../../../../tests/kit/accounts.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";

const REMEMBERED_MS = 12 * 60_000;

interface Known {
  born: number;
  id: string;
  code: string;
  isForAda: boolean;
  end: number;
  state: "pending" | "approved" | "denied";
  isDelivered: boolean;
  sessions: number;
}
interface Model {
  known: Known[];
}
type Command = fc.AsyncCommand<Model, TestNode>;

let lastIp = 0;
const nextIp = () => from(`10.${(lastIp >> 16) & 255}.${(lastIp >> 8) & 255}.${lastIp++ & 255}`);
const pick = (model: Model, index: number) => model.known[index % model.known.length];

function statusOf(known: Known, node: TestNode): string {
  if (known.state === "denied" || known.isDelivered) return known.state;
  return node.clock.monotonic() >= known.end ? "expired" : known.state;
}

const command = (
  name: string,
  run: Command["run"],
  isPossible: Command["check"] = (m) => m.known.length > 0,
): Command => ({
  check: isPossible,
  toString: () => name,
  run,
});

const request = (isForAda: boolean) =>
  command(
    `request(${isForAda})`,
    async (model, node) => {
      const body = { email: isForAda ? "member" : `nobody${lastIp}` };
      const answer = await node.call("POST /api/auth/approve/request", { body, headers: nextIp() });
      if (answer.status === 429) return;
      const { request_id: id, code } = answer.body;
      const end = node.clock.monotonic() + 120_000;
      model.known.push({
        born: node.clock.monotonic(),
        id,
        code,
        isForAda,
        end,
        state: "pending",
        isDelivered: false,
        sessions: 0,
      });
    },
    (model) => model.known.length < 4,
  );

const decide = (which: number, approve: boolean, isRight: boolean) =>
  command(`decide(${which}, ${approve}, ${isRight})`, async (model, node) => {
    const known = pick(model, which);
    if (!known) return;
    const code = isRight ? known.code : "wrong";
    const before = statusOf(known, node);
    const { status } = await node.call(`POST /api/auth/approve/${known.id}/decide`, {
      as: "member",
      body: { approve, code },
    });
    if (!known.isForAda) return expect(status).toBe(404);
    if (before === "expired") return expect(status).toBe(410);
    if (before !== "pending") return expect(status).toBe(409);
    expect(status).toBe(approve && !isRight ? 400 : 204);
    known.state = approve && isRight ? "approved" : "denied";
    known.end = node.clock.monotonic() + 60_000;
  });

const poll = (which: number, times: number) =>
  command(`poll(${which}, ${times})`, async (model, node) => {
    const known = pick(model, which);
    if (!known) return;
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

/** The node forgets what ended long ago, and so does the model. */
const wait = (seconds: number) =>
  command(
    `wait(${seconds} s)`,
    async (model, node) => {
      await node.clock.advance(seconds * 1000);
      model.known = model.known.filter(({ born }) => node.clock.monotonic() < born + REMEMBERED_MS);
    },
    () => true,
  );

const checked = (inner: Command): Command => ({
  check: inner.check,
  toString: inner.toString,
  async run(model, node) {
    await inner.run(model, node);
    const { body } = await node.call("GET /api/auth/approve/pending", { as: "member" });
    const open = model.known.filter((known) => known.isForAda && statusOf(known, node) === "pending");
    expect(body.requests.map(({ id }: { id: string }) => id).sort()).toEqual(open.map(({ id }) => id).sort());
    for (const known of model.known) expect(known.sessions).toBeLessThanOrEqual(known.isDelivered ? 1 : 0);
  },
});

test("no order of steps lets a device in twice, without its code, for a stranger or after the end", async () => {
  const index = fc.nat(5);
  const steps = fc.commands(
    [
      fc.boolean().map((isForAda) => checked(request(isForAda))),
      fc.tuple(index, fc.boolean(), fc.boolean()).map((args) => checked(decide(...args))),
      fc.tuple(index, fc.integer({ min: 1, max: 4 })).map((args) => checked(poll(...args))),
      fc.constantFrom(1, 30, 59, 60, 61, 119, 120).map((seconds) => checked(wait(seconds))),
    ],
    { maxCommands: 30 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (commands) => {
      const node = createTestNode(MANY_ADDRESSES);
      try {
        await node.tokenOf("member");
        await fc.asyncModelRun(() => ({ model: { known: [] }, real: node }), commands);
      } finally {
        node.close();
      }
    }),
    { numRuns: 100 },
  );
}, 60_000);

import { expect, test } from "bun:test";
import fc from "fast-check";
import { from, MANY_ADDRESSES } from "../../../../tests/kit/accounts.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";

const REMEMBERED_MS = 15 * 60_000;

interface Known {
  born: number;
  id: string;
  secret: string;
  end: number;
  state: "pending" | "approved" | "consumed";
  sessions: number;
}
interface Model {
  known: Known[];
}
type Command = fc.AsyncCommand<Model, TestNode>;

let lastIp = 0;
const nextIp = () => from(`10.${(lastIp >> 16) & 255}.${(lastIp >> 8) & 255}.${lastIp++ & 255}`);
const pick = (model: Model, index: number) => model.known[index % model.known.length];
const isOver = (known: Known, node: TestNode) => known.state !== "consumed" && node.clock.monotonic() >= known.end;

const command = (
  name: string,
  run: Command["run"],
  isPossible: Command["check"] = (m) => m.known.length > 0,
): Command => ({
  check: isPossible,
  toString: () => name,
  run,
});

const generate = command(
  "generate",
  async (model, node) => {
    const { body } = await node.call("POST /api/auth/qr/generate", { headers: nextIp() });
    const end = node.clock.monotonic() + 300_000;
    model.known.push({
      born: node.clock.monotonic(),
      id: body.session_id,
      secret: body.secret,
      end,
      state: "pending",
      sessions: 0,
    });
  },
  (model) => model.known.length < 4,
);

const approve = (which: number) =>
  command(`approve(${which})`, async (model, node) => {
    const known = pick(model, which);
    if (!known) return;
    const { status } = await node.call("POST /api/auth/qr/approve", { as: "member", body: { session_id: known.id } });
    if (isOver(known, node)) return expect(status).toBe(410);
    expect(status).toBe(known.state === "pending" ? 200 : 409);
    if (known.state !== "pending") return;
    known.state = "approved";
    known.end = Math.min(known.end, node.clock.monotonic() + 60_000);
  });

const exchange = (which: number, isRight: boolean, times: number) =>
  command(`exchange(${which}, ${isRight}, ${times})`, async (model, node) => {
    const known = pick(model, which);
    if (!known) return;
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
    for (const known of model.known) {
      const { body } = await node.call(`GET /api/auth/qr/status/${known.id}`);
      expect(body).toEqual({ status: isOver(known, node) ? "expired" : known.state });
      expect(known.sessions).toBe(known.state === "consumed" ? 1 : 0);
    }
  },
});

test("no order of steps gives two sessions for one code, or one after its end", async () => {
  const index = fc.nat(5);
  const steps = fc.commands(
    [
      fc.constant(checked(generate)),
      index.map((which) => checked(approve(which))),
      fc.tuple(index, fc.boolean(), fc.integer({ min: 1, max: 4 })).map((args) => checked(exchange(...args))),
      fc.constantFrom(1, 30, 59, 60, 61, 239, 300).map((seconds) => checked(wait(seconds))),
    ],
    { maxCommands: 30 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (commands) => {
      const node = createTestNode(MANY_ADDRESSES);
      try {
        await fc.asyncModelRun(() => ({ model: { known: [] }, real: node }), commands);
      } finally {
        node.close();
      }
    }),
    { numRuns: 100 },
  );
}, 60_000);

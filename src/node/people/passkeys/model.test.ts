import { expect, test } from "bun:test";
import fc from "fast-check";
import { MANY_ADDRESSES } from "../../../../tests/kit/accounts.ts";
import { type Authenticator, createAuthenticator } from "../../../../tests/kit/authenticator.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { runs } from "../../../../tests/kit/runs.ts";

interface Known {
  id: string;
  challenge: string;
  end: number;
  isUsed: boolean;
}
interface Model {
  open: Known[];
  /** Last counter that the node accepted. */
  counter: number;
}
interface Real {
  node: TestNode;
  key: Authenticator;
}
type Command = fc.AsyncCommand<Model, Real>;

const begin: Command = {
  check: (model) => model.open.length < 4,
  toString: () => "begin",
  async run(model, { node }) {
    const { body } = await node.call("POST /api/auth/passkeys/login/begin");
    const end = node.clock.monotonic() + 300_000;
    model.open.push({ id: body.session_id, challenge: body.options.publicKey.challenge, end, isUsed: false });
  },
};

/** Answers challenge `which` with a signature over challenge `signed`, with a counter `step` away from the last. */
const finish = (which: number, signed: number, step: number, times: number): Command => ({
  check: (model) => model.open.length > 0,
  toString: () => `finish(${which}, ${signed}, ${step}, ${times})`,
  async run(model, { node, key }) {
    const open = model.open[which % model.open.length];
    const other = model.open[signed % model.open.length];
    if (!open || !other) return;
    const counter = Math.max(0, model.counter + step);
    const credential = key.sign({ challenge: other.challenge }, { counter });
    const body = { session_id: open.id, credential };
    const answers = await Promise.all(
      Array.from({ length: times }, () => node.call("POST /api/auth/passkeys/login/finish", { body })),
    );
    const statuses = answers.map(({ status }) => status);
    if (open.isUsed || node.clock.monotonic() >= open.end) return expect(new Set(statuses)).toEqual(new Set([400]));
    open.isUsed = true;
    const isGood = open === other && counter > model.counter;
    if (isGood) model.counter = counter;
    expect(statuses.toSorted()).toEqual([isGood ? 200 : 401, ...Array<number>(times - 1).fill(400)].toSorted());
  },
});

const wait = (seconds: number): Command => ({
  check: () => true,
  toString: () => `wait(${seconds} s)`,
  run: (_, { node }) => node.clock.advance(seconds * 1000),
});

test("a challenge is answered at most once, in time, by its own answer and a counter that grows", async () => {
  const index = fc.nat(5);
  const steps = fc.commands(
    [
      fc.constant(begin),
      fc
        .tuple(index, index, fc.integer({ min: -2, max: 2 }), fc.integer({ min: 1, max: 4 }))
        .map((args) => finish(...args)),
      fc.tuple(index, fc.integer({ min: 1, max: 3 })).map(([which, times]) => finish(which, which, 1, times)),
      fc.constantFrom(1, 299, 300, 301).map(wait),
    ],
    { maxCommands: 30 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (commands) => {
      const node = createTestNode(MANY_ADDRESSES);
      const key = createAuthenticator();
      try {
        const { body } = await node.call("POST /api/auth/passkeys/register/begin", { as: "member" });
        const credential = key.register(body.options.publicKey);
        await node.call("POST /api/auth/passkeys/register/finish", {
          as: "member",
          body: { session_id: body.session_id, name: "k", credential },
        });
        await fc.asyncModelRun(() => ({ model: { open: [], counter: 1 }, real: { node, key } }), commands);
      } finally {
        node.close();
      }
    }),
    { numRuns: runs(15) },
  );
}, 60_000);

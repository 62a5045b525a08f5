import fc from "fast-check";
import { from, MANY_ADDRESSES } from "./accounts.ts";
import { createTestNode, type TestNode } from "./node-app.ts";
import { runs } from "./runs.ts";

/** What a model knows of one code or request of the node. */
export interface KnownCode {
  /** Monotonic time at which it was made. */
  born: number;
  id: string;
  /** Monotonic time at which it expires in its present state. */
  end: number;
  /** How many sessions it gave. */
  sessions: number;
}
export interface CodeModel<K extends KnownCode> {
  known: K[];
}
type Command<K extends KnownCode> = fc.AsyncCommand<CodeModel<K>, TestNode>;
type Run<K extends KnownCode> = (known: K, node: TestNode) => Promise<unknown>;

const MOST_AT_A_TIME = 4;
let lastIp = 0;

/** Headers of an address that nothing came from before. */
export const nextIp = () => from(`10.${(lastIp >> 16) & 255}.${(lastIp >> 8) & 255}.${lastIp++ & 255}`);

/** A user name that nobody has and nothing was asked about. */
export const nextStranger = (): string => `nobody${lastIp++}`;

/** Steps on the model of codes that live in the node's memory, each followed by `check`. */
export function codeSteps<K extends KnownCode>(
  rememberedMs: number,
  check: (known: K[], node: TestNode) => Promise<void>,
) {
  const step = (name: string, isPossible: Command<K>["check"], run: Command<K>["run"]): Command<K> => ({
    check: isPossible,
    toString: () => name,
    async run(model, node) {
      await run(model, node);
      await check(model.known, node);
    },
  });
  return {
    /** Makes one more code, at most four at a time; null when the node refuses. */
    make: (name: string, run: (node: TestNode) => Promise<Omit<K, "born" | "sessions"> | null>): Command<K> =>
      step(
        name,
        ({ known }) => known.length < MOST_AT_A_TIME,
        async (model, node) => {
          const made = await run(node);
          const common = { born: node.clock.monotonic(), sessions: 0 };
          if (made) model.known.push({ ...made, ...common } as K);
        },
      ),
    /** Does something with one of the codes. */
    use: (name: string, which: number, run: Run<K>): Command<K> =>
      step(
        name,
        ({ known }) => known.length > 0,
        async ({ known }, node) => {
          const one = known[which % known.length];
          if (one) await run(one, node);
        },
      ),
    /** Lets time pass. The node forgets what ended long ago, and so does the model. */
    wait: (seconds: number): Command<K> =>
      step(
        `wait(${seconds} s)`,
        () => true,
        async (model, node) => {
          await node.clock.advance(seconds * 1000);
          model.known = model.known.filter(({ born }) => node.clock.monotonic() < born + rememberedMs);
        },
      ),
  };
}

/** Tries orders of the steps, each on a node of its own with a member who is signed in. */
export async function tryOrders<K extends KnownCode>(steps: fc.Arbitrary<Command<K>>[]): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 30 }), async (commands) => {
      const node = createTestNode(MANY_ADDRESSES);
      try {
        await node.tokenOf("member");
        await fc.asyncModelRun(() => ({ model: { known: [] }, real: node }), commands);
      } finally {
        node.close();
      }
    }),
    { numRuns: runs(25) },
  );
}

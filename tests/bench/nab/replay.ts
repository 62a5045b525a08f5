import { describeOutcome, judge, total } from "./judge.ts";
import { readCheckout, readOwn } from "./labelled.ts";

/** Replays labelled series. Usage: bun tests/bench/nab/replay.ts [CHECKOUT [FOLDER…]]; without one, those of this repository. */
const [checkout, ...folders] = process.argv.slice(2);
const outcomes = (checkout === undefined ? readOwn() : readCheckout(checkout, folders)).map(judge);
for (const outcome of outcomes) process.stdout.write(`${describeOutcome(outcome)}\n`);
process.stdout.write(`${describeOutcome(total("all", outcomes))}\n`);

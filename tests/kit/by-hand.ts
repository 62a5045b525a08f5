/**
 * Loaded before all tests (`bunfig.toml`): a run by hand says what it is to run. All at once, in one process and five seconds a test,
 * hosts, engines and browsers would get into each other's way and leave behind on the machine what they had begun.
 */
import { readFileSync } from "node:fs";

/** Options whose value may be a word of its own. */
const WITH_VALUE = new Set([
  ...["-t", "--test-name-pattern", "--timeout", "--seed", "--preload", "-r", "--reporter", "--reporter-outfile"],
  ...["--rerun-each", "--retry", "--max-concurrency", "--shard", "--coverage-reporter", "--coverage-dir"],
]);

/** Whether the words after `bun test` name tests. */
const namesTests = (words: readonly string[]): boolean =>
  words.some((word, at) => !word.startsWith("-") && !WITH_VALUE.has(words[at - 1] ?? ""));

/** The words of this run; those who share in a parallel one are not told them. */
function readWords(): string[] {
  const pid = process.env["BUN_TEST_WORKER_ID"] === undefined ? process.pid : process.ppid;
  const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
  return words.slice(words.indexOf("test") + 1);
}

const ADVICE =
  "Say which tests to run, as in `bun test src/kernel`; `npm test` runs all, `npm run test:unit` the quick ones.";

if (process.env["TEST_SCRATCH"] === undefined && !namesTests(readWords())) {
  if (process.env["BUN_TEST_WORKER_ID"] !== undefined) throw new Error(ADVICE);
  process.stderr.write(`${ADVICE}\n`);
  process.exit(1);
}

// What the JUnit reports of Bun test runs say: how many tests passed, and which took longest.
import { existsSync, readFileSync } from "node:fs";
import { cpus } from "node:os";

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const decode = (text) => text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name) => ENTITIES[name]);
const attribute = (element, name) => decode(new RegExp(` ${name}="([^"]*)"`).exec(element)?.[1] ?? "");

/** Counts and tests of a report, and the files with a test that failed; zeros when a run left none. */
export function readReport(path) {
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const head = /<testsuites [^>]*>/.exec(text)?.[0] ?? "";
  const number = (name) => Number(attribute(head, name) || 0);
  const [failed, skipped] = [number("failures") + number("errors"), number("skipped")];
  const tests = [...text.matchAll(/<testcase [^>]*>/g)].map(([element]) => ({
    name: [attribute(element, "classname"), attribute(element, "name")].filter(Boolean).join(" > "),
    file: attribute(element, "file"),
    seconds: Number(attribute(element, "time")),
  }));
  const suites = [...text.matchAll(/<testsuite [^>]*>/g)].map(([element]) => element);
  const failedFiles = suites
    .filter((suite) => attribute(suite, "failures") !== "0")
    .map((suite) => attribute(suite, "file"));
  return {
    passed: Math.max(0, number("tests") - failed - skipped),
    failed,
    skipped,
    tests,
    failedFiles: [...new Set(failedFiles)],
  };
}

/** The tests that took longest, a line each, below a heading; empty when no test ran. */
export function slowestLines(tests, count = 10) {
  if (tests.length === 0) return [];
  const slowest = tests.toSorted((one, other) => other.seconds - one.seconds).slice(0, count);
  return [
    `\n=== the ${slowest.length} slowest tests`,
    ...slowest.map(({ name, file, seconds }) => `${seconds.toFixed(1).padStart(7)}  ${file}: ${name}`),
  ];
}

/** Seconds that the processors of this machine have worked since it started, for whomever: engines and hosts are nobody's children. */
export function processorSeconds() {
  const worked = cpus().map(({ times }) => times.user + times.nice + times.sys + times.irq);
  return worked.reduce((sum, milliseconds) => sum + milliseconds, 0) / 1000;
}

/** How many cores share the work. */
export const cores = cpus().length;

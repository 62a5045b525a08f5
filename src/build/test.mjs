// `npm test [-- STAGE…]`: everything from an empty machine to the last end-to-end test, with the time of each stage.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bunPath, ensureBuilt, ensureDependencies, root, run, say } from "./toolchain.mjs";

const bin = (name) => join(root, "node_modules", ".bin", name);
const reports = join(root, ".test-env", "reports");
const minutes = (count) => String(count * 60_000);

/** Stages in order. A stage either passes or fails as one, or counts the tests of a Bun run. */
const stages = [
  { name: "setup", check: () => run("bash", ["tests/setup.sh"]) },
  { name: "types", check: () => inOrder([bin("tsc"), "-p", "tsconfig.json"], [bin("tsc"), "-p", "ui/tsconfig.json"]) },
  { name: "lint", check: () => inOrder([bin("biome"), "check", "."], ["bash", "tests/lint-shell.sh"]) },
  { name: "unused", check: () => run(bin("knip"), ["--no-progress"]) },
  { name: "unit", tests: ["src", "ui", "tests/architecture", "--randomize", "--timeout", minutes(0.5)] },
  { name: "contract", tests: ["tests/contract", "--randomize", "--timeout", minutes(0.5)] },
  { name: "build", check: () => ensureBuilt("orrery-node") },
  // A busy machine can fail a browser or an engine once; what is really broken fails twice.
  { name: "e2e", tests: ["tests/e2e", "--retry=1", "--timeout", minutes(4)] },
];

async function inOrder(...commands) {
  for (const [command, ...args] of commands) {
    const code = await run(command, args);
    if (code !== 0) return code;
  }
  return 0;
}

/** Folders without a single test file are left out: Bun calls an empty filter a failure. */
function hasTests(path) {
  const full = join(root, path);
  return existsSync(full) && readdirSync(full, { recursive: true }).some((name) => /\.test\.tsx?$/.test(String(name)));
}

async function runTests(stage) {
  const [flags, folders] = [[], []];
  for (const word of stage.tests)
    (existsSync(join(root, word)) || /^(src|ui|tests)/.test(word) ? folders : flags).push(word);
  const withTests = folders.filter(hasTests);
  if (withTests.length === 0) return { passed: 0, failed: 0, skipped: 0 };
  const report = join(reports, `${stage.name}.xml`);
  rmSync(report, { force: true });
  const code = await run(bunPath(), [
    "test",
    ...withTests.map((folder) => `./${folder}`),
    ...flags,
    "--reporter=junit",
    `--reporter-outfile=${report}`,
  ]);
  const counts = readReport(report);
  // A run that dies without a report, or fails outside any test, is one failure.
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

function readReport(report) {
  const head = existsSync(report) ? (/<testsuites [^>]*>/.exec(readFileSync(report, "utf8"))?.[0] ?? "") : "";
  const number = (name) => Number(new RegExp(` ${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
  const [failed, skipped] = [number("failures") + number("errors"), number("skipped")];
  return { passed: Math.max(0, number("tests") - failed - skipped), failed, skipped };
}

async function runStage(stage) {
  if (stage.tests) return runTests(stage);
  const code = await stage.check();
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !stages.some((stage) => stage.name === name));
if (unknown.length > 0) {
  say(`There is no stage ${unknown.join(", ")}. Stages: ${stages.map((stage) => stage.name).join(", ")}`);
  process.exit(2);
}

const begin = performance.now();
ensureDependencies();
mkdirSync(reports, { recursive: true });
const rows = [];
for (const stage of stages) {
  if (wanted.length > 0 && !wanted.includes(stage.name)) continue;
  say(`\n=== ${stage.name}`);
  const stageBegin = performance.now();
  const counts = await runStage(stage);
  rows.push({ name: stage.name, seconds: (performance.now() - stageBegin) / 1000, ...counts });
  // Without a build the end-to-end tests would only test the old one.
  if (stage.name === "build" && counts.failed > 0) break;
}

const total = (key) => rows.reduce((sum, row) => sum + row[key], 0);
say("\nstage      seconds  passed  failed  skipped");
for (const row of rows) {
  const cells = [row.passed, row.failed, row.skipped].map((count) => String(count).padStart(8)).join("");
  say(`${row.name.padEnd(9)}${row.seconds.toFixed(1).padStart(9)}${cells}`);
}
say(`total    ${((performance.now() - begin) / 1000).toFixed(1).padStart(9)}`);
// In CI a suite that cannot run is a hole in the net, not a detail.
const isSkipAFailure = process.env.CI === "true" && total("skipped") > 0;
if (isSkipAFailure) say("Skipped tests count as a failure in CI");
const skipped = total("skipped") > 0 ? `, ${total("skipped")} skipped` : "";
say(`${total("passed")} passed, ${total("failed") + (isSkipAFailure ? 1 : 0)} failed${skipped}`);
process.exitCode = total("failed") > 0 || isSkipAFailure ? 1 : 0;

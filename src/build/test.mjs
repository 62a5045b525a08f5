// `npm test [-- STAGE…]`: everything from an empty machine to the last end-to-end test, with the time of each stage.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bunPath, ensureBuilt, ensureDependencies, root, run, runLines, say } from "./toolchain.mjs";
import { createTrouble } from "./trouble.mjs";

const bin = (name) => join(root, "node_modules", ".bin", name);
const reports = join(root, ".test-env", "reports");
const trouble = createTrouble();
const minutes = (count) => String(count * 60_000);
const quick = ["--randomize", "--timeout", minutes(0.5)];

/**
 * Stages in order. A stage passes or fails as one (`check`), or counts the tests of Bun runs: `rounds` follow each other, the
 * groups of a round run at the same time.
 */
const stages = [
  { name: "setup", check: () => run("bash", ["tests/setup.sh"]) },
  { name: "types", check: () => atOnce([bin("tsc"), "-p", "tsconfig.json"], [bin("tsc"), "-p", "ui/tsconfig.json"]) },
  { name: "lint", check: () => atOnce([bin("biome"), "check", "."], ["bash", "tests/lint-shell.sh"]) },
  { name: "unused", check: () => run(bin("knip"), ["--no-progress"]) },
  {
    name: "unit",
    rounds: [[{ files: testsIn("src", "ui", "tests/architecture"), flags: [...quick, "--parallel", "--no-isolate"] }]],
  },
  { name: "contract", rounds: [[{ files: testsIn("tests/contract"), flags: quick }]] },
  { name: "build", check: () => ensureBuilt("orrery-node") },
  { name: "e2e", rounds: endToEndRounds() },
];

/**
 * Hosts that boot and lose power mostly wait, and so do apps that start: they share the time, each kind in a run of its own.
 * Browsers come after them, because Chromium drops its connections whenever an engine makes or removes a network. Only the
 * runs of apps and browsers may take the image `layers` off the engine; the others find theirs there. Figures of containers
 * are compared beside the browsers: a host that boots in a container takes the accounts of other containers with it.
 */
function endToEndRounds() {
  const all = testsIn("tests/e2e");
  const startingWith = (stem) => all.filter((file) => file.startsWith(`tests/e2e/${stem}`));
  const [hosts, browsers, apps] = [startingWith("host-"), startingWith("browser-"), startingWith("apps")];
  const figures = startingWith("figures-");
  const others = all.filter((file) => ![...hosts, ...browsers, ...apps, ...figures].includes(file));
  // A busy machine can fail a browser or an engine once; what is really broken fails twice.
  const flags = ["--retry=1", "--timeout", minutes(4)];
  return [
    [
      { name: "hosts", files: hosts, flags: [...flags, "--parallel=2"] },
      { name: "apps", files: apps, flags },
      { name: "others", files: others, flags },
    ],
    [
      { name: "browsers", files: browsers, flags },
      { name: "figures", files: figures, flags },
    ],
  ];
}

async function atOnce(...commands) {
  const codes = await Promise.all(commands.map(([command, ...args]) => run(command, args)));
  return Math.max(...codes);
}

/** Test files below some folders, relative to the root, in order of their names. */
function testsIn(...folders) {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true })
        .map(String)
        .filter((name) => /\.test\.tsx?$/.test(name))
        .map((name) => `${folder}/${name}`)
        .toSorted(),
    );
}

async function runRounds(stage) {
  const all = [];
  for (const groups of stage.rounds) all.push(...(await Promise.all(groups.map((group) => runTests(stage, group)))));
  const sum = (key) => all.reduce((total, counts) => total + counts[key], 0);
  return { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") };
}

async function runTests(stage, { name, files, flags }) {
  // Bun calls an empty filter a failure.
  if (files.length === 0) return { passed: 0, failed: 0, skipped: 0 };
  const report = join(reports, `${[stage.name, name].filter(Boolean).join("-")}.xml`);
  rmSync(report, { force: true });
  const paths = files.map((file) => `./${file}`);
  const args = ["test", ...paths, ...flags, "--reporter=junit", `--reporter-outfile=${report}`];
  const begin = performance.now();
  const following = trouble.follow();
  // Runs beside others say whose each line is.
  const prefix = name ? `${name.padEnd(8)} | ` : "";
  const code = await runLines(bunPath(), args, (line) => {
    say(prefix + line);
    following.line(line);
  });
  following.end(code);
  if (name) say(`${name}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
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
  if (stage.rounds) return runRounds(stage);
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

for (const line of trouble.lines()) say(line);
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

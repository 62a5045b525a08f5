// `npm test [-- STAGE…]`: everything from an empty machine to the last end-to-end test, with the time of each stage.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cores, processorSeconds, readReport, slowestLines } from "./reports.mjs";
import { makeRunScratch } from "./scratch.mjs";
import { bunPath, ensureBuilt, ensureDependencies, root, runLines, say } from "./toolchain.mjs";
import { createTrouble } from "./trouble.mjs";

const bin = (name) => join(root, "node_modules", ".bin", name);
const reports = join(root, ".test-env", "reports");
const trouble = createTrouble();
const minutes = (count) => String(count * 60_000);
const seed = process.env.TEST_SEED ?? seedOfTests();
const quick = ["--randomize", "--seed", seed, "--timeout", minutes(2)];
const cheap = [...quick, "--preload", "./tests/kit/no-forced-gc.ts", "--preload", "./tests/kit/cheap-passwords.ts"];
// Routes and rules run too briefly for the last compiler of JavaScript to win back what it takes.
const brief = ["env", "BUN_JSC_useFTLJIT=0"];
// Several checkers share no types: each works out anew what the others know. And what one knows it needs to its end, so there is
// little to win by looking for garbage as often as a program that stays would.
const checker = ["env", "GOGC=400", bin("tsc"), "--singleThreaded"];
const stageNames = ["setup", "build", "types", "lint", "unused", "unit", "contract", "e2e"];

/**
 * Lines of a round run at the same time, the steps of a line one after the other, and a round begins when the one before it is
 * over. A step is part of a stage, and passes or fails as one (`commands`, `check`) or counts the tests of a Bun run (`files`).
 * What only computes makes room for what is looked at by the clock: it fills the time in which hosts, apps and pages wait.
 */
function planRounds() {
  const unit = splitByHash(testsIn("src", "ui", "tests/architecture"));
  const contract = splitByHash(testsIn("tests/contract"));
  const computing = [
    { stage: "types", commands: [[...checker, "-p", "tsconfig.json"]] },
    { stage: "types", commands: [[...checker, "-p", "ui/tsconfig.json"]] },
    {
      stage: "lint",
      commands: [
        ["bash", "tests/lint-shell.sh"],
        [bin("biome"), "check", "."],
      ],
    },
    { stage: "unused", commands: [[bin("knip"), "--no-progress"]] },
    // Ports and processors are shared by all that runs at the same time: a file that met somebody else's is tried again by itself.
    {
      stage: "unit",
      files: unit.cheap,
      flags: [...cheap, "--parallel", "--no-isolate"],
      before: brief,
      triesAgain: true,
    },
    { stage: "contract", files: contract.cheap, flags: cheap, before: brief },
  ];
  return [
    [
      [{ stage: "setup", commands: [["bash", "tests/setup.sh"]] }],
      [{ stage: "build", check: (line) => ensureBuilt("orrery-node", line) }],
    ],
    [
      [
        ...computing,
        { stage: "unit", name: "hash", files: unit.real, flags: quick },
        { stage: "contract", name: "hash", files: contract.real, flags: quick },
      ].map((step) => ({ ...step, makesRoom: true })),
      ...waitingLines(),
    ],
    watchedLines(),
  ];
}

/** Tests that need the real hash of passwords say so by an import; all others take a cheap one. */
function splitByHash(files) {
  const needsReal = (file) => readFileSync(join(root, file), "utf8").includes("kit/real-passwords.ts");
  return { real: files.filter(needsReal), cheap: files.filter((file) => !needsReal(file)) };
}

const endToEnd = testsIn("tests/e2e");
const kinds = ["host-", "engine-", "apps-update", "apps", "browser-", "figures-"];
const ofKind = (kind) => endToEnd.filter((file) => kinds.find((stem) => file.startsWith(`tests/e2e/${stem}`)) === kind);
// A busy machine can fail a browser or an engine once; what is really broken fails twice. A file is tried again from its beginning,
// as a test finds what its first try left behind.
const endToEndStep = (name, files, ...flags) => ({
  stage: "e2e",
  name,
  files,
  flags: ["--timeout", minutes(4), ...flags],
  triesAgain: true,
});

/** More files than these fail by their cause, not by the hour. */
const mostTriedAgain = 4;

/** Whether a test starts an engine of its own, beside the machine's. */
const hasOwnEngine = (file) => /kit\/own-(engine|swarm)\.ts/.test(readFileSync(join(root, file), "utf8"));

/**
 * Hosts that boot and lose power mostly wait, and so do engines and apps that start. Apps follow the hosts, because a host that boots
 * in a container takes the accounts of other containers with it. Engines that tests start themselves are there one at a time, as each
 * takes for its networks what no route leads to yet, and the updates follow them. Only the run of apps may take the image `layers` off
 * the engine, which no other run installs.
 */
function waitingLines() {
  const rest = [...ofKind("engine-"), ...ofKind(undefined)];
  return [
    [endToEndStep("hosts", ofKind("host-"), "--parallel=3"), endToEndStep("apps", ofKind("apps"))],
    [endToEndStep("engines", rest.filter(hasOwnEngine)), endToEndStep("updates", ofKind("apps-update"))],
    [
      endToEndStep(
        "others",
        rest.filter((file) => !hasOwnEngine(file)),
      ),
    ],
  ];
}

/**
 * Pages are drawn on both cores, and have them for themselves; a browser serves all files of its worker, of which there are three, as
 * pages also wait. Figures of containers are
 * compared after the hosts: one that boots in a container takes the accounts of other containers with it.
 */
function watchedLines() {
  return [
    [
      endToEndStep("browsers", ofKind("browser-"), "--parallel=3", "--no-isolate"),
      endToEndStep("figures", ofKind("figures-")),
    ],
  ];
}

/**
 * The order of tests is drawn anew whenever a test changes, and is the same for the same tests: a run that failed can be repeated,
 * and what was green before it was sent in does not turn red by the draw.
 */
function seedOfTests() {
  const hash = createHash("sha256");
  for (const file of testsIn("src", "ui", "tests")) hash.update(readFileSync(join(root, file)));
  return String(hash.digest().readUInt32BE(0) >>> 1);
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

/** Runs a program to its end, last in the queue for the processor when it makes room. */
function start([command, ...args], makesRoom, onLine) {
  return makesRoom ? runLines("nice", ["-n", "10", command, ...args], onLine) : runLines(command, args, onLine);
}

async function runTests({ stage, name, files, flags, before = [], makesRoom, triesAgain }, onLine) {
  // Bun calls an empty filter a failure.
  if (files.length === 0) return { passed: 0, failed: 0, skipped: 0, tests: [] };
  const report = join(reports, `${[stage, name].filter(Boolean).join("-")}.xml`);
  rmSync(report, { force: true });
  const paths = files.map((file) => `./${file}`);
  const argv = [...before, bunPath(), "test", ...paths, ...flags, "--reporter=junit", `--reporter-outfile=${report}`];
  const following = trouble.follow();
  let hasEnded = false;
  const code = await start(argv, makesRoom, (line) => {
    onLine(line);
    following.line(line);
    hasEnded ||= /^Ran \d+ tests? across/.test(line);
  });
  following.end(code);
  const found = readReport(report);
  // A run that dies tells nothing of the files that it had not come to.
  if (!hasEnded) return { ...found, failed: found.failed + 1 };
  // One that fails outside any test is one failure.
  if (code !== 0 && found.failed === 0) found.failed = 1;
  const mayPass = found.failedFiles.length > 0 && found.failedFiles.length <= mostTriedAgain;
  if (!triesAgain || !mayPass) return found;
  onLine(`tries again: ${found.failedFiles.join(", ")}`);
  const again = await runTests({ stage, name: `${name ?? stage}-again`, files: found.failedFiles, flags }, onLine);
  const saved = again.failed === 0 ? found.failed : 0;
  return { ...found, passed: found.passed + saved, failed: found.failed - saved };
}

async function runCommands({ commands, check, makesRoom }, onLine) {
  const codes = [];
  if (check) codes.push(await check(onLine));
  for (const command of commands ?? []) codes.push(await start(command, makesRoom, onLine));
  const failed = codes.some((code) => code !== 0) ? 1 : 0;
  return { passed: 1 - failed, failed, skipped: 0, tests: [] };
}

/** Runs a step; its lines say whose they are, as others write at the same time. */
async function runStep(step) {
  const title = step.name ?? step.stage;
  const onLine = (line) => say(`${title.padEnd(8)} | ${line}`);
  const begin = performance.now();
  const found = step.files ? await runTests(step, onLine) : await runCommands(step, onLine);
  const end = performance.now();
  onLine(`${found.failed > 0 ? "FAILED" : "done"} after ${((end - begin) / 1000).toFixed(1)} s`);
  return { ...found, stage: step.stage, begin, end };
}

async function runLine(steps) {
  const done = [];
  for (const step of steps) done.push(await runStep(step));
  return done;
}

/** One line of the table; a stage lasts from its first step to the end of its last. */
function summarize(stage, steps) {
  const sum = (key) => steps.reduce((total, step) => total + step[key], 0);
  const begin = Math.min(...steps.map((step) => step.begin));
  const end = Math.max(...steps.map((step) => step.end));
  const cells = ["passed", "failed", "skipped"].map((key) => String(sum(key)).padStart(8)).join("");
  return `${stage.padEnd(9)}${((end - begin) / 1000).toFixed(1).padStart(9)}${cells}`;
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !stageNames.includes(name));
if (unknown.length > 0) {
  say(`There is no stage ${unknown.join(", ")}. Stages: ${stageNames.join(", ")}`);
  process.exit(2);
}

const begin = performance.now();
const usedBefore = processorSeconds();
ensureDependencies();
mkdirSync(reports, { recursive: true });
// What tests leave lying goes with the run.
const scratch = makeRunScratch();
process.env.TEST_SCRATCH = scratch;
say(`Tests run in the order of seed ${seed}; TEST_SEED=… chooses another.`);
const done = [];
for (const lines of planRounds()) {
  const isBuilt = !done.some(({ stage, failed }) => stage === "build" && failed > 0);
  // Without a build the end-to-end tests would only test the old one.
  const isWanted = ({ stage }) => (wanted.length === 0 || wanted.includes(stage)) && (stage !== "e2e" || isBuilt);
  done.push(...(await Promise.all(lines.map((steps) => runLine(steps.filter(isWanted))))).flat());
}

rmSync(scratch, { recursive: true, force: true });
for (const line of [...trouble.lines(), ...slowestLines(done.flatMap(({ tests }) => tests))]) say(line);
say("\nstage      seconds  passed  failed  skipped");
for (const name of stageNames) {
  const steps = done.filter(({ stage }) => stage === name);
  if (steps.length > 0) say(summarize(name, steps));
}
const total = (key) => done.reduce((sum, step) => sum + step[key], 0);
const used = (processorSeconds() - usedBefore).toFixed(0);
say(`total    ${((performance.now() - begin) / 1000).toFixed(1).padStart(9)}   (${cores} cores worked ${used} s)`);
// In CI a suite that cannot run is a hole in the net, not a detail.
const isSkipAFailure = process.env.CI === "true" && total("skipped") > 0;
if (isSkipAFailure) say("Skipped tests count as a failure in CI");
const skipped = total("skipped") > 0 ? `, ${total("skipped")} skipped` : "";
say(`${total("passed")} passed, ${total("failed") + (isSkipAFailure ? 1 : 0)} failed${skipped}`);
process.exitCode = total("failed") > 0 || isSkipAFailure ? 1 : 0;

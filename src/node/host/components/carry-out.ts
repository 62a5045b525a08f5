import { AppError } from "../../../kernel/http/errors.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import type { OperationHandle } from "../../platform/operations/index.ts";
import { fail } from "./contract.ts";
import { readUnit } from "./machine.ts";
import type { Own } from "./needs.ts";
import type { PlannedChange, PlanStep } from "./plan.ts";
import { type Before, type Failure, saveWork, type Work } from "./store.ts";

/** How often it is asked whether apt is free. */
const LOOK_EVERY_MS = seconds(5);
/** Unattended upgrades take minutes; who still holds apt after so long hangs. */
const WAIT_LIMIT_MS = minutes(60);
/** What passes by itself. */
const PASSING = new Set(["apt_locked", "apt_in_use", "host_role_busy"]);
/** What is wrong with a unit itself; all else is trouble with asking. */
const UNIT_TROUBLE = new Set(["no_systemd", "unit_failed", "unit_unknown"]);
const SYSCTL_TROUBLE = new Set(["sysctl_failed", "sysctl_unknown"]);
const isPassing = (error: unknown): error is AppError => error instanceof AppError && PASSING.has(error.code);
const GOES_ON = "This waits for it and then goes on by itself.";
const waitText = (code: string): string =>
  code === "host_role_busy"
    ? `Orrery's own host role is still at work on this server. ${GOES_ON}`
    : `Another program installs packages on this server. ${GOES_ON}`;

/** Work on one plan: its journal, and where it is told of. */
export interface Job {
  own: Own;
  op: OperationHandle;
  work: Work;
}

/** Thrown where the program stops: the journal stays as it is, and the next start goes on. */
export class Stopped extends Error {}

/** Why something failed, in the words of an operation's end. */
export function explain(error: unknown, log: Own["log"]): Failure {
  if (error instanceof AppError) return { code: error.code, message: error.message, next_step: null };
  log.error("changing components failed inside", { error });
  const message = error instanceof Error ? error.message : String(error);
  return { code: "internal", message, next_step: null };
}

function save(job: Job, change: Partial<Work>): void {
  job.work = { ...job.work, ...change };
  saveWork(job.own.db, job.work);
}

/** Writes the end of a step together with its event, so that a crash knows both or neither. */
function finishStep(job: Job, step: string): void {
  job.own.db.tx(() => {
    save(job, { done: [...job.work.done, step], waits_since: null });
    job.op.step(step, "done");
  });
}

function setWaiting({ own }: Job, waits: boolean): void {
  const { working } = own.state;
  if (working === null || working.waits === waits) return;
  own.state.working = { ...working, waits };
  own.bus.emit("components.changed", { busy: true });
}

/** Tries until nobody else is at the packages; says on the step that it waits, and gives up after an hour. */
async function patiently<Result>(
  job: Job,
  step: string,
  title: string,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const { own, op } = job;
  while (true) {
    try {
      const result = await attempt();
      setWaiting(job, false);
      return result;
    } catch (error) {
      if (own.signal.aborted) throw new Stopped();
      const since = job.work.waits_since ?? own.clock.now();
      if (!isPassing(error) || own.clock.now() - since > WAIT_LIMIT_MS) throw error;
      if (own.state.working?.waits === false) {
        const text = waitText(error.code);
        op.step(step, "running", { title, text });
        op.log(text);
      }
      if (job.work.waits_since === null) save(job, { waits_since: since });
      setWaiting(job, true);
      await own.clock.sleep(LOOK_EVERY_MS, own.signal);
      if (own.signal.aborted) throw new Stopped();
    }
  }
}

/** Asks the host role for a change, whose lines become the log. */
const asking = (job: Job) => ({
  by: job.op.id,
  signal: job.own.signal,
  onLine(line: string) {
    setWaiting(job, false);
    job.op.log(line);
  },
});

/** What the pieces of the plan are like, asked now. */
async function readBefore({ own, work, op }: Job): Promise<Before> {
  const names = [...new Set(work.plan.changes.flatMap(({ packages }) => packages))];
  const { packages } =
    names.length === 0
      ? { packages: [] }
      : await own.hostRole.ask("packages.state", { packages: names }, { by: op.id, signal: own.signal });
  const units: Before["units"] = [];
  for (const change of work.plan.changes) {
    const found = await readUnit(own.hostRole, change.units, op.id);
    if (found) units.push({ name: found.unit, enabled: found.facts.enabled, active: found.facts.active });
  }
  const sysctls: NonNullable<Before["sysctls"]> = [];
  for (const { key } of work.plan.changes.flatMap((change) => change.sysctls ?? [])) {
    const { set } = await own.hostRole.ask("sysctl.state", { key }, { by: op.id, signal: own.signal });
    sysctls.push({ key, set });
  }
  const found = packages.map(({ name, installed }) => ({ name, installed: installed !== null }));
  const before = { packages: found, units, ...(sysctls.length === 0 ? {} : { sysctls }) };
  if (!replacesSnap(work)) return before;
  const { enabled } = await own.hostRole.ask("snap.state", { snap: "docker" }, { by: op.id, signal: own.signal });
  return { ...before, snap_ran: enabled };
}

const replacesSnap = ({ plan }: Work): boolean => plan.steps.some(({ kind }) => kind === "snap");

async function setUnit(job: Job, { units, mustRun, on }: PlannedChange): Promise<void> {
  const { own, op } = job;
  const found = await readUnit(own.hostRole, units, op.id);
  if (!found) return op.log("This system has no unit for it, so there is nothing to start or stop.");
  try {
    await own.hostRole.ask("unit.set", { unit: found.unit, enabled: on, active: on }, asking(job));
  } catch (error) {
    const isUnits = error instanceof AppError && UNIT_TROUBLE.has(error.code);
    if (own.signal.aborted || !isUnits || (on && mustRun)) throw error;
    op.log(`${error.message} It is of use without that.`);
  }
}

async function setSysctls(job: Job, { sysctls = [] }: PlannedChange): Promise<void> {
  for (const { key, value } of sysctls) {
    try {
      await job.own.hostRole.ask("sysctl.set", { key, value }, asking(job));
    } catch (error) {
      const isKernels = error instanceof AppError && SYSCTL_TROUBLE.has(error.code);
      if (job.own.signal.aborted || !isKernels) throw error;
      job.op.log(`${error.message} It is of use without that.`);
    }
  }
}

const componentFailed = (reason: string): AppError => fail("component_failed", { reason });

/** Asks the system whether it is as the plan wanted it. */
async function checkResult({ own, op, work }: Job): Promise<void> {
  await own.machine.look();
  const reading = own.machine.last();
  const problem = own.machine.problem();
  // Who is busy for a moment is asked again; all that was done stays done meanwhile.
  if (isPassing(problem)) throw problem;
  if (reading === null || problem !== null) throw componentFailed(problem?.message ?? "The system could not be asked.");
  for (const { on, packages, title, units, mustRun } of work.plan.changes) {
    for (const name of packages) {
      const isThere = (reading.packages.get(name)?.installed ?? null) !== null;
      if (isThere !== on) throw componentFailed(`${title}: ${name} is ${on ? "not there" : "still there"} afterwards.`);
    }
    const unit = units.find((name) => reading.units.has(name));
    if (on && mustRun && unit !== undefined && reading.units.get(unit)?.active === false)
      throw componentFailed(`${title}: ${unit} ended soon after it was started.`);
  }
  op.log("The system has everything as planned.");
}

async function runStep(job: Job, { kind, key }: PlanStep): Promise<void> {
  const { own, op, work } = job;
  const change = work.plan.changes.find((item) => item.key === key);
  if (kind === "check") return checkResult(job);
  if (kind === "apt") {
    const packages = [...new Set(work.plan.changes.flatMap((item) => item.packages))];
    const { locked } = await own.hostRole.ask("packages.state", { packages }, { by: op.id, signal: own.signal });
    if (locked) throw fail("apt_in_use");
    return;
  }
  if (kind === "snap") {
    await own.hostRole.ask("snap.set", { snap: "docker", enabled: false }, asking(job));
    return;
  }
  if (!change) return;
  if (kind === "kernel") return setSysctls(job, change);
  if (kind === "start" || kind === "stop") return setUnit(job, change);
  const verb = kind === "install" ? "packages.install" : "packages.remove";
  await own.hostRole.ask(verb, { packages: change.packages }, asking(job));
}

/** Goes forward from the first step that is not over; what was there before is written down first. */
export async function goForward(job: Job): Promise<void> {
  const { own, op } = job;
  if (job.work.before === null) {
    const { step = "prepare", title = "Look at the system" } = job.work.plan.steps[0] ?? {};
    save(job, { before: await patiently(job, step, title, () => readBefore(job)) });
  }
  for (const step of job.work.plan.steps) {
    if (job.work.done.includes(step.step)) continue;
    await own.checkpoint?.("components", step.step);
    op.step(step.step, "running");
    try {
      await patiently(job, step.step, step.title, () => runStep(job, step));
    } catch (error) {
      if (error instanceof Stopped || own.signal.aborted) throw new Stopped();
      op.step(step.step, "failed", { text: explain(error, own.log).message });
      throw error;
    }
    finishStep(job, step.step);
  }
}

const UNDO = "undo";
const UNDO_TITLE = "Undo what was begun";

/** Brings packages and units back to what they were before; done once more after a crash it does only what is left. */
export async function undo(job: Job): Promise<void> {
  const { own, op, work } = job;
  const { before } = work;
  if (before === null) return;
  await own.checkpoint?.("components", UNDO);
  op.step(UNDO, "running", { title: UNDO_TITLE });
  if (hasTouchedPackages(work)) await patiently(job, UNDO, UNDO_TITLE, () => restorePackages(job, before));
  await patiently(job, UNDO, UNDO_TITLE, async () => {
    for (const { key, set } of before.sysctls ?? []) {
      const now = await own.hostRole.ask("sysctl.state", { key }, { by: op.id, signal: own.signal });
      if (now.set !== set) await own.hostRole.ask("sysctl.set", { key, value: set }, asking(job));
    }
    for (const { name, enabled, active } of before.units) {
      const now = await readUnit(own.hostRole, [name], op.id);
      if (now && (now.facts.enabled !== enabled || now.facts.active !== active))
        await own.hostRole.ask("unit.set", { unit: name, enabled, active }, asking(job));
    }
  });
  // Last: two Dockers would want the same socket.
  if (before.snap_ran === true)
    await patiently(job, UNDO, UNDO_TITLE, () =>
      own.hostRole.ask("snap.set", { snap: "docker", enabled: true }, asking(job)),
    );
  op.step(UNDO, "done", { title: UNDO_TITLE });
}

/** True once a step that changes packages was begun; until then nobody is waited for to undo nothing. */
function hasTouchedPackages({ plan, done }: Work): boolean {
  const open = plan.steps.findIndex(({ step }) => !done.includes(step));
  const begun = open === -1 ? plan.steps : plan.steps.slice(0, open + 1);
  return begun.some(({ kind }) => kind === "install" || kind === "remove");
}

async function restorePackages(job: Job, before: Before): Promise<void> {
  const { own, op } = job;
  const names = before.packages.map(({ name }) => name);
  const asked = { by: op.id, signal: own.signal };
  const { packages, manager } = await own.hostRole.ask("packages.state", { packages: names }, asked);
  if (manager === null) return;
  const isThere = (name: string) => packages.some((item) => item.name === name && item.installed !== null);
  // Whatever was absent, there or not: what is half installed counts as absent, and goes too.
  const added = before.packages.filter(({ installed }) => !installed).map(({ name }) => name);
  const lost = before.packages.filter(({ name, installed }) => installed && !isThere(name)).map(({ name }) => name);
  if (added.length > 0) await own.hostRole.ask("packages.remove", { packages: added }, asking(job));
  if (lost.length > 0) await own.hostRole.ask("packages.install", { packages: lost }, asking(job));
}

/** Writes down that it turns back, and why. */
export function turnBack(job: Job, failure: Failure): void {
  save(job, { failure, waits_since: null });
}

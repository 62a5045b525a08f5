import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import type { OpenPty } from "../../../kernel/host/pty.ts";
import { type RunProgram, tryProgram } from "../../../kernel/host/run-program.ts";
import { AppError } from "../../../kernel/http/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Ids } from "../../../lib/ids.ts";
import type { Host } from "../../machine/index.ts";
import type { AuditFile } from "./audit-file.ts";
import type { HostWork } from "./host-work.ts";
import { createPackages } from "./packages.ts";
import { createShells } from "./shells.ts";
import { createSnaps } from "./snaps.ts";
import { createSnapshots } from "./snapshots.ts";
import { createSysctls } from "./sysctls.ts";
import { createUnits } from "./units.ts";
import { HOST_VERBS, type HostVerb, hostFail, type VerbInput, type VerbOutput } from "./verbs.ts";

export interface VerbDeps {
  audit: AuditFile;
  clock: Pick<Clock, "monotonic" | "sleep">;
  host: Pick<Host, "isLocked">;
  ids: Ids;
  log: Log;
  /** Where Docker's engine listens. */
  docker: string;
  /** Where the files of the machine are; `/` unless set. */
  root?: string;
  /** Another way to run programs, for tests. */
  run?: RunProgram;
  /** Another way to open terminals, for tests. */
  open?: OpenPty;
}

/** A question that somebody put, of which nothing is known yet. */
export interface Question {
  verb: string;
  input: unknown;
  /** Who asked. */
  by: string;
}

/** Answers one question, or throws an AppError that says why not. */
export type AnswerVerb = (question: Question, work: HostWork) => Promise<unknown>;

/** Ids of users, operations and devices, and names of our own such as `components`. */
const ASKER = /^[A-Za-z0-9][A-Za-z0-9_.:@-]{0,99}$/;

type Answers = { [V in HostVerb]: (input: VerbInput<V>, work: HostWork) => Promise<VerbOutput<V>> };

const isVerb = (name: string): name is HostVerb => Object.hasOwn(HOST_VERBS, name);

/** All that the host role can do. What changes the server is on record, on the disk, before it begins. */
export function createAnswerVerb({
  audit,
  clock,
  docker,
  host,
  ids,
  log,
  root = "/",
  run = tryProgram,
  open,
}: VerbDeps): AnswerVerb {
  const packages = createPackages({ run, host, clock });
  const units = createUnits(run);
  const snaps = createSnaps(run);
  const sysctls = createSysctls(root);
  const snapshots = createSnapshots({ run, ids, docker });
  const shells = createShells({ run, ...(open === undefined ? {} : { open }) });
  const answers: Answers = {
    "packages.state": (input) => packages.state(input.packages),
    "packages.install": (input, work) => packages.install(input.packages, work),
    "packages.remove": async (input, work) => {
      const removed = await packages.remove(input.packages, work);
      await units.forgetGone();
      return removed;
    },
    "unit.state": ({ unit }) => units.state(unit),
    "unit.set": (input, work) => units.set(input, work),
    "snap.state": ({ snap }) => snaps.state(snap),
    "snap.set": (input, work) => snaps.set(input, work),
    "sysctl.state": async ({ key }) => sysctls.state(key),
    "sysctl.set": async (input) => sysctls.set(input),
    "snapshot.take": (input) => snapshots.take(input),
    "snapshot.drop": (input) => snapshots.drop(input),
    "terminal.open": (input, work) => shells.talk(input, work),
  };
  const checks = new Map<HostVerb, TypeCheck<(typeof HOST_VERBS)[HostVerb]["input"]>>();

  function isInput<V extends HostVerb>(verb: V, input: unknown): input is VerbInput<V> {
    const check = checks.get(verb) ?? TypeCompiler.Compile(HOST_VERBS[verb].input);
    checks.set(verb, check);
    return check.Check(input);
  }

  async function answer<V extends HostVerb>(verb: V, input: unknown, by: string, work: HostWork): Promise<unknown> {
    if (!isInput(verb, input)) throw hostFail("host_request_refused", { reason: `the input of ${verb} is not right` });
    if (!HOST_VERBS[verb].acts) return answers[verb](input, work);
    const id = ids.next("act");
    record({ id, by, verb, input, phase: "begun" });
    try {
      const output = await answers[verb](input, work);
      record({ id, by, verb, phase: "done" });
      return output;
    } catch (error) {
      record({ id, by, verb, phase: "failed", code: error instanceof AppError ? error.code : "internal" });
      throw error;
    }
  }

  /** The file is the record; the log is where people look. */
  function record(line: Record<string, unknown>): void {
    try {
      audit.append(line);
    } catch (error) {
      log.error("host role cannot write its record", { ...line, error });
      if (line["phase"] !== "begun") return;
      const reason = error instanceof Error ? error.message : String(error);
      throw hostFail("host_role_unavailable", {
        reason: `it cannot write its record, and does nothing without (${reason})`,
        next_step: "Free some space on this server, then try again.",
      });
    }
    log.info("host role", line);
  }

  return async ({ verb, input, by }, work) => {
    if (!isVerb(verb)) throw hostFail("host_request_refused", { reason: "there is no such verb" });
    if (!ASKER.test(by)) throw hostFail("host_request_refused", { reason: "it does not say who asks" });
    return answer(verb, input, by, work);
  };
}

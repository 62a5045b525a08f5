import { AppError } from "../../../kernel/http/errors.ts";
import type { OperationHandle } from "../../platform/operations/index.ts";

/** Why something was not done: a code of its own, a sentence, and what to do. */
export interface Failure {
  code: string;
  message: string;
  next_step: string;
}

/** The code of an error of the engine; null for others. */
export const codeOf = (error: unknown): string | null =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;

/** A sentence that says what the engine said. */
export const causeOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What is said, with an end. */
export const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const AGAIN = "See to that, then try again.";
const ON_ITS_OWN =
  "See to that: it is tried again every ten minutes, and goes on by itself. Or choose a backup at another target.";
const OTHER = "Choose another backup, and make a new one of what is there now.";

/** What the engine's codes are to people. */
const MEANINGS: Readonly<Record<string, readonly [code: string, nextStep: string]>> = {
  target_away: [
    "backup_target_away",
    "See that it is on and can be reached, then try again. What is stored is not stored anew.",
  ],
  target_full: [
    "backup_target_full",
    "Make room there, or let plans keep less, then try again. What is stored is not stored anew.",
  ],
  target_refused: ["backup_target_refused", "Test the target: it says what is missing."],
  target_foreign: ["backup_target_foreign", "Choose an empty place, or one with backups of Orrery."],
  repository_newer: ["backup_target_newer", "Update this server, then try again."],
  target_missing: ["backup_target_empty", "See that the right disk is mounted there, then try again."],
  repository_missing: ["backup_target_empty", "See that the right disk is mounted there, then try again."],
  host_unknown: [
    "backup_target_host_key",
    "Ask whether that server was set up anew. If so, remove the target and add it again; what lies there stays.",
  ],
  key_wrong: ["backup_key_wrong", "Look at the kit of that target."],
  damaged: ["backup_damaged", OTHER],
  snapshot_missing: ["backup_missing", OTHER],
  source_removed: ["backup_missing", OTHER],
  no_room: ["backup_no_room", "Make room on this server's own disk, then try again."],
  tree_hollow: [
    "backup_hollow",
    "Remove that file, or let the app make it smaller, then try again; or leave that app out.",
  ],
  busy: ["backup_target_busy", "Wait until the other backup is through, then try again."],
  fenced: [
    "backup_target_taken_over",
    "See that no other server uses that target under this one's name, then try again.",
  ],
};

/** What comes back goes on by itself, so that this is no end: why not now, and how things are meanwhile. */
export class GoesOn extends Error {
  readonly code: string | null;
  readonly reason: unknown;
  readonly meanwhile: string;
  constructor(reason: unknown, meanwhile: string) {
    super(causeOf(reason), { cause: reason });
    this.code = codeOf(reason);
    this.reason = reason;
    this.meanwhile = meanwhile;
  }
}

/** What something is put back from is a backup of this server no more. */
export class Removed extends Error {
  readonly code = "source_removed";
  constructor() {
    super("The backup that this came from was removed before all of it was back.");
  }
}

/** Nothing took the place of what is there, since that could not be backed up before. */
export class Unsaved extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(`What is there now could not be backed up, so nothing was changed: ${failure.message}`);
    this.failure = failure;
  }
}

/** Somebody cancelled it; the failure says who, and what there is of it. */
export class Cancelled extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Some of several apps were not put back; the failure says which, and why. */
export class NotAll extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Whether it may well work later without anybody's doing: a target is away, or somebody else writes to it. */
export const isPassing = (error: unknown): boolean =>
  ["target_away", "target_missing", "repository_missing", "busy"].includes(codeOf(error) ?? "");

/** What an error is to people. */
export function explain(error: unknown): Failure {
  if (error instanceof GoesOn) {
    const { code, message } = explain(error.reason);
    return { code, message: `${asSentence(message)} ${error.meanwhile}`, next_step: ON_ITS_OWN };
  }
  if (error instanceof NotAll || error instanceof Cancelled) return error.failure;
  if (error instanceof Unsaved) return { ...error.failure, message: error.message };
  if (error instanceof AppError) return { code: error.code, message: error.message, next_step: AGAIN };
  const [code, next_step] = MEANINGS[codeOf(error) ?? ""] ?? ["backup_failed", AGAIN];
  return { code, message: causeOf(error), next_step };
}

/** Says in an operation how the work ended. */
export function closeOperation(op: Pick<OperationHandle, "done" | "fail">, failure: Failure | null): void {
  if (failure === null) op.done();
  else op.fail(failure);
}

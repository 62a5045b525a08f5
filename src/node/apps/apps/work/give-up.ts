import { cutText } from "../../../../lib/cut-text.ts";
import { starSecrets } from "../../../../lib/star-secrets.ts";
import { knownSecrets } from "../blueprint/known-secrets.ts";
import { APP_LABEL, SERVICE_LABEL } from "../blueprint/names.ts";
import { appEvent, moveApp } from "../move.ts";
import { forgetContainers } from "../service-store.ts";
import { findApp, replacePorts } from "../store.ts";
import { findTrash } from "../trash-store.ts";
import { removeContainers, removeVolumes } from "./ensure.ts";
import type { Failure } from "./failure.ts";
import { deleteSteps } from "./step-store.ts";
import type { Work } from "./work.ts";

const LAST_LINES = 15;
const LONGEST_LINE = 4_096;

/** Of work that has failed, what is needed to keep what was written last. */
interface Ended {
  own: Pick<Work["own"], "db" | "seal">;
  engine: Pick<Work["engine"], "listContainers" | "readLogs">;
  blueprint: Pick<Work["blueprint"], "app">;
  op: Pick<Work["op"], "log">;
  signal: AbortSignal;
}

/** Copies the last lines of every container into the operation's log: the containers may be gone in a moment. Without the app's secrets. */
export async function keepLastLines({ own, engine, blueprint, op, signal }: Ended): Promise<void> {
  const known = knownSecrets(own, blueprint.app);
  for (const { Id, Labels } of await engine.listContainers({ [APP_LABEL]: blueprint.app.id })) {
    const lines = await engine.readLogs(Id, { tail: LAST_LINES, follow: false, signal });
    for await (const { text } of lines)
      op.log(cutText(`${Labels[SERVICE_LABEL] ?? ""}: ${starSecrets(text, known)}`, LONGEST_LINE));
  }
}

/** Takes back what an install made. Data that was there before stays. */
async function undoInstall(work: Work): Promise<void> {
  const { own, blueprint } = work;
  const { id } = blueprint.app;
  await removeContainers(work);
  const hadData = findTrash(own.db, id) !== null || blueprint.app.installed_at !== null;
  if (!hadData) await removeVolumes(work, id);
  own.db.tx(() => {
    forgetContainers(own.db, id);
    replacePorts(own.db, id, []);
  });
}

/** Ends failed work: leaves nothing half-made, tells why, and what to do. What `after` does is part of the same transaction. */
export async function giveUp<T>(work: Work, failure: Failure, after: () => T): Promise<T> {
  const { own, op, blueprint } = work;
  const { id } = blueprint.app;
  const kind = findApp(own.db, id)?.work;
  if (kind !== "uninstall") {
    await keepLastLines(work).catch((error: unknown) => own.log.warn("no last lines", { app_id: id, error }));
  }
  if (kind === "install") await undoInstall(work);
  return own.db.tx(() => {
    const { cause, next_step } = failure;
    moveApp(own, id, "work_failed", { cause, next_step, work: null });
    deleteSteps(own.db, id);
    if (kind) own.bus.emit("app.work_failed", { ...appEvent(blueprint.app, "error", op.by), work: kind, cause });
    op.fail({ code: failure.code, message: cause, next_step });
    return after();
  });
}

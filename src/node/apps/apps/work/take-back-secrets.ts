import { restoreFormerSecrets } from "../blueprint/secret-store.ts";
import { appEvent, moveApp } from "../move.ts";
import { findApp } from "../store.ts";
import { startOperation } from "./start-operation.ts";
import type { Work } from "./work.ts";

/**
 * An app that did not start with renewed secrets is started once more with those that it worked with. Call it in the transaction
 * that ends the failed work. Returns true when there is something to start.
 */
export function takeBackSecrets({ own, blueprint: { app } }: Work, cause: string): boolean {
  if (app.work !== "start" && app.work !== "restart") return false;
  const labels = restoreFormerSecrets(own.db, app.id);
  const current = findApp(own.db, app.id);
  if (labels.length === 0 || !current) return false;
  const op = startOperation(own, current, "start", null, { kind: "configure", title: "Take back the secret of" });
  op.log(`It did not work with the new value, so it is started with the former one. ${cause}`);
  moveApp(own, app.id, "start", { work: "start", op_id: op.id });
  own.bus.emit("app.secrets_restored", { ...appEvent(app, "starting"), labels, cause });
  return true;
}

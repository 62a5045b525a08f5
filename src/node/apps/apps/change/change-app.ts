import type { Asker } from "../../../platform/operations/index.ts";
import { renewSecrets } from "../blueprint/secrets.ts";
import { type AppConfig, type ConfigChanged, fail } from "../contract.ts";
import { appEvent, moveApp, touchList } from "../move.ts";
import type { Own } from "../needs.ts";
import { reservePorts } from "../plan/find-ports.ts";
import { confirmNext } from "../plan/host-paths.ts";
import { isBusy } from "../status.ts";
import { type AppRow, findApp, updateConfig } from "../store.ts";
import { assertMayRun } from "../work/holds.ts";
import { launchWork } from "../work/launch.ts";
import { startOperation } from "../work/start-operation.ts";
import { changeLine } from "./describe-change.ts";
import { mustWork, needsWork } from "./plan-change.ts";
import { prepareChange } from "./prepare-change.ts";

/**
 * Changes what was chosen for an app, and gives the secrets `keys` new values. Containers that differ are made anew; those of a stopped app at its next start. Throws
 * `app_busy`, `invalid_request`, `app_port_taken`, `app_changed`, `runtime_unavailable`, `app_secret_not_found`, `app_secret_fixed`, and `path_unconfirmed`
 * where it would start the app on a path that is neither confirmed nor among `permissions`; nothing is changed then.
 */
export async function changeApp(
  own: Own,
  by: Asker,
  app: AppRow,
  { permissions, ...change }: AppConfig,
  keys: readonly string[] = [],
): Promise<ConfigChanged> {
  const { id, name } = app;
  const assertFree = (now: AppRow) => {
    if (isBusy(now.status)) throw fail("app_busy", { name, status: now.status });
    if (needsWork(now)) assertMayRun(own, now);
  };
  assertFree(app);
  const prepared = await prepareChange(own, app, change, keys);
  const { ports, changes, conflicts, secrets } = prepared;
  const [conflict] = conflicts;
  if (conflict) {
    const { port, free } = conflict;
    const advice = free === null ? "This app can use no other: free it first." : `${free} is free.`;
    throw fail("app_port_taken", { port, advice });
  }
  if (changes.length === 0) return { op_id: null, changes };
  const starts = mustWork(app, prepared);
  if (starts) own.runtime.requireEngine();
  const next = { ...prepared.next, config: prepared.config };
  const config = starts ? await confirmNext(own, next, permissions) : next.config;
  const op_id = own.db.tx(() => {
    const current = findApp(own.db, id);
    if (!current || current.config !== app.config) throw fail("app_changed", { name });
    assertFree(current);
    updateConfig(own.db, id, JSON.stringify(config));
    if (ports.length > 0) reservePorts(own.db, id, ports);
    renewSecrets(own, id, secrets);
    own.bus.emit("app.configured", { ...appEvent(app, current.status, by), changes: changes.map(changeLine) });
    const changed = { ...current, config: JSON.stringify(config) };
    const op = starts ? startOperation(own, changed, "start", by, { kind: "configure", title: "Change" }) : null;
    if (op) moveApp(own, id, "configure", { work: "start", op_id: op.id });
    else own.bus.emit("app.status_changed", { id, status: current.status, cause: current.cause });
    touchList(own);
    return op?.id ?? null;
  });
  if (op_id !== null) launchWork(own, id);
  return { op_id, changes };
}

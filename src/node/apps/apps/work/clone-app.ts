import { toIso } from "../../../../lib/clock.ts";
import { configOf, drawBlueprint, manifestOf } from "../blueprint/blueprint.ts";
import { copySecrets } from "../blueprint/secrets.ts";
import type { AppDetail } from "../contract.ts";
import { touchList } from "../move.ts";
import type { Own } from "../needs.ts";
import { assertAppName, assertBelowLimit, assertNameFree } from "../plan/conditions.ts";
import { findPorts, reservePorts } from "../plan/find-ports.ts";
import { asPermission, assertNothingOpen, findPathDangers, openDangers, withConfirmed } from "../plan/host-paths.ts";
import type { PlacedPort } from "../plan/ports.ts";
import { type AppRow, insertApp } from "../store.ts";
import { getApp } from "./begin-work.ts";

/** What there is to know of an app like another one, before it is made. */
export interface ClonePlan {
  ports: readonly PlacedPort[];
  /** What of its paths has to be confirmed, as at an install. */
  to_confirm: AppDetail["to_confirm"];
}

/** An app like another one that can be made now. */
export interface Clone {
  /** Makes it: stopped, with the version, choices and secrets of the other, ports of its own, what was confirmed for it, and no data. */
  make(): AppRow;
}

/** Looks for both: its ports, and which of its paths others can replace or lie below it. It is an app of its own, and the other one is one of others. */
async function lookAt(own: Own, id: string, name: string, permissions: readonly string[]) {
  const app = getApp(own, id);
  assertAppName(name);
  assertNameFree(own, name);
  assertBelowLimit(own);
  // Ports that were chosen are those of the other.
  const { ports: _, ...stored } = configOf(app);
  const ports = await findPorts(own, manifestOf(app), stored, null);
  const rows = ports.map((port) => ({ ...port, app_id: id }));
  const dangers = openDangers(await findPathDangers(own, drawBlueprint(own, app, stored, rows).project, null), stored);
  const config = withConfirmed(stored, dangers, permissions);
  return { ports, config, open: openDangers(dangers, config) };
}

/**
 * Looks whether there can be an app like another one under a name of its own. Throws `app_not_found`, `invalid_name`, `app_name_taken`,
 * `app_limit_reached`, and `app_port_taken` where it can have no other port.
 */
export async function planClone(
  own: Own,
  id: string,
  name: string,
  permissions: readonly string[],
): Promise<ClonePlan> {
  const { ports, open } = await lookAt(own, id, name, permissions);
  return { ports, to_confirm: open.map(asPermission) };
}

/** The same, to make it. Throws that, and `path_unconfirmed` where a path of it is neither confirmed for the other nor by `permissions`. */
export async function prepareClone(own: Own, id: string, name: string, permissions: readonly string[]): Promise<Clone> {
  const { ports, config, open } = await lookAt(own, id, name, permissions);
  assertNothingOpen(name, open);
  return {
    make: () =>
      own.db.tx(() => {
        assertNameFree(own, name);
        assertBelowLimit(own);
        const now = toIso(own.clock.now());
        const row: AppRow = {
          ...getApp(own, id),
          id: own.ids.next("app"),
          name,
          status: "stopped",
          cause: null,
          next_step: null,
          created_at: now,
          installed_at: now,
          started_at: null,
          work: null,
          op_id: null,
          delete_data: 0,
          config: JSON.stringify(config),
          generation: 0,
        };
        insertApp(own.db, row);
        reservePorts(own.db, row.id, ports);
        copySecrets(own, id, row.id);
        touchList(own);
        own.bus.emit("app.status_changed", { id: row.id, status: row.status, cause: null });
        return row;
      }),
  };
}

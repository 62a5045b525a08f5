import { toIso } from "../../../../lib/clock.ts";
import { configOf, manifestOf } from "../blueprint/blueprint.ts";
import { copySecrets } from "../blueprint/secrets.ts";
import { touchList } from "../move.ts";
import type { Own } from "../needs.ts";
import { assertAppName, assertBelowLimit, assertNameFree } from "../plan/conditions.ts";
import { findPorts, reservePorts } from "../plan/find-ports.ts";
import type { PlacedPort } from "../plan/ports.ts";
import { type AppRow, insertApp } from "../store.ts";
import { getApp } from "./begin-work.ts";

/** An app like another one that can be made now. */
export interface Clone {
  ports: readonly PlacedPort[];
  /** Makes it: stopped, with the version, choices and secrets of the other, ports of its own and no data. */
  make(): AppRow;
}

/**
 * Looks whether there can be an app like another one under a name of its own. Throws `app_not_found`, `invalid_name`, `app_name_taken`,
 * `app_limit_reached`, and `app_port_taken` where it can have no other port.
 */
export async function prepareClone(own: Own, id: string, name: string): Promise<Clone> {
  const app = getApp(own, id);
  assertAppName(name);
  assertNameFree(own, name);
  assertBelowLimit(own);
  const manifest = manifestOf(app);
  // Ports that were chosen are those of the other.
  const { ports: _, ...config } = configOf(app);
  const ports = await findPorts(own, manifest, config, null);
  return {
    ports,
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

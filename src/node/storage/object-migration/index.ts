/** Brings the objects of the store that this server had before, a MinIO, into the one that it has now. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { AppError } from "../../../kernel/http/errors.ts";
import { minutes } from "../../../lib/duration.ts";
import { COMPONENT } from "../objects/index.ts";
import { DRIVE, fail } from "./contract.ts";
import { createControl } from "./control.ts";
import { createDriveDoor } from "./drive-door.ts";
import { migrationMeanings } from "./events.ts";
import init from "./migrations/0001_object_migration.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { findPlaces, mayHoldDrive } from "./places.ts";
import { bindMigrationRoutes } from "./routes.ts";
import type { RunWork } from "./run.ts";
import { createState, UNDER_WAY } from "./state.ts";
import * as store from "./store.ts";

export const objectMigrationFeature = defineFeature({
  name: "object-migration",
  migrations: [init],
  errors: fail.table,
  events: migrationMeanings,
});

/** What the Drive asks of a store that may hold some of its files still. */
export interface ObjectMigration extends Part {
  /** Throws `component_not_installed`, or `drive_paused` while it is not known which store holds the Drive's data. */
  requireDrive(): void;
  /** Brings a content of the Drive over that somebody wants now; false where the previous store does not have it either. */
  bring(sha256: string): Promise<boolean>;
  /** Resolves when nothing goes on. */
  settled(): Promise<void>;
}

/** Begins by itself where the data of a previous store lies, once the program listens. */
export function createObjectMigration(needs: Needs): ObjectMigration {
  const { db, lists, components, objects, bus } = needs;
  const places = findPlaces(needs.config);
  const state = createState(needs, () => mayHoldDrive(places.data));
  const work: RunWork = { ...needs, places, state, session: { open: null } };
  const control = createControl(work);
  const door = createDriveDoor(work);

  components.tellOfStore(state.present);
  lists.absences.add((id) => {
    if (id !== DRIVE) return null;
    try {
      door.require();
      return null;
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  });
  objects.holds.add(({ bucket }) => {
    const row = state.read();
    if (row === null || row.phase === "done") return null;
    const isHeld = bucket === null ? UNDER_WAY.includes(row.phase) : store.findBucket(db, bucket) !== null;
    return isHeld ? fail("objstore_migration_in_progress") : null;
  });

  function isOn(): boolean {
    try {
      components.require(COMPONENT);
      return true;
    } catch {
      return false;
    }
  }

  return {
    feature: objectMigrationFeature,
    routes: [bindMigrationRoutes(work, control)],
    // A store that comes back by itself is gone on with.
    jobs: [{ name: "object-migration", everyMs: minutes(1), run: () => (isOn() ? control.look() : undefined) }],
    subscribe: () => void bus.on("components.changed", () => (isOn() ? control.start() : undefined)),
    start() {
      if (isOn()) control.start();
    },
    stop: () => control.stop(),
    requireDrive: door.require,
    bring: door.bring,
    settled: () => control.settled(),
  };
}

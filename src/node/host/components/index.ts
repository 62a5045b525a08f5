/** Components: optional parts of the system, such as tools and helpers, which are turned on and removed from here. */

import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { AppError } from "../../../kernel/http/errors.ts";
import { createList } from "../../../kernel/list.ts";
import { seconds } from "../../../lib/duration.ts";
import { listOwnComponents } from "./catalogue.ts";
import { fail, type StoreMigration } from "./contract.ts";
import { componentMeanings } from "./events.ts";
import { isPieceOn } from "./list-components.ts";
import { createMachine } from "./machine.ts";
import init from "./migrations/0001_components.sql" with { type: "text" };
import type { Needs, Own } from "./needs.ts";
import { bindComponentRoutes } from "./routes.ts";
import { type ComponentSpec, type Piece, pieceKey } from "./spec.ts";
import { readWishes } from "./wishes.ts";
import { resumeWork } from "./work.ts";

export type { ComponentSpec } from "./spec.ts";

export const componentsFeature = defineFeature({
  name: "components",
  migrations: [init],
  errors: fail.table,
  events: componentMeanings,
});

/** apt takes a while to say what it has, and at a start there is more urgent work. Who asks for the list does not wait for this. */
const FIRST_LOOK_MS = seconds(3);

/** The optional parts of the system. */
export interface Components extends Part {
  /** Adds a component to what this server offers. */
  offer(spec: ComponentSpec): void;
  /** Throws `component_not_installed` where a component is off. What nobody has asked the system about yet counts as on. */
  require(id: string): void;
  /** Adds who tells of objects that are brought over from a previous store. */
  tellOfStore(tell: () => StoreMigration | null): void;
  /** Whether components are being changed. */
  isBusy(): boolean;
}

/** Components that are off until somebody turns them on; asks the system and goes on with what was cut off once started. */
export function createComponents(needs: Needs): Components {
  const { clock, signal } = needs;
  const catalogue: ComponentSpec[] = [...listOwnComponents(needs)];
  const own: Own = {
    ...needs,
    catalogue,
    machine: createMachine(needs, () => catalogue),
    state: { working: null },
    stores: createList(),
  };
  const refusalOf = (id: string) => refuseOff(own, id);
  needs.lists.absences.add(refusalOf);
  return {
    feature: componentsFeature,
    routes: [bindComponentRoutes(own)],
    offer: (spec) => void catalogue.push(spec),
    require(id) {
      const refusal = refusalOf(id);
      if (refusal) throw refusal;
    },
    tellOfStore: own.stores.add,
    isBusy: () => own.state.working !== null,
    start() {
      const work = resumeWork(own) ?? clock.sleep(FIRST_LOOK_MS, signal).then(own.machine.known);
      void work.catch((error: unknown) => own.log.error("changing components ended early", { error }));
    },
  };
}

function refuseOff(own: Own, id: string): AppError | null {
  const spec = own.catalogue.find((known) => known.id === id);
  if (!spec) return null;
  const { wishes, error } = readWishes(own.config.data_dir);
  // Without the file nobody knows what is wanted, and without an answer of the system what is there of the rest.
  if (error !== null) return null;
  const isKnown = own.machine.last() !== null;
  const isOn = (piece: Piece) =>
    isKnown ? isPieceOn(own, wishes, spec, piece) : wishes[pieceKey(spec, piece)] !== false;
  if (spec.pieces.some(isOn)) return null;
  return fail("component_not_installed", { component: id, title: spec.title });
}

/** Recordings of terminals: what they have shown, kept so that nobody can change it unnoticed, and never what was typed. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { hours } from "../../../lib/duration.ts";
import type { Actor } from "../../actor.ts";
import { bindRoutes } from "../../route.ts";
import { fail, terminalRecordingRoutes } from "./contract.ts";
import { terminalRecordingMeanings } from "./events.ts";
import { forgetOld } from "./forget.ts";
import { listRecordings } from "./list.ts";
import init from "./migrations/0001_terminal_recordings.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { createReader } from "./read.ts";
import { beginRecording, type Recorded, type Recorder, type Room, whyFull } from "./recorder.ts";
import { closeLeftOpen, wantsRecordings } from "./store.ts";

export { type Recorder, RecordingFailed } from "./recorder.ts";

export const terminalRecordingsFeature = defineFeature({
  name: "terminal-recordings",
  migrations: [init],
  errors: fail.table,
  events: terminalRecordingMeanings,
});

export interface TerminalRecordings extends Part {
  /** Why a terminal cannot be recorded that has to be; null where nothing has to be, or all is well. */
  whyNot(actor: Actor): Promise<string | null>;
  /** Begins to record a terminal; null in a workspace that records none. Throws RecordingFailed. */
  begin(recorded: Recorded): Promise<Recorder | null>;
}

export function createTerminalRecordings(needs: Needs): TerminalRecordings {
  const room: Room = { all: 0, ofWorkspace: new Map() };
  const read = createReader(needs);
  const routes = bindRoutes(terminalRecordingRoutes, {
    "GET /api/fleet/instances/{id}/terminal-recordings": ({ actor, params, query }) =>
      listRecordings(needs, actor, params.id, query),
    "GET /api/fleet/instances/{id}/terminal-recordings/{recID}": ({ params, ...visit }) =>
      read(visit, params.id, params.recID),
  });
  return {
    feature: terminalRecordingsFeature,
    routes: [routes],
    whyNot: async (actor) => ((await wantsRecordings(actor.db)) ? whyFull(needs, room, actor) : null),
    begin: async (recorded) =>
      (await wantsRecordings(recorded.actor.db)) ? beginRecording(needs, room, recorded) : null,
    jobs: [{ name: "terminal-recordings.forget", everyMs: hours(1), run: (signal) => forgetOld(needs, signal) }],
    start: () => closeLeftOpen(needs.system),
  };
}

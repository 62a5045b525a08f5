import { isRecord, parseJson } from "../../../../lib/json.ts";
import type { Own } from "../needs.ts";
import { type CommandRow, LEFT, listRunningCommands, moveCommand, nextQueued } from "./command-store.ts";
import { LinkOver, Refused, type Verb } from "./verb.ts";
import { createVerbs } from "./verbs.ts";

/** Carries out what was accepted, one command after another, in the order in which they came. */
export interface Executor {
  /** Judges what a stop of the node cut off; before anything else. */
  recover(): void;
  /** Goes on with what is queued, if it is not at it already. */
  work(): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

type Ending = { status: "succeeded" | "failed" | "refused"; output: string | null; error: string | null };

const MAX_OUTPUT = 65_536;
const MAX_ERROR = 2_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
const CUT_OFF = "The node was stopped while this was under way; how far it came is not known.";

/** An executor that is idle until told; it knows the given commands. */
export function createExecutor(own: Own, verbs: ReadonlyMap<string, Verb> = createVerbs(own)): Executor {
  const { db, clock, bus, log, signal, standing } = own;
  let running: Promise<void> | null = null;

  function finish(row: CommandRow, { status, output, error }: Ending): void {
    const { id, type } = row;
    db.tx(() => {
      moveCommand(db, row, { status, output, error, finished_at: clock.now() });
      const detail = (error ?? output ?? "").slice(0, MAX_ERROR);
      bus.emit("panel.command_run", { command_id: id, type, status, detail, actor: "panel", ip: "" });
    });
    standing.say("beat");
  }

  /** What waits, of the panel that the node belongs to now. */
  function next(): CommandRow | null {
    const membership = standing.membership();
    return membership === null ? null : nextQueued(db, membership);
  }

  /** Carries one out, and breaks it off when the node leaves its panel. */
  async function performFor(row: CommandRow): Promise<Ending> {
    const left = new AbortController();
    const stop = standing.on("changed", () => {
      if (standing.membership() !== row.membership) left.abort(new LinkOver());
    });
    try {
      const ending = await perform(row, AbortSignal.any([signal, left.signal]));
      return left.signal.aborted ? { status: "failed", output: null, error: LEFT } : ending;
    } finally {
      stop();
    }
  }

  async function perform(row: CommandRow, cut: AbortSignal): Promise<Ending> {
    const verb = verbs.get(row.type);
    if (!verb) return refused(`This node knows no command ${row.type}. A newer release may.`);
    const payload = parseJson(row.payload);
    const say = (text: string): void => {
      const output = plain(text, MAX_ERROR);
      log.info("command of the panel", { command_id: row.id, type: row.type, output });
      moveCommand(db, row, { status: "running", output, error: null, finished_at: null });
    };
    try {
      const output = await verb.run(isRecord(payload) ? payload : {}, { id: row.id, signal: cut, say });
      return { status: "succeeded", output: plain(output, MAX_OUTPUT), error: null };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (error instanceof Refused) return refused(message);
      const [first = "", ...rest] = message.split("\n");
      const output = rest.length > 0 ? plain(rest.join("\n"), MAX_OUTPUT) : null;
      return { status: "failed", output, error: plain(first, MAX_ERROR) };
    }
  }

  async function drain(): Promise<void> {
    for (let row = next(); row && !signal.aborted; row = next()) {
      // On disk before anything is done: what a crash cuts off is known to have begun.
      moveCommand(db, row, { status: "running", output: null, error: null, finished_at: null });
      const ending = await performFor(row);
      // A stop is no outcome; the next start judges it.
      if (signal.aborted) return;
      finish(row, ending);
    }
  }

  return {
    recover() {
      for (const row of listRunningCommands(db)) {
        if (row.membership !== standing.membership()) finish(row, { status: "failed", output: null, error: LEFT });
        else if (verbs.get(row.type)?.isRepeatable) {
          moveCommand(db, row, { status: "queued", output: null, error: null, finished_at: null });
        } else finish(row, { status: "failed", output: null, error: CUT_OFF });
      }
    },
    work() {
      running ??= drain()
        .catch((error: unknown) => log.error("commands of the panel cannot be carried out", { error }))
        .finally(() => {
          running = null;
        });
    },
    idle: async () => {
      while (running) await running;
    },
  };
}

const refused = (error: string): Ending => ({ status: "refused", output: null, error: plain(error, MAX_ERROR) });

/** Without what steers a terminal: it is of no use on a page, and six times as long on its way there. */
const plain = (text: string, limit: number): string => text.replace(CONTROL, "").slice(0, limit);

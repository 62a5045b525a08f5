import { createBucketLimiter } from "../../../../kernel/http/limit.ts";
import type { Clock } from "../../../../lib/clock.ts";
import { cutText } from "../../../../lib/cut-text.ts";
import type { AgentCommand } from "../../../../shared/agent-protocol/index.ts";
import type { Own } from "../needs.ts";
import {
  type CommandRow,
  countQueued,
  findCommand,
  findGeneration,
  insertCommand,
  putGeneration,
  tellAgain,
} from "./command-store.ts";

type Deps = Pick<Own, "db" | "clock" | "bus" | "standing" | "commandPace">;

const MAX_QUEUED = 1_000;
const MAX_PAYLOAD = 65_536;
/** A longer id could not be told back. */
const MAX_ID = 64;
/** No command has a longer one; of one that says so only the beginning is kept. */
const MAX_TYPE = 64;
/** New commands at once, and a second from there on: each leaves lines on disk, those in the audit log for good. */
const BURST = 1_000;
const PER_SECOND = 0.25;

/** How many new commands of its panel a node takes. */
export const createCommandPace = (clock: Clock) => createBucketLimiter(clock, PER_SECOND, BURST);

/**
 * Writes commands down before anything of them is done. One that is known is not done again, whatever it says now; its result
 * is told again. One of a lower generation than the highest seen of its type is refused, and one whose type nothing has. Beyond the pace
 * nothing is taken, in order: a panel tells a command until it hears of it.
 */
export function acceptCommands(deps: Deps, membership: string, commands: readonly AgentCommand[]): void {
  const usable = commands.filter(({ id }) => id !== "" && id.length <= MAX_ID);
  if (usable.length === 0) return;
  deps.db.tx(() => {
    for (const command of usable) {
      if (findCommand(deps.db, { membership, id: command.id })) tellAgain(deps.db, { membership, id: command.id });
      else if (deps.commandPace.take(membership) > 0) break;
      else accept(deps, membership, command);
    }
  });
  deps.db.afterCommit(() => deps.standing.say("work"));
}

function accept({ db, clock, bus }: Deps, membership: string, { id, type, generation, payload }: AgentCommand): void {
  const isKind = type.length <= MAX_TYPE;
  const kept = isKind ? type : cutText(type, MAX_TYPE);
  const highest = isKind ? findGeneration(db, membership, type) : -1;
  const text = JSON.stringify(payload);
  const error = isKind ? refusal(generation, highest, text.length, countQueued(db)) : TOO_LONG;
  const row: CommandRow = {
    membership,
    id,
    type: kept,
    generation,
    payload: error === null ? text : "{}",
    status: error === null ? "queued" : "refused",
    output: null,
    error,
    received_at: clock.now(),
    finished_at: error === null ? null : clock.now(),
    is_told: 0,
  };
  insertCommand(db, row);
  if (isKind && generation > highest) putGeneration(db, membership, type, generation);
  if (error === null) return;
  bus.emit("panel.command_run", {
    command_id: id,
    type: kept,
    status: "refused",
    detail: error,
    actor: "panel",
    ip: "",
  });
}

const TOO_LONG = `The name of this command is longer than ${MAX_TYPE} characters, and no node knows one of that length.`;

function refusal(generation: number, highest: number, size: number, queued: number): string | null {
  if (generation < highest) return `It is of generation ${generation}, and ${highest} has been seen: it was overtaken.`;
  if (size > MAX_PAYLOAD) return "It is longer than this node takes.";
  return queued >= MAX_QUEUED ? "This node has too many commands waiting." : null;
}

import type { Command, CommandsSent } from "../../../../src/panel/changes/commands/contract.ts";
import { count } from "../../../client/format.ts";
import type { State } from "../../../kit/status.tsx";
import type { Verb } from "./ask.ts";

/** How each verb is called, by itself and with its nodes. */
export const verbLook: Record<Verb, { label: string; title: string; act: string }> = {
  update: { label: "Update", title: "Update Orrery", act: "Update" },
  restart: { label: "Restart an app", title: "Restart an app", act: "Restart on" },
  run: { label: "Run a program", title: "Run a program", act: "Run on" },
  refresh: { label: "Ask for news", title: "Ask for news", act: "Ask" },
};

/** The number of nodes from which it has to be typed before anything is sent. */
export const manyNodes = 10;

/** The nodes in a sentence: the name of one, the number of several. */
export function targetsText(nodes: readonly { hostname: string }[]): string {
  return nodes.length === 1 ? (nodes[0]?.hostname ?? "") : count(nodes.length, "node");
}

const looks: Record<Command["status"], { state: State; word: string }> = {
  queued: { state: "unknown", word: "Waits for its node" },
  sent: { state: "busy", word: "Sent" },
  running: { state: "busy", word: "Running" },
  succeeded: { state: "ok", word: "Done" },
  failed: { state: "crit", word: "Failed" },
  refused: { state: "crit", word: "Refused" },
  cancelled: { state: "off", word: "Taken back" },
};

/** Shape and word of where a command is. */
export const statusLook = (status: Command["status"]): { state: State; word: string } => looks[status];

/** Whether nothing more will come. */
export const isOver = ({ status }: Pick<Command, "status">): boolean => !["queued", "sent", "running"].includes(status);

/** Characters of an error that lists tell. */
const errorMax = 500;

/** Whether a list tells only the beginning of what the node said. */
export const isCut = ({ error, output_truncated }: Pick<Command, "error" | "output_truncated">): boolean =>
  output_truncated || (error !== null && error.length >= errorMax);

/** What a command does, in words. */
export function describe({ command, params }: Pick<Command, "command" | "params">): string {
  const text = (key: string): string => {
    const value = params[key];
    return typeof value === "string" ? value : "";
  };
  const tags = Array.isArray(params["tags"]) ? params["tags"].join(", ") : "";
  switch (command) {
    case "update.apply":
      return `Update to ${text("version")}`;
    case "app.start":
      return `Start the app ${text("app_id")}`;
    case "app.stop":
      return `Stop the app ${text("app_id")}`;
    case "app.restart":
      return `Restart the app ${text("app_id")}`;
    case "run_command":
      return `Run ${text("command")}`;
    case "inventory.refresh":
      return "Ask for news";
    case "tag":
      return `Tag with ${tags}`;
    case "untag":
      return `Take away the tags ${tags}`;
    default:
      return command;
  }
}

const reasons: Record<CommandsSent["skipped"][number]["reason"], string> = {
  not_found: "it is no longer part of the fleet",
  queue_full: "too many commands wait for it already",
  too_many_tags: "it would have too many tags",
  app_not_found: "it has no app of this name",
};

/** Why a node got no command. */
export const skipText = (reason: CommandsSent["skipped"][number]["reason"]): string => reasons[reason];

/** How far commands are, with what needs a look first: "2 failed, 3 under way, 7 done". */
export function progressText(commands: readonly Pick<Command, "status">[]): string {
  const of = (...wanted: Command["status"][]): number =>
    commands.filter(({ status }) => wanted.includes(status)).length;
  const parts: [number, string][] = [
    [of("failed", "refused"), "failed"],
    [of("queued"), "waiting for their nodes"],
    [of("sent", "running"), "under way"],
    [of("cancelled"), "taken back"],
    [of("succeeded"), "done"],
  ];
  const said = parts.filter(([number]) => number > 0).map(([number, word]) => `${number.toLocaleString("en")} ${word}`);
  return said.join(", ");
}

const order: readonly Command["status"][] = [
  "failed",
  "refused",
  "running",
  "sent",
  "queued",
  "cancelled",
  "succeeded",
];

/** Those that need a look first, then those that are not over; else as they came. */
export function byNeed<T extends Pick<Command, "status">>(commands: readonly T[]): T[] {
  return commands.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
}

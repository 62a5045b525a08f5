import { cutText } from "../../../../lib/cut-text.ts";
import { maskText } from "../../../../lib/mask-secrets.ts";
import type { Level, Sources } from "../contract.ts";
import type { FollowedLine, WaitingLine } from "./followed.ts";

const LEVELS: readonly Level[] = ["debug", "info", "warn", "error"];
const MOST_TEXT = 16_384;
const MOST_SOURCE = 256;
const CONTAINER = "docker:";

/** Whether a forwarder wants a line. One without level is no warning, as where logs are read. */
export function isWanted({ from, level }: FollowedLine, sources: Sources, least: Level | null): boolean {
  const isContainer = from.startsWith(CONTAINER);
  if (sources !== "all" && isContainer !== (sources === "containers")) return false;
  if (least === null) return true;
  return level !== null && LEVELS.indexOf(level) >= LEVELS.indexOf(least);
}

/** Who wrote a line: the container, or what of the system it was. */
const writerOf = ({ from, source }: FollowedLine): string =>
  from.startsWith(CONTAINER) ? from.slice(CONTAINER.length) : (source ?? from);

/** A line as it leaves this server: without secrets that it tells, and not longer than receivers take. */
export function toWaiting(line: FollowedLine, now: string): WaitingLine {
  const { at, level, text } = line;
  return {
    at: at ?? now,
    source: cutText(writerOf(line), MOST_SOURCE),
    level,
    text: maskText(cutText(text, MOST_TEXT)),
  };
}

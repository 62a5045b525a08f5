import { useEffect, useRef, useState } from "preact/hooks";
import type { LogStreamLine } from "../../../../src/panel/fleet/node-logs/contract.ts";
import { buildUrl } from "../../../client/call.ts";
import { isRecord, Problem } from "../../../client/problem.ts";
import { followStream } from "../../client/stream.ts";
import { keptFilters, rowOf, type ShownLine, streamQuery, targetOf, type View } from "./view.ts";

/** What there is to show. */
interface Lines {
  /** Null before it is known whether there are any. */
  lines: readonly ShownLine[] | null;
  /** The line of the moment that the address names. */
  target: number | null;
  /** Nothing could be read. */
  problem: Problem | null;
  /** Why no new lines come; null while they do. */
  stopped: Problem | null;
  retry: () => void;
}

/** Lines that are kept; of more the oldest go. */
const keep = 100_000;
/** A node that has read nothing for so long has nothing that fits, or a very long journal; either way the page says so. */
const quietMs = 3_000;

/** The newest lines of a node's log, or those around a moment, then each one that is written. */
export function useLines(id: string, view: View): Lines {
  const [lines, setLines] = useState<readonly ShownLine[] | null>(null);
  const [target, setTarget] = useState<number | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [stopped, setStopped] = useState<Problem | null>(null);
  const [round, setRound] = useState(0);
  const highest = useRef(0);
  const key = `${id} ${JSON.stringify(view)}`;

  useEffect(() => {
    let frame = 0;
    let quiet: ReturnType<typeof setTimeout> | undefined;
    let waiting: ShownLine[] = [];
    const { at } = view;
    const [here, filters] = [`/nodes/${encodeURIComponent(id)}/logs`, keptFilters(view)];
    setLines(null);
    setTarget(null);
    setProblem(null);
    setStopped(null);

    function draw(): void {
      frame = 0;
      const fresh = waiting;
      waiting = [];
      setLines((known) => (known ?? []).concat(fresh).slice(-keep));
    }

    function show(batch: readonly LogStreamLine[]): void {
      for (const line of batch) {
        highest.current += 1;
        waiting.push(rowOf(line, highest.current, here, filters));
      }
      // Of a moment everything is there at once, so that it can be brought into sight.
      if (at === null) frame ||= requestAnimationFrame(draw);
    }

    function end(): void {
      if (at !== null) setTarget(targetOf(waiting, at));
      draw();
    }

    const stop = followStream(buildUrl("/api/fleet/instances/{id}/logs/stream", { id }, streamQuery(view)), {
      onOpen() {
        if (at === null) quiet ??= setTimeout(() => setLines((known) => known ?? []), quietMs);
      },
      onEvent({ type, data }) {
        if (!isRecord(data)) return;
        if (type === "batch" && isBatch(data["lines"])) show(data["lines"]);
        if (type === "end") end();
        if (type === "error") {
          end();
          setStopped(problemIn(data));
        }
      },
      onRefused: setProblem,
      endsWith: ({ type }) => type === "end" || type === "error",
    });
    return () => {
      stop();
      clearTimeout(quiet);
      cancelAnimationFrame(frame);
    };
  }, [key, round]);

  return { lines, target, problem, stopped, retry: () => setRound(round + 1) };
}

const isBatch = (value: unknown): value is LogStreamLine[] => Array.isArray(value);

/** What a stream says before it ends. */
const problemIn = ({ code, error }: Record<string, unknown>): Problem =>
  new Problem(0, String(code ?? "internal"), typeof error === "string" ? error : "The server ended it.", {}, null);

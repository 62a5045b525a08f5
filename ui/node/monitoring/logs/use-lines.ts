import { useEffect, useRef, useState } from "preact/hooks";
import type { AllPage, FoundLine, LineBatch, SourceState } from "../../../../src/node/monitoring/logs/contract.ts";
import { buildUrl } from "../../../client/call.ts";
import { asProblem, isRecord, Problem } from "../../../client/problem.ts";
import { sinceDays } from "../../../parts/day-span.ts";
import { api } from "../../client/api.ts";
import { followStream } from "../../client/stream.ts";
import { cursorAfter, filtersOf, lineAt, rowOf, type ShownLine, spread, type View } from "./view.ts";

/** What there is to show: keys rise with the place in the list, also for lines that are put before those that are there. */
interface Lines {
  /** Null before the first answer. */
  lines: readonly ShownLine[] | null;
  sources: readonly SourceState[];
  /** Lines that came too fast to be shown. */
  dropped: number;
  /** The line that the moment of the address means; null without one. */
  target: number | null;
  problem: Problem | null;
  /** Why no new lines come; null while they do. */
  stopped: Problem | null;
  hasOlder: boolean;
  loadOlder: () => Promise<void>;
  retry: () => void;
}

const pageLines = 1000;
/** Lines that are kept; of more the oldest go. */
const keep = 100_000;
const middle = 1_000_000_000;

/** The newest lines, or those around a moment, then each one that is written. */
export function useLines(view: View): Lines {
  const [lines, setLines] = useState<readonly ShownLine[] | null>(null);
  const [answer, setAnswer] = useState<{ sources: readonly SourceState[]; cursor: string | null }>({
    sources: [],
    cursor: null,
  });
  const [dropped, setDropped] = useState(0);
  const [target, setTarget] = useState<number | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [stopped, setStopped] = useState<Problem | null>(null);
  const [round, setRound] = useState(0);
  const highest = useRef(middle);
  const current = useRef(0);
  const key = JSON.stringify(view);
  const isOne = view.source !== "";

  const asked = {
    ...filtersOf(view),
    ...(view.around !== "" && { context: Number(view.around) }),
    ...(view.at === null && view.days !== "" && { since: sinceDays(view.days) }),
    limit: pageLines,
  };

  function number(found: readonly FoundLine[]): ShownLine[] {
    const all = spread(found);
    const first = highest.current + 1;
    highest.current += all.length;
    return all.map(({ line, isAround }, index) => rowOf(line, first + index, isOne, isAround));
  }

  useEffect(() => {
    current.current += 1;
    const own = current.current;
    const isStale = (): boolean => own !== current.current;
    let stopFollowing = (): void => {};
    let frame = 0;
    let waiting: ShownLine[] = [];
    setLines(null);
    setProblem(null);
    setStopped(null);
    setDropped(0);

    function show(batch: LineBatch): void {
      for (const line of batch.lines) {
        highest.current += 1;
        waiting.push(rowOf(line, highest.current, isOne));
      }
      if (batch.dropped > 0) setDropped((before) => before + batch.dropped);
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        const fresh = waiting;
        waiting = [];
        setLines((known) => (known ?? []).concat(fresh).slice(-keep));
      });
    }

    function follow(after: string | null): void {
      const query = { ...filtersOf(view), ...(after !== null && { after }) };
      stopFollowing = followStream(buildUrl("/api/logs/stream", {}, query), {
        onEvent: ({ type, data }) => {
          if (type === "error" && isRecord(data)) setStopped(problemIn(data));
          else if (isBatch(data)) show(data);
        },
        onRefused: setStopped,
        endsWith: ({ type }) => type === "error",
      });
    }

    async function load(): Promise<void> {
      const openedAt = new Date().toISOString().replace("Z", "000000Z");
      try {
        const [before, behind] = await readPages(asked, view.at);
        if (isStale()) return;
        const older = number(before.found);
        const newer = number(behind?.found ?? []);
        setTarget(view.at === null ? null : lineAt(view.at, older, newer));
        setLines([...older, ...newer]);
        setAnswer({ sources: before.sources, cursor: before.next_cursor });
        if (view.at === null) follow(before.found.findLast(({ line }) => line.at !== null)?.line.at ?? openedAt);
      } catch (error) {
        if (!isStale()) setProblem(asProblem(error));
      }
    }

    void load();
    return () => {
      stopFollowing();
      cancelAnimationFrame(frame);
    };
  }, [key, round]);

  return {
    lines,
    sources: answer.sources,
    dropped,
    target,
    problem,
    stopped,
    hasOlder: answer.cursor !== null,
    async loadOlder() {
      const own = current.current;
      if (answer.cursor === null) return;
      const page = await api("GET /api/logs", { query: { ...asked, cursor: answer.cursor } });
      if (own !== current.current) return;
      const all = spread(page.found);
      setLines((known) => {
        const first = (known?.[0]?.key ?? middle) - all.length;
        return [
          ...all.map(({ line, isAround }, index) => rowOf(line, first + index, isOne, isAround)),
          ...(known ?? []),
        ];
      });
      setAnswer((before) => ({ sources: page.sources, cursor: cursorAfter(before.cursor, page) }));
    },
    retry: () => setRound(round + 1),
  };
}

type Asked = { limit: number; context?: number; since?: string | undefined };

/** The newest lines; with a moment those up to it, and the next ones of the minutes behind it. */
async function readPages(asked: Asked, at: string | null): Promise<[AllPage, AllPage | null]> {
  if (at === null) return [await api("GET /api/logs", { query: asked }), null];
  const until = new Date(Date.parse(at) + behindMs).toISOString();
  return Promise.all([
    api("GET /api/logs", { query: { ...asked, cursor: `${at}_0` } }),
    api("GET /api/logs", { query: { ...asked, after: at, until } }),
  ]);
}

const behindMs = 300_000;

/** What a stream says before it ends. */
const problemIn = ({ code, message }: Record<string, unknown>): Problem =>
  new Problem(0, String(code ?? "internal"), typeof message === "string" ? message : "The server ended it.", {}, null);

function isBatch(value: unknown): value is LineBatch {
  return isRecord(value) && Array.isArray(value["lines"]) && typeof value["dropped"] === "number";
}

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { ContainerLine } from "../../../../src/node/apps/containers/contract.ts";
import { buildUrl } from "../../../client/call.ts";
import { isRecord, type Problem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { EmptyState } from "../../../kit/card.tsx";
import { Search } from "../../../kit/field.tsx";
import { type LogRow, LogView } from "../../../kit/logview.tsx";
import { ProblemCard } from "../../../parts/loaded.tsx";
import { followStream } from "../../client/stream.ts";

const keep = 20_000;

/** What a container writes: the last 1,000 lines, then each new one; it holds still as soon as you scroll up. */
export function ContainerLog({ id, name }: { id: string; name: string }) {
  const [find, setFind] = useState("");
  const [follow, setFollow] = useState(true);
  const onFollow = useCallback((next: boolean) => setFollow(next), []);
  const { rows, problem, retry } = useLog(id);
  if (problem !== null) return <ProblemCard problem={problem} what="The log" retry={retry} />;
  const found = find === "" ? rows : rows.filter(({ text }) => text.toLowerCase().includes(find.toLowerCase()));
  return (
    <section class="card logcard" aria-label="Log">
      <div class="logbar">
        <Search quiet label="Search" value={find} onValue={setFind} />
        <Button size="sm" class="push" icon={follow ? "pause" : "play"} onClick={() => setFollow(!follow)}>
          {follow ? "Pause" : "Follow"}
        </Button>
      </div>
      {found.length === 0 ? (
        <EmptyState title={find === "" ? "Nothing written yet" : "No line fits"}>
          {find === "" ? "New lines appear here as the container writes them." : "Change the search."}
        </EmptyState>
      ) : (
        <LogView
          rows={found}
          label={`${name} log`}
          find={find}
          wrap
          follow={follow}
          onFollow={onFollow}
          height={Math.max(280, innerHeight - 330)}
        />
      )}
    </section>
  );
}

/** Lines that come together in one frame are drawn together. */
function useLog(id: string): { rows: LogRow[]; problem: Problem | null; retry: () => void } {
  const [rows, setRows] = useState<LogRow[]>([]);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [round, setRound] = useState(0);
  const lastKey = useRef(0);
  useEffect(() => {
    let waiting: LogRow[] = [];
    let frame = 0;
    setRows([]);
    setProblem(null);
    const stop = followStream(buildUrl("/api/containers/{id}/logs", { id }, { follow: true, lines: 1000 }), {
      onEvent: ({ data }) => {
        if (!isLine(data)) return;
        lastKey.current += 1;
        waiting.push({ key: lastKey.current, time: timeOf(data.at), level: data.level, text: data.text });
        frame ||= requestAnimationFrame(() => {
          frame = 0;
          const fresh = waiting;
          waiting = [];
          setRows((known) => [...known, ...fresh].slice(-keep));
        });
      },
      onRefused: setProblem,
    });
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, [id, round]);
  return { rows, problem, retry: () => setRound(round + 1) };
}

function isLine(value: unknown): value is ContainerLine {
  return isRecord(value) && typeof value["text"] === "string" && typeof value["at"] === "string";
}

function timeOf(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : at.toLocaleTimeString("en-GB");
}

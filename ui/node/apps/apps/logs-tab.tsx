import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { LogLine } from "../../../../src/node/apps/app-logs/contract.ts";
import type { AppDetail } from "../../../../src/node/apps/apps/contract.ts";
import { buildUrl } from "../../../client/call.ts";
import { recall, store } from "../../../client/preferences.ts";
import { asProblem, isRecord, type Problem } from "../../../client/problem.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Segmented, Select } from "../../../kit/choice.tsx";
import { Search } from "../../../kit/field.tsx";
import { type LogRow, LogView } from "../../../kit/logview.tsx";
import { ProblemCard } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { followStream } from "../../client/stream.ts";

const keep = 100_000;
const levels: { value: "all" | "warn" | "error"; label: string }[] = [
  { value: "all", label: "All" },
  { value: "warn", label: "Warnings" },
  { value: "error", label: "Errors" },
];

interface KeyedLine {
  key: number;
  line: LogLine;
}

/** The app's log: live, searchable, and it holds still as soon as you scroll up. */
export function LogsTab({ app }: { app: AppDetail }) {
  const [find, setFind] = useState("");
  const [level, setLevel] = useState<"all" | "warn" | "error">("all");
  const [service, setService] = useState("");
  const [follow, setFollow] = useState(true);
  const [wrap, setWrap] = useState(recall("orrery.log")["wrap"] === true);
  const { lines, problem, retry } = useLog(app.id, service);
  const onFollow = useCallback((next: boolean) => setFollow(next), []);
  const many = app.services.length > 1 && service === "";
  const rows = useMemo(
    () => (lines === null ? null : toRows(lines, { find, level, many })),
    [lines, find, level, many],
  );
  const services = [
    { value: "", label: "All containers" },
    ...app.services.map((item) => ({ value: item.name, label: item.name })),
  ];
  return (
    <section class="card logcard" aria-label="Log">
      <div class="logbar">
        <Search
          quiet
          label={lines === null ? "Search" : `Search in ${lines.length.toLocaleString("en")} lines`}
          value={find}
          onValue={setFind}
        />
        <Segmented size="sm" label="Level" value={level} options={levels} onValue={setLevel} />
        <span class="row push">
          {app.services.length > 1 && (
            <Select size="sm" label="Container" value={service} options={services} onValue={setService} />
          )}
          <IconButton
            size="sm"
            icon="wrap"
            label={wrap ? "Do not wrap lines" : "Wrap lines"}
            aria-pressed={wrap}
            onClick={() => {
              store("orrery.log", JSON.stringify({ wrap: !wrap }));
              setWrap(!wrap);
            }}
          />
          <IconButton
            size="sm"
            icon="download"
            label="Download the log"
            onClick={() => lines !== null && download(app.name, lines)}
          />
          <Button size="sm" icon={follow ? "pause" : "play"} onClick={() => setFollow(!follow)}>
            {follow ? "Pause" : "Follow"}
          </Button>
        </span>
      </div>
      {rows === null && problem !== null && <ProblemCard problem={problem} what="The log" retry={retry} />}
      {rows === null && problem === null && <Skeleton rows={8} height={480} />}
      {rows?.length === 0 && (
        <EmptyState title={find === "" && level === "all" ? "Nothing written yet" : "No line fits"}>
          {find === "" && level === "all"
            ? "New lines appear here as the app writes them."
            : "Change the search or the level."}
        </EmptyState>
      )}
      {rows !== null && rows.length > 0 && (
        <LogView
          rows={rows}
          label={`${app.display_name} log`}
          find={find}
          wrap={wrap}
          follow={follow}
          onFollow={onFollow}
          height={Math.max(320, innerHeight - 330)}
        />
      )}
    </section>
  );
}

function toRows(lines: KeyedLine[], by: { find: string; level: string; many: boolean }): LogRow[] {
  const want = by.find.toLowerCase();
  return lines
    .filter(({ line }) => {
      if (by.level === "error" && line.level !== "error") return false;
      if (by.level === "warn" && line.level !== "error" && line.level !== "warn") return false;
      return want === "" || line.text.toLowerCase().includes(want);
    })
    .map(({ key, line }) => ({
      key,
      time: timeOf(line.at),
      level: line.level,
      text: line.text,
      ...(by.many ? { source: line.service } : {}),
    }));
}

function timeOf(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const pad = (value: number, size = 2): string => String(value).padStart(size, "0");
  return `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}.${pad(at.getMilliseconds(), 3)}`;
}

/** The last 1,000 lines, then each new one; lines of one frame arrive together. */
function useLog(
  id: string,
  service: string,
): { lines: KeyedLine[] | null; problem: Problem | null; retry: () => void } {
  const [lines, setLines] = useState<KeyedLine[] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [round, setRound] = useState(0);
  const nextKey = useRef(1);
  useEffect(() => {
    let waiting: KeyedLine[] = [];
    let frame = 0;
    let stop = (): void => {};
    let gone = false;
    const keyed = (line: LogLine): KeyedLine => {
      nextKey.current += 1;
      return { key: nextKey.current, line };
    };
    const flush = (): void => {
      frame = 0;
      const fresh = waiting;
      waiting = [];
      setLines((known) => [...(known ?? []), ...fresh].slice(-keep));
    };
    const start = async (): Promise<void> => {
      const filter = service === "" ? {} : { service };
      const past = await api("GET /api/apps/{id}/logs", { path: { id }, query: { lines: 1000, ...filter } });
      if (gone) return;
      setLines(past.lines.map(keyed));
      setProblem(null);
      const last = past.lines.at(-1)?.at;
      // Without a last line the stream itself begins with the past, so that no line between both requests is lost.
      const from = last === undefined ? { lines: 1000 } : { lines: 0 };
      stop = followStream(buildUrl("/api/apps/{id}/logs", { id }, { follow: true, ...from, ...filter }), {
        ...(last === undefined ? {} : { after: last }),
        onEvent: (event) => {
          if (!isLine(event.data)) return;
          waiting.push(keyed(event.data));
          frame ||= requestAnimationFrame(flush);
        },
        onRefused: setProblem,
      });
    };
    setLines(null);
    start().catch((error: unknown) => !gone && setProblem(asProblem(error)));
    return () => {
      gone = true;
      stop();
      cancelAnimationFrame(frame);
    };
  }, [id, service, round]);
  return { lines, problem, retry: () => setRound(round + 1) };
}

function isLine(value: unknown): value is LogLine {
  return isRecord(value) && typeof value["text"] === "string" && typeof value["at"] === "string";
}

function download(name: string, lines: KeyedLine[]): void {
  const text = lines.map(({ line }) => `${line.at} ${line.service} ${line.text}`).join("\n");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = `${name}.log`;
  link.click();
  URL.revokeObjectURL(link.href);
}

import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import type { Level, LogPage } from "../../../../src/node/monitoring/logs/contract.ts";
import type { Resource } from "../../../client/resource.ts";
import { query, setQuery } from "../../../client/router.ts";
import { Button } from "../../../kit/button.tsx";
import { Banner, EmptyState } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { type LogRow, LogView } from "../../../kit/logview.tsx";
import { daySpans, sinceDays } from "../../../parts/day-span.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { QuerySearch } from "../../../parts/query-search.tsx";
import { useResource } from "../../client/resource.ts";
import { LogTabs } from "../log-forwarders/log-tabs.tsx";

const lines = 1000;
const followMs = 5000;

const levels: { value: Level | ""; label: string }[] = [
  { value: "", label: "Every level" },
  { value: "info", label: "Info and worse" },
  { value: "warn", label: "Warnings and errors" },
  { value: "error", label: "Errors" },
];

/** What the routes of logs are asked for. */
type Asked = { lines: number; level?: Level; q?: string; since?: string };

/** The newest lines of the system's log, or of any container, that fit what is looked for. */
export function Logs() {
  const [follow, setFollow] = useState(true);
  const container = query.value.get("container") ?? "";
  const text = query.value.get("q") ?? "";
  const days = query.value.get("days") ?? "";
  const level = levels.find(({ value }) => value === query.value.get("level"))?.value ?? "";
  // One moment for as long as the span is chosen, or every drawing would ask for another log.
  const since = useMemo(() => sinceDays(days), [days]);
  const asked: Asked = {
    lines,
    ...(level !== "" && { level }),
    ...(text !== "" && { q: text }),
    ...(since !== undefined && { since }),
  };
  const shown = { asked, follow, onFollow: useCallback((next: boolean) => setFollow(next), []) };
  return (
    <div class="page">
      <header class="head">
        <h1>Logs</h1>
        <span class="push searchbox">
          <QuerySearch label="Text in the line" value={text} />
        </span>
      </header>
      <LogTabs current="read" />
      <section class="card logcard" aria-label="Log">
        <div class="logbar">
          <Sources container={container} />
          <Select
            size="sm"
            label="Level"
            value={level}
            options={levels}
            onValue={(next) => setQuery({ level: next })}
          />
          <Select size="sm" label="Time" value={days} options={daySpans} onValue={(next) => setQuery({ days: next })} />
          <Button size="sm" class="push" icon={follow ? "pause" : "play"} onClick={() => setFollow(!follow)}>
            {follow ? "Pause" : "Follow"}
          </Button>
        </div>
        {container === "" ? <SystemLog {...shown} /> : <ContainerLog id={container} {...shown} />}
      </section>
    </div>
  );
}

/** The system and every container that there is; the one of a link stays, also when it is gone. */
function Sources({ container }: { container: string }) {
  const isRunning = useResource("GET /api/system/runtime").data.value?.state === "ok";
  return isRunning ? <ContainerSources container={container} /> : <SourceChoice names={[]} container={container} />;
}

function ContainerSources({ container }: { container: string }) {
  const containers = useResource("GET /api/containers").data.value ?? [];
  return <SourceChoice names={containers.map(({ name }) => name).sort()} container={container} />;
}

function SourceChoice({ names, container }: { names: readonly string[]; container: string }) {
  const all = container === "" || names.includes(container) ? names : [container, ...names];
  return (
    <Select
      size="sm"
      label="Source"
      value={container}
      options={[{ value: "", label: "System" }, ...all.map((name) => ({ value: name, label: name }))]}
      onValue={(next) => setQuery({ container: next })}
    />
  );
}

interface ShownProps {
  asked: Asked;
  follow: boolean;
  onFollow: (follow: boolean) => void;
}

const everyMs = (follow: boolean): { everyMs?: number } => (follow ? { everyMs: followMs } : {});

function SystemLog({ asked, ...shown }: ShownProps) {
  const page = useResource("GET /api/logs/system", { query: asked, ...everyMs(shown.follow) });
  return <Lines of={page} find={asked.q ?? ""} {...shown} />;
}

function ContainerLog({ id, asked, ...shown }: ShownProps & { id: string }) {
  const page = useResource("GET /api/logs/docker/{id}", { path: { id }, query: asked, ...everyMs(shown.follow) });
  return <Lines of={page} find={asked.q ?? ""} {...shown} />;
}

function Lines({ of, find, follow, onFollow }: Omit<ShownProps, "asked"> & { of: Resource<LogPage>; find: string }) {
  const rowsOf = useRows();
  return (
    <Loaded of={of} what="The log">
      {(page) => (
        <>
          {page.note !== null && <Banner state="info">{page.note}</Banner>}
          {page.lines.length === 0 ? (
            <EmptyState title="No line fits">Change the source, the level, the time or the text.</EmptyState>
          ) : (
            <LogView
              rows={rowsOf(page.lines)}
              label="Lines, the newest last"
              find={find}
              wrap
              follow={follow}
              onFollow={onFollow}
              height={Math.max(320, innerHeight - 230)}
            />
          )}
        </>
      )}
    </Loaded>
  );
}

type Line = LogPage["lines"][number];

/** Lines as rows. One that was there before keeps its key, and each new one has a higher key than all before. */
function useRows(): (lines: readonly Line[]) => LogRow[] {
  const known = useRef<{ lines: readonly Line[]; first: number }>({ lines: [], first: 1 });
  return (lines) => {
    const { lines: before, first } = known.current;
    if (lines !== before) {
      const last = before.at(-1);
      const at = lines.findLastIndex((line) => line.at === last?.at && line.text === last.text);
      known.current = { lines, first: first + before.length - 1 - at };
    }
    return lines.map((line, index) => rowOf(line, known.current.first + index));
  };
}

function rowOf({ at, source, level, text }: Line, key: number): LogRow {
  return { key, time: timeOf(at), level, text, ...(source !== null && { source }) };
}

/** A log reaches back: what is not of today has its day, and no seconds, so that it stays on one line. */
function timeOf(at: string | null): string {
  if (at === null) return "";
  const moment = new Date(at);
  if (moment.toDateString() === new Date().toDateString()) return moment.toLocaleTimeString("en-GB");
  const day = moment.toLocaleDateString("en-GB", { day: "2-digit", month: "short" });
  return `${day} ${moment.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`;
}

import { useCallback, useMemo, useState } from "preact/hooks";
import type { SourceState } from "../../../../src/node/monitoring/logs/contract.ts";
import { count, moment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { query, setQuery } from "../../../client/router.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Banner, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Checkbox, Select } from "../../../kit/choice.tsx";
import { copyText } from "../../../kit/copy.tsx";
import { LogView } from "../../../kit/logview.tsx";
import { toast } from "../../../kit/toasts.ts";
import { daySpans } from "../../../parts/day-span.ts";
import { ProblemCard } from "../../../parts/loaded.tsx";
import { levels } from "../../../parts/log-lines.ts";
import { QuerySearch } from "../../../parts/query-search.tsx";
import { useResource } from "../../client/resource.ts";
import { LogTabs } from "../log-forwarders/log-tabs.tsx";
import { useLines } from "./use-lines.ts";
import { arounds, readView, type ShownLine, textOf, timelineLink, type View } from "./view.ts";

/** Every log of the server as one: what fits the address, then each line as it is written. */
export function Logs() {
  const asked = query.value;
  const view = useMemo(() => readView(asked), [asked]);
  return (
    <div class="page">
      <header class="head">
        <h1>Logs</h1>
        <span class="push searchbox">
          <QuerySearch label={view.isRegex ? "Regular expression" : "Text in the line"} value={view.text} />
        </span>
      </header>
      <LogTabs current="read" />
      <section class="card logcard" aria-label="Log">
        <div class="logbar">
          <Sources source={view.source} />
          {view.source === "system" && <QuerySearch quiet label="Unit" name="unit" value={view.unit} />}
          <Select
            size="sm"
            label="Level"
            value={view.level}
            options={levels}
            onValue={(next) => setQuery({ level: next })}
          />
          <Span view={view} />
          {(view.text !== "" || view.level !== "") && (
            <Select
              size="sm"
              label="Lines around"
              value={view.around}
              options={arounds}
              onValue={(next) => setQuery({ around: next })}
            />
          )}
          <Checkbox checked={view.isRegex} onChecked={(next) => setQuery({ regex: next ? "1" : null })}>
            Regular expression
          </Checkbox>
        </div>
        <Lines view={view} />
      </section>
    </div>
  );
}

/** How far back, or the moment that a link has led to. */
function Span({ view: { at, days } }: { view: View }) {
  if (at === null)
    return (
      <Select size="sm" label="Time" value={days} options={daySpans} onValue={(next) => setQuery({ days: next })} />
    );
  return (
    <>
      <Button size="sm" icon="x" onClick={() => setQuery({ at: null })}>
        Around {moment(at)}
      </Button>
      <LinkButton size="sm" icon="clock" href={timelineLink(at)}>
        On the timeline
      </LinkButton>
    </>
  );
}

/** All logs, the system's, and every container's that there is; the one of a link stays, also when it is gone. */
function Sources({ source }: { source: string }) {
  const isRunning = useResource("GET /api/system/runtime").data.value?.state === "ok";
  return isRunning ? <ContainerSources source={source} /> : <SourceChoice names={[]} source={source} />;
}

function ContainerSources({ source }: { source: string }) {
  const containers = useResource("GET /api/containers").data.value ?? [];
  return <SourceChoice names={containers.map(({ name }) => `docker:${name}`).sort()} source={source} />;
}

function SourceChoice({ names, source }: { names: readonly string[]; source: string }) {
  const known = ["", "system", ...names];
  const all = known.includes(source) ? known : [...known, source];
  const labelOf = (name: string): string =>
    name === "" ? "Every log" : name === "system" ? "System" : name.replace(/^docker:/, "");
  return (
    <Select
      size="sm"
      label="Source"
      value={source}
      options={all.map((name) => ({ value: name, label: labelOf(name) }))}
      onValue={(next) => setQuery({ source: next, unit: null })}
    />
  );
}

/** Wrapped lines are drawn one by one, so it is for whoever reads long ones on a small screen. */
const isNarrow = (): boolean => innerWidth < 700;

function Lines({ view }: { view: View }) {
  const shown = useLines(view);
  const [follow, setFollow] = useState(true);
  const [wrap, setWrap] = useState(isNarrow);
  const onFollow = useCallback((next: boolean) => setFollow(next), []);
  const { lines } = shown;
  if (shown.problem !== null) return <ProblemCard problem={shown.problem} what="The log" retry={shown.retry} />;
  if (lines === null) return <Skeleton rows={8} />;
  const isFollowed = view.at === null && shown.stopped === null;
  return (
    <>
      <Notes sources={shown.sources} />
      {shown.stopped !== null && (
        <Banner state="warn" action={<Button onClick={shown.retry}>Follow again</Button>}>
          No new lines come: {shown.stopped.message}
        </Banner>
      )}
      {shown.dropped > 0 && (
        <Banner state="info">
          {count(shown.dropped, "line")} came faster than this page could take them. Choose fewer logs, or a level.
        </Banner>
      )}
      <div class="logbar">
        {shown.hasOlder && <Older load={shown.loadOlder} />}
        <Button size="sm" icon="copy" disabled={lines.length === 0} onClick={() => void copyLines(lines)}>
          Copy as text
        </Button>
        <Checkbox checked={wrap} onChecked={setWrap}>
          Wrap
        </Checkbox>
        {isFollowed && (
          <Button size="sm" class="push" icon={follow ? "pause" : "play"} onClick={() => setFollow(!follow)}>
            {follow ? "Pause" : "Follow"}
          </Button>
        )}
      </div>
      {lines.length === 0 ? (
        <EmptyState title="No line fits">
          {isFollowed ? "What is written from now on appears here. " : ""}Change the source, the level, the time or the
          text.
        </EmptyState>
      ) : (
        <LogView
          rows={lines}
          label="Lines, the newest last"
          find={view.isRegex ? "" : view.text}
          wrap={wrap}
          follow={follow && isFollowed}
          onFollow={onFollow}
          height={Math.max(320, innerHeight - 340)}
          target={shown.target}
        />
      )}
    </>
  );
}

function Older({ load }: { load: () => Promise<void> }) {
  const [isBusy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    setBusy(true);
    await load().catch((error: unknown) => toast(asProblem(error).message, { state: "crit" }));
    setBusy(false);
  };
  return (
    <Button size="sm" icon="clock" busy={isBusy} onClick={() => void run()}>
      Older lines
    </Button>
  );
}

async function copyLines(lines: readonly ShownLine[]): Promise<void> {
  const isCopied = await copyText(lines.map(({ line }) => textOf(line)).join("\n"));
  toast(isCopied ? `${count(lines.length, "line")} copied.` : "The browser did not let the page copy.", {
    state: isCopied ? "ok" : "warn",
  });
}

const sourceNames: Record<string, string> = { system: "System", docker: "Containers" };

/** What is not here, and why. */
function Notes({ sources }: { sources: readonly SourceState[] }) {
  const told = sources.filter(({ note }) => note !== null);
  if (told.length === 0) return null;
  const isBroken = told.some(({ is_readable }) => !is_readable);
  return (
    <Banner state={isBroken ? "warn" : "info"}>
      {told.map(({ source, note }) => (
        <p key={source}>
          <b>{sourceNames[source] ?? source.replace(/^docker:/, "")}</b>: {note}
        </p>
      ))}
    </Banner>
  );
}

import { useCallback, useMemo, useState } from "preact/hooks";
import { count, moment } from "../../../client/format.ts";
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
import { useCrumb } from "../../../shell/title.ts";
import { useResource } from "../../client/resource.ts";
import { useLines } from "./use-lines.ts";
import { isBehind, readView, type ShownLine, textOf, type View } from "./view.ts";

/** The journal of a node, or the log of one of its apps: what fits the address, then each line as it is written. */
export function NodeLogs({ params }: { params: Record<string, string> }) {
  const id = params["id"] ?? "";
  const asked = query.value;
  const view = useMemo(() => readView(asked), [asked]);
  const detail = useResource("GET /api/fleet/instances/{id}/detail", { path: { id } });
  const hostname = detail.data.value?.instance.hostname ?? id;
  const apps = detail.data.value?.apps.map(({ name }) => name) ?? [];
  useCrumb(`Logs of ${hostname}`);
  return (
    <div class="page">
      <header class="head">
        <h1 class="cut">Logs of {hostname}</h1>
        <span class="push searchbox">
          <QuerySearch label="Regular expression" value={view.grep} />
        </span>
        <LinkButton icon="server" href={`/nodes/${id}`}>
          Server
        </LinkButton>
      </header>
      <section class="card logcard" aria-label="Log">
        <div class="logbar">
          <Sources app={view.app} names={apps} />
          {view.app === "" && <QuerySearch quiet label="Units" name="unit" value={view.unit} />}
          <Select
            size="sm"
            label="Level"
            value={view.level}
            options={levels}
            onValue={(next) => setQuery({ level: next })}
          />
          <Span view={view} />
        </div>
        <Lines id={id} view={view} />
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
    <Button size="sm" icon="x" onClick={() => setQuery({ at: null })}>
      Around {moment(at)}
    </Button>
  );
}

/** The journal and every app that the node has; the one of a link stays, also when it is gone. */
function Sources({ app, names }: { app: string; names: readonly string[] }) {
  const all = app === "" || names.includes(app) ? names : [...names, app];
  return (
    <Select
      size="sm"
      label="Source"
      value={app}
      options={[{ value: "", label: "System" }, ...all.toSorted().map((name) => ({ value: name, label: name }))]}
      onValue={(next) => setQuery({ app: next, unit: null })}
    />
  );
}

/** Wrapped lines are drawn one by one, so it is for whoever reads long ones on a small screen. */
const isNarrow = (): boolean => innerWidth < 700;

function Lines({ id, view }: { id: string; view: View }) {
  const shown = useLines(id, view);
  const [follow, setFollow] = useState(true);
  const [wrap, setWrap] = useState(isNarrow);
  const onFollow = useCallback((next: boolean) => setFollow(next), []);
  const { lines } = shown;
  if (shown.problem !== null) return <ProblemCard problem={shown.problem} what="The log" retry={shown.retry} />;
  if (lines === null) return <Skeleton rows={8} />;
  const isFollowed = view.at === null && shown.stopped === null;
  return (
    <>
      {shown.stopped !== null && (
        <Banner state="warn" action={<Button onClick={shown.retry}>Read again</Button>}>
          No new lines come: {shown.stopped.message}
        </Banner>
      )}
      {view.at !== null && isBehind(lines, view.at) && (
        <Banner state="info">
          {count(lines.length, "line")} were written since that moment and the log goes back no further here. Choose a
          unit or a level, or read it in the server's own dashboard.
        </Banner>
      )}
      <div class="logbar">
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
          expression.
        </EmptyState>
      ) : (
        <LogView
          rows={lines}
          label="Lines, the newest last"
          wrap={wrap}
          follow={follow && isFollowed}
          onFollow={onFollow}
          height={Math.max(320, innerHeight - 300)}
          target={shown.target}
        />
      )}
    </>
  );
}

async function copyLines(lines: readonly ShownLine[]): Promise<void> {
  const isCopied = await copyText(lines.map(({ line }) => textOf(line)).join("\n"));
  toast(isCopied ? `${count(lines.length, "line")} copied.` : "The browser did not let the page copy.", {
    state: isCopied ? "ok" : "warn",
  });
}

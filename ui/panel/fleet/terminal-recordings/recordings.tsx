import { useEffect, useState } from "preact/hooks";
import { duration, moment } from "../../../client/format.ts";
import { asProblem, type Problem, problemOf } from "../../../client/problem.ts";
import { query, setQuery } from "../../../client/router.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Banner, Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Status } from "../../../kit/status.tsx";
import type { Column } from "../../../kit/table.tsx";
import { ProblemCard } from "../../../parts/loaded.tsx";
import { usePaged } from "../../../parts/paged.ts";
import { PagedTable } from "../../../parts/paged-table.tsx";
import { useCrumb } from "../../../shell/title.ts";
import { access, api } from "../../client/api.ts";
import { may } from "../../client/permissions.ts";
import { useResource } from "../../client/resource.ts";
import type { Routes } from "../../client/routes.ts";
import { type Cast, readCast } from "./cast.ts";
import { Player } from "./player.tsx";

type Page = Routes["GET /api/fleet/instances/{id}/terminal-recordings"]["out"];
type Recording = Page["items"][number];

const pageSize = 50;
/** What is longer does not fit into a page; it can be downloaded. */
const textMax = 64 * 1_048_576;

/** What terminals on one node have shown, and one of them played. */
export function Recordings({ params }: { params: Record<string, string> }) {
  const id = params["id"] ?? "";
  const detail = useResource("GET /api/fleet/instances/{id}/detail", { path: { id } });
  const hostname = detail.data.value?.instance.hostname ?? id;
  useCrumb(`Recordings of ${hostname}`);
  const chosen = query.value.get("rec");
  return (
    <div class="page">
      <header class="head">
        <h1 class="cut">Recordings of {hostname}</h1>
        <span class="btns">
          <LinkButton icon="server" href={`/nodes/${id}`}>
            Server
          </LinkButton>
        </span>
      </header>
      {chosen !== null && <Chosen key={chosen} node={id} id={chosen} />}
      <List node={id} />
    </div>
  );
}

function List({ node }: { node: string }) {
  const [told, setTold] = useState<Pick<Page, "is_on" | "kept_days"> | null>(null);
  const rows = usePaged<Recording>(node, async (last) => {
    const asked = { limit: pageSize, ...(last === null ? {} : { cursor: last.id }) };
    const page = await api("GET /api/fleet/instances/{id}/terminal-recordings", { path: { id: node }, query: asked });
    setTold(page);
    return { rows: page.items, hasMore: page.next_cursor !== null };
  });
  return (
    <Card title="Terminals">
      {told?.is_on === false && (
        <Banner state="info">
          Terminals are not recorded now.{" "}
          {may("settings:write", { ownRole: true })
            ? "Turn that on under Settings, Rules."
            : "An owner or admin can turn that on in the settings."}
        </Banner>
      )}
      <PagedTable
        label="Recordings"
        of={rows}
        folds
        columns={columns}
        empty={
          <EmptyState
            title="Nothing recorded yet"
            action={<LinkButton href={`/nodes/${node}/terminal`}>Open a terminal</LinkButton>}
          >
            What a terminal on this server shows appears here while the workspace records its terminals. What is typed
            is never kept.
          </EmptyState>
        }
      />
      {told !== null && <p class="card-f t12 c3">Recordings are kept for {told.kept_days} days.</p>}
    </Card>
  );
}

const states = {
  open: <Status state="unknown">Still open</Status>,
  whole: <Status state="ok">Whole</Status>,
  truncated: <Status state="warn">Cut off</Status>,
};

const columns: Column<Recording>[] = [
  {
    id: "what",
    title: "Terminal",
    cell: ({ id, app, started_at }) => (
      <Button kind="ghost" size="sm" onClick={() => setQuery({ rec: id, at: "" })}>
        {app === "" ? "The server" : app}, {moment(started_at)}
      </Button>
    ),
  },
  { id: "who", title: "Who", cell: ({ by }) => <span class="cut">{by.name}</span> },
  { id: "long", title: "Length", cell: ({ duration_s }) => duration(duration_s) },
  { id: "state", title: "State", cell: ({ state }) => states[state] },
];

function Chosen({ node, id }: { node: string; id: string }) {
  const [cast, setCast] = useState<Cast | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isCut, setCut] = useState(false);
  const [tries, setTries] = useState(0);
  const from = Number(query.value.get("at") ?? 0) || 0;
  const path = `/api/fleet/instances/${encodeURIComponent(node)}/terminal-recordings/${encodeURIComponent(id)}`;
  useEffect(() => {
    const left = new AbortController();
    const load = async (): Promise<void> => {
      const headers = (await access.headers?.(false)) ?? {};
      const response = await fetch(path, { headers, signal: left.signal });
      if (!response.ok) throw await problemOf(response);
      const text = await response.text();
      const read = readCast(text.slice(0, textMax));
      setCut(text.length > textMax || response.headers.get("x-recording-state") === "truncated");
      setCast(read ?? { columns: 80, rows: 24, events: [], duration: 0 });
    };
    setProblem(null);
    load().catch((error: unknown) => left.signal.aborted || setProblem(asProblem(error)));
    return () => left.abort();
  }, [path, tries]);
  if (problem !== null)
    return <ProblemCard problem={problem} what="The recording" retry={() => setTries((now) => now + 1)} />;
  if (cast === null) return <Skeleton rows={8} />;
  const linkTo = (at: number): string =>
    `${location.origin}/nodes/${encodeURIComponent(node)}/recordings?rec=${id}&at=${Math.floor(at)}`;
  return (
    <>
      {isCut && <Banner state="warn">Not all of this terminal is here: its recording was cut off.</Banner>}
      <Player cast={cast} from={from} linkTo={linkTo} />
    </>
  );
}

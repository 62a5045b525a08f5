import { useState } from "preact/hooks";
import { day } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { query, setQuery } from "../../../client/router.ts";
import { IconButton, LinkButton } from "../../../kit/button.tsx";
import { Card, EmptyState, LockedPart } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { Menu, type MenuItem } from "../../../kit/menu.tsx";
import { Status } from "../../../kit/status.tsx";
import type { Column } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { usePaged } from "../../../parts/paged.ts";
import { PagedTable } from "../../../parts/paged-table.tsx";
import { QuerySearch } from "../../../parts/query-search.tsx";
import { api } from "../../client/api.ts";
import { user } from "../../client/session.ts";
import { switchTo } from "../workspaces/switch-to.ts";
import { PlanDialog } from "./plan-dialog.tsx";
import { SuspendDialog } from "./suspend-dialog.tsx";
import type { StaffWorkspace } from "./types.ts";

const pageSize = 50;
const states = [
  { value: "", label: "All" },
  { value: "active", label: "Open" },
  { value: "suspended", label: "Suspended" },
] as const;

type Asked = { what: "suspend" | "plan"; of: StaffWorkspace };

/** Every workspace of the panel, and what its staff can do about one. */
export function Staff() {
  if (user.value?.global_role !== "admin")
    return (
      <div class="page">
        <header class="head">
          <h1>All workspaces</h1>
        </header>
        <LockedPart title="For the staff of the panel">
          Whoever runs this panel sees its workspaces here. Yours are in the menu at the top left.
        </LockedPart>
      </div>
    );
  return <All />;
}

function All() {
  const text = query.value.get("q") ?? "";
  const state = states.find(({ value }) => value === query.value.get("status"))?.value ?? "";
  const [asked, setAsked] = useState<Asked | null>(null);
  const [total, setTotal] = useState<number | null>(null);
  const [changes, setChanges] = useState(0);
  let offset = 0;
  const rows = usePaged<StaffWorkspace>(JSON.stringify([text, state, changes]), async (last) => {
    offset = last === null ? 0 : offset + pageSize;
    const page = await api("GET /api/staff/workspaces", {
      query: {
        ...(text === "" ? {} : { q: text }),
        ...(state === "" ? {} : { status: state }),
        ...{ limit: pageSize, offset },
      },
    });
    setTotal(page.total);
    return { rows: page.items, hasMore: offset + page.items.length < page.total };
  });
  if (rows.problem?.code === "staff_factor_required")
    return (
      <div class="page">
        <header class="head">
          <h1>All workspaces</h1>
        </header>
        <EmptyState title="Add a second factor first" action={<LinkButton href="/security">Security</LinkButton>}>
          A passphrase alone is too little for whoever has the say about every workspace. Add a key or an app.
        </EmptyState>
      </div>
    );
  const changed = (): void => {
    setAsked(null);
    setChanges((now) => now + 1);
  };
  const attempt = (work: () => Promise<unknown>): void => {
    void work().catch((error: unknown) => toast(asProblem(error).message, { state: "crit" }));
  };
  const itemsOf = (of: StaffWorkspace): MenuItem[] => [
    {
      label: "Go in",
      run: () =>
        attempt(async () => {
          await api("POST /api/staff/workspaces/{id}/enter", { path: { id: of.id } });
          await switchTo(of);
        }),
    },
    { label: "Change the plan", run: () => setAsked({ what: "plan", of }) },
    of.status === "active"
      ? { label: "Suspend", danger: true, run: () => setAsked({ what: "suspend", of }) }
      : {
          label: "Open again",
          run: () =>
            attempt(async () => {
              await api("POST /api/staff/workspaces/{id}/resume", { path: { id: of.id } });
              toast(`${of.name} is open again.`);
              changed();
            }),
        },
  ];
  return (
    <div class="page">
      <header class="head">
        <h1>All workspaces</h1>
        {total !== null && <span class="t13 c3">{total.toLocaleString("en")}</span>}
        <span class="push searchbox">
          <QuerySearch label="Search name, id or owner" value={text} />
        </span>
      </header>
      <Card
        class="wraphead"
        title="Workspaces of this panel"
        actions={
          <Select
            size="sm"
            label="State"
            value={state}
            options={[...states]}
            onValue={(next) => setQuery({ status: next })}
          />
        }
      >
        <PagedTable
          label="Workspaces"
          of={rows}
          folds
          next="More"
          columns={[
            ...columns,
            {
              id: "do",
              title: "",
              cell: (row) => (
                <Menu
                  label={`What to do with ${row.name}`}
                  items={itemsOf(row)}
                  trigger={(props) => <IconButton {...props} icon="more" size="sm" label={`More about ${row.name}`} />}
                />
              ),
            },
          ]}
          empty={
            <EmptyState title="No workspace fits" action={<LinkButton href="/staff">Show all</LinkButton>}>
              Nothing has that in its name, its id or the address of an owner.
            </EmptyState>
          }
        />
      </Card>
      {asked?.what === "suspend" && <SuspendDialog of={asked.of} onDone={changed} onClose={() => setAsked(null)} />}
      {asked?.what === "plan" && <PlanDialog of={asked.of} onDone={changed} onClose={() => setAsked(null)} />}
    </div>
  );
}

const columns: Column<StaffWorkspace>[] = [
  {
    id: "name",
    title: "Workspace",
    cell: ({ name }) => <span class="host cut long-name">{name}</span>,
  },
  {
    id: "status",
    title: "State",
    cell: ({ status, permit_ends_at }) => {
      if (status === "suspended") return <Status state="warn">Suspended</Status>;
      return <Status state="ok">{permit_ends_at === null ? "Open" : "Open, lets staff in"}</Status>;
    },
  },
  {
    id: "owner",
    title: "Owner",
    wide: true,
    cell: ({ owners }) => <span class="cut long-name">{owners.join(", ")}</span>,
  },
  { id: "plan", title: "Plan", cell: ({ plan }) => plan },
  { id: "members", title: "People", number: true, wide: true, cell: ({ members }) => members.toLocaleString("en") },
  { id: "nodes", title: "Nodes", number: true, wide: true, cell: ({ nodes }) => nodes.toLocaleString("en") },
  { id: "made", title: "Made", wide: true, cell: ({ created_at }) => day(created_at) },
];

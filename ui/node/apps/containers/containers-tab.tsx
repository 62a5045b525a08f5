import { useState } from "preact/hooks";
import type { Container, ContainerStats } from "../../../../src/node/apps/containers/contract.ts";
import { percent } from "../../../client/format.ts";
import { query, setQuery } from "../../../client/router.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Segmented } from "../../../kit/choice.tsx";
import { Chip, Status } from "../../../kit/status.tsx";
import { type Column, DataTable } from "../../../kit/table.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import { actOnContainer, busyContainers } from "./actions.ts";
import { ContainerDrawer } from "./container-drawer.tsx";
import { OwnerLink } from "./owner-link.tsx";
import { Ports } from "./ports.tsx";
import { RunDialog } from "./run-dialog.tsx";
import { containerState, fits, memoryWords, ownerWords, portWords } from "./words.ts";

const filters: { value: "all" | "running" | "stopped"; label: string }[] = [
  { value: "all", label: "All" },
  { value: "running", label: "Running" },
  { value: "stopped", label: "Not running" },
];

/** Every container of the engine with its state, its ports and whose it is. */
export function ContainersTab({ search }: { search: string }) {
  const containers = useResource("GET /api/containers", { everyMs: 60_000 });
  const stats = useResource("GET /api/containers/stats", { everyMs: 10_000 });
  const used = new Map((stats.data.value ?? []).map((one) => [one.id, one]));
  const [runs, setRuns] = useState(false);
  const show = filters.find(({ value }) => value === query.value.get("show"))?.value ?? "all";
  const open = containers.data.value?.find(({ name }) => name === query.value.get("container"));
  const isShown = (each: Container): boolean =>
    (show === "all" || (each.state === "running") === (show === "running")) &&
    fits(search, each.name, each.image, ownerWords(each.owner, each.project), each.ports.map(portWords).join(" "));
  return (
    <>
      <Card
        class="ctcard"
        title="Containers"
        actions={
          <>
            <Segmented
              size="sm"
              label="Show"
              value={show}
              options={filters}
              onValue={(value) => setQuery({ show: value === "all" ? null : value })}
            />
            {isAdmin() && (
              <Button size="sm" icon="plus" onClick={() => setRuns(true)}>
                Run
              </Button>
            )}
          </>
        }
      >
        <Loaded of={containers} what="Containers" skeleton={<Skeleton rows={5} />}>
          {(list) => {
            const found = list.filter(isShown);
            if (list.length === 0)
              return (
                <EmptyState title="No containers">
                  Whatever runs on this server's Docker appears here, installed from the store or not.
                </EmptyState>
              );
            if (found.length === 0)
              return <EmptyState title="No container fits">Change the search or the filter.</EmptyState>;
            return <DataTable label="Containers" folds columns={columns(used)} rows={found} keyOf={({ id }) => id} />;
          }}
        </Loaded>
      </Card>
      {runs && <RunDialog onClose={() => setRuns(false)} />}
      {open !== undefined && isAdmin() && (
        <ContainerDrawer
          key={open.id}
          container={open}
          used={used.get(open.id)}
          onClose={() => setQuery({ container: null, log: null })}
        />
      )}
    </>
  );
}

function columns(used: ReadonlyMap<string, ContainerStats>): Column<Container>[] {
  const base: Column<Container>[] = [
    { id: "name", title: "Name", cell: (container) => <NameCell container={container} /> },
    {
      id: "state",
      title: "State",
      cell: (container) => {
        const { state, word } = containerState(container);
        return (
          <span title={container.status}>
            <Status state={state}>{word}</Status>
          </span>
        );
      },
    },
    {
      id: "cpu",
      title: "Processor",
      number: true,
      wide: true,
      cell: ({ id }) => {
        const one = used.get(id);
        return one === undefined ? "" : percent(one.cpu_percent);
      },
    },
    {
      id: "memory",
      title: "Memory",
      number: true,
      wide: true,
      cell: ({ id }) => memoryWords(used.get(id)) ?? "",
    },
    { id: "ports", title: "Ports", cell: ({ ports }) => <Ports ports={ports} limit={3} /> },
    {
      id: "owner",
      title: "Belongs to",
      wide: true,
      cell: ({ owner, project }) => <OwnerLink owner={owner} project={project} />,
    },
  ];
  if (!isAdmin()) return base;
  return [...base, { id: "acts", title: "", cell: (container) => <Power container={container} /> }];
}

function NameCell({ container }: { container: Container }) {
  const { name, image, newer_image } = container;
  return (
    <span class="col ctname">
      {isAdmin() ? (
        <button type="button" class="link linkish w6 cut" onClick={() => setQuery({ container: name })}>
          {name}
        </button>
      ) : (
        <b class="w5 cut">{name}</b>
      )}
      <span class="c3 mono cut" title={image}>
        {image}
      </span>
      {newer_image !== null && (
        <span>
          <Chip state="acc">Newer image</Chip>
        </span>
      )}
    </span>
  );
}

function Power({ container }: { container: Container }) {
  if (container.owner !== null) return null;
  const { id, name, state } = container;
  const runs = state === "running" || state === "restarting" || state === "paused";
  if (busyContainers.value.has(id))
    return (
      <Button size="sm" busy>
        Wait
      </Button>
    );
  return (
    <span class="row acts">
      {runs && (
        <IconButton
          size="sm"
          icon="restart"
          label={`Restart ${name}`}
          onClick={() => void actOnContainer(container, "restart")}
        />
      )}
      <IconButton
        size="sm"
        icon={runs ? "stop" : "play"}
        label={`${runs ? "Stop" : "Start"} ${name}`}
        onClick={() => void actOnContainer(container, runs ? "stop" : "start")}
      />
    </span>
  );
}

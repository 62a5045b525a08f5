import { useState } from "preact/hooks";
import type { Network } from "../../../../src/node/apps/containers/contract.ts";
import { IconButton } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { type Column, DataTable } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { resource, useResource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import { OwnerLink } from "./owner-link.tsx";
import { fewNames, fits, ownerWords } from "./words.ts";

/** Networks with who is in them; empty ones can go. */
export function NetworksTab({ search }: { search: string }) {
  const networks = useResource("GET /api/containers/networks", { everyMs: 60_000 });
  const [removing, remove] = useState<Network | null>(null);
  return (
    <>
      <Card title="Networks">
        <Loaded of={networks} what="Networks" skeleton={<Skeleton rows={5} />}>
          {(list) => {
            const found = list.filter(({ name, used_by, subnets, owner, project }) =>
              fits(search, name, used_by.join(" "), subnets.join(" "), ownerWords(owner, project)),
            );
            if (found.length === 0) return <EmptyState title="No network fits">Change the search.</EmptyState>;
            return <DataTable label="Networks" folds columns={columns(remove)} rows={found} keyOf={({ id }) => id} />;
          }}
        </Loaded>
      </Card>
      {removing !== null && <RemoveDialog network={removing} onClose={() => remove(null)} />}
    </>
  );
}

function columns(remove: (network: Network) => void): Column<Network>[] {
  const base: Column<Network>[] = [
    {
      id: "name",
      title: "Network",
      cell: ({ name, driver, internal }) => (
        <span class="col ctname">
          <span class="cut" title={name}>
            {name}
          </span>
          <span class="c3">{`${driver === "" ? "null" : driver}${internal ? ", no way out" : ""}`}</span>
        </span>
      ),
    },
    {
      id: "used",
      title: "Used by",
      cell: ({ used_by }) =>
        used_by.length === 0 ? (
          <span class="c3">Nothing</span>
        ) : (
          <span class="cut ctused" title={used_by.join("\n")}>
            {fewNames(used_by)}
          </span>
        ),
    },
    {
      id: "owner",
      title: "Belongs to",
      cell: ({ owner, project, built_in }) =>
        built_in ? <span class="c3">Docker</span> : <OwnerLink owner={owner} project={project} />,
    },
    {
      id: "subnets",
      title: "Addresses",
      wide: true,
      cell: ({ subnets }) => <span class="mono c2">{subnets.join(", ")}</span>,
    },
  ];
  if (!isAdmin()) return base;
  return [
    ...base,
    {
      id: "acts",
      title: "",
      cell: (network) =>
        !network.built_in &&
        network.owner === null &&
        network.used_by.length === 0 && (
          <IconButton size="sm" icon="trash" label={`Remove ${network.name}`} onClick={() => remove(network)} />
        ),
    },
  ];
}

function RemoveDialog({ network, onClose }: { network: Network; onClose: () => void }) {
  const confirm = async (): Promise<void> => {
    await api("DELETE /api/containers/networks/{id}", { path: { id: network.id } });
    toast(`${network.name} is removed.`);
    onClose();
    void resource("GET /api/containers/networks").refresh();
  };
  return (
    <ConfirmDanger title={`Remove ${network.name}?`} typed={null} action="Remove" onConfirm={confirm} onClose={onClose}>
      No container is in it. A Compose project that is started again makes it anew.
    </ConfirmDanger>
  );
}

import { useState } from "preact/hooks";
import type { Volume } from "../../../../src/node/apps/containers/contract.ts";
import { ago } from "../../../client/format.ts";
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

/** Volumes with who has them; one at a time can go, by its name. */
export function VolumesTab({ search }: { search: string }) {
  const volumes = useResource("GET /api/containers/volumes", { everyMs: 60_000 });
  const [removing, remove] = useState<Volume | null>(null);
  return (
    <>
      <Card
        title="Volumes"
        foot={<span class="c2 t13">A volume is removed only by its name, one at a time, and never to make room.</span>}
      >
        <Loaded of={volumes} what="Volumes" skeleton={<Skeleton rows={5} />}>
          {(list) => {
            const found = list.filter(({ name, used_by, owner, project }) =>
              fits(search, name, used_by.join(" "), ownerWords(owner, project)),
            );
            if (list.length === 0)
              return <EmptyState title="No volumes">The data of apps and containers appears here.</EmptyState>;
            if (found.length === 0) return <EmptyState title="No volume fits">Change the search.</EmptyState>;
            return (
              <DataTable label="Volumes" folds columns={columns(remove)} rows={found} keyOf={({ name }) => name} />
            );
          }}
        </Loaded>
      </Card>
      {removing !== null && <RemoveDialog name={removing.name} onClose={() => remove(null)} />}
    </>
  );
}

function columns(remove: (volume: Volume) => void): Column<Volume>[] {
  const base: Column<Volume>[] = [
    {
      id: "name",
      title: "Volume",
      cell: ({ name }) => (
        <span class="mono cut ctname" title={name}>
          {name}
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
      cell: ({ owner, project }) => <OwnerLink owner={owner} project={project} />,
    },
    {
      id: "made",
      title: "Made",
      wide: true,
      cell: ({ created_at }) => <span class="c3">{created_at === null ? "" : ago(created_at)}</span>,
    },
  ];
  if (!isAdmin()) return base;
  return [
    ...base,
    {
      id: "acts",
      title: "",
      cell: (volume) =>
        volume.owner === null &&
        volume.used_by.length === 0 && (
          <IconButton size="sm" icon="trash" label={`Remove ${volume.name}`} onClick={() => remove(volume)} />
        ),
    },
  ];
}

function RemoveDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const confirm = async (): Promise<void> => {
    await api("DELETE /api/containers/volumes/{id}", { path: { id: name } });
    toast(`${name} is removed.`);
    onClose();
    void resource("GET /api/containers/volumes").refresh();
  };
  return (
    <ConfirmDanger
      title="Remove this volume?"
      typed={name}
      action="Remove for good"
      onConfirm={confirm}
      onClose={onClose}
    >
      Everything in it is deleted at once. This cannot be taken back.
    </ConfirmDanger>
  );
}

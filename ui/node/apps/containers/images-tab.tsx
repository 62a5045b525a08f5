import { useState } from "preact/hooks";
import type { Image } from "../../../../src/node/apps/containers/contract.ts";
import { ago, bytesText, count } from "../../../client/format.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { type Column, DataTable } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { resource, useResource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import { RegistriesCard } from "../registries/registries-card.tsx";
import { CheckNow, NewerCell } from "./newer-image.tsx";
import { PullDialog } from "./pull-dialog.tsx";
import { fewNames, fits } from "./words.ts";

/** Its first name; what was pulled by its content has the beginning of that instead of a tag. */
const nameOf = ({ tags, digests, id }: Image): string =>
  tags[0] ?? digests[0]?.replace(/@sha256:(.{12}).*$/, "@$1") ?? `No name (${id.replace("sha256:", "").slice(0, 12)})`;
const isUnused = ({ used_by, kept }: Image): boolean => used_by.length === 0 && !kept;

type Asking = "prune" | { pull: string } | { remove: Image } | null;

/** Images with who is made of them; unused ones can go. */
export function ImagesTab({ search }: { search: string }) {
  const images = useResource("GET /api/containers/images", { everyMs: 60_000 });
  const [asking, ask] = useState<Asking>(null);
  const unused = images.data.value?.filter(isUnused) ?? [];
  const unusedBytes = unused.reduce((sum, image) => sum + image.size_bytes, 0);
  const close = () => ask(null);
  return (
    <>
      <Card
        class="ctcard"
        title="Images"
        actions={
          isAdmin() && (
            <>
              <CheckNow />
              <Button size="sm" icon="download" onClick={() => ask({ pull: "" })}>
                Pull image
              </Button>
            </>
          )
        }
        foot={
          unused.length > 0 && (
            <>
              <span class="c2 t13">
                {`${count(unused.length, "image is", "images are")} not used by anything, up to ${bytesText(unusedBytes)}. Volumes are never touched.`}
              </span>
              {isAdmin() && (
                <Button size="sm" class="push" icon="trash" onClick={() => ask("prune")}>
                  Make room
                </Button>
              )}
            </>
          )
        }
      >
        <Loaded of={images} what="Images" skeleton={<Skeleton rows={5} />}>
          {(list) => {
            const found = list.filter((image) =>
              fits(search, nameOf(image), [...image.tags, ...image.digests].join(" "), image.used_by.join(" ")),
            );
            if (list.length === 0)
              return (
                <EmptyState title="No images">An image appears here with the first app or the first pull.</EmptyState>
              );
            if (found.length === 0) return <EmptyState title="No image fits">Change the search.</EmptyState>;
            return <DataTable label="Images" folds columns={columns(ask)} rows={found} keyOf={({ id }) => id} />;
          }}
        </Loaded>
      </Card>
      {isAdmin() && <RegistriesCard />}
      {asking !== null && asking !== "prune" && "pull" in asking && <PullDialog image={asking.pull} onClose={close} />}
      {asking === "prune" && <PruneDialog unused={unused} bytes={unusedBytes} onClose={close} />}
      {asking !== null && asking !== "prune" && "remove" in asking && (
        <RemoveDialog image={asking.remove} onClose={close} />
      )}
    </>
  );
}

function columns(ask: (asking: Asking) => void): Column<Image>[] {
  const base: Column<Image>[] = [
    {
      id: "name",
      title: "Image",
      cell: (image) => (
        <span class="col ctname">
          <span class="mono cut" title={[...image.tags, ...image.digests].join("\n")}>
            {nameOf(image)}
          </span>
          {image.tags.length > 1 && <span class="c3">{`and ${count(image.tags.length - 1, "more name")}`}</span>}
        </span>
      ),
    },
    {
      id: "used",
      title: "Used by",
      cell: ({ used_by, kept }) =>
        used_by.length > 0 ? (
          <span class="cut ctused" title={used_by.join("\n")}>
            {fewNames(used_by)}
          </span>
        ) : (
          <span class="c3">{kept ? "Kept for an app" : "Nothing"}</span>
        ),
    },
    {
      id: "newer",
      title: "Newer",
      cell: (image) => <NewerCell image={image} onPull={(pull) => ask({ pull })} />,
    },
    {
      id: "built",
      title: "Built",
      wide: true,
      cell: ({ created_at }) => <span class="c3">{created_at === null ? "Unknown" : ago(created_at)}</span>,
    },
    { id: "size", title: "Size", number: true, cell: ({ size_bytes }) => bytesText(size_bytes) },
  ];
  if (!isAdmin()) return base;
  return [
    ...base,
    {
      id: "acts",
      title: "",
      cell: (image) =>
        isUnused(image) && (
          <IconButton size="sm" icon="trash" label={`Remove ${nameOf(image)}`} onClick={() => ask({ remove: image })} />
        ),
    },
  ];
}

function RemoveDialog({ image, onClose }: { image: Image; onClose: () => void }) {
  const remove = async (): Promise<void> => {
    await api("DELETE /api/containers/images/{id}", { path: { id: image.id } });
    toast(`${nameOf(image)} is removed.`);
    onClose();
    void resource("GET /api/containers/images").refresh();
  };
  return (
    <ConfirmDanger title={`Remove ${nameOf(image)}?`} typed={null} action="Remove" onConfirm={remove} onClose={onClose}>
      Nothing is made of it. Whoever needs it again has to pull {bytesText(image.size_bytes)}.
    </ConfirmDanger>
  );
}

function PruneDialog({ unused, bytes, onClose }: { unused: Image[]; bytes: number; onClose: () => void }) {
  const prune = async (): Promise<void> => {
    const { removed } = await api("POST /api/containers/images/prune");
    toast(`${count(removed.length, "image")} removed.`);
    onClose();
    void resource("GET /api/containers/images").refresh();
  };
  return (
    <ConfirmDanger
      title={`Remove ${count(unused.length, "unused image")}?`}
      typed={null}
      action="Remove them"
      onConfirm={prune}
      onClose={onClose}
    >
      <p>{`This frees up to ${bytesText(bytes)}. Containers, volumes and networks stay as they are.`}</p>
      <ul class="ctnames mono">
        {unused.slice(0, 20).map((image) => (
          <li key={image.id}>{nameOf(image)}</li>
        ))}
        {unused.length > 20 && <li>{`and ${unused.length - 20} more`}</li>}
      </ul>
    </ConfirmDanger>
  );
}

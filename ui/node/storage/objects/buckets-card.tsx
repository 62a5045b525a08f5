import { useState } from "preact/hooks";
import type { Bucket } from "../../../../src/node/storage/objects/contract.ts";
import { ago, bytesText, moment } from "../../../client/format.ts";
import { setQuery } from "../../../client/router.ts";
import { useWish } from "../../../client/wish.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { Chip } from "../../../kit/status.tsx";
import { type Column, DataTable } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import { BucketDialog } from "./bucket-dialog.tsx";
import { useKept } from "./kept.ts";
import { SettingsDialog } from "./settings-dialog.tsx";

/** The buckets, wherever they are kept. */
export function BucketsCard({ onChanged }: { onChanged: () => void }) {
  const buckets = useResource("GET /api/objects/buckets", { everyMs: 30_000 });
  const kept = useKept();
  const [asking, ask] = useState<"add" | Bucket | null>(null);
  const [changing, change] = useState<Bucket | null>(null);
  const close = () => ask(null);
  useWish("bucket", () => ask("add"));
  const done = (words: string) => {
    toast(words);
    close();
    change(null);
    void buckets.refresh();
    onChanged();
  };
  const remove = async ({ name }: Bucket): Promise<void> => {
    await api("DELETE /api/objects/buckets/{name}", { path: { name } });
    done(`The bucket ${name} is removed.`);
  };
  const add = isAdmin() && (
    <Button size="sm" icon="plus" onClick={() => ask("add")}>
      New bucket
    </Button>
  );
  return (
    <>
      <Card title="Buckets" actions={(buckets.data.value?.buckets.length ?? 0) > 0 && add}>
        <Loaded of={buckets} what="Buckets" skeleton={<Skeleton rows={3} />}>
          {({ buckets: list }) =>
            list.length === 0 ? (
              <EmptyState title="No bucket yet" action={add}>
                A bucket holds what programs store here: backups, pictures, files of apps.
              </EmptyState>
            ) : (
              <DataTable
                label="Buckets"
                folds
                columns={columns(ask, kept === "s3" ? null : change)}
                rows={list}
                keyOf={({ name }) => name}
              />
            )
          }
        </Loaded>
      </Card>
      {asking === "add" && <BucketDialog onClose={close} onMade={({ name }) => done(`The bucket ${name} is there.`)} />}
      {changing !== null && (
        <SettingsDialog
          bucket={changing.name}
          onClose={() => change(null)}
          onSaved={() => done(`The bucket ${changing.name} is changed.`)}
        />
      )}
      {asking !== null && asking !== "add" && (
        <ConfirmDanger
          title={`Remove ${asking.name}?`}
          typed={null}
          action="Remove bucket"
          onConfirm={() => remove(asking)}
          onClose={close}
        >
          It has to be empty. What keys may do with it ends{asking.aliases !== undefined && ", and its other names go"}.
        </ConfirmDanger>
      )}
    </>
  );
}

/** `change` is null where buckets have no settings. */
function columns(askToRemove: (bucket: Bucket) => void, change: ((bucket: Bucket) => void) | null): Column<Bucket>[] {
  const unknown = <span class="c3">Not told</span>;
  const open = ({ name }: Bucket) => setQuery({ bucket: name, prefix: null }, { isStep: true });
  const mayOpen = ({ reserved }: Bucket) => isAdmin() && !reserved;
  return [
    {
      id: "name",
      title: "Name",
      cell: (bucket) => (
        <span class="treename">
          <Icon name="database" />
          {mayOpen(bucket) ? (
            <button type="button" class="link cut" title={bucket.name} onClick={() => open(bucket)}>
              {bucket.name}
            </button>
          ) : (
            <span class="cut" title={bucket.name}>
              {bucket.name}
            </span>
          )}
          {bucket.visibility === "public" && <Chip state="warn">Public</Chip>}
          {bucket.aliases !== undefined && (
            <span class="c3 t13 cut" title={bucket.aliases.join(", ")}>
              also {bucket.aliases.join(", ")}
            </span>
          )}
        </span>
      ),
    },
    {
      id: "objects",
      title: "Objects",
      number: true,
      cell: ({ object_count: count }) => count?.toLocaleString("en") ?? unknown,
    },
    {
      id: "size",
      title: "Size",
      number: true,
      cell: ({ size_bytes: size }) => (size === null ? unknown : bytesText(size)),
    },
    {
      id: "made",
      title: "Made",
      wide: true,
      cell: ({ created_at: made }) =>
        made === null ? (
          unknown
        ) : (
          <span class="c3" data-tip={moment(made)}>
            {ago(made)}
          </span>
        ),
    },
    {
      id: "acts",
      title: "",
      cell: (bucket) =>
        mayOpen(bucket) && (
          <span class="row">
            {change !== null && (
              <IconButton
                size="sm"
                icon="settings"
                label={`Settings of ${bucket.name}`}
                onClick={() => change(bucket)}
              />
            )}
            <IconButton size="sm" icon="trash" label={`Remove ${bucket.name}`} onClick={() => askToRemove(bucket)} />
          </span>
        ),
    },
  ];
}

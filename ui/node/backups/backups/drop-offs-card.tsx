import { useState } from "preact/hooks";
import type { DropOff, DropOffKey } from "../../../../src/node/backups/drop-offs/contract.ts";
import { ago, bytesText, moment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { useWish } from "../../../client/wish.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Card, Skeleton } from "../../../kit/card.tsx";
import { Copy } from "../../../kit/copy.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { Status } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { ShownOnce } from "../../../parts/shown-once.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { DropOffDialog } from "./drop-off-dialog.tsx";

type Asking = { dialog: DropOff | null } | { key: DropOffKey } | { remove: DropOff } | null;

function stateOf({ is_expired, last_used_at, used_bytes, quota_bytes }: DropOff) {
  if (is_expired) return <Status state="crit">Its key has run out</Status>;
  if (used_bytes > quota_bytes * 0.9) return <Status state="warn">Nearly full</Status>;
  if (last_used_at === null) return <Status state="off">Not used yet</Status>;
  return <Status state="ok">{`Used ${ago(last_used_at)}`}</Status>;
}

function describe({ used_bytes, quota_bytes, append_only, expires_at }: DropOff): string {
  const parts = [`${bytesText(used_bytes)} of ${bytesText(quota_bytes)}`];
  if (append_only) parts.push("only adds");
  if (expires_at !== null) parts.push(`key until ${moment(expires_at)}`);
  return parts.join(", ");
}

/** Places on this server where others keep their backups. */
export function DropOffsCard() {
  const places = useResource("GET /api/backup/drop-offs");
  const [asking, ask] = useState<Asking>(null);
  const close = () => ask(null);
  useWish("drop-off", () => ask({ dialog: null }));
  const refresh = () => void places.refresh();
  const renew = async ({ id }: DropOff): Promise<void> => {
    try {
      ask({ key: await api("POST /api/backup/drop-offs/{id}/key", { path: { id } }) });
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
  };
  const remove = async ({ id }: DropOff, delete_data: boolean): Promise<void> => {
    toast((await api("DELETE /api/backup/drop-offs/{id}", { path: { id }, query: { delete_data } })).message);
    close();
    refresh();
  };
  const add = (
    <Button size="sm" icon="plus" onClick={() => ask({ dialog: null })}>
      Add a server
    </Button>
  );
  return (
    <Card title="Other servers" aside="kept here" actions={add}>
      <Loaded of={places} what="Places for other servers" skeleton={<Skeleton rows={1} />}>
        {(list) =>
          list.length === 0 ? (
            <p class="treeway backupfoot first t13 c3">
              None are kept here. Another Orrery can keep its backups on this server, and this one on another: each is
              safe when the other is lost.
            </p>
          ) : (
            <div class="rows">
              {list.map((place) => (
                <div class="item backuprow" key={place.id}>
                  <span class="body">
                    <span class="title cut">{place.name}</span>
                    <span class="sub">{describe(place)}</span>
                    <span class="sub cut">{place.path}</span>
                    <span class="sub">{stateOf(place)}</span>
                  </span>
                  <span class="acts row">
                    <Button size="sm" aria-label={`Change ${place.name}`} onClick={() => ask({ dialog: place })}>
                      Change
                    </Button>
                    <Button size="sm" aria-label={`New key for ${place.name}`} onClick={() => void renew(place)}>
                      New key
                    </Button>
                    <IconButton
                      size="sm"
                      icon="trash"
                      label={`Remove ${place.name}`}
                      onClick={() => ask({ remove: place })}
                    />
                  </span>
                </div>
              ))}
            </div>
          )
        }
      </Loaded>
      {asking !== null && "dialog" in asking && (
        <DropOffDialog
          known={asking.dialog}
          onClose={close}
          onMade={(key) => ask({ key })}
          onChanged={() => {
            close();
            refresh();
          }}
        />
      )}
      {asking !== null && "key" in asking && (
        <ShownOnce
          title={`Key for ${asking.key.drop_off.name}`}
          sub="Shown only now. On the other server: Backups, Add target, Orrery."
          label="Key"
          secret={asking.key.key}
          onClose={() => {
            close();
            refresh();
          }}
        >
          <p class="row">
            {"Address: "}
            <code class="backuppath">{location.origin}</code>
            <Copy text={location.origin} />
          </p>
        </ShownOnce>
      )}
      {asking !== null && "remove" in asking && (
        <ConfirmDanger
          title={`Remove ${asking.remove.name}?`}
          typed={asking.remove.name}
          action="Remove place"
          extra={{ label: "Also delete the backups that lie there" }}
          onConfirm={(withData) => remove(asking.remove, withData)}
          onClose={close}
        >
          Its key opens nothing any more from now on.
        </ConfirmDanger>
      )}
    </Card>
  );
}

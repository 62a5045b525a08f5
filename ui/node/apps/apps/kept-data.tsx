import { useState } from "preact/hooks";
import type { TrashedApp } from "../../../../src/node/apps/apps/contract.ts";
import { ago, day } from "../../../client/format.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { AppTile } from "../templates/app-tile.tsx";

/** Data of uninstalled apps that is still there, and until when; nothing when there is none. */
export function KeptData() {
  const kept = useResource("GET /api/apps/trash");
  const [leaving, leave] = useState<TrashedApp | null>(null);
  const list = kept.data.value ?? [];
  if (list.length === 0) return null;
  const remove = async (item: TrashedApp): Promise<void> => {
    await api("DELETE /api/apps/trash/{id}", { path: { id: item.app_id } });
    toast(`The data of ${item.display_name} is deleted.`);
    leave(null);
    await kept.refresh();
  };
  return (
    <Card title="Kept data" aside="of apps that were uninstalled">
      <ul class="rows sep">
        {list.map((item) => (
          <li class="item keptdata" key={item.app_id}>
            <AppTile app={{ ...item, category: item.template }} size="md" />
            <div class="body">
              <p class="title">{item.display_name}</p>
              <p class="sub" title={item.volumes.join("\n")}>
                Uninstalled {ago(item.deleted_at)}, kept until {day(item.purge_at)}
              </p>
            </div>
            <LinkButton size="sm" href={`/store?install=${item.template}&restore=${item.app_id}`}>
              Install again
            </LinkButton>
            <Button size="sm" kind="danger" onClick={() => leave(item)}>
              Delete now…
            </Button>
          </li>
        ))}
      </ul>
      {leaving !== null && (
        <ConfirmDanger
          title={`Delete the data of ${leaving.display_name}?`}
          typed={leaving.name}
          action="Delete"
          onConfirm={() => remove(leaving)}
          onClose={() => leave(null)}
        >
          {leaving.volumes.join(", ")}. This cannot be taken back.
        </ConfirmDanger>
      )}
    </Card>
  );
}

import { useState } from "preact/hooks";
import type { ResticRepository } from "../../../../src/node/backups/restic/contract.ts";
import { ago } from "../../../client/format.ts";
import { useWish } from "../../../client/wish.ts";
import { Button, IconButton, LinkButton } from "../../../kit/button.tsx";
import { Card, Skeleton } from "../../../kit/card.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { AttachDialog } from "./attach-dialog.tsx";

/** Backups that restic made, here or elsewhere. */
export function ResticCard() {
  const repositories = useResource("GET /api/backup/restic");
  const [asking, ask] = useState<"attach" | ResticRepository | null>(null);
  const close = () => ask(null);
  useWish("restic", () => ask("attach"));
  const detach = async ({ id }: ResticRepository): Promise<void> => {
    toast((await api("DELETE /api/backup/restic/{id}", { path: { id } })).message);
    close();
    void repositories.refresh();
  };
  const attach = (
    <Button size="sm" icon="plus" onClick={() => ask("attach")}>
      Attach a repository
    </Button>
  );
  return (
    <Card title="restic repositories" aside="read only" actions={attach}>
      <Loaded of={repositories} what="restic repositories" skeleton={<Skeleton rows={1} />}>
        {(list) =>
          list.length === 0 ? (
            <p class="treeway backupfoot first t13 c3">
              None is attached. Backups that restic made before can be opened here: look through their snapshots and
              take files out.
            </p>
          ) : (
            <div class="rows">
              {list.map((repository) => (
                <div class="item backuprow" key={repository.id}>
                  <span class="body">
                    <span class="title cut">{repository.name}</span>
                    <span class="sub cut">{repository.path}</span>
                    <span class="sub">
                      {repository.read_at === null ? "Not read yet" : `Read ${ago(repository.read_at)}`}
                    </span>
                  </span>
                  <span class="acts row">
                    <LinkButton size="sm" href={`/backups/restic/${repository.id}`}>
                      Snapshots<span class="sr">{` of ${repository.name}`}</span>
                    </LinkButton>
                    <IconButton
                      size="sm"
                      icon="trash"
                      label={`Detach ${repository.name}`}
                      onClick={() => ask(repository)}
                    />
                  </span>
                </div>
              ))}
            </div>
          )
        }
      </Loaded>
      {asking === "attach" && (
        <AttachDialog
          onClose={close}
          onAttached={() => {
            close();
            void repositories.refresh();
          }}
        />
      )}
      {asking !== null && asking !== "attach" && (
        <ConfirmDanger
          title={`Detach ${asking.name}?`}
          typed={null}
          action="Detach"
          onConfirm={() => detach(asking)}
          onClose={close}
        >
          The repository stays as it is. To open it here again, its password is needed.
        </ConfirmDanger>
      )}
    </Card>
  );
}

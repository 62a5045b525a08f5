import { useState } from "preact/hooks";
import type { TrashedNode } from "../../../../src/node/storage/drive/contract.ts";
import { bytesText, moment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { query, setQuery } from "../../../client/router.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { mayChangeThings } from "../../client/session.ts";
import { Pages } from "./pages.tsx";

/** What was put into the trash, with the ways back and out. */
export function Trash() {
  const after = query.value.get("after");
  const trash = useResource("GET /api/drive/trash", { query: after === null ? {} : { after } });
  const [removing, setRemoving] = useState<TrashedNode | null>(null);
  const mayChange = mayChangeThings();
  const restore = async ({ id, name }: TrashedNode): Promise<void> => {
    try {
      await api("POST /api/drive/trash/{id}/restore", { path: { id } });
      toast(`${name} is back.`);
      void trash.refresh();
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
  };
  const remove = async ({ id, name }: TrashedNode): Promise<void> => {
    await api("DELETE /api/drive/trash/{id}", { path: { id } });
    toast(`${name} is gone for good.`);
    setRemoving(null);
    void trash.refresh();
  };
  return (
    <>
      <Card title="Trash" class="drivecard">
        <Loaded of={trash} what="The trash" skeleton={<Skeleton rows={5} />}>
          {({ nodes, next }) => (
            <>
              {nodes.length === 0 ? (
                <EmptyState
                  title="The trash is empty"
                  action={
                    <Button size="sm" onClick={() => setQuery({ view: null, after: null }, { isStep: true })}>
                      Show the files
                    </Button>
                  }
                >
                  What you move here can be taken back for 30 days.
                </EmptyState>
              ) : (
                <DataTable
                  label="Trash"
                  folds
                  rows={nodes}
                  keyOf={({ id }) => id}
                  columns={[
                    {
                      id: "name",
                      title: "Name",
                      cell: ({ kind, name }) => (
                        <span class="treename">
                          <Icon name={kind === "folder" ? "folder" : "file-text"} />
                          <span class="cut" title={name}>
                            {name}
                          </span>
                        </span>
                      ),
                    },
                    {
                      id: "size",
                      title: "Size",
                      number: true,
                      cell: ({ kind, size_bytes }) =>
                        kind === "file" ? bytesText(size_bytes) : <span class="c3">Folder</span>,
                    },
                    { id: "until", title: "Kept until", cell: ({ purged_at }) => moment(purged_at) },
                    {
                      id: "acts",
                      title: "",
                      cell: (node) =>
                        mayChange && (
                          <span class="acts row">
                            <IconButton
                              size="sm"
                              icon="restart"
                              label={`Restore ${node.name}`}
                              onClick={() => void restore(node)}
                            />
                            <IconButton
                              size="sm"
                              icon="trash"
                              label={`Delete ${node.name} for good`}
                              onClick={() => setRemoving(node)}
                            />
                          </span>
                        ),
                    },
                  ]}
                />
              )}
              <Pages next={next} />
            </>
          )}
        </Loaded>
      </Card>
      {removing !== null && (
        <ConfirmDanger
          title={`Delete ${removing.name}?`}
          typed={null}
          action="Delete for good"
          onConfirm={() => remove(removing)}
          onClose={() => setRemoving(null)}
        >
          {removing.kind === "folder" ? "All that lies in it goes too. There is no way back." : "There is no way back."}
        </ConfirmDanger>
      )}
    </>
  );
}

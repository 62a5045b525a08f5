import { useEffect, useState } from "preact/hooks";
import type { DriveTree } from "../../../../src/node/storage/drive/contract.ts";
import { asProblem } from "../../../client/problem.ts";
import { query } from "../../../client/router.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { NameDialog } from "../../../parts/name-dialog.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { mayChangeThings } from "../../client/session.ts";
import { chooseDropped, chooseFiles } from "./chosen-files.ts";
import { NodeTable, openFolder } from "./node-table.tsx";
import { Pages } from "./pages.tsx";
import { addTransfers, arrivals } from "./transfers.ts";
import { UploadButton } from "./upload-button.tsx";

/** What lies in a folder; the top has no id. */
export function Folder({ id }: { id: string }) {
  const after = query.value.get("after");
  const tree = useResource("GET /api/drive/tree", {
    query: { ...(id === "" ? {} : { folder_id: id }), ...(after === null ? {} : { after }) },
  });
  const [isNaming, setNaming] = useState(false);
  const base = id === "" ? null : id;
  useEffect(() => {
    if (arrivals.value === 0) return;
    // Small files come in crowds.
    const timer = setTimeout(() => void tree.refresh(), 300);
    return () => clearTimeout(timer);
  }, [arrivals.value]);
  const close = () => setNaming(false);
  const done = (words: string) => {
    toast(words);
    close();
    void tree.refresh();
  };
  const mayChange = mayChangeThings();
  const drop = async (items: readonly DataTransferItem[]): Promise<void> => {
    try {
      addTransfers(await chooseDropped(items, base));
      // An empty folder is made without a file.
      void tree.refresh();
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
  };
  const send = (files: readonly File[]): void => addTransfers(chooseFiles(files, base));
  const upload = <UploadButton onFiles={send} />;
  return (
    <section
      aria-label="Place to drop files"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        if (mayChange) void drop([...(event.dataTransfer?.items ?? [])]);
      }}
    >
      <Card
        title="Files"
        class="drivecard"
        actions={
          <span class="row">
            <IconButton size="sm" icon="sync" label="Load again" onClick={() => void tree.refresh()} />
            {mayChange && (
              <Button size="sm" icon="plus" onClick={() => setNaming(true)}>
                New folder
              </Button>
            )}
            {mayChange && <UploadButton isFolder onFiles={send} />}
            {mayChange && (tree.data.value?.nodes.length ?? 0) > 0 && upload}
          </span>
        }
      >
        <Loaded of={tree} what="This folder" skeleton={<Skeleton rows={5} />}>
          {({ path, nodes, next }) => (
            <>
              <Way path={path} />
              {nodes.length === 0 ? (
                <EmptyState title="Nothing in here" action={mayChange ? upload : undefined}>
                  {mayChange
                    ? "Drop files or folders here, or choose some."
                    : "Your account may only look. Ask an admin to let you change things."}
                </EmptyState>
              ) : (
                <NodeTable
                  label={`Files in ${path.at(-1)?.name ?? "the Drive"}`}
                  rows={nodes.map((node) => ({ node }))}
                  onChanged={() => void tree.refresh()}
                />
              )}
              <Pages next={next} />
            </>
          )}
        </Loaded>
      </Card>
      {isNaming && (
        <NameDialog
          title="New folder"
          name=""
          action="Make folder"
          onName={async (name) => {
            await api("POST /api/drive/folders", { body: { name, parent_id: id === "" ? null : id } });
            done(`${name} is made.`);
          }}
          onClose={close}
        />
      )}
    </section>
  );
}

/** Where one is, each step a way back. */
function Way({ path }: { path: DriveTree["path"] }) {
  if (path.length === 0) return null;
  return (
    <nav class="treeway" aria-label="Place in the Drive">
      <ol>
        <li>
          <button type="button" class="link" onClick={() => openFolder(null)}>
            Drive
          </button>
        </li>
        {path.map(({ id, name }, index) => (
          <li key={id}>
            {index === path.length - 1 ? (
              <b aria-current="location">{name}</b>
            ) : (
              <button type="button" class="link" onClick={() => openFolder(id)}>
                {name}
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

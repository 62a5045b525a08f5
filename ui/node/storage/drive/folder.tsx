import { useEffect, useState } from "preact/hooks";
import type { DriveTree } from "../../../../src/node/storage/drive/contract.ts";
import { asProblem } from "../../../client/problem.ts";
import { query } from "../../../client/router.ts";
import { createSoon } from "../../../client/soon.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { NameDialog } from "../../../parts/name-dialog.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { mayChangeThings } from "../../client/session.ts";
import { moveNodes } from "./change-nodes.ts";
import { chooseDropped, chooseFiles } from "./chosen-files.ts";
import { areFiles, dropPlace } from "./drag-nodes.ts";
import { LayoutSwitch } from "./layout-switch.tsx";
import { Nodes } from "./nodes.tsx";
import { Pages } from "./pages.tsx";
import { openFolder } from "./shown.ts";
import { addTransfers, arrivals } from "./transfers.ts";
import { UploadButton } from "./upload-button.tsx";

/** What lies in a folder; the top has no id. */
export function Folder({ id }: { id: string }) {
  const after = query.value.get("after");
  const tree = useResource("GET /api/drive/tree", {
    query: { ...(id === "" ? {} : { folder_id: id }), ...(after === null ? {} : { after }) },
  });
  const [isNaming, setNaming] = useState(false);
  const [isOver, setOver] = useState(false);
  const base = id === "" ? null : id;
  useEffect(() => {
    const soon = createSoon(() => void tree.refresh(), afterCrowd);
    const before = arrivals.peek();
    const stop = arrivals.subscribe((count) => {
      if (count !== before) soon.ask();
    });
    return () => {
      stop();
      soon.stop();
    };
  }, [tree]);
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
  const move = async (ids: readonly string[], folder: string | null): Promise<void> => {
    await moveNodes(ids, folder);
    void tree.refresh();
  };
  const send = (files: readonly File[]): void => addTransfers(chooseFiles(files, base));
  const upload = <UploadButton onFiles={send} />;
  return (
    <section
      aria-label="Place to drop files"
      class={isOver ? "driveplace over" : "driveplace"}
      onDragOver={(event) => {
        if (!areFiles(event)) return;
        event.preventDefault();
        setOver(mayChange);
      }}
      onDragLeave={(event) => {
        if (!(event.relatedTarget instanceof Node) || !event.currentTarget.contains(event.relatedTarget))
          setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (mayChange) void drop([...(event.dataTransfer?.items ?? [])]);
      }}
    >
      <Card
        title="Files"
        class="drivecard"
        actions={
          <span class="row">
            <LayoutSwitch />
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
              <Way path={path} onMove={mayChange ? (ids, folder) => void move(ids, folder) : undefined} />
              {nodes.length === 0 ? (
                <EmptyState
                  title={id === "" ? "Your Drive is empty" : "Nothing in here"}
                  action={mayChange ? upload : undefined}
                >
                  {mayChange ? EMPTY[id === "" ? "top" : "folder"] : EMPTY.viewer}
                </EmptyState>
              ) : (
                <Nodes
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

/** Small files come in crowds. */
function afterCrowd(run: () => void): () => void {
  const timer = setTimeout(run, 300);
  return () => clearTimeout(timer);
}

const EMPTY = {
  top: "Drop files or folders anywhere on this page, or choose some. They stay on this server: older versions are kept for a while, and what you share opens by a link.",
  folder: "Drop files or folders here, or choose some.",
  viewer: "Your account may only look. Ask an admin to let you change things.",
};

/** Where one is, each step a way back, and a place to drop what belongs there. */
function Way({
  path,
  onMove,
}: {
  path: DriveTree["path"];
  onMove: ((ids: readonly string[], folder: string | null) => void) | undefined;
}) {
  if (path.length === 0) return null;
  const steps = [{ id: null, name: "Drive" }, ...path];
  return (
    <nav class="treeway" aria-label="Place in the Drive">
      <ol>
        {steps.map(({ id, name }, index) => (
          <li key={id}>
            {index === steps.length - 1 ? (
              <b aria-current="location">{name}</b>
            ) : (
              <button
                type="button"
                class="link"
                onClick={() => openFolder(id)}
                {...(onMove === undefined ? {} : dropPlace((ids) => onMove(ids, id)))}
              >
                {name}
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

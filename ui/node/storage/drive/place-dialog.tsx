import { useState } from "preact/hooks";
import type { DriveNode } from "../../../../src/node/storage/drive/contract.ts";
import { count } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { Skeleton } from "../../../kit/card.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";

/** Asks for the folder that something is moved or copied to. */
export function PlaceDialog({
  nodes,
  from,
  action,
  onPlace,
  onClose,
}: {
  nodes: readonly DriveNode[];
  /** The folder they are in now; null is the top. */
  from: string | null;
  action: "Move" | "Copy";
  onPlace: (folder: string | null) => Promise<void>;
  onClose: () => void;
}) {
  const [folder, setFolder] = useState<string | null>(from);
  const attempt = useAttempt();
  return (
    <FormDialog
      title={`${action} ${nodes.length === 1 ? nodes[0]?.name : count(nodes.length, "file or folder", "files and folders")}`}
      sub="Choose the folder it goes to."
      action={`${action} here`}
      ready={action === "Copy" || folder !== from}
      attempt={attempt}
      onSubmit={() => void attempt.send(() => onPlace(folder))}
      onClose={onClose}
    >
      <Folders key={folder} id={folder} but={nodes.map(({ id }) => id)} onOpen={setFolder} />
    </FormDialog>
  );
}

function Folders({
  id,
  but,
  onOpen,
}: {
  id: string | null;
  but: readonly string[];
  onOpen: (id: string | null) => void;
}) {
  // Folders come first, so that the first page has them.
  const tree = useResource("GET /api/drive/tree", { query: id === null ? {} : { folder_id: id } });
  return (
    <Loaded of={tree} what="This folder" skeleton={<Skeleton rows={4} />}>
      {({ path, nodes }) => {
        const folders = nodes.filter((one) => one.kind === "folder" && !but.includes(one.id));
        const above = path.at(-2)?.id ?? null;
        return (
          <div class="stack">
            <p class="w6 driveplace">{["Drive", ...path.map(({ name }) => name)].join(" / ")}</p>
            <ul class="drivefolders" aria-label="Folders in here">
              {id !== null && (
                <li>
                  <Button kind="ghost" icon="left" onClick={() => onOpen(above)}>
                    Up
                  </Button>
                </li>
              )}
              {folders.map((one) => (
                <li key={one.id}>
                  <button type="button" class="btn ghost" title={one.name} onClick={() => onOpen(one.id)}>
                    <Icon name="folder" />
                    <span class="cut">{one.name}</span>
                  </button>
                </li>
              ))}
            </ul>
            {folders.length === 0 && <p class="t13 c3">There is no folder in here.</p>}
          </div>
        );
      }}
    </Loaded>
  );
}

import { useState } from "preact/hooks";
import { bytesText } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";

/** What was chosen of one's own Drive. */
export interface PickedNode {
  id: string;
  name: string;
}

/** One's own Drive as it was in a backup: one file or folder of it is chosen. */
export function OwnDrive({
  backupId,
  onPick,
  onClose,
}: {
  backupId: string;
  onPick: (node: PickedNode) => void;
  onClose: () => void;
}) {
  const [folder, setFolder] = useState<string | null>(null);
  const [after, setAfter] = useState<string | null>(null);
  const query = { ...(folder === null ? {} : { folder }), ...(after === null ? {} : { after }) };
  const page = useResource("GET /api/backups/{id}/drive", { path: { id: backupId }, query });
  const open = (id: string | null) => {
    setFolder(id);
    setAfter(null);
  };
  return (
    <Dialog title="Choose of your Drive" sub="As it was in the backup." width="sm" onClose={onClose}>
      <Loaded of={page} what="Your Drive in the backup" skeleton={<Skeleton rows={5} />}>
        {({ folder: here, nodes, next }) => (
          <div class="rows">
            {here !== null && (
              <div class="item backuprow">
                <span class="body">
                  <span class="title cut">{here.name}</span>
                </span>
                <span class="acts row">
                  <Button size="sm" onClick={() => open(here.parent_id)}>
                    Up
                  </Button>
                  <Button size="sm" onClick={() => onPick(here)}>
                    Choose this folder
                  </Button>
                </span>
              </div>
            )}
            {nodes.length === 0 && <EmptyState title="Nothing here">Your Drive had nothing in this place.</EmptyState>}
            {nodes.map(({ id, kind, name, size_bytes }) => (
              <div class="item backuprow" key={id}>
                <span class="body">
                  <span class="title cut">{name}</span>
                  <span class="sub">{kind === "file" ? bytesText(size_bytes) : "Folder"}</span>
                </span>
                <span class="acts row">
                  <Button
                    size="sm"
                    aria-label={`${kind === "folder" ? "Open" : "Choose"} ${name}`}
                    onClick={() => (kind === "folder" ? open(id) : onPick({ id, name }))}
                  >
                    {kind === "folder" ? "Open" : "Choose"}
                  </Button>
                </span>
              </div>
            ))}
            {next !== null && (
              <Button size="sm" onClick={() => setAfter(next)}>
                More
              </Button>
            )}
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}

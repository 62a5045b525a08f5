import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { DriveNode } from "../../../../src/node/storage/drive/contract.ts";
import { asProblem } from "../../../client/problem.ts";
import type { MenuItem } from "../../../kit/menu.tsx";
import { toast } from "../../../kit/toasts.ts";
import { NameDialog } from "../../../parts/name-dialog.tsx";
import { api } from "../../client/api.ts";
import { mayChangeThings } from "../../client/session.ts";
import { ShareDialog } from "../shares/share-dialog.tsx";
import { moveNodes, trashNodes } from "./change-nodes.ts";
import { download } from "./download.ts";
import { PlaceDialog } from "./place-dialog.tsx";
import { VersionsDialog } from "./versions-dialog.tsx";

type Asking =
  | { ask: "rename" | "copy" | "versions" | "share"; node: DriveNode }
  | { ask: "move"; nodes: readonly DriveNode[] };

/** What can be done to files and folders. */
export interface NodeActions {
  /** All that the menu of one has. */
  menuOf: (node: DriveNode) => MenuItem[];
  download: (node: DriveNode) => void;
  trash: (nodes: readonly DriveNode[]) => Promise<void>;
  /** Asks where to. */
  askMove: (nodes: readonly DriveNode[]) => void;
  /** Moves without asking, as by dragging. */
  move: (ids: readonly string[], folder: string | null) => Promise<void>;
  /** The dialog that is open. */
  dialog: JSX.Element | null;
}

/** What can be done to the files and folders of a list, which is told when one has changed. */
export function useNodeActions(onChanged: () => void): NodeActions {
  const [asking, setAsking] = useState<Asking | null>(null);
  const mayChange = mayChangeThings();
  const close = () => setAsking(null);
  const done = (words: string): void => {
    toast(words);
    close();
    onChanged();
  };
  const star = async ({ id, name, starred }: DriveNode): Promise<void> => {
    try {
      await api("PATCH /api/drive/nodes/{id}", { path: { id }, body: { starred: !starred } });
      done(starred ? `${name} has no star any more.` : `${name} has a star.`);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
  };
  const move = async (ids: readonly string[], folder: string | null): Promise<void> => {
    await moveNodes(ids, folder);
    onChanged();
  };
  const changes = (node: DriveNode): MenuItem[] => [
    { label: node.starred ? "Take the star away" : "Mark with a star", icon: "star", run: () => void star(node) },
    { label: "Share", icon: "link", run: () => setAsking({ ask: "share", node }) },
    { label: "Rename", icon: "edit", run: () => setAsking({ ask: "rename", node }) },
    { label: "Move", icon: "right", run: () => setAsking({ ask: "move", nodes: [node] }) },
    { label: "Copy", icon: "copy", run: () => setAsking({ ask: "copy", node }) },
  ];
  const versions = (node: DriveNode): MenuItem => ({
    label: "Versions",
    icon: "clock",
    run: () => setAsking({ ask: "versions", node }),
  });

  function dialogFor(asked: Asking) {
    if (asked.ask === "move") {
      const [first] = asked.nodes;
      if (first === undefined) return null;
      return (
        <PlaceDialog
          nodes={asked.nodes}
          from={first.parent_id}
          action="Move"
          onPlace={async (parent_id) => {
            if (asked.nodes.length > 1)
              await moveNodes(
                asked.nodes.map(({ id }) => id),
                parent_id,
              );
            else await api("PATCH /api/drive/nodes/{id}", { path: { id: first.id }, body: { parent_id } });
            if (asked.nodes.length === 1) toast(`${first.name} is moved.`);
            close();
            onChanged();
          }}
          onClose={close}
        />
      );
    }
    const { ask, node } = asked;
    const path = { id: node.id };
    if (ask === "rename")
      return (
        <NameDialog
          title={`Rename the ${node.kind}`}
          name={node.name}
          action="Rename"
          onName={async (name) => {
            await api("PATCH /api/drive/nodes/{id}", { path, body: { name } });
            done(`It is called ${name} now.`);
          }}
          onClose={close}
        />
      );
    if (ask === "copy")
      return (
        <PlaceDialog
          nodes={[node]}
          from={node.parent_id}
          action="Copy"
          onPlace={async (parent_id) => {
            const made = await api("POST /api/drive/nodes/{id}/copy", { path, body: { parent_id } });
            done(`${made.name} is made.`);
          }}
          onClose={close}
        />
      );
    if (ask === "share") return <ShareDialog node={node} onClose={close} />;
    return <VersionsDialog node={node} mayChange={mayChange} onChanged={onChanged} onClose={close} />;
  }

  return {
    menuOf: (node) => [...(mayChange ? changes(node) : []), ...(node.kind === "file" ? [versions(node)] : [])],
    download: (node) => void download(node.id),
    async trash(nodes) {
      await trashNodes(nodes.map(({ id }) => id));
      onChanged();
    },
    askMove: (nodes) => setAsking({ ask: "move", nodes }),
    move,
    dialog: asking === null ? null : dialogFor(asking),
  };
}

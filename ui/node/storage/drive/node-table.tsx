import { useState } from "preact/hooks";
import type { DriveFinds, DriveNode } from "../../../../src/node/storage/drive/contract.ts";
import { ago, bytesText, moment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { setQuery } from "../../../client/router.ts";
import { IconButton } from "../../../kit/button.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { Menu, type MenuItem } from "../../../kit/menu.tsx";
import { type Column, DataTable } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { NameDialog } from "../../../parts/name-dialog.tsx";
import { api } from "../../client/api.ts";
import { mayChangeThings } from "../../client/session.ts";
import { ShareDialog } from "../shares/share-dialog.tsx";
import { download } from "./download.ts";
import { PlaceDialog } from "./place-dialog.tsx";
import { VersionsDialog } from "./versions-dialog.tsx";

/** A file or folder, and where it was found. */
export type Found = Pick<DriveFinds["finds"][number], "node"> & Partial<DriveFinds["finds"][number]>;

type Asking = { ask: "rename" | "move" | "copy" | "versions" | "share"; node: DriveNode };

/** Goes to a folder; the top has no id. */
export const openFolder = (id: string | null): void =>
  setQuery({ folder: id, after: null, q: null, view: null }, { isStep: true });

/** Files and folders with all that can be done to them. */
export function NodeTable({
  label,
  rows,
  onChanged,
}: {
  label: string;
  rows: readonly Found[];
  onChanged: () => void;
}) {
  const [asking, setAsking] = useState<Asking | null>(null);
  const mayChange = mayChangeThings();
  const close = () => setAsking(null);
  const done = (words: string): void => {
    toast(words);
    close();
    onChanged();
  };
  /** Does what needs no dialog, and says what came of it. */
  const attempt = async (work: () => Promise<unknown>, words: string): Promise<void> => {
    try {
      await work();
      done(words);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
  };
  const trash = ({ id, name }: DriveNode): void =>
    void attempt(() => api("DELETE /api/drive/nodes/{id}", { path: { id } }), `${name} is in the trash for 30 days.`);
  const star = ({ id, name, starred }: DriveNode): void =>
    void attempt(
      () => api("PATCH /api/drive/nodes/{id}", { path: { id }, body: { starred: !starred } }),
      starred ? `${name} has no star any more.` : `${name} has a star.`,
    );
  const more = (node: DriveNode): MenuItem[] => [
    { label: node.starred ? "Take the star away" : "Mark with a star", icon: "star", run: () => star(node) },
    { label: "Share", icon: "link", run: () => setAsking({ ask: "share", node }) },
    { label: "Rename", icon: "edit", run: () => setAsking({ ask: "rename", node }) },
    { label: "Move", icon: "right", run: () => setAsking({ ask: "move", node }) },
    { label: "Copy", icon: "copy", run: () => setAsking({ ask: "copy", node }) },
  ];
  const versions = (node: DriveNode): MenuItem[] =>
    node.kind === "file" ? [{ label: "Versions", icon: "clock", run: () => setAsking({ ask: "versions", node }) }] : [];
  const acts: Column<Found> = {
    id: "acts",
    title: "",
    cell: ({ node }) => {
      const items = [...(mayChange ? more(node) : []), ...versions(node)];
      return (
        <span class="acts row">
          {node.kind === "file" && (
            <IconButton
              size="sm"
              icon="download"
              label={`Download ${node.name}`}
              onClick={() => void download(node.id)}
            />
          )}
          {mayChange && (
            <IconButton size="sm" icon="trash" label={`Move ${node.name} to the trash`} onClick={() => trash(node)} />
          )}
          {items.length > 0 && (
            <Menu
              label={`More for ${node.name}`}
              trigger={(props) => <IconButton {...props} icon="more" size="sm" label={`More for ${node.name}`} />}
              items={items}
            />
          )}
        </span>
      );
    },
  };
  const path = { id: asking?.node.id ?? "" };
  return (
    <>
      <DataTable label={label} folds columns={[...COLUMNS, acts]} rows={[...rows]} keyOf={({ node }) => node.id} />
      {asking?.ask === "rename" && (
        <NameDialog
          title={`Rename the ${asking.node.kind}`}
          name={asking.node.name}
          action="Rename"
          onName={async (name) => {
            await api("PATCH /api/drive/nodes/{id}", { path, body: { name } });
            done(`It is called ${name} now.`);
          }}
          onClose={close}
        />
      )}
      {(asking?.ask === "move" || asking?.ask === "copy") && (
        <PlaceDialog
          node={asking.node}
          action={asking.ask === "move" ? "Move" : "Copy"}
          onPlace={async (parent_id) => {
            const body = { parent_id };
            if (asking.ask === "move") await api("PATCH /api/drive/nodes/{id}", { path, body });
            const made = asking.ask === "copy" && (await api("POST /api/drive/nodes/{id}/copy", { path, body }));
            done(made ? `${made.name} is made.` : `${asking.node.name} is moved.`);
          }}
          onClose={close}
        />
      )}
      {asking?.ask === "share" && <ShareDialog node={asking.node} onClose={close} />}
      {asking?.ask === "versions" && (
        <VersionsDialog node={asking.node} mayChange={mayChange} onChanged={onChanged} onClose={close} />
      )}
    </>
  );
}

const COLUMNS: Column<Found>[] = [
  {
    id: "name",
    title: "Name",
    cell: ({ node: { id, kind, name, starred }, path }) => (
      <span class="treename">
        <Icon name={kind === "folder" ? "folder" : "file-text"} />
        <span class="col">
          {kind === "folder" ? (
            <button type="button" class="link cut" title={name} onClick={() => openFolder(id)}>
              {name}
            </button>
          ) : (
            <span class="cut" title={name}>
              {name}
            </span>
          )}
          {path !== undefined && (
            <button type="button" class="link sub cut" onClick={() => openFolder(path.at(-1)?.id ?? null)}>
              {`in ${["Drive", ...path.map((folder) => folder.name)].join(" / ")}`}
            </button>
          )}
        </span>
        {starred && (
          <>
            <Icon name="star" class="drivestar" />
            <span class="sr">, with a star</span>
          </>
        )}
      </span>
    ),
  },
  {
    id: "size",
    title: "Size",
    number: true,
    cell: ({ node: { kind, size_bytes } }) =>
      kind === "file" ? bytesText(size_bytes) : <span class="c3">Folder</span>,
  },
  {
    id: "changed",
    title: "Changed",
    wide: true,
    cell: ({ node: { changed_at } }) => (
      <span class="c3" data-tip={moment(changed_at)}>
        {ago(changed_at)}
      </span>
    ),
  },
];

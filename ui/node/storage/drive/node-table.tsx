import { ago, bytesText, moment } from "../../../client/format.ts";
import { IconButton } from "../../../kit/button.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { Menu } from "../../../kit/menu.tsx";
import { type Column, DataTable } from "../../../kit/table.tsx";
import { mayChangeThings } from "../../client/session.ts";
import { draggable, dropPlace } from "./drag-nodes.ts";
import { iconOf } from "./kinds.ts";
import { type Found, openFile, openFolder, type Shown } from "./shown.ts";

/** Files and folders in rows, with all that can be done to them. */
export function NodeTable({ label, rows, actions, selection, onSelect, carried }: Shown) {
  const mayChange = mayChangeThings();
  const name: Column<Found> = {
    id: "name",
    title: "Name",
    cell: ({ node, path }) => (
      <span class="treename">
        <input
          type="checkbox"
          class="check"
          aria-label={`Select ${node.name}`}
          checked={selection.ids.has(node.id)}
          onClick={(event) => onSelect(node, event.shiftKey)}
        />
        <Icon name={iconOf(node)} />
        <span class="col">
          <button
            type="button"
            class="link cut"
            title={node.name}
            onClick={() => (node.kind === "folder" ? openFolder(node.id) : openFile(node.id))}
          >
            {node.name}
          </button>
          {path !== undefined && (
            <button type="button" class="link sub cut" onClick={() => openFolder(path.at(-1)?.id ?? null)}>
              {`in ${["Drive", ...path.map((folder) => folder.name)].join(" / ")}`}
            </button>
          )}
        </span>
        {node.starred && (
          <>
            <Icon name="star" class="drivestar" />
            <span class="sr">, with a star</span>
          </>
        )}
      </span>
    ),
  };
  const acts: Column<Found> = {
    id: "acts",
    title: "",
    cell: ({ node }) => {
      const items = actions.menuOf(node);
      return (
        <span class="acts row">
          <IconButton
            size="sm"
            icon="download"
            label={`Download ${node.name}`}
            onClick={() => actions.download(node)}
          />
          {mayChange && (
            <IconButton
              size="sm"
              icon="trash"
              label={`Move ${node.name} to the trash`}
              onClick={() => void actions.trash([node])}
            />
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
  return (
    <DataTable
      label={label}
      folds
      columns={[name, ...COLUMNS, acts]}
      rows={[...rows]}
      keyOf={({ node }) => node.id}
      rowProps={({ node }) => ({
        ...(selection.ids.has(node.id) ? { "aria-selected": true, class: "chosen" } : {}),
        ...(mayChange ? draggable(() => carried(node)) : {}),
        ...(mayChange && node.kind === "folder" ? dropPlace((ids) => void actions.move(ids, node.id)) : {}),
      })}
    />
  );
}

const COLUMNS: Column<Found>[] = [
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

import { useState } from "preact/hooks";
import type { DriveNode } from "../../../../src/node/storage/drive/contract.ts";
import { ago, bytesText } from "../../../client/format.ts";
import { IconButton } from "../../../kit/button.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { Menu, type MenuItem } from "../../../kit/menu.tsx";
import { mayChangeThings } from "../../client/session.ts";
import { draggable, dropPlace } from "./drag-nodes.ts";
import { iconOf, thumbnailOf } from "./kinds.ts";
import { openFile, openFolder, type Shown } from "./shown.ts";

/** The arrow keys, and how many tiles each goes on; those between rows go by the width of one. */
function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const tiles = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-tile]")];
  const at = tiles.findIndex((tile) => tile === document.activeElement);
  const here = tiles[at];
  if (here === undefined) return;
  const across = tiles.filter(({ offsetTop }) => offsetTop === here.offsetTop).length;
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across };
  const next = tiles[at + (steps[event.key] ?? Number.NaN)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** Files and folders as tiles, folders first. */
export function NodeGrid(shown: Shown) {
  const { label, rows } = shown;
  return (
    <ul class="drivegrid" aria-label={label} onKeyDown={moveFocus}>
      {rows.map(({ node, path }) => (
        <Tile key={node.id} node={node} where={path?.at(-1)?.name ?? (path && "Drive")} {...shown} />
      ))}
    </ul>
  );
}

function Tile({
  node,
  where,
  actions,
  selection,
  onSelect,
  carried,
}: Shown & { node: DriveNode; where: string | undefined }) {
  const mayChange = mayChangeThings();
  const { kind, name, size_bytes, changed_at, starred } = node;
  const isChosen = selection.ids.has(node.id);
  const isFolder = kind === "folder";
  const items: MenuItem[] = [
    ...(isFolder ? [] : [{ label: "Download", icon: "download" as const, run: () => actions.download(node) }]),
    ...actions.menuOf(node),
    ...(mayChange ? [{ label: "Trash", icon: "trash" as const, run: () => void actions.trash([node]) }] : []),
  ];
  const facts = isFolder ? "Folder" : `${bytesText(size_bytes)}, ${ago(changed_at)}`;
  return (
    <li
      class={`drivetile ${kind}${isChosen ? " chosen" : ""}`}
      {...(mayChange ? draggable(() => carried(node)) : {})}
      {...(mayChange && isFolder ? dropPlace((ids) => void actions.move(ids, node.id)) : {})}
    >
      <button
        type="button"
        class="driveopen"
        data-tile
        title={name}
        onClick={() => (isFolder ? openFolder(node.id) : openFile(node.id))}
      >
        <Picture node={node} />
        <span class="drivename">
          <span class="cut w5">{name}</span>
        </span>
        <span class="t13 c3 cut" aria-hidden="true">
          {where === undefined ? facts : `in ${where}`}
        </span>
        {starred && <span class="sr">, with a star</span>}
      </button>
      {starred && <Icon name="star" class="drivestar" />}
      <input
        type="checkbox"
        class="check"
        aria-label={`Select ${name}`}
        checked={isChosen}
        onClick={(event) => onSelect(node, event.shiftKey)}
      />
      {items.length > 0 && (
        <span class="drivetilemenu">
          <Menu
            label={`More for ${name}`}
            trigger={(props) => <IconButton {...props} icon="more" size="sm" label={`More for ${name}`} />}
            items={items}
          />
        </span>
      )}
    </li>
  );
}

/** What a file looks like, or the glyph of its kind. */
function Picture({ node }: { node: DriveNode }) {
  const [isMissing, setMissing] = useState(false);
  const thumbnail = thumbnailOf(node);
  return (
    <span class="drivepicture">
      {thumbnail === null || isMissing ? (
        <Icon name={iconOf(node)} />
      ) : (
        <img
          src={thumbnail}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setMissing(true)}
        />
      )}
    </span>
  );
}

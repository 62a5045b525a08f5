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

const topOf = (tile: Element): number => Math.round(tile.getBoundingClientRect().top);

/** The arrow keys, and how many tiles each goes on; those between rows go by the width of one. */
function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const { activeElement: here } = document;
  if (here === null) return;
  const tiles: Element[] = [...event.currentTarget.querySelectorAll("[data-tile]")];
  const at = tiles.indexOf(here);
  if (at < 0) return;
  const across = tiles.filter((tile) => topOf(tile) === topOf(here)).length;
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across };
  const next = tiles[at + (steps[event.key] ?? Number.NaN)];
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
}

/** Files and folders as tiles, folders first. */
export function NodeGrid(shown: Shown) {
  const { label, rows } = shown;
  const tiles = (kind: DriveNode["kind"]) => {
    const some = rows.filter(({ node }) => node.kind === kind);
    if (some.length === 0) return null;
    return (
      <ul class={`drivegrid ${kind}s`} aria-label={kind === "folder" ? "Folders" : label}>
        {some.map(({ node, path }) => (
          <Tile key={node.id} node={node} where={path?.at(-1)?.name ?? (path && "Drive")} {...shown} />
        ))}
      </ul>
    );
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys go from one button in it to the next.
    <div onKeyDown={moveFocus}>
      {tiles("folder")}
      {tiles("file")}
    </div>
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
    { label: isFolder ? "Download as ZIP" : "Download", icon: "download", run: () => actions.download(node) },
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

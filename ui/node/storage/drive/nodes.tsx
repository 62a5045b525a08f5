import { useSignal } from "@preact/signals";
import type { DriveNode } from "../../../../src/node/storage/drive/contract.ts";
import { count } from "../../../client/format.ts";
import { query, setQuery } from "../../../client/router.ts";
import { Button } from "../../../kit/button.tsx";
import { usePageKeys } from "../../../kit/page-keys.ts";
import { mayChangeThings } from "../../client/session.ts";
import { layout } from "./layout.ts";
import { useNodeActions } from "./node-actions.tsx";
import { NodeGrid } from "./node-grid.tsx";
import { NodeTable } from "./node-table.tsx";
import { Preview } from "./preview.tsx";
import { NOTHING, type Selection, toggle } from "./selection.ts";
import type { Found } from "./shown.ts";

/** Keys in a field are the field's, and those of a dialog or menu that is open are its own. */
const isElsewhere = ({ target }: KeyboardEvent): boolean =>
  document.querySelector("dialog[open], :popover-open") !== null ||
  (target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea, select"));

/** Files and folders, as tiles or rows, of which several can be chosen and each looked at. */
export function Nodes({ label, rows, onChanged }: { label: string; rows: readonly Found[]; onChanged: () => void }) {
  // A signal, as keys can be quicker than rendering: each finds what the one before it chose.
  const selection = useSignal(NOTHING);
  const clear = () => {
    selection.value = NOTHING;
  };
  const actions = useNodeActions(() => {
    clear();
    onChanged();
  });
  const mayChange = mayChangeThings();
  const nodes = rows.map(({ node }) => node);
  const order = nodes.map(({ id }) => id);
  const chosenOf = ({ ids }: Selection) => nodes.filter(({ id }) => ids.has(id));
  const chosen = chosenOf(selection.value);
  const files = nodes.filter(({ kind }) => kind === "file");
  const open = files.findIndex(({ id }) => id === query.value.get("file"));
  const onSelect = (node: DriveNode, isRange: boolean): void => {
    selection.value = toggle(order, selection.peek(), node.id, isRange);
  };
  const all = () => {
    selection.value = { ids: new Set(order), from: null };
  };
  usePageKeys((event) => {
    if (isElsewhere(event)) return;
    const now = chosenOf(selection.peek());
    if (event.key === "a" && (event.ctrlKey || event.metaKey)) all();
    else if (event.key === "Escape" && now.length > 0) clear();
    else if (event.key === "Delete" && now.length > 0 && mayChange) void actions.trash(now);
    else return;
    event.preventDefault();
  });
  const shown = {
    ...{ label, rows, actions, selection: selection.value, onSelect },
    carried: (node: DriveNode) => (selection.value.ids.has(node.id) ? chosen : [node]),
  };
  return (
    <>
      <div class="drivechosen row" role="status">
        <span class="t13 c3">
          {chosen.length === 0
            ? count(nodes.length, "entry", "entries")
            : `${chosen.length} of ${nodes.length} selected`}
        </span>
        {chosen.length > 0 && (
          <span class="row push">
            {chosen.length < nodes.length && (
              <Button size="sm" kind="ghost" onClick={all}>
                All
              </Button>
            )}
            {mayChange && (
              <Button size="sm" icon="right" onClick={() => actions.askMove(chosen)}>
                Move
              </Button>
            )}
            {mayChange && (
              <Button size="sm" icon="trash" onClick={() => void actions.trash(chosen)}>
                Trash
              </Button>
            )}
            <Button size="sm" kind="ghost" onClick={clear}>
              Clear
            </Button>
          </span>
        )}
      </div>
      {layout.value === "grid" ? <NodeGrid {...shown} /> : <NodeTable {...shown} />}
      {actions.dialog}
      {open >= 0 && (
        <Preview
          files={files}
          at={open}
          onGo={(to) => setQuery({ file: files[to]?.id ?? null })}
          onDownload={actions.download}
          onClose={() => setQuery({ file: null })}
        />
      )}
    </>
  );
}

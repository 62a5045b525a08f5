import type { DriveFinds } from "../../../../src/node/storage/drive/contract.ts";
import { navigate } from "../../../client/router.ts";
import type { Command } from "../../../kit/palette.tsx";
import type { Finder } from "../../../shell/finder.ts";
import { api } from "../../client/api.ts";
import { isComponentOn, loadWhereOn } from "../../client/components.ts";

const nothing = { found: [], later: [], note: null, isOver: true };
const atMost = 10;
/** The Drive lies in the object store, and goes with it. */
const STORE = "objstore";

/** The parts of the Drive, and files and folders by their names, which the server looks for. */
export const driveFinder: Finder = {
  order: 16,
  open: () => void loadWhereOn(STORE, () => undefined),
  list: () => [
    viewCommand("starred", "Starred files", "star"),
    viewCommand("shared", "Files that are shared", "link"),
    viewCommand("trash", "Trash of the Drive", "trash"),
  ],
  search: (words, signal, tell) => {
    if (!isComponentOn(STORE)) return tell(nothing);
    api("GET /api/drive/search", { query: { q: words } }).then(
      ({ finds }) => {
        if (!signal.aborted) tell({ ...nothing, found: finds.slice(0, atMost).map(commandOf) });
      },
      () => tell(nothing),
    );
  },
};

const viewCommand = (view: string, title: string, icon: Command["icon"]): Command => ({
  id: `drive-${view}`,
  title,
  group: "Drive",
  icon,
  words: "files folders",
  run: () => navigate(`/drive?view=${view}`),
});

function commandOf({ node: { id, kind, name }, path }: DriveFinds["finds"][number]): Command {
  // Found by its name, a file is there to be looked at however full its folder is.
  const at = kind === "folder" ? { folder: id } : { q: name, file: id };
  return {
    id: `drive-node-${id}`,
    title: name,
    detail: path.map((folder) => folder.name).join(" / "),
    group: kind === "folder" ? "Folder of the Drive" : "File of the Drive",
    icon: kind === "folder" ? "folder" : "file-text",
    run: () => navigate(`/drive?${new URLSearchParams(at)}`),
  };
}

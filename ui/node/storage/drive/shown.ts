import type { DriveFinds, DriveNode } from "../../../../src/node/storage/drive/contract.ts";
import { setQuery } from "../../../client/router.ts";
import type { NodeActions } from "./node-actions.tsx";
import type { Selection } from "./selection.ts";

/** A file or folder, and where it was found. */
export type Found = Pick<DriveFinds["finds"][number], "node"> & Partial<DriveFinds["finds"][number]>;

/** What each way to show files gets. */
export interface Shown {
  label: string;
  rows: readonly Found[];
  actions: NodeActions;
  selection: Selection;
  onSelect: (node: DriveNode, isRange: boolean) => void;
  /** What goes along when that one is dragged: all that is chosen where it is among them. */
  carried: (node: DriveNode) => readonly DriveNode[];
}

/** Goes to a folder; the top has no id. */
export const openFolder = (id: string | null): void =>
  setQuery({ folder: id, after: null, q: null, view: null, file: null }, { isStep: true });

/** Opens a file to be looked at; Back closes it. */
export const openFile = (id: string): void => setQuery({ file: id }, { isStep: true });

import type { DriveNode } from "../../../../src/node/storage/drive/contract.ts";

/** What says that files of the Drive are dragged, rather than some from outside. */
const TYPE = "application/x-orrery-nodes";

/** For what can be dragged: these go along. */
export const draggable = (nodes: () => readonly DriveNode[]) => ({
  draggable: true,
  onDragStart: (event: DragEvent) => {
    event.dataTransfer?.setData(TYPE, JSON.stringify(nodes().map(({ id }) => id)));
    if (event.dataTransfer !== null) event.dataTransfer.effectAllowed = "move";
  },
});

const isOurs = (event: DragEvent): boolean => event.dataTransfer?.types.includes(TYPE) ?? false;

/** Whether files from outside are dragged. */
export const areFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;

/** For a place that files of the Drive can be dropped on. */
export const dropPlace = (onNodes: (ids: readonly string[]) => void) => ({
  onDragOver: (event: DragEvent & { currentTarget: HTMLElement }) => {
    if (!isOurs(event)) return;
    event.preventDefault();
    event.currentTarget.dataset["over"] = "";
  },
  onDragLeave: (event: DragEvent & { currentTarget: HTMLElement }) => {
    delete event.currentTarget.dataset["over"];
  },
  onDrop: (event: DragEvent & { currentTarget: HTMLElement }) => {
    delete event.currentTarget.dataset["over"];
    const text = event.dataTransfer?.getData(TYPE) ?? "";
    if (text === "") return;
    event.preventDefault();
    event.stopPropagation();
    const ids: unknown = JSON.parse(text);
    if (Array.isArray(ids)) onNodes(ids.filter((id) => typeof id === "string"));
  },
});

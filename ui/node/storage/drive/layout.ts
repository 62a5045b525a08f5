import { signal } from "@preact/signals";
import { recall, store } from "../../../client/preferences.ts";

/** How files are shown. */
export type Layout = "grid" | "list";

const KEY = "orrery.drive";

/** How files are shown on this device. */
export const layout = signal<Layout>(recall(KEY)["layout"] === "list" ? "list" : "grid");

/** Shows files so, now and at the next visit. */
export function setLayout(to: Layout): void {
  layout.value = to;
  store(KEY, JSON.stringify({ layout: to }));
}

import { type Finder, placeCommand } from "../../../shell/finder.ts";
import { resource } from "../../client/resource.ts";

const address = "/components";
const components = () => resource("GET /api/components");

/** Each component; the runtime that apps run in is one of them. */
export const componentsFinder: Finder = {
  order: 64,
  open: () => components().need(),
  list: () => [
    ...(components().data.value?.components ?? []).map(({ id, title, summary, enabled, options }) => ({
      ...placeCommand(
        {
          title,
          detail: enabled ? "on" : "off",
          group: "Component",
          icon: "puzzle",
          words: [summary, ...options.map((option) => option.title)].join(" "),
        },
        { address, row: title },
      ),
      id: `component-${id}`,
    })),
  ],
};

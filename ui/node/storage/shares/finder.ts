import { type Finder, placeCommand } from "../../../shell/finder.ts";
import { loadWhereOn } from "../../client/components.ts";
import { resource } from "../../client/resource.ts";

const shares = () => resource("GET /api/drive/shares");

/** Links to files that still open something. */
export const sharesFinder: Finder = {
  order: 17,
  open: () => void loadWhereOn("objstore", () => shares().need()),
  list: () =>
    (shares().data.value?.shares ?? [])
      .filter(({ is_active, name }) => is_active && name !== "")
      .map(({ id, name }) => ({
        ...placeCommand(
          { title: name, group: "Shared link", icon: "link", words: "share download public" },
          { address: "/drive?view=shared", row: name },
        ),
        id: `share-${id}`,
      })),
};

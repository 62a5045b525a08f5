import { wish } from "../../../client/wish.ts";
import type { Finder } from "../../../shell/finder.ts";

/** A new workspace; going to those that there are stands among the commands of every page. */
export const workspacesFinder: Finder = {
  order: 50,
  list: () => [
    {
      id: "wish-workspace",
      title: "Add workspace",
      group: "Workspace",
      icon: "plus",
      words: "new create tenant client",
      run: () => wish("workspace"),
    },
  ],
};

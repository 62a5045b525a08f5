import { wish } from "../../../client/wish.ts";
import { type Finder, placeCommand } from "../../../shell/finder.ts";
import { user } from "../../client/session.ts";

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
    placeCommand(
      { title: "What the workspace is called", group: "Settings", icon: "edit", words: "name rename" },
      { address: "/settings", card: "What it is called" },
    ),
    ...(user.value?.role === "org_owner"
      ? [
          placeCommand(
            { title: "Delete this workspace", group: "Workspace", icon: "trash", words: "remove close" },
            { address: "/settings", card: "Delete this workspace" },
          ),
        ]
      : []),
  ],
};

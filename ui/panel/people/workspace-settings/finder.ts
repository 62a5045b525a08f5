import { type Finder, placeCommand } from "../../../shell/finder.ts";

const address = "/settings";

/** What can be chosen about the workspace. */
export const workspaceSettingsFinder: Finder = {
  order: 60,
  list: () => [
    placeCommand(
      {
        title: "What the workspace is for",
        group: "Settings",
        icon: "settings",
        words: "mode business msp family school",
      },
      { address, card: "Workspace" },
    ),
    placeCommand(
      {
        title: "Rules of the workspace",
        group: "Settings",
        icon: "shield",
        words: "second factor 2fa recording updates",
      },
      { address, card: "Rules" },
    ),
    placeCommand(
      { title: "Appearance", group: "Settings", icon: "palette", words: "look theme" },
      { address, card: "Appearance" },
    ),
    placeCommand(
      { title: "Leave this workspace", group: "Workspace", icon: "logout" },
      { address, card: "Leave this workspace" },
    ),
  ],
};

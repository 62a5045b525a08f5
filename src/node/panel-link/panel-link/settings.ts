import type { SettingTable } from "../../../kernel/settings.ts";

/** Whether people of the panel may open terminals here. */
export const PANEL_TERMINALS = "panel.terminals";

export const PANEL_LINK_SETTINGS: SettingTable = {
  [PANEL_TERMINALS]: {
    default: "false",
    type: "flag",
    // It lets others run what they like.
    byPeopleOnly: true,
    doc: "Lets owners and admins on the panel open terminals in this server's apps, and of the server itself while that has one",
  },
};

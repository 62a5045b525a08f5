import { type Finder, placeCommand } from "../../../shell/finder.ts";
import { may } from "../../client/permissions.ts";

/** Rooms of a chat that hear what goes wrong. */
export const chatFinder: Finder = {
  order: 67,
  list: () =>
    may("settings:write", { ownRole: true })
      ? [
          placeCommand(
            {
              title: "Chat rooms",
              group: "Settings",
              icon: "webhook",
              words: "slack teams discord mattermost webhook notifications channel",
            },
            { address: "/settings", card: "Chat" },
          ),
        ]
      : [],
};

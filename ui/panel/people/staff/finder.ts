import { type Finder, placeCommand } from "../../../shell/finder.ts";
import { may } from "../../client/permissions.ts";

/** Letting the staff of the panel in. */
export const supportFinder: Finder = {
  order: 68,
  list: () =>
    may("settings:write", { ownRole: true })
      ? [
          placeCommand(
            { title: "Access for support", group: "Settings", icon: "shield", words: "staff help let in permit" },
            { address: "/settings", card: "Access for support" },
          ),
        ]
      : [],
};

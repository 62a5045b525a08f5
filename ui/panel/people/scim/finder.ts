import { type Finder, placeCommand } from "../../../shell/finder.ts";
import { may } from "../../client/permissions.ts";

/** The directory of the company. */
export const scimFinder: Finder = {
  order: 66,
  list: () =>
    may("settings:write", { ownRole: true })
      ? [
          placeCommand(
            {
              title: "Directory (SCIM)",
              group: "Settings",
              icon: "users",
              words: "scim provisioning directory entra okta groups sync deprovision",
            },
            { address: "/settings/directory" },
          ),
        ]
      : [],
};

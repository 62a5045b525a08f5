import { type Finder, placeCommand } from "../../../shell/finder.ts";

/** The directory of the company. */
export const scimFinder: Finder = {
  order: 66,
  list: () => [
    placeCommand(
      {
        title: "Directory (SCIM)",
        group: "Settings",
        icon: "users",
        words: "scim provisioning directory entra okta groups sync deprovision",
      },
      { address: "/settings/directory" },
    ),
  ],
};

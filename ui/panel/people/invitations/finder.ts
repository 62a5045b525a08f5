import { type Finder, placeCommand } from "../../../shell/finder.ts";
import { may } from "../../client/permissions.ts";

/** Who was invited and has not come yet. */
export const invitationsFinder: Finder = {
  order: 41,
  list: () =>
    may("users:manage", { ownRole: true })
      ? [
          placeCommand(
            { title: "Invitations", group: "Team", icon: "mail", words: "invite pending people add member" },
            { address: "/team", card: "Invitations" },
          ),
        ]
      : [],
};

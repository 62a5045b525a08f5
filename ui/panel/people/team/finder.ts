import { type Finder, placeCommand } from "../../../shell/finder.ts";
import { resource } from "../../client/resource.ts";
import { roleNames } from "../../parts/roles.ts";

const members = () => resource("GET /api/team/members");

/** Who works in this workspace. */
export const teamFinder: Finder = {
  order: 40,
  open: () => members().need(),
  list: () =>
    (members().data.value ?? []).map((member) => ({
      ...placeCommand(
        {
          title: member.display_name,
          detail: member.email,
          group: "Team",
          icon: "user",
          words: `${member.email} ${roleNames[member.role]}`,
        },
        { address: "/team", row: member.email },
      ),
      id: `member-${member.id}`,
    })),
};

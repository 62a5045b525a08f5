import { type Finder, placeCommand, wishCommand } from "../../../shell/finder.ts";
import { resource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import { roles } from "./roles.ts";

const users = () => resource("GET /api/users");

/** Who has an account here, and a new account. */
export const usersFinder: Finder = {
  order: 20,
  open: () => {
    if (isAdmin()) users().need();
  },
  list: () =>
    isAdmin()
      ? [
          wishCommand(
            { title: "Add user", group: "Users", icon: "plus", words: "invite new account person" },
            { address: "/users", wish: "user" },
          ),
          ...(users().data.value ?? []).map((user) => ({
            ...placeCommand(
              {
                title: user.username,
                group: "User",
                icon: "user",
                words: roles.find(({ value }) => value === user.role)?.label ?? user.role,
              },
              { address: "/users", row: user.username },
            ),
            id: `user-${user.id}`,
          })),
        ]
      : [],
};

import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { resource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";

const users = () => resource("GET /api/users");

/** Asks again for a list that was shown before. */
function refreshKnown(): void {
  if (users().data.peek() !== null) void users().refresh();
}

/** Who has an account here. */
export const usersFeature: Feature = {
  screens: [
    {
      id: "users",
      pattern: "/users",
      title: "Users",
      icon: "users",
      nav: { key: "u", group: "manage", order: 10 },
      tab: { order: 40 },
      mayOpen: isAdmin,
      view: lazy(() => import("./users.tsx").then((module) => module.Users)),
    },
  ],
  reaction: { onOpen: refreshKnown, on: { "user.*": refreshKnown } },
};

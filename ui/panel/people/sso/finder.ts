import { type Finder, placeCommand } from "../../../shell/finder.ts";
import { may } from "../../client/permissions.ts";

/** The workspace's own sign-in. */
export const ssoFinder: Finder = {
  order: 65,
  list: () =>
    may("settings:write", { ownRole: true })
      ? [
          placeCommand(
            {
              title: "Single sign-on",
              group: "Settings",
              icon: "key",
              words: "sso oidc openid connect provider entra okta keycloak google domain",
            },
            { address: "/settings/sign-on" },
          ),
        ]
      : [],
};

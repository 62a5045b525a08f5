import type { Feature } from "../../../shell/feature.ts";
import { resource } from "../../client/resource.ts";
import { checkSession } from "../../client/session.ts";

/** Where an account is signed in. */
export const sessionsFeature: Feature = {
  reaction: {
    on: {
      "session.*": () => {
        void checkSession();
        const sessions = resource("GET /api/auth/sessions");
        if (sessions.data.peek() !== null) void sessions.refresh();
      },
    },
  },
};

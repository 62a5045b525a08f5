import { ofUser, onUser } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { InviteEvents } from "./contract.ts";

export const inviteMeanings: EventMeanings<InviteEvents> = {
  "invite.created": { audit: onUser },
  "invite.withdrawn": { audit: onUser },
  "invite.accepted": {
    changesAccess: true,
    audit: onUser,
    timeline: ofUser((name) => `${name} accepted the invitation`, { link: "/users" }),
  },
};

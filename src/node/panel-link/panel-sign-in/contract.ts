import { t } from "elysia";
import { redirects } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { defineRoutes } from "../../../kernel/http/route.ts";
import { open } from "../../access.ts";

/** Where to go after the sign-in, on this node. */
const next = t.Optional(t.String({ maxLength: 512, pattern: "^/(?!/)[\\x21-\\x5b\\x5d-\\x7e]*$" }));

const StartQuery = t.Object({ next });

const State = t.String({ minLength: 1, maxLength: 512 });

/** Either `code`, or `error` when the person said no. */
const CallbackQuery = t.Object({
  state: State,
  code: t.Optional(t.String({ minLength: 1, maxLength: 128 })),
  error: t.Optional(t.String({ maxLength: 64 })),
});

const SessionQuery = t.Object({
  token: t.String({ minLength: 1, maxLength: 4_096 }),
  next,
  /** Sent by the button of the page that asks whoever is signed in already. */
  confirm: t.Optional(t.String({ minLength: 1, maxLength: 128 })),
});

export const fail = defineErrors({
  panel_not_linked: [409, "This server belongs to no panel that people could sign in with. Use another way in."],
  panel_address_unknown: [
    409,
    "The panel does not know this server by the address {host}. Open it at another of its addresses, or set alerting.public_url to this one.",
  ],
  panel_state_wrong: [400, "This sign-in was not begun in this browser, or it took too long. Begin it again."],
  panel_said_no: [403, "The panel did not confirm who you are: {reason}. Begin again, or use another way in."],
  panel_away: [502, "The panel could not be asked who you are: {reason}. Try again, or use another way in."],
  panel_token_refused: [
    401,
    "This link from the panel has run out, was used already, or is for another server. Open the server from the panel again.",
  ],
  panel_not_a_page: [
    403,
    "This address signs somebody in, so it opens only as a page of its own, not inside another one. Open it in a tab.",
  ],
  panel_user_disabled: [403, "Your account on this server is switched off. Ask one of its admins."],
});

export const panelSignInRoutes = defineRoutes({
  "GET /api/oauth/start": { access: open(), query: StartQuery, ...redirects() },
  "GET /api/oauth/callback": { access: open(), query: CallbackQuery, ...redirects() },
  "GET /api/cp/session": { access: open(), query: SessionQuery, ...redirects() },
});

import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NameText, Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { user } from "../../access.ts";

/** What a key can be limited to; `*` covers every route. */
export const KEY_SCOPES = [
  "apps",
  "backups",
  "domains",
  "monitoring",
  "settings",
  "users",
  "alerts",
  "vpn",
  "security",
  "updates",
] as const;

export const KeyInput = t.Object({
  name: NameText(64),
  /** `*` (default) or a list separated by commas. */
  scopes: t.Optional(t.String({ maxLength: 256 })),
  /** Seconds; without it the key does not expire. */
  expires_in: t.Optional(Nullable(t.Integer({ minimum: 1, maximum: 315_360_000 }))),
});
export type KeyInput = Static<typeof KeyInput>;

/** The only answer that carries the whole key. */
export const KeyCreated = t.Object({
  id: t.String(),
  name: t.String(),
  key: t.String(),
  scopes: t.String(),
  created_at: t.String(),
  expires_at: NullableText,
});
export type KeyCreated = Static<typeof KeyCreated>;

export const Key = t.Object({
  id: t.String(),
  name: t.String(),
  scopes: t.String(),
  created_at: t.String(),
  expires_at: NullableText,
  /** Exact to a minute. */
  last_used_at: NullableText,
});
export type Key = Static<typeof Key>;

export const KeyParams = t.Object({ id: t.String() });

export const fail = defineErrors({
  key_scope_unknown: [400, "{scope} is not a scope. Use * or a list from: {known}."],
  key_scope: [403, "api key scope does not cover this endpoint"],
  key_cannot_grant: [
    403,
    "An API key cannot do this: what comes of it would outlive the key, or could do more than it. Sign in and do it there.",
  ],
  key_exceeds_parent: [
    403,
    "A key made by a key has at most its scopes ({scopes}) and ends with it ({expires_at}). Ask for less, or sign in and make it there.",
  ],
  key_not_found: [404, "There is no API key {id} of yours."],
  key_limit: [409, "An account can have {limit} API keys. Delete one first."],
});

export type KeyEvents = {
  "key.created": { user_id: string; key_id: string; name: string; scopes: string; ip: string };
  "key.revoked": { user_id: string; key_id: string; name: string; ip: string };
};

export const keyRoutes = defineRoutes({
  "POST /api/keys": { access: user(null, { keys: "bounded" }), body: KeyInput, out: KeyCreated },
  "GET /api/keys": { access: user(), out: t.Array(Key) },
  "DELETE /api/keys/{id}": { access: user(), params: KeyParams, out: t.Object({ message: t.String() }) },
});
export type KeyApi = ApiOf<typeof keyRoutes>;

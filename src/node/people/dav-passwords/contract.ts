import { type Static, t } from "elysia";
import { noContent } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NameText, NullableText } from "../../../kernel/http/schema.ts";
import { user } from "../../access.ts";

/** How many an account may have. */
export const MAX_PASSWORDS = 50;

export const DavPasswordInput = t.Object({ name: NameText(64) }, { additionalProperties: false });
export type DavPasswordInput = Static<typeof DavPasswordInput>;

export const DavPassword = t.Object({
  id: t.String(),
  name: t.String(),
  created_at: t.String(),
  /** Exact to a minute. */
  last_used_at: NullableText,
});
export type DavPassword = Static<typeof DavPassword>;

/** The only answer that carries the password. */
export const NewDavPassword = t.Object({
  ...DavPassword.properties,
  username: t.String(),
  password: t.String(),
  /** Where the Drive is, below the address of this server. */
  path: t.String(),
});
export type NewDavPassword = Static<typeof NewDavPassword>;

export const fail = defineErrors({
  dav_unauthorized: [
    401,
    "Sign in with your user name and a WebDAV password. Make one on the security page; the password of your account does not open this.",
  ],
  dav_password_not_found: [404, "There is no such WebDAV password of yours. Load the list again."],
  dav_password_limit: [409, "An account can have {limit} WebDAV passwords. Revoke one first."],
});

type OnPassword = { user_id: string; password_id: string; name: string; ip: string };

export type DavPasswordEvents = {
  "dav_password.created": OnPassword;
  "dav_password.revoked": OnPassword;
  /** Somebody came with a name and a password that do not fit. */
  "dav_password.refused": { username: string; ip: string };
};

export const davPasswordRoutes = defineRoutes({
  "GET /api/drive/webdav-passwords": { access: user(), out: t.Object({ passwords: t.Array(DavPassword) }) },
  "POST /api/drive/webdav-passwords": {
    // It would outlive the key that made it.
    access: user(null, { keys: "never" }),
    body: DavPasswordInput,
    out: { 201: NewDavPassword },
  },
  "DELETE /api/drive/webdav-passwords/{id}": {
    access: user(),
    params: t.Object({ id: t.String({ maxLength: 64 }) }),
    ...noContent(),
  },
});
export type DavPasswordApi = ApiOf<typeof davPasswordRoutes>;

import { type Context, type Static, t } from "elysia";
import { answersAs, noContent } from "../../../kernel/http/answers.ts";
import { defineErrors, type ErrorParams } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { can, directory } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { Id, Name } from "../../schemas.ts";
import { GivenRole } from "../sso/contract.ts";

/** How many tokens a workspace may have: one for each directory, and one to change over to. */
export const TOKENS_MAX = 5;
/** How many members a workspace may have that a directory keeps. */
export const USERS_MAX = 10_000;
/** People whom a directory ever brought, those that it removed again among them, who must not come back as somebody new. */
export const EVER_MAX = 50_000;
/** How many groups a directory may make in a workspace. */
export const GROUPS_MAX = 1000;
/** How many members all groups of a workspace may have together: a list of groups names each of them. */
export const MEMBERSHIPS_MAX = 100_000;
/** Days for which a token is good, unless told. */
const TOKEN_DAYS = 365;

export const TokenInput = t.Object({
  name: Name,
  expires_in_days: t.Integer({ minimum: 1, maximum: 730, default: TOKEN_DAYS }),
});
export type TokenInput = Static<typeof TokenInput>;

export const DirectoryToken = t.Object({
  id: t.String(),
  name: t.String(),
  /** Its last characters. */
  hint: t.String(),
  created_at: t.String(),
  expires_at: t.String(),
  used_at: NullableText,
  /** Whether its directory is refused because whoever answers for it may have no token any more. */
  paused: t.Boolean(),
  /** False for a token of before it was kept who made it, until somebody takes it over: it makes no admins and reaches no owners. */
  is_answered_for: t.Boolean(),
});
export type DirectoryToken = Static<typeof DirectoryToken>;

export const MadeToken = t.Object({ ...DirectoryToken.properties, token: t.String() });
export type MadeToken = Static<typeof MadeToken>;

export const DirectoryGroup = t.Object({
  id: t.String(),
  name: t.String(),
  members: t.Integer(),
  /** What being in it makes somebody here; null for nothing. */
  role: Nullable(GivenRole),
});
export type DirectoryGroup = Static<typeof DirectoryGroup>;

export const DirectorySetup = t.Object({
  /** What the directory has to be told. */
  base_url: t.String(),
  tokens: t.Array(DirectoryToken),
  groups: t.Array(DirectoryGroup),
  /** Members that the directory keeps, and how many of them it has turned off. */
  users: t.Integer(),
  users_off: t.Integer(),
  /** Domains whose people it can bring. */
  domains: t.Array(t.String()),
  /** Said where the plan of the workspace has no directory. */
  required_plan: t.Optional(t.String()),
});
export type DirectorySetup = Static<typeof DirectorySetup>;

/** An error as RFC 7644 words it, beside our own. */
const wire =
  (status: number) =>
  ({ detail, scim_type }: ErrorParams): ErrorParams => ({
    schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
    status: String(status),
    detail: String(detail),
    ...(scim_type === undefined ? {} : { scimType: scim_type }),
  });

export const fail = defineErrors({
  scim_invalid: [400, "{detail}", wire(400)],
  scim_refused: [403, "{detail}", wire(403)],
  scim_not_found: [404, "{detail}", wire(404)],
  scim_conflict: [409, "{detail}", wire(409)],
  scim_token_paused: [403, "{detail}", wire(403)],
  scim_token_limit: [409, `A workspace has ${TOKENS_MAX} directory tokens at most. Delete one that is no longer used.`],
  scim_token_not_found: [404, "There is no directory token {id} in this workspace."],
  scim_group_not_found: [404, "There is no group {id} of a directory in this workspace."],
});

/** A token whose directory is refused, because whoever answers for it may have no token any more. */
export const paused = (name: string) =>
  fail("scim_token_paused", {
    detail: `The token ${name} is paused: whoever answers for it is no owner or admin of the workspace any more. An owner or admin can take it over under Settings, Directory, or delete it.`,
  });

/** A value that a directory sent and that cannot be taken. */
export const invalid = (detail: string, scim_type = "invalidValue") => fail("scim_invalid", { detail, scim_type });

type OfMember = PanelEvent & { member_id: string; email: string };

export type ScimEvents = {
  "scim.token_add": PanelEvent & { token_id: string; name: string };
  "scim.token_take_over": PanelEvent & { token_id: string; name: string };
  /** Its directory was refused, because whoever answers for it may have no token any more. */
  "scim.token_pause": PanelEvent & { token_id: string; name: string };
  "scim.token_remove": PanelEvent & { token_id: string; name: string };
  /** The directory brought somebody in. */
  "scim.user_add": OfMember & { role: string };
  /** It ended somebody's access, for now or for good. */
  "scim.user_off": OfMember & { is_gone: boolean };
  "scim.user_on": OfMember;
  "scim.user_change": OfMember & { change: Record<string, unknown> };
  /** Another group, or another meaning of one, made somebody something else. */
  "scim.role": OfMember & { role: string; previous_role: string };
  "scim.group_role": PanelEvent & { group_id: string; name: string; role: string | null; previous_role: string | null };
};

const MEDIA_TYPE = "application/scim+json";
/** What directories send differs from one to the other: it is read leniently, and checked by hand. */
const scim = () => ({ access: directory(), query: "any" as const, ...answersAs(MEDIA_TYPE) });
const changing = () => ({ ...scim(), body: t.Unknown() });

const write = can("settings:write", { ownRole: true });
const Params = t.Object({ id: Id });
const ListQuery = t.Object({
  filter: t.Optional(t.String({ maxLength: 2000 })),
  startIndex: t.Optional(t.String({ maxLength: 20 })),
  count: t.Optional(t.String({ maxLength: 20 })),
  excludedAttributes: t.Optional(t.String({ maxLength: 1000 })),
});
export type ListQuery = Static<typeof ListQuery>;
const OneQuery = t.Object({ excludedAttributes: t.Optional(t.String({ maxLength: 1000 })) });

export const scimRoutes = defineRoutes({
  "GET /api/scim": { access: can("settings:read"), out: DirectorySetup },
  "GET /api/scim/tokens": { access: can("settings:read"), out: t.Object({ items: t.Array(DirectoryToken) }) },
  "POST /api/scim/tokens": { access: write, body: TokenInput, out: { 201: MadeToken } },
  "POST /api/scim/tokens/{id}/take-over": { access: write, params: Params, out: DirectoryToken },
  "DELETE /api/scim/tokens/{id}": { access: write, params: Params, ...noContent() },
  "PUT /api/scim/groups/{id}": {
    access: can("users:manage", { ownRole: true }),
    params: Params,
    body: t.Object({ role: Nullable(GivenRole) }),
    out: DirectoryGroup,
  },
  "GET /scim/v2/ServiceProviderConfig": scim(),
  "GET /scim/v2/ResourceTypes": scim(),
  "GET /scim/v2/ResourceTypes/{id}": { ...scim(), params: Params },
  "GET /scim/v2/Schemas": scim(),
  "GET /scim/v2/Schemas/{urn}": { ...scim(), params: t.Object({ urn: t.String({ maxLength: 200 }) }) },
  "GET /scim/v2/Users": { ...scim(), query: ListQuery },
  "POST /scim/v2/Users": changing(),
  "GET /scim/v2/Users/{id}": { ...scim(), params: Params },
  "PUT /scim/v2/Users/{id}": { ...changing(), params: Params },
  "PATCH /scim/v2/Users/{id}": { ...changing(), params: Params },
  "DELETE /scim/v2/Users/{id}": { access: directory(), params: Params, ...noContent() },
  "GET /scim/v2/Groups": { ...scim(), query: ListQuery },
  "POST /scim/v2/Groups": changing(),
  "GET /scim/v2/Groups/{id}": { ...scim(), params: Params, query: OneQuery },
  "PUT /scim/v2/Groups/{id}": { ...changing(), params: Params },
  "PATCH /scim/v2/Groups/{id}": { ...changing(), params: Params },
  "DELETE /scim/v2/Groups/{id}": { access: directory(), params: Params, ...noContent() },
});
export type ScimApi = ApiOf<typeof scimRoutes>;

/** An answer to a directory: `set` is that of the request. */
export function answer<Body>(
  set: Context["set"],
  body: Body,
  status = 200,
  headers: Record<string, string> = {},
): Body {
  set.status = status;
  Object.assign(set.headers, { "content-type": MEDIA_TYPE }, headers);
  return body;
}

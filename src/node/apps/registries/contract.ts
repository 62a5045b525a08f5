import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NullableText } from "../../../kernel/http/schema.ts";
import { admin } from "../../access.ts";

export const RegistryInput = t.Object(
  {
    /** As images name it. */
    address: t.String({
      maxLength: 260,
      pattern: "^([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:]{2,45}\\])(:[0-9]{1,5})?$",
      description: "must be a registry as images name it, such as ghcr.io or registry.lan:5000, without https://",
    }),
    username: t.String({
      minLength: 1,
      maxLength: 255,
      pattern: "^[\\x21-\\x39\\x3b-\\x7e]([\\x20-\\x39\\x3b-\\x7e]*[\\x21-\\x39\\x3b-\\x7e])?$",
      description: "must be one line of plain text without a colon",
    }),
    /** Password or token. Never comes back. */
    secret: t.String({
      minLength: 1,
      maxLength: 8192,
      pattern: "^[\\x20-\\x7e]+$",
      description: "must be one line of plain text",
    }),
    /** Says that a registry off the public internet is meant. */
    confirm_private: t.Optional(t.Boolean()),
  },
  { additionalProperties: false },
);
export type RegistryInput = Static<typeof RegistryInput>;

export const Registry = t.Object({
  id: t.String(),
  address: t.String(),
  username: t.String(),
  created_at: t.String(),
});
export type Registry = Static<typeof Registry>;

/** What came of asking a registry whether it takes the login. */
export const RegistryTest = t.Object({
  ok: t.Boolean(),
  outcome: t.UnionEnum([
    "accepted",
    /** User name or password are wrong. */
    "refused",
    /** Its name is not found, nothing listens, or no answer came in time. */
    "unreachable",
    /** Its certificate is not trusted, or it has none. */
    "tls",
    /** Something answers there that is no registry. */
    "no_registry",
    /** Not asked, or it had too much to do. */
    "failed",
  ]),
  words: t.String(),
  next_step: NullableText,
  /** Docker's own words, where it refused. */
  said: NullableText,
  latency_ms: t.Integer(),
});
export type RegistryTest = Static<typeof RegistryTest>;

export const fail = defineErrors({
  registry_not_found: [404, "There is no registry {id}. It may have been removed; load the list again."],
  registry_taken: [409, "There is a login for {address} already. Remove that one first, then add the new one."],
  registry_limit: [409, "There can be {limit} registries. Remove one first."],
  registry_private: [
    409,
    "{address} is {what}, so that the login goes to a machine of your own network. Say confirm_private if that is meant.",
  ],
});

type ByAdmin = { user_id: string; registry_id: string; address: string; ip: string };

export type RegistryEvents = {
  "registry.added": ByAdmin & { username: string };
  "registry.removed": ByAdmin;
  "registry.tested": ByAdmin & { outcome: RegistryTest["outcome"] };
};

const Params = t.Object({ id: t.String({ maxLength: 64 }) });
const rule = admin("apps");
/** Where logins go is for people to decide. */
const byPeople = admin("apps", { keys: "never" });

export const registryRoutes = defineRoutes({
  "GET /api/containers/registries": { access: rule, out: t.Array(Registry) },
  "POST /api/containers/registries": { access: byPeople, body: RegistryInput, out: Registry },
  "DELETE /api/containers/registries/{id}": {
    access: byPeople,
    params: Params,
    out: t.Object({ message: t.String() }),
  },
  "POST /api/containers/registries/{id}/test": { access: rule, params: Params, out: RegistryTest },
});
export type RegistryApi = ApiOf<typeof registryRoutes>;

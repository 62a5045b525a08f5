import { fail } from "./contract.ts";
import { PAGE_MAX } from "./page.ts";

export const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
export const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const CORE = "urn:ietf:params:scim:schemas:core:2.0";

/** What the service can do: RFC 7643 §5. */
export const serviceConfig = (base: string) => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: PAGE_MAX },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: "oauthbearertoken",
      name: "Token of the directory",
      description: "A token that an owner or admin of the workspace makes in its settings",
      primary: true,
    },
  ],
  meta: { resourceType: "ServiceProviderConfig", location: `${base}/ServiceProviderConfig` },
});

/** The kinds of resources: RFC 7643 §6. */
export const resourceTypes = (base: string) =>
  [
    { id: "User", endpoint: "/Users", schema: USER },
    { id: "Group", endpoint: "/Groups", schema: GROUP },
  ].map(({ id, endpoint, schema }) => ({
    schemas: [`${CORE}:ResourceType`],
    ...{ id, name: id, endpoint, schema },
    meta: { resourceType: "ResourceType", location: `${base}/ResourceTypes/${id}` },
  }));

const attribute = (name: string, type: string, more: Record<string, unknown> = {}) => ({
  ...{ name, type, multiValued: false, required: false, caseExact: false },
  ...{ mutability: "readWrite", returned: "default", uniqueness: "none", ...more },
});
const text = (name: string, more: Record<string, unknown> = {}) => attribute(name, "string", more);

const value = text("value", { description: "The id, or the address" });

/** What resources are made of: RFC 7643 §7. */
export const schemas = (base: string) =>
  [
    {
      id: USER,
      name: "User",
      attributes: [
        text("userName", { required: true, uniqueness: "server" }),
        text("displayName"),
        attribute("name", "complex", {
          subAttributes: [
            text("formatted", { mutability: "readOnly" }),
            ...["givenName", "familyName"].map((name) => text(name)),
          ],
        }),
        attribute("emails", "complex", {
          multiValued: true,
          subAttributes: [value, text("type"), attribute("primary", "boolean")],
        }),
        attribute("active", "boolean"),
        attribute("groups", "complex", {
          ...{ multiValued: true, mutability: "readOnly" },
          subAttributes: [text("value", { mutability: "readOnly" }), text("display", { mutability: "readOnly" })],
        }),
      ],
    },
    {
      id: GROUP,
      name: "Group",
      attributes: [
        text("displayName", { required: true, uniqueness: "server" }),
        attribute("members", "complex", {
          multiValued: true,
          subAttributes: [text("value", { mutability: "immutable" }), text("display", { mutability: "readOnly" })],
        }),
      ],
    },
  ].map((schema) => ({
    schemas: [`${CORE}:Schema`],
    ...schema,
    meta: { resourceType: "Schema", location: `${base}/Schemas/${schema.id}` },
  }));

/** The one with an id. Throws `scim_not_found`. */
export function oneOf<Item extends { id: string }>(items: readonly Item[], id: string): Item {
  const found = items.find((item) => item.id === id);
  if (!found) throw fail("scim_not_found", { detail: `There is no ${id}.` });
  return found;
}

import type { Context } from "elysia";
import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import type { Actor } from "../../actor.ts";
import { byDirectory, byMember } from "../../event-meaning.ts";
import { bindRoutes } from "../../route.ts";
import { type Origin, panelOrigin } from "../sso/index.ts";
import { answer, scimRoutes } from "./contract.ts";
import { oneOf, resourceTypes, schemas, serviceConfig } from "./discovery.ts";
import { setGroupRole } from "./group-role.ts";
import * as groups from "./groups.ts";
import type { Own } from "./needs.ts";
import { listed, readAsked } from "./page.ts";
import { readSetup } from "./setup.ts";
import { listTokens } from "./token-store.ts";
import { addToken, presentToken, removeToken, takeOverToken } from "./tokens.ts";
import * as users from "./users.ts";

/** What answers directories, and those who set one up. */
export function bindScimRoutes(needs: Own): BoundRoutes {
  const base = (origin: Origin): string => `${panelOrigin(needs.config, origin)}/scim/v2`;
  const callerOf = ({ actor, ip }: { actor: Pick<Actor, "tenant_id" | "session_id" | "db">; ip: string }) => ({
    by: byDirectory(actor.tenant_id, ip),
    tokenId: actor.session_id,
    db: actor.db,
  });
  const turn = <T>({ actor }: { actor: Pick<Actor, "tenant_id"> }, work: () => Promise<T>) =>
    needs.inTurn(actor.tenant_id, work);
  const whole = readAsked({});
  const made = <Made extends { meta: { location: string } }>(asked: { set: Context["set"] }, resource: Made): Made =>
    answer(asked.set, resource, 201, { location: resource.meta.location });
  return bindRoutes(scimRoutes, {
    "GET /api/scim": (asked) => readSetup(needs, asked.actor, base(asked)),
    "GET /api/scim/tokens": async ({ actor }) => ({ items: (await listTokens(actor.db)).map(presentToken) }),
    async "POST /api/scim/tokens"({ actor, ip, body, set }) {
      set.status = 201;
      return addToken(needs, actor, ip, body);
    },
    "POST /api/scim/tokens/{id}/take-over": ({ actor, ip, params }) => takeOverToken(needs, actor, ip, params.id),
    async "DELETE /api/scim/tokens/{id}"({ actor, ip, params, set }) {
      await removeToken(needs, actor, ip, params.id);
      set.status = 204;
    },
    "PUT /api/scim/groups/{id}": (asked) =>
      turn(asked, () => {
        const { actor, ip, params, body } = asked;
        return setGroupRole({ ...needs, system: needs.system.by(actor) }, byMember(actor, ip), params.id, body.role);
      }),
    "GET /scim/v2/ServiceProviderConfig": (asked) => answer(asked.set, serviceConfig(base(asked))),
    "GET /scim/v2/ResourceTypes": (asked) => {
      const all = resourceTypes(base(asked));
      return answer(asked.set, listed(whole, all.length, all));
    },
    "GET /scim/v2/ResourceTypes/{id}": (asked) => answer(asked.set, oneOf(resourceTypes(base(asked)), asked.params.id)),
    "GET /scim/v2/Schemas": (asked) => {
      const all = schemas(base(asked));
      return answer(asked.set, listed(whole, all.length, all));
    },
    "GET /scim/v2/Schemas/{urn}": (asked) => answer(asked.set, oneOf(schemas(base(asked)), asked.params.urn)),
    "GET /scim/v2/Users": async (asked) =>
      answer(asked.set, await turn(asked, () => users.listUsers(asked.actor.db, base(asked), asked.query))),
    "POST /scim/v2/Users": async (asked) =>
      made(asked, await turn(asked, () => users.createUser(needs, callerOf(asked), base(asked), asked.body))),
    "GET /scim/v2/Users/{id}": async (asked) =>
      answer(asked.set, await turn(asked, () => users.getUser(asked.actor.db, base(asked), asked.params.id))),
    "PUT /scim/v2/Users/{id}": async (asked) =>
      answer(
        asked.set,
        await turn(asked, () => users.putUser(needs, callerOf(asked), base(asked), asked.params.id, asked.body)),
      ),
    "PATCH /scim/v2/Users/{id}": async (asked) =>
      answer(
        asked.set,
        await turn(asked, () => users.patchUser(needs, callerOf(asked), base(asked), asked.params.id, asked.body)),
      ),
    async "DELETE /scim/v2/Users/{id}"(asked) {
      await turn(asked, () => users.deleteUser(needs, callerOf(asked), asked.params.id));
      asked.set.status = 204;
    },
    "GET /scim/v2/Groups": async (asked) =>
      answer(asked.set, await turn(asked, () => groups.listGroups(asked.actor.db, base(asked), asked.query))),
    "POST /scim/v2/Groups": async (asked) =>
      made(asked, await turn(asked, () => groups.createGroup(needs, callerOf(asked), base(asked), asked.body))),
    "GET /scim/v2/Groups/{id}": async (asked) =>
      answer(
        asked.set,
        await turn(asked, () =>
          groups.getGroup(asked.actor.db, base(asked), asked.params.id, asked.query.excludedAttributes),
        ),
      ),
    "PUT /scim/v2/Groups/{id}": async (asked) =>
      answer(
        asked.set,
        await turn(asked, () => groups.putGroup(needs, callerOf(asked), base(asked), asked.params.id, asked.body)),
      ),
    "PATCH /scim/v2/Groups/{id}": async (asked) =>
      answer(
        asked.set,
        await turn(asked, () => groups.patchGroup(needs, callerOf(asked), base(asked), asked.params.id, asked.body)),
      ),
    async "DELETE /scim/v2/Groups/{id}"(asked) {
      await turn(asked, () => groups.deleteGroup(needs, callerOf(asked), asked.params.id));
      asked.set.status = 204;
    },
  });
}

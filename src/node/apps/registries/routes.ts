import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { createGate } from "../../../lib/gate.ts";
import type { Actor } from "../../actor.ts";
import type { Asker } from "../../platform/operations/index.ts";
import { bindRoutes } from "../../route.ts";
import { registryRoutes } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { addRegistry, listRegistries, removeRegistry } from "./registries.ts";
import { testRegistry } from "./test-registry.ts";

/** A test waits for somebody else. */
const TESTS_AT_A_TIME = 2;

const askerOf = ({ actor, ip }: { actor: Actor; ip: string }): Asker => ({ user_id: actor.user_id, ip });

/** What answers the routes of registries. */
export function bindRegistryRoutes(needs: Needs): BoundRoutes {
  const enter = createGate(TESTS_AT_A_TIME);
  return bindRoutes(registryRoutes, {
    "GET /api/containers/registries": () => listRegistries(needs),
    "POST /api/containers/registries": ({ body, ...from }) => addRegistry(needs, askerOf(from), body),
    "DELETE /api/containers/registries/{id}": ({ params, ...from }) => ({
      message: `The login for ${removeRegistry(needs, askerOf(from), params.id)} is removed.`,
    }),
    "POST /api/containers/registries/{id}/test": ({ params, request, server, ...from }) => {
      server?.timeout(request, 0);
      return enter(() => testRegistry(needs, askerOf(from), params.id));
    },
  });
}

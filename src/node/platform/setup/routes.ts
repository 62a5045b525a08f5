import { kernelFail } from "../../../kernel/http/errors.ts";
import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import type { NodeBase } from "../../base.ts";
import { bindRoutes } from "../../route.ts";
import { setupRoutes } from "./contract.ts";
import { setUpNode } from "./logic.ts";

/** What answers the routes of the setup. */
export const bindSetupRoutes = (needs: NodeBase): BoundRoutes =>
  bindRoutes(setupRoutes, {
    "POST /api/setup/node": ({ actor: { user_id }, ip, body }) => {
      const options = body.publish === undefined ? {} : { publish: body.publish };
      const begin = async (name: string) => {
        const [starter] = needs.lists.starters.all();
        if (!starter) throw kernelFail("not_found");
        return starter(name, { user_id, ip }, options);
      };
      return setUpNode(needs, begin, body);
    },
  });

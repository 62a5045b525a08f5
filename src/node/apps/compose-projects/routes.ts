import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import type { Actor } from "../../actor.ts";
import { type Asker, lastingAsker } from "../../platform/operations/index.ts";
import { bindRoutes } from "../../route.ts";
import { composeProjectRoutes } from "./contract.ts";
import { deployProject } from "./deploy.ts";
import type { Own } from "./needs.ts";
import { planProject } from "./plan.ts";
import { changeProject, ejectProject, getProject, listProjects, removeProject } from "./projects.ts";

const askerOf = ({ actor, ip }: { actor: Actor; ip: string }): Asker => ({ user_id: actor.user_id, ip });

/** What answers the routes of Compose projects. */
export const bindComposeProjectRoutes = (own: Own): BoundRoutes =>
  bindRoutes(composeProjectRoutes, {
    "GET /api/containers/compose": () => listProjects(own),
    "POST /api/containers/compose": ({ body, ...from }) => deployProject(own, lastingAsker(from), body),
    "POST /api/containers/compose/plan": async ({ body: { name, file, env = "", files = [] } }) =>
      (await planProject(own, name, { file, env, files })).plan,
    "GET /api/containers/compose/{name}": ({ params }) => getProject(own, params.name),
    "POST /api/containers/compose/{name}/start": ({ params, ...from }) =>
      changeProject(own, askerOf(from), params.name, "start"),
    "POST /api/containers/compose/{name}/stop": ({ params, ...from }) =>
      changeProject(own, askerOf(from), params.name, "stop"),
    "POST /api/containers/compose/{name}/restart": ({ params, ...from }) =>
      changeProject(own, askerOf(from), params.name, "restart"),
    "POST /api/containers/compose/{name}/eject": async ({ params, set, ...from }) => {
      await ejectProject(own, askerOf(from), params.name);
      set.status = 204;
    },
    "DELETE /api/containers/compose/{name}": ({ params, query, ...from }) =>
      removeProject(own, askerOf(from), params.name, query.volumes ?? false),
  });

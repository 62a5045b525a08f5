import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import type { Catalogue } from "./catalogue.ts";
import { templateRoutes } from "./contract.ts";

/** What answers the routes of the catalogue. */
export const bindTemplateRoutes = (catalogue: Catalogue): BoundRoutes =>
  bindRoutes(templateRoutes, {
    "GET /api/templates": async () => [...(await catalogue.list())],
    "GET /api/templates/categories": () => catalogue.categories(),
    "GET /api/templates/featured": () => catalogue.getFeatured(),
    "GET /api/templates/{name}": ({ params }) => catalogue.getDetail(params.name),
  });

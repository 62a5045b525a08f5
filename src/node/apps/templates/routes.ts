import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import type { Catalogue } from "./catalogue.ts";
import { type Template, templateRoutes } from "./contract.ts";

/** The list as JSON text, made again only when the list is another one: with hundreds of apps that takes longer than the rest. */
function listText(): (list: readonly Template[]) => string {
  let latest: { list: readonly Template[]; text: string } | null = null;
  return (list) => {
    if (latest?.list !== list) latest = { list, text: JSON.stringify(list) };
    return latest.text;
  };
}

/** What answers the routes of the catalogue. */
export function bindTemplateRoutes(catalogue: Catalogue): BoundRoutes {
  const textOf = listText();
  return bindRoutes(templateRoutes, {
    "GET /api/templates": async ({ set }) => {
      set.headers["content-type"] = "application/json;charset=utf-8";
      return textOf(await catalogue.list());
    },
    "GET /api/templates/categories": () => catalogue.categories(),
    "GET /api/templates/featured": () => catalogue.getFeatured(),
    "GET /api/templates/{name}": ({ params }) => catalogue.getDetail(params.name),
  });
}

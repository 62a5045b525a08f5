import { Elysia, t } from "elysia";
import { user } from "../../access.ts";
import type { NodeContext } from "../../context.ts";
import type { Catalogue } from "./catalogue.ts";
import { Category, Template, TemplateDetail } from "./contract.ts";

/** Every signed-in user may read the catalogue. */
export const templateRoutes = (ctx: Pick<NodeContext, "guard">, catalogue: Catalogue) =>
  new Elysia({ prefix: "/api/templates" })
    .use(ctx.guard)
    .get("", async () => [...(await catalogue.list())], { access: user("apps"), response: t.Array(Template) })
    .get("/categories", () => catalogue.categories(), { access: user("apps"), response: t.Array(Category) })
    .get("/featured", () => catalogue.getFeatured(), { access: user("apps"), response: Template })
    .get("/:name", ({ params }) => catalogue.getDetail(params.name), {
      access: user("apps"),
      response: TemplateDetail,
    });

/** Templates: the catalogue of apps that can be installed, signed, linted and read only when asked. */
import { join } from "node:path";
import { defineContextFeature } from "../../../kernel/feature.ts";
import { BUILT_IN_KEY } from "../../../kernel/service/signature.ts";
import type { NodeContext } from "../../context.ts";
import { type Catalogue, openCatalogue } from "./catalogue.ts";
import { fail } from "./contract.ts";
import { templateRoutes } from "./routes.ts";

export type { Catalogue, LoadedTemplate } from "./catalogue.ts";
export type { Template, TemplateDetail } from "./contract.ts";
export type { Manifest } from "./manifest.ts";
export type { Input, Permission, Port, Secret } from "./manifest-parts.ts";
export { type AppAddress, builtInVariables } from "./variables.ts";

const catalogues = new WeakMap<object, Catalogue>();

/** The catalogue of a running node; the same one for every caller with that context. */
export function catalogueOf(ctx: Pick<NodeContext, "embedRoot" | "config" | "log">): Catalogue {
  const known = catalogues.get(ctx);
  if (known !== undefined) return known;
  const catalogue = openCatalogue({
    root: join(ctx.embedRoot, "templates"),
    indexRoot: join(ctx.embedRoot, "templates-index"),
    trustedKey: BUILT_IN_KEY,
    ownRoot: ctx.config.templates_dir,
    log: ctx.log,
  });
  catalogues.set(ctx, catalogue);
  return catalogue;
}

export const templates = defineContextFeature<NodeContext>({
  name: "templates",
  errors: fail.table,
  routes: (ctx) => templateRoutes(ctx, catalogueOf(ctx)),
});

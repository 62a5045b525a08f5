/** Templates: the catalogue of apps that can be installed, signed, linted and read only when asked. */
import { join } from "node:path";
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { BUILT_IN_KEY } from "../../../kernel/service/signature.ts";
import type { NodeBase } from "../../base.ts";
import { type Catalogue, openCatalogue } from "./catalogue.ts";
import { fail } from "./contract.ts";
import { bindTemplateRoutes } from "./routes.ts";

export type { Catalogue, LoadedTemplate } from "./catalogue.ts";
export { Question } from "./contract.ts";
export type { Manifest } from "./manifest.ts";
export { builtInVariables } from "./variables.ts";

export const templatesFeature = defineFeature({ name: "templates", errors: fail.table });

/** The catalogue of a running node. */
export interface Templates extends Part, Catalogue {}

/** A catalogue of which nothing has been read yet. */
export function createTemplates({ embedRoot, config, log }: NodeBase): Templates {
  const catalogue = openCatalogue({
    root: join(embedRoot, "templates"),
    indexRoot: join(embedRoot, "templates-index"),
    trustedKey: BUILT_IN_KEY,
    ownRoot: config.templates_dir,
    log,
  });
  return { ...catalogue, feature: templatesFeature, routes: [bindTemplateRoutes(catalogue)] };
}
